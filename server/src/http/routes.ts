import { type Handler, Hono } from 'hono';
import { ApiError } from '../domain/errors.ts';
import type { Eventually } from '../domain/eventually.ts';
import type { Call } from './call.ts';
import { ACCEPT_PATCH } from './json-body.ts';
import { type Operation, perform } from './operation.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Router = Hono<{ Bindings: Call }>;

/** The guarded routes: which operation a method and a path mean, below `/v1`. */
export class Routes {
  /**
   * Paths that are written out, and patterns. A path of the first wins over a pattern that it fits, whatever the
   * method (OpenAPI 3.1, Paths Object); and Hono finds a path three times as fast where none of it is ambiguous.
   */
  readonly #literals: Router;
  readonly #patterns: Router;
  readonly #literalPaths: ReadonlySet<string>;
  readonly #freePaths: ReadonlySet<string>;
  readonly #methods: ReadonlySet<string>;
  readonly #headersOf = new Map<unknown, Operation['headers']>();

  /** @param onError Turns what an operation threw into its answer. */
  constructor(operations: readonly Operation[], onError: (call: Call, thrown: unknown) => Response) {
    const isPattern = ({ route }: Operation) => route.path.includes('{');
    const literals = operations.filter((operation) => !isPattern(operation));
    this.#literals = this.#routerOf(literals, onError);
    this.#patterns = this.#routerOf(operations.filter(isPattern), onError);
    this.#literalPaths = new Set(literals.map(({ route }) => honoPath(route.path)));
    this.#methods = new Set(operations.map(({ route }) => route.method.toUpperCase()));
    this.#freePaths = new Set(
      operations.filter(({ isFree }) => isFree).map(({ route }) => honoPath(route.path)),
    );
  }

  /** Whether a request takes nothing from the quota. */
  isFree({ path, request }: Call): boolean {
    return this.#freePaths.has(path) && (request.method === 'GET' || request.method === 'HEAD');
  }

  answer(call: Call): Eventually<Response> {
    return this.#routerAt(call.path).fetch(call.request, call);
  }

  /** The methods of a path as `Allow` lists them (RFC 9110 section 10.2.1); empty for an unknown path. */
  allowedMethods(path: string): readonly string[] {
    const methods = METHODS.filter((method) => this.#handlerOf(method, path) !== undefined);
    if (methods.length === 0) return [];
    return [
      ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
      ...methods.filter((m) => m !== 'GET'),
      'OPTIONS',
    ];
  }

  /** The headers that the operation a call asks for has on each of its responses, refusals before it included. */
  operationHeaders({ path, request }: Call): Operation['headers'] {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return this.#headersOf.get(this.#handlerOf(method, path));
  }

  /** The methods that any path has. */
  everyMethod(): string {
    return ['HEAD', ...this.#methods, 'OPTIONS'].join(', ');
  }

  /** Headers that tell what a path understands. */
  allowHeaders(allowed: readonly string[]): Record<string, string> {
    const allow = { Allow: allowed.join(', ') };
    return allowed.includes('PATCH') ? { ...allow, 'Accept-Patch': ACCEPT_PATCH } : allow;
  }

  #routerOf(operations: readonly Operation[], onError: (call: Call, thrown: unknown) => Response): Router {
    const router: Router = new Hono({
      // The path as the call has it: two readings of one address must not be able to disagree.
      getPath: (_request, options) => (options as { env: Call }).env.path,
    });
    for (const operation of operations) {
      const { method, path } = operation.route;
      const handler: Handler<{ Bindings: Call }> = (context) =>
        perform(operation, context.env, (name) => context.req.param(name) ?? '');
      router.on(method.toUpperCase(), honoPath(path), handler);
      this.#headersOf.set(handler, operation.headers);
    }
    router.notFound((context) => onError(context.env, this.#noSuchRoute(context.env)));
    router.onError((thrown, context) => onError(context.env, thrown));
    return router;
  }

  #routerAt(path: string): Router {
    return this.#literalPaths.has(path) ? this.#literals : this.#patterns;
  }

  #handlerOf(method: string, path: string): unknown {
    return this.#routerAt(path).router.match(method, path)[0][0]?.[0][0];
  }

  #noSuchRoute({ path, request }: Call): ApiError {
    const allowed = this.allowedMethods(path);
    if (allowed.length === 0) return new ApiError('route_not_found', 'There is nothing at this path.');
    return new ApiError('method_not_allowed', `${request.method} is not allowed here.`, {
      headers: this.allowHeaders(allowed),
    });
  }
}

function honoPath(path: string): string {
  return `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}
