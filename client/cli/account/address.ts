/** Whether a client can send requests to an address. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && [search, hash, username, password].every((part) => part === '');
}

/** What to add to an address such as `localhost:8080`; empty for other text, which may have a password. */
export function schemeAdvice(text: string): string {
  if (!/^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/.test(text)) return '';
  return ` Add the scheme: http${/^(?:localhost|127)/.test(text) ? '' : 's'}://${text}`;
}
