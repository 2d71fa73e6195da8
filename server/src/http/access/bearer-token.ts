const SCHEME = 'Bearer';
const SPACE = 0x20;

/**
 * Returns the token of a Bearer credential (RFC 6750 section 2.1) without the spaces around it; `undefined` for another
 * scheme or an empty token. The token may contain spaces, which the caller must reject. Parsed by hand in linear time,
 * because a regular expression with spaces on both sides of the token backtracks.
 */
export function bearerToken(authorization: string): string | undefined {
  if (!hasScheme(authorization)) return undefined;
  let start = SCHEME.length;
  while (authorization.charCodeAt(start) === SPACE) start += 1;
  let end = authorization.length;
  while (end > start && authorization.charCodeAt(end - 1) === SPACE) end -= 1;
  return start === SCHEME.length || start === end ? undefined : authorization.slice(start, end);
}

function hasScheme(authorization: string): boolean {
  // Nearly all clients write it this way.
  if (authorization.startsWith(SCHEME)) return true;
  return authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME.toLowerCase();
}
