import { isRecord } from '@petstore-inventory/shared/is-record';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { REASONS } from '@petstore-inventory/shared/words';
import { useRef, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import type { Movement } from '../../api/schemas.ts';
import { ReasonSelect, useAdjustment } from '../../components/adjustment.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { RefusedForm, useSubmit } from '../../components/dialogs/use-submit.ts';
import { parseQuantity } from '../../components/parse-quantity.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { QueueFullError } from '../../counts/count-queue.ts';
import { keepEdit, mustWait, useCounts, waitingOf } from '../../counts/use-counts.ts';
import { readOneOf, readTexts } from '../../drafts/drafts.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { useSession } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { Conflict } from './conflict.tsx';
import styles from './dialogs.module.css';
import { type Adjustment, adjustPet, type Pet, readPet } from './pet-api.ts';

interface Props {
  /** As it is now; it changes while the dialog is open. */
  readonly pet: Pet;
  readonly name: string;
  /** The newest movement of the pet. */
  readonly latest: Movement | undefined;
  /** Ordered units that are on their way. */
  readonly outstanding: number;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

const USUAL_REASON = 'correction';
export const adjustPlace = (petId: string): string => `adjust-pet:${petId}`;

function readAdjustDraft(value: unknown) {
  const texts = readTexts(value, ['amount', 'note', 'reference']);
  if (!texts || !isRecord(value) || !Number.isSafeInteger(value.seenQuantity)) return undefined;
  const { amount, note, reference } = texts;
  const reason = readOneOf(value.reason, REASONS) ?? null;
  const seenQuantity = value.seenQuantity as number;
  return { amount, reason, note, reference, takesReserved: value.takesReserved === true, seenQuantity };
}

/** Changes the quantity of one pet, with why. What others change meanwhile is shown before it is overwritten. */
export function AdjustPetDialog({ pet, name, latest, outstanding, onReload, onClose }: Props) {
  const { pet: texts, reorders, stock } = useTexts();
  const session = useSession();
  /** An edit of the pet before this one, which the service does not have yet. */
  const waiting = waitingOf(useCounts(), pet.petId, session.keyId);
  const format = useFormat();
  const { show } = useToast();
  const [seen, setSeen] = useState(pet);
  const adjustment = useAdjustment();
  const { values, input, set } = adjustment;
  const [takesReserved, setTakesReserved] = useState(false);
  const [isTouched, setTouched] = useState(false);
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
    draft.end();
    onClose();
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
    if (mustWait(pet.petId, session.keyId)) return keep(base, sent);
    try {
      const undo = await adjustPet(base, sent, intention.current.key);
      const result = format.quantity(change.quantity);
      show({ message: texts.changed(name, format.quantity(base.quantity), result), undo });
      void onReload();
      draft.end();
      onClose();
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
  const overwrite = useSubmit(() => save(pet));

  return (
    <FormDialog
      title={texts.adjustTitle(name)}
      action={texts.adjust}
      isReady={!hasConflict}
      onClose={onClose}
      onSubmit={async () => {
        setTouched(true);
        if (!error) await save(pet);
      }}
      staysOpen
      waits
      draft={draft}
    >
      <div className={styles.amount}>
        <TextInput
          {...input('amount')}
          label={texts.amount}
          description={texts.amountHint}
          error={isTouched && error}
          inputMode="text"
          className="number"
          data-autofocus
        />
        <output className={`${styles.preview} number`}>
          {edit && edit.delta !== 0
            ? texts.becomes(format.quantity(from), format.quantity(edit.quantity))
            : texts.unchanged(format.quantity(from))}
        </output>
      </div>
      <ReasonSelect of={adjustment} usual={USUAL_REASON} />
      {outstanding > 0 && (
        <Button
          variant="default"
          className={styles.offer}
          onClick={() => set({ amount: `+${outstanding}`, reason: 'received' })}
        >
          {reorders.takeOutstanding(format.count(outstanding))}
        </Button>
      )}
      <TextInput {...adjustment.noteField} placeholder={texts.notePlaceholder} />
      <TextInput {...adjustment.referenceField} placeholder={texts.referencePlaceholder} />
      {isReservedShort && (
        <Checkbox
          checked={takesReserved}
          onChange={(event) => setTakesReserved(event.currentTarget.checked)}
          label={texts.takeReserved(format.quantity(pet.reserved))}
        />
      )}
      {hasConflict && (
        <Conflict
          pet={pet}
          latest={latest}
          edit={error === undefined ? parseQuantity(values.amount, pet.quantity) : undefined}
          isBusy={overwrite.isBusy}
          onKeep={() => {
            draft.end();
            onClose();
          }}
          onOverwrite={() => void overwrite.submit()}
        />
      )}
      {overwrite.problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {overwrite.problem}
        </p>
      )}
    </FormDialog>
  );
}
