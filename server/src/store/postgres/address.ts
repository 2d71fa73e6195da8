/**
 * A database's address as it may be shown: without a password.
 * @param url A `postgres:` address that `URL` can read.
 */
export function shownAddress(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
