import { randomBytes } from 'node:crypto';
import type { Principal } from '../../domain/access/principal.ts';
import {
  bindingWindow,
  retryAfterSeconds,
  WINDOW_MS,
  type WindowUsage,
} from '../../domain/access/rate-limit.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { LimitStatus } from '../../domain/store.ts';
import { machineTimeMs } from '../../domain/timestamps.ts';
import type { Answer, AnswerBody, IncomingRequest } from '../../listen/exchange.ts';
import { INTERFACE_DATE } from './interface-date.ts';

/** A letter, digit, `-`, `.`, `_` or `~`: the same path with and without its escape (RFC 3986 section 6.2.2.2). */
const ESCAPED_UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** `Date` has whole seconds. */
const DATE_PRECISION_MS = 1_000;

/** Whether the service is stopping. Read per response, because the stop may begin after the request arrived. */
interface Draining {
  readonly isDraining: boolean;
}

/** What proves the caller of a request. */
export interface Credential {
  /** The `Authorization` header. */
  readonly authorization: string | null;
  /** The secret of a session of the dashboard, from its cookie. Only set without the header. */
  readonly session?: string | undefined;
}

const processId = randomBytes(6).toString('base64url');
let requestCount = 0;

/** Unique across processes and restarts: a random id of the process, and a count of its requests. */
function nextRequestId(): string {
  requestCount += 1;
  return `${processId}-${requestCount}`;
}

/** The state of one request: results of the checks, and the headers of its response. */
export class RequestContext {
  readonly request: IncomingRequest;
  readonly requestId = nextRequestId();
  readonly startedAtMs = performance.now();
  /**
   * The time of the request by the clock of the store, for all decisions about it. After the charge of an account it is
   * the time of that charge.
   */
  nowMs: number;
  /** The path without the query. Listeners refuse dot segments; characters that need no escape are decoded. */
  readonly path: string;
  readonly query: string;
  /** The operationId, or the path of a route outside `/v1`; the label of metrics and logs. */
  operation = 'none';
  /** The path of the operation in its interface, such as `/inventory/{petId}`. */
  pathPattern: string | undefined;
  principal: Principal | undefined;
  credential: Credential = { authorization: null };
  /** Throws where the key or the session of the caller was revoked, or expired, after the request had begun. */
  requireStillValid: () => MaybePromise<void> = () => undefined;
  windows: readonly WindowUsage[] = [];
  /** The caller's windows and ban; only set for an operation that does not count against them. */
  limitStatus: LimitStatus | undefined;
  /** The end of the ledger after the request arrived, if known. */
  ledgerHead: LedgerHead | undefined;
  /** When a refused caller may retry; only set before a 429. */
  retryAtMs: number | undefined;
  /** The tag of the content without compression, if the response is compressed: `If-Match` may name it too. */
  plainTag: string | undefined;
  /** Whether the connection must close after the response. */
  closes = false;
  readonly #draining: Draining;
  /** The time of the request, where that of the machine, which the listener would send, is another. */
  readonly #date: string | undefined;
  /** The code of an error response. */
  errorCode: string | undefined;
  /** Headers of every response of the operation, errors included. */
  operationHeaders: Readonly<Record<string, string>> | undefined;
  /** Headers that let a page of a configured origin read the response (CORS). */
  corsHeaders: Readonly<Record<string, string>> | undefined;

  constructor(request: IncomingRequest, nowMs: number, draining: Draining) {
    this.#draining = draining;
    this.request = request;
    this.nowMs = nowMs;
    if (Math.abs(nowMs - machineTimeMs()) > DATE_PRECISION_MS) this.#date = new Date(nowMs).toUTCString();
    const { target } = request;
    const queryStart = target.indexOf('?');
    const path = queryStart < 0 ? target : target.slice(0, queryStart);
    this.path = path.includes('%') ? path.replaceAll(ESCAPED_UNRESERVED, decodeURIComponent) : path;
    this.query = queryStart < 0 ? '' : target.slice(queryStart + 1);
  }

  get isHead(): boolean {
    return this.request.method === 'HEAD';
  }

  /** A header of the request, by its lower-case name. */
  header(name: string): string | null {
    return this.request.header(name);
  }

  /** Adds the headers of every response to `headers`, which the response then owns. */
  respond(status: number, body: AnswerBody, headers: Record<string, string>): Answer {
    headers['X-Request-Id'] = this.requestId;
    headers['Petstore-Version'] = INTERFACE_DATE;
    headers['X-Content-Type-Options'] = 'nosniff';
    if (this.#date !== undefined) headers.Date = this.#date;
    addLimitHeaders(headers, this.windows, this.nowMs, this.retryAtMs);
    if (this.operationHeaders) Object.assign(headers, this.operationHeaders);
    if (this.corsHeaders) allowOrigin(headers, this.corsHeaders);
    if (this.closes || this.#draining.isDraining) headers.Connection = 'close';
    return this.isHead ? headOf(status, body, headers) : { status, headers, body };
  }
}

/** A response to HEAD: with the length of the GET response, or without one for a stream (RFC 9110 section 8.6). */
function headOf(status: number, body: AnswerBody, headers: Record<string, string>): Answer {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
  else if (body !== null) headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body: null };
}

function allowOrigin(headers: Record<string, string>, corsHeaders: Readonly<Record<string, string>>): void {
  headers.Vary = headers.Vary === undefined ? 'Origin' : `${headers.Vary}, Origin`;
  Object.assign(headers, corsHeaders);
}

/**
 * Adds the limit headers: the specification's three, from the one window that binds, and the IETF pair
 * (draft-ietf-httpapi-ratelimit-headers) with all windows. `retryAtMs` moves the reset of a ban to its end.
 */
function addLimitHeaders(
  headers: Record<string, string>,
  windows: readonly WindowUsage[],
  nowMs: number,
  retryAtMs: number | undefined,
): void {
  const { limit, remaining, resetAtMs } = bindingWindow(windows);
  let state = '';
  for (const window of windows) {
    if (state !== '') state += ', ';
    state += `"${window.name}";r=${window.remaining};t=${retryAfterSeconds(window.resetAtMs, nowMs)}`;
  }
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = retryAtMs === undefined ? String(remaining) : '0';
  headers['X-RateLimit-Reset'] = String(Math.ceil((retryAtMs ?? resetAtMs) / 1_000));
  headers['RateLimit-Policy'] = policyOf(windows);
  headers.RateLimit = state;
}

/** The windows and the policy of the last response. Accounts of one plan share it. */
let lastPolicy: { readonly windows: readonly WindowUsage[]; readonly text: string } = {
  windows: [],
  text: '',
};

function policyOf(windows: readonly WindowUsage[]): string {
  const last = lastPolicy.windows;
  const isSame =
    last.length === windows.length &&
    windows.every(({ name, limit }, i) => limit === last[i]?.limit && name === last[i].name);
  if (!isSame) {
    const text = windows.map(({ name, limit }) => `"${name}";q=${limit};w=${WINDOW_MS[name] / 1_000}`);
    lastPolicy = { windows, text: text.join(', ') };
  }
  return lastPolicy.text;
}
