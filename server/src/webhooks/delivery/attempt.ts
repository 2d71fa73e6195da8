import { randomBytes } from 'node:crypto';
import {
  type DeliveryAttempt,
  MAX_DETAIL_CHARACTERS,
  MAX_LOGGED_CHARACTERS,
} from '../../domain/webhooks/webhook-endpoint.ts';
import type { Network } from './addresses.ts';
import { DeliveryError, type DeliveryResult } from './delivery-error.ts';
import type { EndpointUrl } from './endpoint-url.ts';
import { type DeliveryOutcome, type HttpDelivery, withoutResponse } from './http-delivery.ts';
import { ParsedUrls } from './parsed-urls.ts';
import { signatureHeader } from './signature.ts';

/** Clocks, which a test can set. */
export interface Clocks {
  /** Unix milliseconds by the clock of the database: other instances read what it stamps, and receivers compare it. */
  readonly wallMs: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
}

export function clocksOf(wallMs: () => number): Clocks {
  return { wallMs, elapsedMs: () => performance.now() };
}

/** A message with its receiver. */
export interface Dispatch {
  readonly message: {
    readonly id: string;
    readonly type: DeliveryAttempt['eventType'];
    readonly body: string;
  };
  readonly url: string;
  readonly keys: readonly Uint8Array[];
  /** Failed attempts of this message before. */
  readonly failures: number;
  /** Each breaks the attempt off. */
  readonly signals: readonly AbortSignal[];
}

export interface AttemptResult {
  readonly result: DeliveryResult;
  readonly attempt: Omit<DeliveryAttempt, 'number'>;
  readonly retryAfter: string | undefined;
  /** The header of this attempt. */
  readonly traceparent: string | undefined;
}

/** The header of a new trace, which is recorded (W3C Trace Context 1, section 3.2). */
export function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}

interface DelivererParts {
  readonly delivery: HttpDelivery;
  readonly networks: readonly Network[];
  /** The release of the service. */
  readonly version: string;
  readonly clocks: Clocks;
  /** Called for each attempt. */
  readonly traceparent?: (() => string | undefined) | undefined;
}

/** Makes attempts, and describes each for the delivery log. */
export class Deliverer {
  readonly #delivery: HttpDelivery;
  readonly #clocks: Clocks;
  readonly #userAgent: string;
  readonly #traceparent: () => string | undefined;
  readonly #urls: ParsedUrls;

  constructor({ delivery, networks, version, clocks, traceparent = () => undefined }: DelivererParts) {
    this.#traceparent = traceparent;
    this.#delivery = delivery;
    this.#urls = new ParsedUrls(networks);
    this.#clocks = clocks;
    this.#userAgent = `petstore-inventory/${version}`;
  }

  /** Makes one attempt. Never rejects. */
  async attempt(dispatch: Dispatch): Promise<AttemptResult> {
    const { message, failures } = dispatch;
    const attemptedAtMs = this.#clocks.wallMs();
    const beganAtMs = this.#clocks.elapsedMs();
    const url = this.#urls.read(dispatch.url);
    const traceparent = this.#traceparent();
    // The operator may have removed a network since the endpoint was made.
    const outcome =
      typeof url === 'string'
        ? withoutResponse(new DeliveryError('address_not_allowed', url))
        : await this.#send(dispatch, url, Math.floor(attemptedAtMs / 1_000), traceparent);
    const { result, retryAfter, ...logged } = outcome;
    return {
      result,
      retryAfter,
      traceparent,
      attempt: {
        eventId: message.id,
        eventType: message.type,
        attempt: failures + 1,
        attemptedAtMs,
        durationMs: Math.round(this.#clocks.elapsedMs() - beganAtMs),
        ...logged,
        error: logged.error?.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed() ?? null,
        errorDetail: logged.errorDetail?.slice(0, MAX_DETAIL_CHARACTERS).toWellFormed() ?? null,
      },
    };
  }

  #send(
    { message: { id, body }, keys, failures, signals }: Dispatch,
    url: EndpointUrl,
    timestamp: number,
    traceparent: string | undefined,
  ): Promise<DeliveryOutcome> {
    const headers = [
      ...['Content-Type', 'application/json'],
      ...['User-Agent', this.#userAgent],
      ...['webhook-id', id],
      ...['webhook-timestamp', String(timestamp)],
      ...['webhook-signature', signatureHeader(keys, id, timestamp, body)],
      ...(traceparent === undefined ? [] : ['traceparent', traceparent]),
    ];
    return this.#delivery.deliver({ url, headers, body, failures, signals });
  }
}
