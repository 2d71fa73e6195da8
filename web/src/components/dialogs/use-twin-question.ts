import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { useRef } from 'react';
import { readPage } from '../../api/pages.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { RefusedForm } from './use-submit.ts';

interface Twins<T> {
  /** The list that has them, with its filter. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly isTwin: (record: T) => boolean;
  readonly madeAt: (record: T) => string;
  /** What both have in common. */
  readonly name: string;
  /** The service refuses a second one. */
  readonly isUnique?: boolean;
}

/**
 * Asks before a form makes a record like one that exists: another tab or person may have made it, or an earlier attempt whose
 * answer was lost. Sending again makes another one.
 * @returns A function that reads the list, and throws RefusedForm for a record of which it has not asked before, or that must be alone.
 */
export function useTwinQuestion() {
  const { app } = useTexts();
  const format = useFormat();
  const known = useRef(new Set<string>());
  return async <T extends { readonly id: string }>({
    path,
    query,
    isTwin,
    madeAt,
    name,
    isUnique,
  }: Twins<T>) => {
    let unknown: T | undefined;
    let cursor: string | undefined;
    do {
      const page = await readPage<T>(path, { ...query, limit: MAX_PAGE_ITEMS, cursor });
      for (const record of page.items.filter(isTwin)) {
        if (isUnique || !known.current.has(record.id)) unknown ??= record;
        known.current.add(record.id);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    if (!unknown) return;
    const at = format.dateTime(new Date(madeAt(unknown)));
    throw new RefusedForm(isUnique ? app.taken(name, at) : app.twin(name, at));
  };
}
