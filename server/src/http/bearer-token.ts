const SCHEME = 'bearer';
const SPACE = 0x20;

/**
 * Returns the token of a Bearer credential (RFC 6750 section 2.1), or nothing when the header holds no single token.
 * Read by hand, in linear time: a regular expression with spaces on both sides of the token backtracks over all of them.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  let start = SCHEME.length;
  while (authorization.charCodeAt(start) === SPACE) start += 1;
  let end = authorization.length;
  while (end > start && authorization.charCodeAt(end - 1) === SPACE) end -= 1;
  if (start === SCHEME.length || start === end) return undefined;
  const token = authorization.slice(start, end);
  return /\s/.test(token) ? undefined : token;
}
