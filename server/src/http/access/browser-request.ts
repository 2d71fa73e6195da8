import { ApiError } from '../../domain/errors.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type CookieName, PLAIN_COOKIE, SECURE_COOKIE } from './session-cookie.ts';
import { type TrustedProxies, unmapped } from './trusted-proxies.ts';

/** Hosts that no other machine can be. Browsers treat them as secure without TLS. */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="petstore"' };

export interface BrowserRules {
  readonly proxies: TrustedProxies;
  /** Whether sessions are allowed without TLS on hosts that other machines can be. */
  readonly allowHttpSessions: boolean;
}

/** The scheme of the client's connection, also if a trusted proxy ends its TLS. */
function schemeOf(context: RequestContext, { proxies }: BrowserRules): 'http' | 'https' {
  const forwarded = context.header('x-forwarded-proto');
  if (forwarded === null || !proxies.has(unmapped(context.request.remoteAddress ?? ''))) return 'http';
  const isSecure = forwarded.split(',').every((scheme) => scheme.trim().toLowerCase() === 'https');
  return isSecure ? 'https' : 'http';
}

/**
 * The name of the session's cookie on this connection; `undefined`: sessions are not allowed on it. With TLS only the
 * name with the prefix counts, because another site of the domain could set the other one.
 */
export function sessionCookieName(context: RequestContext, rules: BrowserRules): CookieName | undefined {
  if (schemeOf(context, rules) === 'https') return SECURE_COOKIE;
  const isAllowed = rules.allowHttpSessions || LOCAL_HOST.test(context.header('host') ?? '');
  return isAllowed ? PLAIN_COOKIE : undefined;
}

/** @throws ApiError `insecure_connection`. */
export function requireSessionsAllowed(context: RequestContext, rules: BrowserRules): CookieName {
  const name = sessionCookieName(context, rules);
  if (name !== undefined) return name;
  throw new ApiError(
    'insecure_connection',
    'Sessions need TLS. Put a proxy with TLS in front that sets X-Forwarded-Proto, and name it in PETSTORE_TRUSTED_PROXIES; or set PETSTORE_ALLOW_HTTP_SESSIONS=true in a network that you trust.',
    { headers: CHALLENGE },
  );
}

/**
 * Requires that a page of this service made the request: browsers send the cookie of a session by themselves. They say
 * where a request comes from in `Sec-Fetch-Site` (W3C Fetch Metadata), which no page can set, or else in `Origin`.
 * @param isSafe Whether a request may have neither header, or come from the address bar: it changes nothing.
 * @throws ApiError `cross_site_request`.
 */
export function requireOwnPage(
  context: RequestContext,
  rules: BrowserRules,
  isSafe = SAFE_METHODS.includes(context.request.method),
): void {
  const site = context.header('sec-fetch-site');
  if (site !== null) {
    // `none`: a person opened the address. No page can make such a request.
    if (site === 'same-origin' || (isSafe && site === 'none')) return;
    throw crossSite('Only pages of this service may use its sessions; Sec-Fetch-Site must be same-origin.');
  }
  const origin = context.header('origin');
  if (origin === null) {
    if (isSafe) return;
    throw crossSite(
      'A change with a session needs Sec-Fetch-Site: same-origin, or the Origin of this service. A program should send a management key as: Authorization: Bearer <MANAGEMENT_KEY>.',
    );
  }
  const own = `${schemeOf(context, rules)}://${context.header('host') ?? ''}`;
  if (URL.canParse(own) && new URL(own).origin === origin) return;
  throw crossSite('Only pages of this service may use its sessions; Origin must be its own.');
}

/** Refuses a sign-in from a page of another site. It uses no cookie, so a program that sends neither header may sign in. */
export function requireNoOtherSite(context: RequestContext, rules: BrowserRules): void {
  const isFromBrowser = context.header('sec-fetch-site') !== null || context.header('origin') !== null;
  if (isFromBrowser) requireOwnPage(context, rules, false);
}

function crossSite(message: string): ApiError {
  return new ApiError('cross_site_request', message, { headers: CHALLENGE });
}
