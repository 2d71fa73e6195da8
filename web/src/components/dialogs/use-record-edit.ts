import { useRef } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { recordEdit } from './record-edit.ts';
import { RefusedForm } from './use-submit.ts';

interface Edit<T> {
  readonly changes: Partial<T>;
  readonly before: Partial<T>;
}

/**
 * Edits of a record that has no entity tag: only what the person changed is sent, and what somebody else has changed in the
 * same members is named first. Saving again replaces it.
 * @returns What reads the record and compares it. It throws RefusedForm.
 */
export function useRecordEdit<T extends object>(
  record: T,
  read: () => Promise<T>,
  labels: Readonly<Record<keyof T, string>>,
) {
  const { app } = useTexts();
  const seen = useRef(record);
  return async (wanted: T): Promise<Edit<T>> => {
    const now = await read();
    const { changes, overwritten } = recordEdit(seen.current, wanted, now);
    if (overwritten.length === 0) {
      const before: Partial<T> = {};
      for (const member of Object.keys(changes) as (keyof T)[]) before[member] = now[member];
      return { changes, before };
    }
    for (const member of overwritten) seen.current = { ...seen.current, [member]: now[member] };
    const list = overwritten.map((member) => `${labels[member]}: ${shown(now[member]) || app.records.empty}`);
    throw new RefusedForm(app.changedMeanwhile(list.join('; ')));
  };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(shown).join(', ') : String(value);
}
