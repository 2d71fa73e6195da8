import { PetstoreError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { RequestParts } from './request.ts';

/**
 * The query of the next page. Its host and path are not used: the API key must not go anywhere else.
 * @throws PetstoreError if it is that of this page.
 */
export function nextQuery(
  headers: Headers,
  { baseUrl }: Settings,
  { query }: RequestParts,
): URLSearchParams | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('Link') ?? '')?.[1];
  if (target === undefined) return undefined;
  const next = new URL(target, baseUrl).searchParams;
  if (String(next) !== String(query)) return next;
  throw new PetstoreError('The next link points to the same page.', { code: 'invalid_response' });
}
