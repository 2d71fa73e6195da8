import type { Agent, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { DeliveryErrorCode } from '@petstore-inventory/shared/words';
import { MAX_LOGGED_CHARACTERS } from '../../domain/webhooks/webhook-endpoint.ts';
import { Deadline } from './deadline.ts';
import { DeliveryError, type DeliveryResult, failureOf, statusError } from './delivery-error.ts';
import type { Destinations } from './destination.ts';
import type { EndpointUrl } from './endpoint-url.ts';

/** For all of an attempt: name, connection, TLS, request and response. */
const DELIVERY_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1_024;
/** Interim responses (RFC 9110 section 15.2): a receiver can send them without end. */
const MAX_INTERIM_RESPONSES = 8;
const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: 64, timeout: 5_000 };
/** The ways in which a kept connection shows that the receiver has closed it. */
const STALE_CONNECTION = ['ECONNRESET', 'EPIPE'];

interface DeliveryRequest {
  readonly url: EndpointUrl;
  /** Names and values in turn: Node keeps an object per header otherwise. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Failed attempts before this one. */
  readonly failures: number;
  /** Each breaks the request off. */
  readonly signals: readonly AbortSignal[];
}

/** The result of one attempt. */
export interface DeliveryOutcome {
  readonly result: DeliveryResult;
  readonly statusCode: number | null;
  /** A sentence; `null` for a success. */
  readonly error: string | null;
  readonly errorCode: DeliveryErrorCode | null;
  readonly errorDetail: string | null;
  readonly response: string | null;
  /** The value of `Retry-After`. */
  readonly retryAfter: string | undefined;
}

interface HttpDeliveryOptions {
  readonly destinations: Destinations;
  /** Certificates (PEM) of authorities besides those of the runtime. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

/** Sends POST requests to receivers that may be slow, dead or hostile. Uses little memory whatever they respond. */
export class HttpDelivery {
  readonly #destinations: Destinations;
  readonly #timeoutMs: number;
  /** By whether they are for HTTPS. */
  readonly #agents = new Map<boolean, Agent>();
  readonly #tls: RequestOptions;

  constructor({ destinations, ca, timeoutMs = DELIVERY_TIMEOUT_MS }: HttpDeliveryOptions) {
    this.#destinations = destinations;
    this.#timeoutMs = timeoutMs;
    // A variable of the environment could switch off the verification of certificates otherwise.
    this.#tls = { rejectUnauthorized: true, ...(ca && { ca }) };
  }

  /** Sends one request. Never rejects: all failures are outcomes. Redirects are not followed. */
  async deliver(request: DeliveryRequest): Promise<DeliveryOutcome> {
    const deadline = new Deadline(this.#timeoutMs, request.signals);
    try {
      return await deadline.race(this.#send(request, deadline));
    } catch (error) {
      const failure = deadline.hasPassed
        ? new DeliveryError('timeout', `There was no complete response within ${this.#timeoutMs / 1_000} s.`)
        : failureOf(error);
      return withoutResponse(failure);
    } finally {
      deadline.clear();
    }
  }

  /** Closes idle connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  async #send(request: DeliveryRequest, deadline: Deadline): Promise<DeliveryOutcome> {
    const address = await this.#destinations.find(request.url, request.failures);
    deadline.throwIfEnded();
    try {
      return await this.#post(request, address, deadline);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#post(request, address, deadline, false);
    }
  }

  /** Connects to the address, and never to the name. */
  #post(
    { url, headers, body }: DeliveryRequest,
    address: string,
    deadline: Deadline,
    mayReuse = true,
  ): Promise<DeliveryOutcome> {
    const options: RequestOptions = {
      method: 'POST',
      host: address,
      port: url.port,
      path: url.target,
      agent: mayReuse && this.#agentOf(url.isSecure),
      maxHeaderSize: MAX_HEADER_BYTES,
      setHost: false,
      headers: ['Host', url.authority, ...headers, 'Content-Length', String(Buffer.byteLength(body))],
      ...(url.isSecure && this.#tls),
      ...(url.isSecure && !url.isAddress && { servername: url.host }),
    };
    return new Promise((resolve, reject) => {
      const sent = moduleOf(url.isSecure).request(options);
      deadline.onEnd((error) => sent.destroy(error));
      let interim = 0;
      sent.on('information', () => {
        interim += 1;
        if (interim > MAX_INTERIM_RESPONSES) {
          sent.destroy(
            new DeliveryError('invalid_response', 'The receiver sends too many interim responses.'),
          );
        }
      });
      sent.once('response', (response) => {
        toOutcome(response).then(resolve, reject);
      });
      sent.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(
          new DeliveryError(
            'invalid_response',
            'The receiver switches to another protocol (101).',
            '101',
            'status',
          ),
        );
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && STALE_CONNECTION.includes(error.code ?? '');
        reject(isStale ? new StaleConnection() : error);
      });
      sent.end(body);
    });
  }

  #agentOf(isSecure: boolean): Agent {
    const agent = this.#agents.get(isSecure) ?? new (moduleOf(isSecure).Agent)(AGENT_OPTIONS);
    this.#agents.set(isSecure, agent);
    return agent;
  }
}

/** The outcome of an attempt that has no usable response. */
export function withoutResponse({ result, message, code, detail }: DeliveryError): DeliveryOutcome {
  const error = { error: message, errorCode: code, errorDetail: detail };
  return { result, statusCode: null, ...error, response: null, retryAfter: undefined };
}

/** A static import loads `fetch` with `node:http`, and TLS with `node:https`: 60 ms of CPU in each start of the service. */
function moduleOf(isSecure: boolean) {
  return process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
}

/** The receiver closed a kept connection before it responded, so another connection may succeed. */
class StaleConnection extends Error {}

async function toOutcome(response: IncomingMessage): Promise<DeliveryOutcome> {
  const { statusCode = 0, headers } = response;
  const body = await readBeginning(response);
  const error = statusError(statusCode);
  return {
    result: error === null ? 'delivered' : 'status',
    statusCode,
    error,
    errorCode: error === null ? null : 'error_status',
    errorDetail: null,
    response: body,
    retryAfter: headers['retry-after'],
  };
}

const MAX_BODY_BYTES = 64 * 1_024;
/** UTF-8 has at most this many bytes per UTF-16 code unit. */
const MAX_LOGGED_BYTES = 3 * MAX_LOGGED_CHARACTERS;

/**
 * Reads a response to its end and returns the beginning of its body. After 64 KiB it closes the connection instead of
 * reading on. Rejects if the connection breaks before.
 */
function readBeginning(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const beginning: Buffer[] = [];
    let kept = 0;
    let bytes = 0;
    const finish = () => resolve(textOf(Buffer.concat(beginning)));
    response.on('data', (chunk: Buffer) => {
      if (kept < MAX_LOGGED_BYTES) {
        // A copy: a part of the chunk would keep all of it in memory.
        const part = Buffer.from(chunk.subarray(0, MAX_LOGGED_BYTES - kept));
        beginning.push(part);
        kept += part.length;
      }
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        finish();
        response.destroy();
      }
    });
    response.once('end', finish);
    response.once('error', reject);
    response.once('close', () => {
      // Each response closes, and an error takes as long as the rest of it.
      if (!response.readableEnded) reject(new Error('The response ended early.'));
    });
  });
}

/** U+0000 is not valid in a text of PostgreSQL, and a half of a surrogate pair is not valid in UTF-8. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '\u{FFFD}');
  return text.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed();
}
