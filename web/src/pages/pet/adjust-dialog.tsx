import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import { LIMITS, type Movement, type Reason } from '../../api/schemas.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { parseQuantity } from '../../components/parse-quantity.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { Conflict } from './conflict.tsx';
import styles from './dialogs.module.css';
import { adjustPet, type Pet, readPet } from './pet-api.ts';

interface Props {
  /** As it is now; it changes while the dialog is open. */
  readonly pet: Pet;
  readonly name: string;
  /** The newest movement of the pet. */
  readonly latest: Movement | undefined;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the quantity, with why. What others change meanwhile is shown before it is overwritten. */
export function AdjustDialog({ pet, name, latest, onReload, onClose }: Props) {
  const { pet: texts, shared, app } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const errorText = useErrorText();
  const [seen, setSeen] = useState(pet);
  const [text, setText] = useState('');
  const [isTouched, setTouched] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isReservedShort, setReservedShort] = useState(false);
  const [isBusy, setBusy] = useState(false);
  // One key per intention: the same change sent again is done once.
  const intention = useRef({ text: '', key: '' });

  const edit = parseQuantity(text, seen.quantity);
  // A reservation meanwhile is no conflict: the quantity is the one that the person saw.
  const hasConflict = pet.quantity !== seen.quantity;
  const error = edit && (edit.kind === 'set' || edit.delta !== 0) ? undefined : texts.invalid;

  const save = async (base: Pet, form: HTMLFormElement): Promise<void> => {
    const change = parseQuantity(text, base.quantity);
    if (!change) return;
    const fields = new FormData(form);
    const adjustment = {
      change,
      reason: reasonOf(fields),
      note: String(fields.get('note')).trim(),
      referenceId: String(fields.get('reference')).trim(),
      takeReserved: fields.get('takeReserved') !== null,
    };
    const content = JSON.stringify([adjustment, base.tag]);
    if (intention.current.text !== content) intention.current = { text: content, key: newIdempotencyKey() };
    setBusy(true);
    setProblem(undefined);
    try {
      const undo = await adjustPet(base, adjustment, intention.current.key);
      const result = format.quantity(change.quantity);
      show({ message: texts.changed(name, format.quantity(base.quantity), result), undo });
      void onReload();
      onClose();
    } catch (failure) {
      if (isApiError(failure, 'precondition_failed')) {
        const current = await readPet(pet.petId).catch(() => base);
        if (current.quantity === base.quantity && current.tag !== base.tag) return save(current, form);
      }
      setBusy(false);
      setSeen(base);
      if (isApiError(failure, 'precondition_failed')) return void onReload();
      setReservedShort(isApiError(failure, 'insufficient_stock') && seen.reserved > 0);
      setProblem(errorText(failure));
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTouched(true);
    if (!error && !hasConflict) void save(pet, event.currentTarget);
  };
  const form = useRef<HTMLFormElement>(null);

  return (
    <Dialog onClose={onClose} title={texts.adjustTitle(name)}>
      <form ref={form} onSubmit={submit} className={styles.form} noValidate>
        <div className={styles.amount}>
          <TextInput
            label={texts.amount}
            description={texts.amountHint}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={isTouched && error}
            inputMode="text"
            autoComplete="off"
            className="number"
            data-autofocus
          />
          <output className={`${styles.preview} number`}>
            {edit && edit.delta !== 0
              ? texts.becomes(format.quantity(seen.quantity), format.quantity(edit.quantity))
              : texts.unchanged(format.quantity(seen.quantity))}
          </output>
        </div>
        <Select
          name="reason"
          label={shared.fields.reason}
          data={Object.entries(shared.reason).map(([value, label]) => ({ value, label }))}
          defaultValue="correction"
        />
        <TextInput
          name="note"
          label={shared.fields.note}
          placeholder={texts.notePlaceholder}
          maxLength={LIMITS.note}
        />
        <TextInput
          name="reference"
          label={shared.fields.reference}
          placeholder={texts.referencePlaceholder}
          maxLength={LIMITS.reference}
        />
        {isReservedShort && (
          <Checkbox name="takeReserved" label={texts.takeReserved(format.quantity(pet.reserved))} />
        )}
        {hasConflict && (
          <Conflict
            pet={pet}
            latest={latest}
            edit={error === undefined ? parseQuantity(text, pet.quantity) : undefined}
            isBusy={isBusy}
            onKeep={onClose}
            onOverwrite={() => form.current && void save(pet, form.current)}
          />
        )}
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {app.actions.cancel}
          </Button>
          <Button type="submit" loading={isBusy} disabled={hasConflict}>
            {texts.adjust}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

const reasonOf = (fields: FormData): Reason => String(fields.get('reason')) as Reason;
