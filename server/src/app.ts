import type { Logger } from 'pino';
import { baseUrlOf, type Config } from './config.ts';
import { ApiError, type ErrorCode } from './domain/errors.ts';
import type { ManagementStore } from './domain/management-store.ts';
import { andThen, type MaybePromise } from './domain/maybe-promise.ts';
import type { Refusal, Store } from './domain/store.ts';
import { AddressGuard } from './http/access/address-guard.ts';
import { AddressLimit } from './http/access/address-limit.ts';
import { Authenticator } from './http/access/authenticator.ts';
import { overLimit } from './http/access/over-limit.ts';
import { LiveHub } from './http/live/live-hub.ts';
import type { Metrics } from './http/metrics/metrics.ts';
import { openApiDocument } from './http/openapi/document.ts';
import { defineOperations } from './http/operations.ts';
import { corsHeaders, isAllowedPreflight, preflightHeaders } from './http/request/cors.ts';
import { errorResponse, publicError } from './http/request/error-response.ts';
import { bindOperation } from './http/request/operation.ts';
import { withPreconditions } from './http/request/preconditions.ts';
import { RequestContext } from './http/request/request-context.ts';
import { UnparsedRequest } from './http/request/unparsed-request.ts';
import { Routes } from './http/router.ts';
import { type ServiceRoute, serviceRoutes } from './http/system-routes.ts';
import { WriteExecutor } from './http/writes/write-executor.ts';
import type { Answer, IncomingRequest } from './listen/exchange.ts';
import type { Peer } from './listen/peer.ts';
import { RequestLog } from './request-log.ts';

export interface AppParts {
  readonly config: Config;
  readonly store: Store;
  /** For management actions that take milliseconds. */
  readonly management: ManagementStore;
  /** For those that may take minutes. */
  readonly jobs: ManagementStore;
  readonly pepper: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Wall-clock milliseconds. */
  readonly clock: () => number;
}

/** The service as a function from request to response. It does not depend on the listener. */
export class App {
  readonly #parts: AppParts;
  readonly #authenticator: Authenticator;
  readonly #address: AddressGuard;
  readonly #routes: Routes;
  readonly #serviceRoutes: ReadonlyMap<string, ServiceRoute>;
  readonly #live: LiveHub;
  readonly #draining = { isDraining: false };
  readonly #log: RequestLog;

  constructor(parts: AppParts) {
    const { config, store, management, jobs, pepper, metrics, log, clock } = parts;
    this.#parts = parts;
    this.#log = new RequestLog(log);
    this.#authenticator = new Authenticator(store, store.environment, pepper);
    this.#live = new LiveHub(store, {
      maxReaders: config.maxStreams,
      authenticate: (authorization, nowMs) => this.#authenticator.authenticate(authorization, nowMs),
      clock,
      onReaders: (count) => metrics.observeLiveReaders(count),
      onError: (message, cause) => log.error({ err: cause }, message),
    });
    const baseUrl = baseUrlOf(config, store.environment);
    const definitions = defineOperations({ ...config, baseUrl });
    const writer = new WriteExecutor(store, baseUrl, config.maxQuantity, clock);
    const services = { store, management, jobs, writer, live: this.#live, baseUrl };
    this.#address = new AddressGuard(new AddressLimit(config.addressLimit, config.trustedProxies));
    this.#routes = new Routes(definitions.map((definition) => bindOperation(definition, services)));
    metrics.addDatabase(async () => {
      const [{ itemCount }, bytes] = await Promise.all([store.listInventory(), store.databaseBytes()]);
      return { pets: itemCount, bytes };
    });
    const service = serviceRoutes({
      checkHealth: () => store.checkHealth(),
      isDraining: () => this.#draining.isDraining,
      metrics,
      metricsToken: config.metricsToken,
      chargeAddress: (context) => this.#address.charge(context),
      requireAddressLeft: (context) => this.#address.requireLeft(context),
      document: () =>
        openApiDocument(definitions, { production: config.baseUrl, staging: config.stagingBaseUrl }),
    });
    this.#serviceRoutes = new Map(Object.entries(service));
  }

  /** Returns the response to one request. Never rejects: an error becomes an error response. */
  answer(request: IncomingRequest): MaybePromise<Answer> {
    const context = new RequestContext(request, this.#parts.clock(), this.#draining);
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

  /** The response to bytes that are not a request. The connection closes after it. */
  refuseUnparsed(code: ErrorCode, message: string, peer: Peer): Answer {
    const context = new RequestContext(new UnparsedRequest(peer), this.#parts.clock(), this.#draining);
    context.closes = true;
    return this.#observe(context, this.#fail(context, new ApiError(code, message)));
  }

  /** The response to `OPTIONS *`. Like `/healthz`, it does not count against a limit. */
  describe(peer: Peer): Answer {
    const context = new RequestContext(new UnparsedRequest(peer), this.#parts.clock(), this.#draining);
    this.#address.show(context);
    return this.#observe(context, context.respond(204, null, { Allow: this.#routes.everyMethod() }));
  }

  noteUnsent(cause: unknown): void {
    this.#log.unsent(cause);
  }

  /** From now on `/readyz` returns 503, every response closes its connection, and streams end. */
  startDraining(): void {
    this.#draining.isDraining = true;
    this.#live.end();
  }

  /** Authenticates the caller, charges the limits, and runs the operation. */
  #dispatch(context: RequestContext): MaybePromise<Answer> {
    context.corsHeaders = corsHeaders(this.#parts.config.corsOrigins, context);
    requireDecodable(context.request.target);
    const serviceRoute = this.#serviceRoutes.get(context.path);
    if (serviceRoute) return this.#answerService(context, serviceRoute);
    // Not counted: a browser sends one per address, and a page of many addresses would use up the limit.
    if (isAllowedPreflight(context) && this.#routes.allowedMethods(context.path).length > 0) {
      this.#address.show(context);
      return this.#answerOptions(context);
    }
    const identity = this.#authenticator.authenticate(context.header('authorization'), context.nowMs, () =>
      this.#address.isUsedUp(context),
    );
    return andThen(identity, (principal) => {
      if (principal instanceof ApiError) return this.#answerUnauthenticated(context, principal);
      context.principal = principal;
      if (this.#routes.isFree(context)) return this.#answerFree(context);
      return andThen(this.#parts.store.admit(principal, context.nowMs), (admission) => {
        context.windows = admission.windows;
        context.nowMs = admission.atMs;
        context.ledgerHead = admission.head;
        if (admission.failure) throw admission.failure;
        if (admission.refusal) throw this.#refuse(context, admission.refusal);
        this.#parts.store.noteKeyUse(principal.key.id, context.nowMs);
        return context.request.method === 'OPTIONS'
          ? this.#answerOptions(context)
          : this.#routes.answer(context);
      });
    });
  }

  #refuse(context: RequestContext, refusal: Refusal): ApiError {
    if (refusal.imposed) this.#log.banned(context, refusal.imposed, this.#address.addressOf(context));
    return overLimit(context, refusal);
  }

  /** Charges the address before the refusal, which limits guesses of keys. */
  #answerUnauthenticated(context: RequestContext, refusal: ApiError): MaybePromise<Answer> {
    this.#address.charge(context);
    // OPTIONS requires no key.
    if (context.request.method === 'OPTIONS' && this.#routes.allowedMethods(context.path).length > 0) {
      return this.#answerOptions(context);
    }
    throw refusal;
  }

  #answerFree(context: RequestContext): MaybePromise<Answer> {
    if (!context.principal) throw new Error('A free operation still needs a key.');
    return andThen(this.#parts.store.limitStatus(context.principal, context.nowMs), (limitStatus) => {
      context.limitStatus = limitStatus;
      context.windows = limitStatus.windows;
      context.nowMs = limitStatus.atMs;
      return this.#routes.answer(context);
    });
  }

  #answerOptions(context: RequestContext): MaybePromise<Answer> {
    const allowed = this.#routes.allowedMethods(context.path);
    if (allowed.length === 0) return this.#routes.answer(context);
    const headers = this.#routes.allowHeaders(allowed);
    const preflight = context.corsHeaders?.['Access-Control-Allow-Origin']
      ? preflightHeaders(allowed.join(', '))
      : undefined;
    return context.respond(204, null, { ...headers, ...preflight });
  }

  async #answerService(context: RequestContext, route: ServiceRoute): Promise<Answer> {
    context.operation = context.path;
    this.#address.show(context);
    const { method } = context.request;
    if (method === 'OPTIONS') return context.respond(204, null, { Allow: 'GET, HEAD, OPTIONS' });
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method_not_allowed', `${method} is not allowed here.`, {
        headers: { Allow: 'GET, HEAD, OPTIONS' },
      });
    }
    return withPreconditions(context, () => route(context));
  }

  #fail(context: RequestContext, thrown: unknown): Answer {
    const error = publicError(thrown);
    if (context.windows.length === 0) this.#address.show(context);
    context.operationHeaders ??= this.#routes.operationHeaders(context);
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

/** Checks the path before any part is decoded, because decoding can produce new escapes. */
function requireDecodable(target: string): void {
  if (!target.includes('%')) return;
  try {
    decodeURIComponent(target.split('?', 1)[0] as string);
  } catch {
    throw new ApiError('malformed_request', 'The path has a malformed percent-encoding.');
  }
}
