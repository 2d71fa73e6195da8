import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { type DefaultThresholds, LIMITS, type Movement } from '../../api/schemas.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { authorName } from '../../components/movements/movement-facts.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './dialogs.module.css';
import { editPet, type Pet, readPet } from './pet-api.ts';

const FIELDS = ['name', 'category', 'lowStockAt', 'restockAt'] as const;
type Field = (typeof FIELDS)[number];
type Values = Readonly<Record<Field, string>>;

interface Props {
  readonly pet: Pet;
  readonly name: string;
  readonly latest: Movement | undefined;
  readonly defaults: DefaultThresholds | undefined;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

const valuesOf = (pet: Pet): Values => ({
  name: pet.name ?? '',
  category: pet.category ?? '',
  lowStockAt: String(pet.lowStockAt ?? ''),
  restockAt: String(pet.restockAt ?? ''),
});

/** The values that the person changed, as the service takes them. */
function changesBetween(before: Values, after: Values) {
  const changed = FIELDS.filter((field) => before[field] !== after[field].trim());
  return Object.fromEntries(
    changed.map((field) => {
      const text = after[field].trim();
      const isNumber = field === 'lowStockAt' || field === 'restockAt';
      return [field, text === '' ? null : isNumber ? Number(text) : text];
    }),
  );
}

const isThreshold = (text: string): boolean => /^\d{0,15}$/.test(text.trim());

/** Name, category and thresholds. A sale meanwhile is no conflict, an edit of the same values is. */
export function EditDialog({ pet, name, latest, defaults, onReload, onClose }: Props) {
  const texts = useTexts();
  const { pet: words, shared, app } = texts;
  const format = useFormat();
  const errorText = useErrorText();
  const { show } = useToast();
  const [base, setBase] = useState(pet);
  const [values, setValues] = useState(() => valuesOf(pet));
  const [problem, setProblem] = useState<string>();
  /** What somebody else set in the fields that the person changed too. */
  const [theirs, setTheirs] = useState<Partial<Values>>();
  const [isBusy, setBusy] = useState(false);
  const isLatest = latest?.version === base.version;
  const isValid = isThreshold(values.lowStockAt) && isThreshold(values.restockAt);

  const save = async (from: Pet): Promise<void> => {
    const before = valuesOf(from);
    const changes = changesBetween(before, values);
    if (Object.keys(changes).length === 0) return onClose();
    try {
      const { headers } = await editPet(pet.petId, from.tag, changes);
      const tag = headers.get('ETag') ?? '';
      const back = changesBetween(values, before);
      const undo = async () => {
        await editPet(pet.petId, tag, back);
        await onReload();
      };
      show({ message: words.edited(values.name.trim() || name), undo });
      await onReload();
      onClose();
    } catch (error) {
      if (!isApiError(error, 'precondition_failed')) throw error;
      const current = await readPet(pet.petId);
      const now = valuesOf(current);
      if (FIELDS.every((field) => now[field] === before[field])) return save(current);
      await onReload();
      const isMine = (field: Field) => values[field].trim() !== before[field];
      const mine = FIELDS.filter((field) => isMine(field) && now[field] !== values[field].trim());
      // Such as an earlier attempt whose answer was lost.
      if (mine.length === 0) return onClose();
      setBase(current);
      setValues(
        Object.fromEntries(
          FIELDS.map((field) => [field, isMine(field) ? values[field] : now[field]]),
        ) as Record<Field, string>,
      );
      setTheirs(
        Object.fromEntries(
          mine.filter((field) => now[field] !== before[field]).map((field) => [field, now[field]]),
        ),
      );
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    setBusy(true);
    setProblem(undefined);
    setTheirs(undefined);
    save(base)
      .catch((error: unknown) => setProblem(errorText(error)))
      .finally(() => setBusy(false));
  };
  const input = (field: Field) => ({
    label: shared.fields[field],
    value: values[field],
    description: theirs?.[field] === undefined ? undefined : words.nowIs(theirs[field]),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [field]: value }));
    },
  });
  const threshold = (field: 'lowStockAt' | 'restockAt') => {
    const value = defaults?.[field];
    return {
      ...input(field),
      inputMode: 'numeric' as const,
      placeholder: words.ofShop(typeof value === 'number' ? format.quantity(value) : words.noThreshold),
      error: !isThreshold(values[field]) && words.wholeNumber,
    };
  };

  return (
    <Dialog onClose={onClose} title={words.editTitle(name)}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextInput {...input('name')} maxLength={LIMITS.petName} data-autofocus />
        <TextInput {...input('category')} maxLength={LIMITS.category} />
        <div className={styles.pair}>
          <TextInput {...threshold('lowStockAt')} />
          <TextInput {...threshold('restockAt')} />
        </div>
        <p className={styles.hint}>{words.thresholdHint}</p>
        {theirs && (
          <p role="alert" className={styles.conflict}>
            {words.editConflict(isLatest ? authorName(latest.actor, texts) : words.someone)}
          </p>
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
          <Button type="submit" loading={isBusy}>
            {app.actions.save}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
