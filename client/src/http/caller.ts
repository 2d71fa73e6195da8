import type { ApiResponse } from '../api-promise.ts';
import { PetstoreError } from '../errors.ts';
import { parseExact } from '../exact-json.ts';
import type { Gate } from '../limits/gate.ts';
import { gateOf } from '../limits/gates.ts';
import { type EffectiveOptions, effectiveOptions, type Settings } from '../settings.ts';
import { attempt, attemptStream, type Received, type Sending } from './attempt.ts';
import { errorOf } from './error-response.ts';
import { EtagCache, renewed } from './etag-cache.ts';
import { repeat } from './repeat.ts';
import { FREE_PATH, type PreparedRequest, prepareRequest, type RequestParts } from './request.ts';

/** What a caller needs of the gate of its key. */
export type CallerGate = Pick<Gate, 'enter' | 'leave' | 'observe' | 'rateLimits'>;

/** Sends the requests of a client: through the gate of its key, again after failures, and with what the cache knows. */
export class Caller {
  readonly settings: Settings;
  readonly gate: CallerGate;
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
    return repeat(request, options, clock, async (deadlineMs, check) => {
      if (!request.isFree) await this.#enter(deadlineMs, options);
      return responseOf<T>(await this.#receive(request, options, check), parts);
    });
  }

  /** Opens a response whose body has no end. @throws PetstoreError or the reason of the signal */
  async open(path: string, parts: RequestParts): Promise<ReadableStream<Uint8Array>> {
    const request = prepareRequest(this.settings.baseUrl, 'GET', path, parts);
    const options = effectiveOptions(this.settings, parts.options);
    const sending = this.#sending(request, options, { Accept: 'text/event-stream' });
    return repeat(request, options, this.settings.clock, async (deadlineMs) => {
      await this.#enter(deadlineMs, options);
      const { body } = await this.#observe(request, () => attemptStream(sending));
      return body;
    });
  }

  /** Waits for a place at the gate. */
  #enter(deadlineMs: number, { signal, timeoutMs }: EffectiveOptions): Promise<void> {
    const ignore = () => {};
    const options = { maxRetries: 0, timeoutMs };
    const probe = () => this.call('GET', FREE_PATH, { options }).then(ignore, ignore);
    return this.gate.enter({ deadlineMs, maxConcurrent: this.settings.maxConcurrent, signal, probe });
  }

  /** Sends a request once. Returns its success, or what the cache has of it. */
  async #receive(request: PreparedRequest, options: EffectiveOptions, check: () => void): Promise<Received> {
    const { method, url, headers } = request;
    const isCached = method === 'GET' && !headers['If-Match'];
    const kept = isCached ? this.#cache.get(url) : undefined;
    const sending = this.#sending(request, options, kept && { 'If-None-Match': kept.etag });
    const received = await this.#observe(request, async () => {
      check();
      const response = await attempt(sending);
      return response.status === 304 && kept ? { ...response, text: kept.text } : response;
    });
    const isUnchanged = received.status === 304 && kept;
    const whole = isUnchanged ? { ...received, headers: renewed(kept.headers, received.headers) } : received;
    if (isCached) this.#cache.set(url, whole);
    return whole;
  }

  /** Sends a request, and lets the gate learn from its response. @throws PetstoreError for an error response */
  async #observe<T extends Received>({ isFree }: PreparedRequest, send: () => Promise<T>): Promise<T> {
    const sentAtMs = this.settings.clock.now();
    try {
      const received = await send();
      const error = errorOf(received);
      this.gate.observe(received.headers, sentAtMs, error);
      if (error) throw error;
      return received;
    } finally {
      if (!isFree) this.gate.leave();
    }
  }

  #sending(
    { method, url, body, headers }: PreparedRequest,
    { timeoutMs, signal }: EffectiveOptions,
    more: Readonly<Record<string, string>> | undefined,
  ): Sending {
    const { fetch, clock, headers: common } = this.settings;
    const init = { method, body, headers: { ...common, ...headers, ...more } };
    return { url, init, fetch, clock, timeoutMs, signal };
  }
}

/** @throws PetstoreError if the body is not such JSON: it ended early, or is not one of the service. */
export function responseOf<T>(
  { status, headers, text }: Received,
  { exact, isList }: RequestParts,
): ApiResponse<T> {
  const sequence = headers.get('Inventory-Sequence');
  let data: T;
  try {
    data = (text === '' && status === 204 ? undefined : parseExact(text, exact)) as T;
    if (isList ? !Array.isArray(data) : data === null) throw data;
  } catch (cause) {
    throw new PetstoreError(`The response is not valid JSON (status ${status}).`, {
      code: 'invalid_response',
      status,
      cause,
    });
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
