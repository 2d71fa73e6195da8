import { randomBytes } from 'node:crypto';
import type { Principal } from '../../domain/api-key.ts';
import type { LedgerHead } from '../../domain/ledger.ts';
import { bindingWindow, retryAfterSeconds, WINDOW_MS, type WindowUsage } from '../../domain/rate-limit.ts';
import type { LimitStatus } from '../../domain/store.ts';
import type { Answer, AnswerBody, IncomingRequest } from '../../listen/exchange.ts';

/** A letter, digit, `-`, `.`, `_` or `~`: the same path with and without its escape (RFC 3986 section 6.2.2.2). */
const ESCAPED_UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Whether the service is stopping; asked when an answer is made, for the request may have come before. */
export interface Draining {
  readonly isDraining: boolean;
}

const processId = randomBytes(6).toString('base64url');
let requestCount = 0;

/** Unique over processes and restarts: a random name of the process, and the number of its requests. */
function nextRequestId(): string {
  requestCount += 1;
  return `${processId}-${requestCount}`;
}

/** One request on its way: what the steps learn of it, and what each of its possible answers must carry. */
export class RequestContext {
  readonly request: IncomingRequest;
  readonly requestId = nextRequestId();
  readonly startedAtMs = performance.now();
  /**
   * Wall-clock time of the request; every decision about it is made at this one moment. Once its caller was
   * judged, it is the moment of that by the clock of the windows, which may be the database's.
   */
  nowMs: number;
  /** When it arrived, by the wall clock of this process. */
  readonly arrivedAtMs: number;
  /** The path without the query. Listeners refuse dot segments; characters that need no escape are decoded. */
  readonly path: string;
  readonly query: string;
  /** Which operation the request turned out to be; the label of metrics and logs. */
  operation = 'none';
  principal: Principal | undefined;
  windows: readonly WindowUsage[] = [];
  /** The caller's windows and ban, of an operation that takes nothing from them. */
  limitStatus: LimitStatus | undefined;
  /** Where the ledger stood after the request had arrived, if that is known. */
  ledgerHead: LedgerHead | undefined;
  /** When a refused caller may come again; only set on the way to a 429. */
  retryAtMs: number | undefined;
  /** The tag of the same content without compression, where the answer is compressed: `If-Match` may name it too. */
  plainTag: string | undefined;
  /** Whether the connection is to be closed after the answer, whatever the service does. */
  closes = false;
  readonly #draining: Draining;
  /** Headers that every answer of the operation carries, its errors included. */
  operationHeaders: Readonly<Record<string, string>> | undefined;
  /** What lets a page of a configured origin read the answer (CORS). */
  corsHeaders: Readonly<Record<string, string>> | undefined;

  constructor(request: IncomingRequest, nowMs: number, draining: Draining) {
    this.#draining = draining;
    this.request = request;
    this.nowMs = nowMs;
    this.arrivedAtMs = nowMs;
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

  /** Adds the headers that every answer carries to the object given, which becomes the answer's own. */
  respond(status: number, body: AnswerBody, headers: Record<string, string>): Answer {
    headers['X-Request-Id'] = this.requestId;
    headers['X-Content-Type-Options'] = 'nosniff';
    addLimitHeaders(headers, this.windows, this.nowMs, this.retryAtMs);
    if (this.operationHeaders) Object.assign(headers, this.operationHeaders);
    if (this.corsHeaders) allowOrigin(headers, this.corsHeaders);
    if (this.closes || this.#draining.isDraining) headers.Connection = 'close';
    return this.isHead ? headOf(status, body, headers) : { status, headers, body };
  }
}

/** An answer to HEAD: with the length that GET has, or with none where only sending shows it (RFC 9110 section 8.6). */
function headOf(status: number, body: AnswerBody, headers: Record<string, string>): Answer {
  if (body instanceof ReadableStream) void body.cancel();
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

/** The policy of the last answer. Accounts of one plan share it. */
let lastPolicy: { readonly limits: readonly number[]; readonly text: string } = { limits: [], text: '' };

function policyOf(windows: readonly WindowUsage[]): string {
  const { limits } = lastPolicy;
  const isSame = limits.length === windows.length && windows.every(({ limit }, i) => limit === limits[i]);
  if (!isSame) {
    lastPolicy = {
      limits: windows.map(({ limit }) => limit),
      text: windows.map(({ name, limit }) => `"${name}";q=${limit};w=${WINDOW_MS[name] / 1_000}`).join(', '),
    };
  }
  return lastPolicy.text;
}
