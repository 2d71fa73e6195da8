import { ADMIN_PATH, buildApis } from './app-apis.ts';
import type { AppParts } from './app-parts.ts';
import { ApiError, type ErrorCode, serviceUnavailable } from './domain/errors.ts';
import type { MaybePromise } from './domain/maybe-promise.ts';
import type { Store } from './domain/store.ts';
import { AddressGuard } from './http/access/address-guard.ts';
import { AddressLimit } from './http/access/address-limit.ts';
import { Authentication } from './http/access/authentication.ts';
import type { Api } from './http/api.ts';
import { Dashboard, isNavigation } from './http/dashboard/dashboard.ts';
import { LiveHub } from './http/live/live-hub.ts';
import type { Metrics } from './http/metrics/metrics.ts';
import { corsHeaders } from './http/request/cors.ts';
import { errorResponse, publicError } from './http/request/error-response.ts';
import { withPreconditions } from './http/request/preconditions.ts';
import { RequestContext } from './http/request/request-context.ts';
import { UnparsedRequest } from './http/request/unparsed-request.ts';
import { type ServiceRoute, serviceRoutes } from './http/system-routes.ts';
import type { Answer, IncomingRequest } from './listen/exchange.ts';
import type { Peer } from './listen/peer.ts';
import { RequestLog } from './request-log.ts';

/** The service as a function from request to response. It does not depend on the listener. */
export class App {
  readonly #parts: AppParts;
  readonly #address: AddressGuard;
  readonly #client: Api;
  readonly #admin: Api;
  readonly #serviceRoutes: ReadonlyMap<string, ServiceRoute>;
  readonly #methods: string;
  readonly #dashboard: Dashboard;
  readonly #live: LiveHub;
  readonly #draining = { isDraining: false };
  readonly #log: RequestLog;

  constructor(parts: AppParts) {
    const { config, store, pepper, metrics, log } = parts;
    this.#parts = parts;
    this.#log = new RequestLog(log);
    const authentication = new Authentication(store, { ...config, pepper });
    this.#live = new LiveHub(store, {
      maxReaders: config.maxStreams,
      authenticate: ({ authorization, session }, nowMs) =>
        session === undefined
          ? authentication.authenticateKey(authorization, nowMs)
          : authentication.sessions.authenticate(session, nowMs),
      clock: () => store.now(),
      onReaders: (count) => metrics.observeLiveReaders(count),
      onError: (message, cause) => log.error({ err: cause }, message),
    });
    this.#address = new AddressGuard(new AddressLimit(config.addressLimit, config.trustedProxies));
    const apis = buildApis(parts, {
      authentication,
      address: this.#address,
      live: this.#live,
      log: this.#log,
    });
    this.#client = apis.client;
    this.#admin = apis.admin;
    this.#methods = apis.methods;
    this.#dashboard = parts.dashboard ?? new Dashboard(undefined);
    metrics.addDatabase(databaseMetrics(store));
    const service = serviceRoutes({
      checkHealth: () => store.checkHealth(),
      isDraining: () => this.#draining.isDraining,
      metrics,
      isDashboardOff: this.#dashboard.isOff,
      metricsToken: config.metricsToken,
      chargeAddress: (context) => this.#address.charge(context),
      requireAddressLeft: (context) => this.#address.requireLeft(context),
      document: apis.document,
      adminDocument: apis.adminDocument,
    });
    this.#serviceRoutes = new Map(Object.entries(service));
  }

  /** Returns the response to one request. Never rejects: an error becomes an error response. */
  answer(request: IncomingRequest): MaybePromise<Answer> {
    const context = new RequestContext(request, this.#parts.store.now(), this.#draining);
    const { tracing } = this.#parts;
    return tracing === undefined
      ? this.#answerIn(context)
      : tracing.request(context, () => this.#answerIn(context));
  }

  /** The response to bytes that are not a request. The connection closes after it. */
  refuseUnparsed(code: ErrorCode, message: string, peer: Peer): Answer {
    const context = new RequestContext(new UnparsedRequest(peer), this.#parts.store.now(), this.#draining);
    context.closes = true;
    const error = code === 'service_unavailable' ? serviceUnavailable(message) : new ApiError(code, message);
    return this.#observe(context, this.#fail(context, error));
  }

  /** The response to `OPTIONS *`. Like `/healthz`, it does not count against a limit. */
  describe(peer: Peer): Answer {
    const context = new RequestContext(new UnparsedRequest(peer), this.#parts.store.now(), this.#draining);
    this.#address.show(context);
    return this.#observe(context, context.respond(204, null, { Allow: this.#methods }));
  }

  noteUnsent(cause: unknown): void {
    this.#log.unsent(cause);
  }

  /** From now on `/readyz` returns 503, every response closes its connection, and streams end. */
  startDraining(): void {
    this.#draining.isDraining = true;
    this.#live.end();
  }

  #answerIn(context: RequestContext): MaybePromise<Answer> {
    try {
      const answer = this.#dispatch(context);
      return answer instanceof Promise
        ? answer.then(
            (settled) => this.#observe(context, settled),
            (thrown) => this.#observe(context, this.#fail(context, thrown)),
          )
        : this.#observe(context, answer);
    } catch (thrown) {
      return this.#observe(context, this.#fail(context, thrown));
    }
  }

  #dispatch(context: RequestContext): MaybePromise<Answer> {
    const api = this.#apiOf(context);
    if (api === this.#client) context.corsHeaders = corsHeaders(this.#parts.config.corsOrigins, context);
    requireDecodable(context.request.target);
    const page = this.#dashboard.routeOf(context);
    if (page) return this.#answerService(context, page, 'dashboard');
    const serviceRoute = this.#serviceRoutes.get(context.path);
    if (serviceRoute) return this.#answerService(context, serviceRoute, context.path);
    return isStray(context)
      ? this.#answerService(context, this.#dashboard.missingPage, 'dashboard')
      : api.answer(context);
  }

  /** The interface of a path. Pages of other origins cannot read the responses of the management API. */
  #apiOf({ path }: RequestContext): Api {
    if (!path.startsWith(ADMIN_PATH)) return this.#client;
    return path.length === ADMIN_PATH.length || path[ADMIN_PATH.length] === '/' ? this.#admin : this.#client;
  }

  /** @param name For metrics and logs. */
  async #answerService(context: RequestContext, route: ServiceRoute, name: string): Promise<Answer> {
    context.operation = name;
    this.#address.show(context);
    const { method } = context.request;
    if (method === 'OPTIONS') return context.respond(204, null, { Allow: 'GET, HEAD, OPTIONS' });
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method_not_allowed', `${method} is not allowed here, but GET, HEAD, OPTIONS.`, {
        headers: { Allow: 'GET, HEAD, OPTIONS' },
      });
    }
    return withPreconditions(context, () => route(context));
  }

  #fail(context: RequestContext, thrown: unknown): Answer {
    const error = publicError(thrown);
    context.errorCode = error.code;
    if (context.windows.length === 0) this.#address.show(context);
    context.operationHeaders ??= this.#apiOf(context).operationHeaders(context);
    if (error.status >= 500) this.#log.failed(context, error);
    this.#parts.metrics.observeRefusal(error.code);
    return errorResponse(context, error);
  }

  #observe(context: RequestContext, answer: Answer): Answer {
    const durationMs = performance.now() - context.startedAtMs;
    this.#parts.metrics.observeRequest(context.operation, answer.status, durationMs);
    if (this.#log.isDetailed) {
      this.#log.completed(context, answer.status, durationMs, this.#address.addressOf(context));
    }
    return answer;
  }
}

/** Whether a browser opens a path of no interface, such as one that a person has mistyped. */
function isStray(context: RequestContext): boolean {
  if (/^\/(?:admin\/)?v1(?:\/|$)/.test(context.path) || !isNavigation(context)) return false;
  // With a key it may be an attempt to guess one, which counts against the address. A browser sends none.
  return !/^bearer /i.test(context.header('authorization') ?? '');
}

/**
 * Checks path and query before any part is decoded, because decoding can produce new escapes, and the query would be decoded
 * with replacement characters.
 */
function requireDecodable(target: string): void {
  if (!target.includes('%') || isDecodable(target)) return;
  throw new ApiError(
    'malformed_request',
    'The path or the query has a percent-encoding that is not UTF-8 text.',
  );
}

function isDecodable(text: string): boolean {
  try {
    // The result is used, because Bun drops a call of this function whose result is not.
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

/** What the metrics read of the database. */
function databaseMetrics(store: Store): Parameters<Metrics['addDatabase']>[0] {
  return {
    read: async () => {
      const [{ itemCount }, bytes, freeBytes, newestBackup] = await Promise.all([
        store.listInventory(),
        store.databaseBytes(),
        store.freeBytes(),
        store.newestBackup(),
      ]);
      return { pets: itemCount, bytes, freeBytes, newestBackup };
    },
    now: () => store.now(),
    checkHealth: () => store.checkHealth(),
    isDiskFull: () => store.isDiskFull(),
  };
}
