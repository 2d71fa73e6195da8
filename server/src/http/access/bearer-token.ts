const SCHEME = 'Bearer';
const SPACE = 0x20;

/**
 * Returns what follows the scheme of a Bearer credential (RFC 6750 section 2.1), without the spaces around it; nothing
 * for another scheme, or when nothing follows. Spaces inside are left to the caller: no key has any. Read by hand, in
 * linear time: a regular expression with spaces on both sides of the token backtracks over all of them.
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
  // Nearly all write it this way, and most requests come by here.
  if (authorization.startsWith(SCHEME)) return true;
  return authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME.toLowerCase();
}
