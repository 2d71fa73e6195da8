/** One window of the account's limit. */
export interface RateLimitState {
  /** Requests that the window admits. */
  readonly limit: number;
  /** Requests that remained after the newest response. */
  readonly remaining: number;
  /** Seconds until the window resets. */
  readonly resetSeconds: number;
}

/** The limits of the account, from the newest responses. */
export interface RateLimits {
  readonly minute: RateLimitState | undefined;
  readonly day: RateLimitState | undefined;
  /** Seconds for which the service wants no request, because of a limit or a ban; 0 if it accepts them. */
  readonly blockedSeconds: number;
}

export type WindowName = 'minute' | 'day';

/** One window as a response describes it. */
export interface ReportedWindow {
  readonly name: WindowName;
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** The lengths of the windows: no window resets later. */
const WINDOW_MS: Readonly<Record<WindowName, number>> = { minute: 60_000, day: 86_400_000 };
const MAX_RETRY_AFTER_SECONDS = 86_400;

/**
 * Reads `RateLimit` and `RateLimit-Policy`. Unlike `X-RateLimit-Reset` they have both windows, and seconds rather than a
 * time, so the clock of this machine need not be right. Windows that cannot be read are left out.
 */
export function readWindows(headers: Headers): ReportedWindow[] {
  const limits = new Map<string, number>();
  for (const [, name = '', limit] of (headers.get('RateLimit-Policy') ?? '').matchAll(
    /"(\w+)";q=(\d{1,15});w=/g,
  )) {
    limits.set(name, Number(limit));
  }
  const states = (headers.get('RateLimit') ?? '').matchAll(/"(minute|day)";r=(\d{1,15});t=(\d{1,15})/g);
  return [...states].flatMap(([, name, remaining, seconds]) => {
    const limit = limits.get(name as WindowName);
    if (limit === undefined) return [];
    const resetMs = Math.min(Number(seconds) * 1_000, WINDOW_MS[name as WindowName]);
    return [{ name: name as WindowName, limit, remaining: Number(remaining), resetMs }];
  });
}

/**
 * Seconds to wait by `Retry-After`: whole seconds or a date, at most a day. `undefined` if it is missing, negative or
 * not readable. A date counts from the response's own `Date`.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - (Date.parse(headers.get('Date') ?? '') || Date.now())) / 1_000);
  return seconds >= 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : undefined;
}
