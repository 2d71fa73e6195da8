import type { QuantityEdit } from '../../../components/parse-quantity.ts';
import { countQueue, keepEdit, keepTheirs, mustWait, overwriteWith } from '../../../counts/use-counts.ts';
import { personOf } from '../../../offline/kept-session.ts';
import type { Session } from '../../../session/session-api.ts';
import { type StockRow, tagOf } from '../../../stock/stock-row.ts';
import type { WaitingEdits } from './edit-book.ts';

interface Page {
  readonly session: Pick<Session, 'keyId' | 'firstKeyId' | 'name'>;
  nameOf(petId: string): string;
  onKept(petId: string, quantity: number): void;
}

/** Edits that wait among the counts of this browser, because both are sent in one order. */
export function waitingEdits(page: () => Page): WaitingEdits {
  const conflictOf = (petId: string) =>
    countQueue.counts.find(
      (count) =>
        count.petId === petId &&
        count.state === 'conflict' &&
        !count.edit?.details &&
        count.keyId === personOf(page().session),
    );
  return {
    mustWait: (petId) => mustWait(petId, personOf(page().session)),
    keep: (seen: StockRow, { kind, quantity, delta }: QuantityEdit, triedKey) => {
      const { session, nameOf, onKept } = page();
      const { petId, quantity: expected } = seen;
      const pet = { petId, name: nameOf(petId), expected, tag: tagOf(seen) };
      keepEdit({ pet, quantity, delta: kind === 'add' ? delta : undefined, triedKey }, session);
      onKept(petId, quantity);
    },
    keepTheirs: (petId) => {
      const conflict = conflictOf(petId);
      if (conflict) keepTheirs(conflict);
    },
    setMine: (petId) => {
      const conflict = conflictOf(petId);
      if (conflict) overwriteWith(conflict);
      return conflict !== undefined;
    },
  };
}
