/** The cookie of a session. Its name on a connection that browsers refuse `Secure` cookies on has no prefix. */
export const SECURE_COOKIE = '__Host-petstore_session';
export const PLAIN_COOKIE = 'petstore_session';
export type CookieName = typeof SECURE_COOKIE | typeof PLAIN_COOKIE;

/** The value of a cookie. Only `;` separates cookies: a comma in the value of another one must not begin this one. */
export function readCookie(header: string | null, name: CookieName): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const separator = pair.indexOf('=');
    if (separator >= 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return undefined;
}

/** `Set-Cookie` for a secret; an empty one ends the cookie. */
export function setCookie(name: CookieName, secret: string): string {
  const attributes = ['Path=/', 'HttpOnly', ...(name === SECURE_COOKIE ? ['Secure'] : []), 'SameSite=Strict'];
  if (secret === '') attributes.push('Max-Age=0');
  return [`${name}=${secret}`, ...attributes].join('; ');
}
