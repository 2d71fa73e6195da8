import type { Logger } from 'pino';
import { baseUrlOf, type Config } from './config.ts';
import type { Ban } from './domain/bans.ts';
import { ApiError, type ErrorCode } from './domain/errors.ts';
import { andThen, type MaybePromise } from './domain/maybe-promise.ts';
import type { WindowUsage } from './domain/rate-limit.ts';
import type { Refusal, Store } from './domain/store.ts';
import { AddressLimit } from './http/access/address-limit.ts';
import { Authenticator } from './http/access/authenticator.ts';
import { overAddressLimit, overLimit } from './http/access/over-limit.ts';
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

/** A key that was put where it does not belong, and must not reach the log from there. */
const API_KEY = /psk_(?:live|test)_\w+/g;

export interface AppParts {
  readonly config: Config;
  readonly store: Store;
  readonly pepper: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Wall-clock milliseconds. */
  readonly clock: () => number;
}

/** The service as a function from request to response, whatever socket it came from. */
export class App {
  readonly #parts: AppParts;
  readonly #authenticator: Authenticator;
  readonly #addressLimit: AddressLimit;
  readonly #routes: Routes;
  readonly #serviceRoutes: ReadonlyMap<string, ServiceRoute>;
  readonly #live: LiveHub;
  readonly #draining = { isDraining: false };
  /** When a request that could not be served now was last logged, and how many were not since. */
  #unavailable = { loggedAtMs: Number.NEGATIVE_INFINITY, suppressed: 0 };

  constructor(parts: AppParts) {
    const { config, store, pepper, metrics, log, clock } = parts;
    this.#parts = parts;
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
    const services = { store, writer, live: this.#live, baseUrl };
    this.#addressLimit = new AddressLimit(config.addressLimit, config.trustedProxies);
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
      chargeAddress: (context) => this.#chargeAddress(context),
      requireAddressLeft: (context) => this.#requireAddressLeft(context),
      document: () =>
        openApiDocument(definitions, { production: config.baseUrl, staging: config.stagingBaseUrl }),
    });
    this.#serviceRoutes = new Map(Object.entries(service));
  }

  /** Answers one request. Never rejects: whatever is thrown becomes an error body. */
  answer(request: IncomingRequest): MaybePromise<Answer> {
    const context = new RequestContext(request, this.#parts.clock(), this.#draining);
    try {
      const answer = this.#judge(context);
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

  /** The answer to bytes that no request could be made of. The connection is of no use after it. */
  refuseUnparsed(code: ErrorCode, message: string, peer: Peer): Answer {
    const context = new RequestContext(new UnparsedRequest(peer), this.#parts.clock(), this.#draining);
    context.closes = true;
    return this.#observe(context, this.#fail(context, new ApiError(code, message)));
  }

  /** The answer to `OPTIONS *`. It is not counted, as `/healthz` is not. */
  describe(peer: Peer): Answer {
    const context = new RequestContext(new UnparsedRequest(peer), this.#parts.clock(), this.#draining);
    this.#showAddressWindow(context);
    return this.#observe(context, context.respond(204, null, { Allow: this.#routes.everyMethod() }));
  }

  noteUnsent(cause: unknown): void {
    this.#parts.log.error({ err: cause }, 'an answer was not sent, or not to its end');
  }

  /** From now on `/readyz` says no, every answer asks the client to close its connection, and streams end. */
  startDraining(): void {
    this.#draining.isDraining = true;
    this.#live.end();
  }

  /** The way of a request: who is it, may they, what do they want. */
  #judge(context: RequestContext): MaybePromise<Answer> {
    context.corsHeaders = corsHeaders(this.#parts.config.corsOrigins, context);
    requireDecodable(context.request.target);
    const serviceRoute = this.#serviceRoutes.get(context.path);
    if (serviceRoute) return this.#answerService(context, serviceRoute);
    // A page calls many addresses, and a browser asks for each: counted, the limit of strangers would be the page's.
    if (isAllowedPreflight(context) && this.#routes.allowedMethods(context.path).length > 0) {
      this.#showAddressWindow(context);
      return this.#answerOptions(context);
    }
    const identity = this.#authenticator.authenticate(
      context.header('authorization'),
      context.nowMs,
      () => this.#addressWindow(context).remaining === 0,
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
    if (refusal.imposed) {
      const accountId = context.principal?.account.id;
      this.#parts.log.info(
        { ...banFields(refusal.imposed), accountId, address: this.#addressOf(context) },
        'API key banned',
      );
    }
    return overLimit(context, refusal);
  }

  /** A caller without a valid key is charged before being refused: who guesses keys runs out of guesses. */
  #answerUnauthenticated(context: RequestContext, refusal: ApiError): MaybePromise<Answer> {
    this.#chargeAddress(context);
    // OPTIONS asks for no key.
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
    this.#showAddressWindow(context);
    const { method } = context.request;
    if (method === 'OPTIONS') return context.respond(204, null, { Allow: 'GET, HEAD, OPTIONS' });
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method_not_allowed', `${method} is not allowed here.`, {
        headers: { Allow: 'GET, HEAD, OPTIONS' },
      });
    }
    return withPreconditions(context, () => route(context));
  }

  #chargeAddress(context: RequestContext): void {
    const { isAdmitted, window } = this.#addressLimit.charge(
      context.request,
      forwardedFor(context),
      context.nowMs,
    );
    context.windows = [window];
    if (!isAdmitted) throw overAddressLimit(context, window);
  }

  #requireAddressLeft(context: RequestContext): void {
    const window = this.#addressWindow(context);
    if (window.remaining === 0) throw overAddressLimit(context, window);
  }

  #addressOf(context: RequestContext): string {
    return this.#addressLimit.callerOf(context.request, forwardedFor(context));
  }

  #addressWindow(context: RequestContext): WindowUsage {
    return this.#addressLimit.peek(context.request, forwardedFor(context), context.nowMs);
  }

  #showAddressWindow(context: RequestContext): void {
    context.windows = [this.#addressWindow(context)];
  }

  #fail(context: RequestContext, thrown: unknown): Answer {
    const error = publicError(thrown);
    if (context.windows.length === 0) this.#showAddressWindow(context);
    context.operationHeaders ??= this.#routes.operationHeaders(context);
    if (error.status >= 500) this.#logFailure(context, error);
    this.#parts.metrics.observeRefusal(error.code);
    return errorResponse(context, error);
  }

  /** Logs a failure with its cause. While a database is gone every request fails, and one line a second tells it. */
  #logFailure({ requestId, startedAtMs }: RequestContext, error: ApiError): void {
    if (error.code === 'service_unavailable' && startedAtMs < this.#unavailable.loggedAtMs + 1_000) {
      this.#unavailable.suppressed += 1;
      return;
    }
    const { suppressed } = this.#unavailable;
    if (error.code === 'service_unavailable') this.#unavailable = { loggedAtMs: startedAtMs, suppressed: 0 };
    this.#parts.log.error(
      {
        requestId,
        code: error.code,
        err: error.cause ?? error,
        ...(suppressed > 0 && { alikeBefore: suppressed }),
      },
      error.message,
    );
  }

  #observe(context: RequestContext, answer: Answer): Answer {
    const { metrics, log } = this.#parts;
    const durationMs = performance.now() - context.startedAtMs;
    metrics.observeRequest(context.operation, answer.status, durationMs);
    if (log.isLevelEnabled('debug')) {
      const { requestId, path, operation, principal } = context;
      log.debug(
        {
          requestId,
          method: context.request.method,
          path: path.replaceAll(API_KEY, '[api key]'),
          operation,
          keyId: principal?.key.id,
          accountId: principal?.account.id,
          address: this.#addressOf(context),
          status: answer.status,
          durationMs,
        },
        'request',
      );
    }
    return answer;
  }
}

function forwardedFor(context: RequestContext): string | null {
  return context.header('x-forwarded-for');
}

/** Checks the path as it was sent: decoding a part of it can make an escape out of what was none. */
function requireDecodable(target: string): void {
  if (!target.includes('%')) return;
  try {
    decodeURIComponent(target.split('?', 1)[0] as string);
  } catch {
    throw new ApiError('malformed_request', 'The path has a malformed percent-encoding.');
  }
}

/** What the log says of a ban. */
export function banFields({ keyId, level, endsAtMs }: Ban): object {
  return { keyId, banLevel: level, until: new Date(endsAtMs).toISOString() };
}
