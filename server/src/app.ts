import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Ban } from './domain/bans.ts';
import { ApiError, type ErrorCode } from './domain/errors.ts';
import { andThen, type Eventually } from './domain/maybe-promise.ts';
import { retryAfterSeconds, type WindowUsage } from './domain/rate-limit.ts';
import type { Refusal, Store } from './domain/store.ts';
import { AddressLimit } from './http/access/address-limit.ts';
import { Identifier } from './http/access/authenticator.ts';
import { LiveMovements } from './http/live/live-hub.ts';
import type { Metrics } from './http/metrics/metrics.ts';
import { openApiDocument } from './http/openapi/document.ts';
import { operationsOf } from './http/operations.ts';
import { corsHeaders, isAllowedPreflight, preflightHeaders } from './http/request/cors.ts';
import { errorResponse, publicError } from './http/request/error-response.ts';
import { withPreconditions } from './http/request/preconditions.ts';
import { Call } from './http/request/request-context.ts';
import { Routes } from './http/router.ts';
import { type ServiceRoute, serviceRoutes } from './http/system-routes.ts';
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
  readonly #identifier: Identifier;
  readonly #addressLimit: AddressLimit;
  readonly #routes: Routes;
  readonly #serviceRoutes: ReadonlyMap<string, ServiceRoute>;
  readonly #live: LiveMovements;
  readonly #draining = { isDraining: false };
  /** When a request that could not be served now was last logged, and how many were not since. */
  #unavailable = { toldAtMs: Number.NEGATIVE_INFINITY, untold: 0 };

  constructor(parts: AppParts) {
    const { config, store, pepper, metrics, log, clock } = parts;
    this.#parts = parts;
    this.#identifier = new Identifier(store, store.environment, pepper);
    this.#live = new LiveMovements(store, {
      mostReaders: config.maxStreams,
      identify: (authorization, nowMs) => this.#identifier.identify(authorization, nowMs),
      clock,
      onReaders: (count) => metrics.observeLiveReaders(count),
      onTrouble: (message, cause) => log.error({ err: cause }, message),
    });
    const operations = operationsOf(config, store, this.#live, clock);
    this.#addressLimit = new AddressLimit(config.addressLimit, config.trustedProxies);
    this.#routes = new Routes(operations);
    const service = serviceRoutes({
      checkHealth: () => store.checkHealth(),
      isDraining: () => this.#draining.isDraining,
      metrics,
      metricsToken: config.metricsToken,
      chargeAddress: (call) => this.#chargeAddress(call),
      requireAddressLeft: (call) => this.#requireAddressLeft(call),
      document: () =>
        openApiDocument(operations, { production: config.baseUrl, staging: config.stagingBaseUrl }),
    });
    this.#serviceRoutes = new Map(Object.entries(service));
  }

  /** Answers one request. Never rejects: whatever is thrown becomes an error body. */
  answer(request: IncomingRequest): Eventually<Answer> {
    const call = new Call(request, this.#parts.clock(), this.#draining);
    try {
      const answer = this.#judge(call);
      return answer instanceof Promise
        ? answer.then(
            (settled) => this.#observe(call, settled),
            (thrown) => this.#observe(call, this.#fail(call, thrown)),
          )
        : this.#observe(call, answer);
    } catch (thrown) {
      return this.#observe(call, this.#fail(call, thrown));
    }
  }

  /** The answer to bytes that no request could be made of. The connection is of no use after it. */
  refuseUnparsed(code: ErrorCode, message: string, peer: Peer): Answer {
    const call = new Call(new UnparsedRequest(peer), this.#parts.clock(), this.#draining);
    call.closes = true;
    return this.#observe(call, this.#fail(call, new ApiError(code, message)));
  }

  /** The answer to `OPTIONS *`. It is not counted, as `/healthz` is not. */
  describe(peer: Peer): Answer {
    const call = new Call(new UnparsedRequest(peer), this.#parts.clock(), this.#draining);
    this.#showAddressWindow(call);
    return this.#observe(call, call.respond(204, null, { Allow: this.#routes.everyMethod() }));
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
  #judge(call: Call): Eventually<Answer> {
    call.corsHeaders = corsHeaders(this.#parts.config.corsOrigins, call);
    requireDecodable(call.request.target);
    const serviceRoute = this.#serviceRoutes.get(call.path);
    if (serviceRoute) return this.#answerService(call, serviceRoute);
    // A page calls many addresses, and a browser asks for each: counted, the limit of strangers would be the page's.
    if (isAllowedPreflight(call) && this.#routes.allowedMethods(call.path).length > 0) {
      this.#showAddressWindow(call);
      return this.#answerOptions(call);
    }
    const identity = this.#identifier.identify(
      call.header('authorization'),
      call.nowMs,
      () => this.#addressWindow(call).remaining === 0,
    );
    return andThen(identity, (holder) => {
      if (holder instanceof ApiError) return this.#answerStranger(call, holder);
      call.holder = holder;
      if (this.#routes.isFree(call)) return this.#answerFree(call);
      return andThen(this.#parts.store.admit(holder, call.nowMs), (admission) => {
        call.windows = admission.windows;
        call.nowMs = admission.atMs;
        call.ledgerHead = admission.head;
        if (admission.failure) throw admission.failure;
        if (admission.refusal) throw this.#refuse(call, admission.refusal);
        this.#parts.store.noteKeyUse(holder.key.id, call.nowMs);
        return call.request.method === 'OPTIONS' ? this.#answerOptions(call) : this.#routes.answer(call);
      });
    });
  }

  #refuse(call: Call, refusal: Refusal): ApiError {
    if (refusal.imposed) {
      const accountId = call.holder?.account.id;
      this.#parts.log.info(
        { ...banFields(refusal.imposed), accountId, address: this.#addressOf(call) },
        'API key banned',
      );
    }
    return overLimit(call, refusal);
  }

  /** A caller without a valid key is charged before being refused: who guesses keys runs out of guesses. */
  #answerStranger(call: Call, refusal: ApiError): Eventually<Answer> {
    this.#chargeAddress(call);
    // OPTIONS asks for no key.
    if (call.request.method === 'OPTIONS' && this.#routes.allowedMethods(call.path).length > 0) {
      return this.#answerOptions(call);
    }
    throw refusal;
  }

  #answerFree(call: Call): Eventually<Answer> {
    if (!call.holder) throw new Error('A free operation still needs a key.');
    return andThen(this.#parts.store.standing(call.holder, call.nowMs), (standing) => {
      call.standing = standing;
      call.windows = standing.windows;
      call.nowMs = standing.atMs;
      return this.#routes.answer(call);
    });
  }

  #answerOptions(call: Call): Eventually<Answer> {
    const allowed = this.#routes.allowedMethods(call.path);
    if (allowed.length === 0) return this.#routes.answer(call);
    const headers = this.#routes.allowHeaders(allowed);
    const preflight = call.corsHeaders?.['Access-Control-Allow-Origin']
      ? preflightHeaders(allowed.join(', '))
      : undefined;
    return call.respond(204, null, { ...headers, ...preflight });
  }

  async #answerService(call: Call, route: ServiceRoute): Promise<Answer> {
    call.operation = call.path;
    this.#showAddressWindow(call);
    const { method } = call.request;
    if (method === 'OPTIONS') return call.respond(204, null, { Allow: 'GET, HEAD, OPTIONS' });
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method_not_allowed', `${method} is not allowed here.`, {
        headers: { Allow: 'GET, HEAD, OPTIONS' },
      });
    }
    return withPreconditions(call, () => route(call));
  }

  #chargeAddress(call: Call): void {
    const { isAdmitted, window } = this.#addressLimit.charge(call.request, forwardedFor(call), call.nowMs);
    call.windows = [window];
    if (!isAdmitted) throw overAddressLimit(call, window);
  }

  #requireAddressLeft(call: Call): void {
    const window = this.#addressWindow(call);
    if (window.remaining === 0) throw overAddressLimit(call, window);
  }

  #addressOf(call: Call): string {
    return this.#addressLimit.callerOf(call.request, forwardedFor(call));
  }

  #addressWindow(call: Call): WindowUsage {
    return this.#addressLimit.standing(call.request, forwardedFor(call), call.nowMs);
  }

  #showAddressWindow(call: Call): void {
    call.windows = [this.#addressWindow(call)];
  }

  #fail(call: Call, thrown: unknown): Answer {
    const error = publicError(thrown);
    if (call.windows.length === 0) this.#showAddressWindow(call);
    call.operationHeaders ??= this.#routes.operationHeaders(call);
    if (error.status >= 500) this.#logFailure(call, error);
    this.#parts.metrics.observeRefusal(error.code);
    return errorResponse(call, error);
  }

  /** Logs a failure with its cause. While a database is gone every request fails, and one line a second tells it. */
  #logFailure({ requestId, startedAtMs }: Call, error: ApiError): void {
    if (error.code === 'service_unavailable' && startedAtMs < this.#unavailable.toldAtMs + 1_000) {
      this.#unavailable.untold += 1;
      return;
    }
    const { untold } = this.#unavailable;
    if (error.code === 'service_unavailable') this.#unavailable = { toldAtMs: startedAtMs, untold: 0 };
    this.#parts.log.error(
      { requestId, code: error.code, err: error.cause ?? error, ...(untold > 0 && { alikeBefore: untold }) },
      error.message,
    );
  }

  #observe(call: Call, answer: Answer): Answer {
    const { metrics, log } = this.#parts;
    const durationMs = performance.now() - call.startedAtMs;
    metrics.observeRequest(call.operation, answer.status, durationMs);
    if (log.isLevelEnabled('debug')) {
      const { requestId, path, operation, holder } = call;
      log.debug(
        {
          requestId,
          method: call.request.method,
          path: path.replaceAll(API_KEY, '[api key]'),
          operation,
          keyId: holder?.key.id,
          accountId: holder?.account.id,
          address: this.#addressOf(call),
          status: answer.status,
          durationMs,
        },
        'request',
      );
    }
    return answer;
  }
}

/** Stands for bytes that no request could be made of. */
class UnparsedRequest implements IncomingRequest {
  readonly method = '';
  readonly target = '/';
  readonly remoteAddress: string | undefined;

  constructor({ remoteAddress }: Peer) {
    this.remoteAddress = remoteAddress;
  }

  get signal(): AbortSignal {
    return AbortSignal.abort();
  }

  header(): null {
    return null;
  }

  readBody(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

function forwardedFor(call: Call): string | null {
  return call.header('x-forwarded-for');
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

function overAddressLimit(call: Call, { resetAtMs }: WindowUsage): ApiError {
  return overLimit(call, { code: 'rate_limit_exceeded', retryAtMs: resetAtMs });
}

function overLimit(call: Call, { code, retryAtMs }: Refusal): ApiError {
  call.retryAtMs = retryAtMs;
  const seconds = retryAfterSeconds(retryAtMs, call.nowMs);
  const limits = call.windows.map(({ name, limit }) => `${limit} requests a ${name}`).join(' and ');
  const reason =
    code === 'api_key_banned'
      ? 'This API key is banned for a while, because it went on without waiting after 429.'
      : `The limit is ${limits}.`;
  return new ApiError(code, `${reason} Retry after ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
