import type { ApiResponse } from './api-promise.ts';
import { attempt, type Received } from './attempt.ts';
import { pause } from './clock.ts';
import { errorOf } from './error-response.ts';
import { PetstoreError } from './errors.ts';
import { EtagCache } from './etag-cache.ts';
import { parseExact } from './exact-json.ts';
import type { Gate } from './gate.ts';
import { gateOf } from './gates.ts';
import { type PreparedRequest, prepareRequest, type RequestParts } from './request.ts';
import { mayHaveChanged, retryAfter } from './retry.ts';
import { type EffectiveOptions, effectiveOptions, type Settings } from './settings.ts';

/** The only operation that takes nothing from the limits, so it passes the gate at any time. */
const FREE_PATH = '/rate-limit';

/** Sends the requests of a client: through the gate of its key, again after failures, and with what the cache knows. */
export class Caller {
  readonly settings: Settings;
  readonly gate: Gate;
  readonly #cache: EtagCache;

  constructor(settings: Settings) {
    this.settings = settings;
    this.gate = gateOf(settings);
    this.#cache = new EtagCache(settings.cacheCharacters);
  }

  /** Sends a request until it succeeds or cannot. @throws PetstoreError or the reason of the signal */
  async call<T>(method: string, path: string, parts: RequestParts): Promise<ApiResponse<T>> {
    const request = prepareRequest(this.settings.baseUrl, method, path, parts);
    const options = effectiveOptions(this.settings, parts.options);
    const { clock } = this.settings;
    const deadlineMs = clock.now() + options.maxWaitMs;
    const isFree = path === FREE_PATH;
    let isUncertain = false;
    for (let failures = 0; ; ) {
      let failure: PetstoreError;
      try {
        if (!isFree) await this.enter(deadlineMs, options.signal);
        return responseOf<T>(await this.#once(request, options, isFree), parts.exact);
      } catch (error) {
        if (!(error instanceof PetstoreError)) throw error;
        failure = error;
      }
      isUncertain = method !== 'GET' && mayHaveChanged(failure, isUncertain);
      const retry = retryAfter(failure, request.isRepeatable, failures, clock.random);
      failures += retry?.isCounted ? 1 : 0;
      const isLate = retry && clock.now() + retry.ms > deadlineMs;
      if (!retry || isLate || failures > options.maxRetries || (isFree && failure.status === 429)) {
        failure.idempotencyKey = request.idempotencyKey;
        failure.mayHaveChanged = isUncertain;
        throw failure;
      }
      // After a 429 the gate waits, for all calls together.
      if (failure.status !== 429) await pause(clock, retry.ms, options.signal);
    }
  }

  /** Waits for a place at the gate; `gate.leave` frees it. */
  enter(deadlineMs: number, signal: AbortSignal | undefined): Promise<void> {
    const ignore = () => {};
    const probe = () => this.call('GET', FREE_PATH, { options: { maxRetries: 0 } }).then(ignore, ignore);
    return this.gate.enter({ deadlineMs, maxConcurrent: this.settings.maxConcurrent, signal, probe });
  }

  /** Sends a request once. Returns its success, or what the cache has of it. */
  async #once(request: PreparedRequest, options: EffectiveOptions, isFree: boolean): Promise<Received> {
    const { method, url, body, headers } = request;
    const { timeoutMs, signal } = options;
    const { fetch, clock } = this.settings;
    const isCached = method === 'GET' && !headers['If-Match'];
    const kept = isCached ? this.#cache.get(url) : undefined;
    const condition = kept && { 'If-None-Match': kept.etag };
    const init = { method, body, headers: { ...this.settings.headers, ...headers, ...condition } };
    const sentAtMs = clock.now();
    let received: Received;
    try {
      received = await attempt({ url, init, fetch, clock, timeoutMs, signal });
      if (received.status === 304 && kept) received = { ...received, text: kept.text };
      const isSuccess = received.status < 300 || (received.status === 304 && kept);
      const error = isSuccess ? undefined : errorOf(received);
      this.gate.observe(received.headers, sentAtMs, error);
      if (error) throw error;
    } finally {
      if (!isFree) this.gate.leave();
    }
    if (isCached) this.#cache.set(url, received.headers.get('ETag'), received.text);
    return received;
  }
}

/** @throws PetstoreError if the body is not JSON: it ended early, or is not one of the service. */
function responseOf<T>({ status, headers, text }: Received, exact: RegExp | undefined): ApiResponse<T> {
  const sequence = headers.get('Inventory-Sequence');
  let data: T;
  try {
    data = (text === '' && status === 204 ? undefined : parseExact(text, exact)) as T;
  } catch (cause) {
    throw new PetstoreError('The response is not JSON.', { code: 'invalid_response', status, cause });
  }
  return {
    data,
    status,
    headers,
    requestId: headers.get('X-Request-Id') ?? undefined,
    etag: headers.get('ETag') ?? undefined,
    inventorySequence: sequence === null ? undefined : Number(sequence),
    isReplayed: headers.has('Idempotency-Replayed'),
  };
}
