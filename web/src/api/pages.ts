import { send } from './client.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

/** Reads a page of a list that continues with a `Link` header. */
export async function readPage<T>(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
  signal?: AbortSignal,
): Promise<Page<T>> {
  const { value, headers } = await send<readonly T[]>('GET', path, { query, signal });
  return { items: value, next: nextCursor(headers.get('Link')) };
}

export function nextCursor(link: string | null): string | undefined {
  const target = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  // Only the query is read, so any base serves.
  const { searchParams } = new URL(target, 'http://localhost');
  return searchParams.get('cursor') ?? searchParams.get('before') ?? searchParams.get('after') ?? undefined;
}
