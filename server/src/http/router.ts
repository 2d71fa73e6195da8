import { toStorableText } from '@petstore-inventory/shared/storable-text';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { ApiError } from '../domain/errors.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Answer } from '../listen/exchange.ts';
import { ACCEPT_PATCH } from './request/json-body.ts';
import { type BoundOperation, perform } from './request/bound-operation.ts';
import type { RequestContext } from './request/request-context.ts';
import { sentValue } from './request/sent-value.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The operation of a request, and the decoded parameters of its path. */
interface Match {
  readonly operation: BoundOperation;
  readonly parameter: (name: string) => string;
}

const noParameter = (): string => '';

/** Finds the operation for a method and a path below a base path, such as `/v1`. */
export class Routes {
  /** Paths without parameters. Such a path takes precedence over a matching pattern (OpenAPI 3.1, Paths Object). */
  readonly #literals = new Map<string, Map<string, Match>>();
  readonly #patterns = new RegExpRouter<BoundOperation>();
  readonly #basePath: string;

  constructor(basePath: string, operations: readonly BoundOperation[]) {
    this.#basePath = basePath;
    for (const operation of operations) {
      const method = operation.route.method.toUpperCase();
      const path = basePath + operation.route.path;
      if (path.includes('{')) this.#patterns.add(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), operation);
      else {
        const byMethod = this.#literals.get(path) ?? new Map<string, Match>();
        this.#literals.set(path, byMethod.set(method, { operation, parameter: noParameter }));
      }
    }
  }

  /** Whether a request takes nothing from the quota. */
  isFree({ path, request }: RequestContext): boolean {
    const operation = this.#literals.get(path)?.get(lookupMethod(request.method))?.operation;
    return operation?.isFree === true;
  }

  /** @throws ApiError `route_not_found`, `method_not_allowed`, or an error of the operation. */
  answer(context: RequestContext): MaybePromise<Answer> {
    const match = this.#match(lookupMethod(context.request.method), context.path);
    if (!match) throw this.#noSuchRoute(context);
    return perform(match.operation, context, match.parameter);
  }

  /** The methods of a path for `Allow` (RFC 9110 section 10.2.1); empty for an unknown path. */
  allowedMethods(path: string): readonly string[] {
    const methods = METHODS.filter((method) => this.#match(method, path) !== undefined);
    if (methods.length === 0) return [];
    return [
      ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
      ...methods.filter((m) => m !== 'GET'),
      'OPTIONS',
    ];
  }

  /** The requested operation, if there is one. */
  find({ path, request }: RequestContext): BoundOperation | undefined {
    return this.#match(lookupMethod(request.method), path)?.operation;
  }

  /** Headers that list the methods of a path. */
  allowHeaders(allowed: readonly string[]): Record<string, string> {
    const allow = { Allow: allowed.join(', ') };
    return allowed.includes('PATCH') ? { ...allow, 'Accept-Patch': ACCEPT_PATCH } : allow;
  }

  #match(method: string, path: string): Match | undefined {
    const byMethod = this.#literals.get(path);
    if (byMethod) return byMethod.get(method);
    const [[first], stash] = this.#patterns.match(method, path);
    if (!first) return undefined;
    const [operation, places] = first;
    const parameter = (name: string) => {
      const place = places[name];
      const text = (typeof place === 'number' ? stash?.[place] : place) ?? '';
      // No resource has an id with U+0000, and PostgreSQL fails on one.
      return text.includes('%') ? toStorableText(decodeURIComponent(text)) : text;
    };
    return { operation, parameter };
  }

  #noSuchRoute({ path, request }: RequestContext): ApiError {
    const allowed = this.allowedMethods(path);
    if (allowed.length === 0)
      return new ApiError(
        'route_not_found',
        `This path does not exist.${sentValue(path)} Paths begin with ${this.#basePath}; ${this.#basePath.replace('v1', 'openapi.json')} lists them.`,
      );
    return new ApiError(
      'method_not_allowed',
      `${request.method} is not allowed here, but ${allowed.join(', ')}.`,
      {
        headers: this.allowHeaders(allowed),
      },
    );
  }
}

/** HEAD is GET without the body (RFC 9110 section 9.3.2). */
function lookupMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}
