import { isRecord } from '@petstore-inventory/shared/is-record';
import { REASONS } from '@petstore-inventory/shared/words';
import { useRef, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import { useAdjustment } from '../../components/adjustment.tsx';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { parseQuantity } from '../../components/parse-quantity.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { QueueFullError } from '../../counts/count-queue.ts';
import { keepEdit, mustWait, useCounts, waitingOf } from '../../counts/use-counts.ts';
import { readOneOf, readTexts } from '../../drafts/drafts.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { usePersonId, useSession } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { type Adjustment, adjustPet, type Pet, readPet } from './pet-api.ts';

export const USUAL_REASON = 'correction';
export const adjustPlace = (petId: string): string => `adjust-pet:${petId}`;

function readAdjustDraft(value: unknown) {
  const texts = readTexts(value, ['amount', 'note', 'reference']);
  if (!texts || !isRecord(value) || !Number.isSafeInteger(value.seenQuantity)) return undefined;
  const { amount, note, reference } = texts;
  const reason = readOneOf(value.reason, REASONS) ?? null;
  const seenQuantity = value.seenQuantity as number;
  return { amount, reason, note, reference, takesReserved: value.takesReserved === true, seenQuantity };
}

interface Options {
  /** As it is now; it changes while the form is open. */
  readonly pet: Pet;
  readonly name: string;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/**
 * What a person types to change the quantity of a pet, and how it is saved: by the service, or among the edits of this
 * browser until there is a connection. What others change meanwhile is a conflict.
 */
export function useAdjustPet({ pet, name, onReload, onClose }: Options) {
  const { pet: texts, stock } = useTexts();
  const session = useSession();
  const personId = usePersonId();
  /** An edit of the pet before this one, which the service does not have yet. */
  const waiting = waitingOf(useCounts(), pet.petId, personId);
  const format = useFormat();
  const { show } = useToast();
  const [seen, setSeen] = useState(pet);
  const adjustment = useAdjustment();
  const { values, set } = adjustment;
  const [takesReserved, setTakesReserved] = useState(false);
  const [isReservedShort, setReservedShort] = useState(false);
  const { amount, reason, note, reference } = values;
  const draft = useDraft({
    place: adjustPlace(pet.petId),
    values: { amount, reason, note, reference, takesReserved, seenQuantity: seen.quantity },
    read: readAdjustDraft,
    load: ({ takesReserved: takes, seenQuantity, ...typed }) => {
      set(typed);
      setTakesReserved(takes);
      setReservedShort(takes);
      // What others changed since then is a conflict, as in a dialog that stayed open.
      setSeen({ ...pet, quantity: seenQuantity });
    },
  });
  // One key per intention: the same change sent again is done once.
  const intention = useRef({ text: '', key: '' });

  const from = waiting?.counted ?? seen.quantity;
  const edit = parseQuantity(values.amount, from);
  // A reservation meanwhile is no conflict: the quantity is the one that the person saw.
  const hasConflict = pet.quantity !== seen.quantity;
  const error = edit && (edit.kind === 'set' || edit.delta !== 0) ? undefined : texts.invalid;

  const end = () => {
    draft.end();
    onClose();
  };

  /** Keeps the edit among the counts of this browser, until there is a connection. @throws RefusedForm */
  const keep = ({ petId, quantity: expected, tag }: Pet, sent: Adjustment, triedKey?: string) => {
    const { change, explanation } = sent;
    const isAdded = change.kind === 'add';
    const words = {
      ...explanation,
      ...(isAdded && sent.takesReserved && { takeReserved: true as const }),
      ...(isAdded && triedKey !== undefined && { isMatched: true as const }),
    };
    const unsent = { pet: { petId, name, expected, tag }, quantity: change.quantity, triedKey, words };
    try {
      keepEdit({ ...unsent, delta: isAdded ? change.delta : undefined }, session);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw new RefusedForm(stock.unkept(name));
    }
    show({ message: stock.kept(name, format.quantity(change.quantity)) });
    end();
  };

  const save = async (base: Pet): Promise<void> => {
    const change = parseQuantity(values.amount, waiting?.counted ?? base.quantity);
    if (!change) return;
    const sent = {
      change,
      explanation: { reason: values.reason ?? USUAL_REASON, ...adjustment.words },
      takesReserved,
    };
    const content = JSON.stringify([sent, base.tag]);
    if (intention.current.text !== content) intention.current = { text: content, key: newIdempotencyKey() };
    if (mustWait(pet.petId, personId)) return keep(base, sent);
    try {
      const undo = await adjustPet(base, sent, intention.current.key);
      const result = format.quantity(change.quantity);
      show({ message: texts.changed(name, format.quantity(base.quantity), result), undo });
      void onReload();
      end();
    } catch (failure) {
      // The request may have arrived: with its key it is recorded once.
      if (isApiError(failure, 'offline')) return keep(base, sent, intention.current.key);
      if (isApiError(failure, 'precondition_failed')) {
        const current = await readPet(pet.petId).catch(() => base);
        if (current.quantity === base.quantity && current.tag !== base.tag) return save(current);
      }
      setSeen(base);
      if (isApiError(failure, 'precondition_failed')) return void onReload();
      setReservedShort(isApiError(failure, 'insufficient_stock') && seen.reserved > 0);
      throw failure;
    }
  };
  return {
    adjustment,
    draft,
    from,
    edit,
    hasConflict,
    error,
    isReservedShort,
    takesReserved,
    setTakesReserved,
    /** Changes `base`, which is the pet as the person has seen it. */
    save,
    /** Ends the draft, and closes the form. */
    end,
  };
}
