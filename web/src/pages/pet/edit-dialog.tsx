import { TextInput } from '@mantine/core';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import type { DefaultThresholds, Movement } from '../../api/schemas.ts';
import { atMost } from '../../components/at-most.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { authorName } from '../../components/movements/movement-facts.ts';
import { CodesFields } from '../../components/pets/codes-fields.tsx';
import type { Field } from '../../components/pets/edit-draft.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './dialogs.module.css';
import type { Pet } from './pet-api.ts';
import { useEditDetails } from './use-edit-details.ts';

interface Props {
  readonly pet: Pet;
  readonly name: string;
  readonly latest: Movement | undefined;
  readonly defaults: DefaultThresholds | undefined;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

const isThreshold = (text: string): boolean => /^\d{0,15}$/.test(text.trim());

/** Name, category, thresholds and codes. */
export function EditDialog({ pet, name, latest, defaults, onReload, onClose }: Props) {
  const texts = useTexts();
  const { pet: words, shared, app } = texts;
  const format = useFormat();
  const edit = useEditDetails({ pet, name, onReload, onClose });
  const { base, typed, values, set, input, theirs, draft, conflict, save } = edit;
  const isLatest = latest?.version === base.version;
  const field = (name: Field) => {
    const now = theirs?.[name];
    return {
      ...input(name),
      label: shared.fields[name],
      description: now === undefined ? undefined : words.nowIs(now.replaceAll('\n', ', ')),
    };
  };
  const threshold = (name: 'lowStockAt' | 'restockAt') => {
    const value = defaults?.[name];
    return {
      ...field(name),
      inputMode: 'numeric' as const,
      placeholder: words.ofShop(typeof value === 'number' ? format.quantity(value) : words.noThreshold),
      error: !isThreshold(values[name]) && words.wholeNumber,
    };
  };

  return (
    <FormDialog
      title={words.editTitle(name)}
      action={app.actions.save}
      isReady={isThreshold(values.lowStockAt) && isThreshold(values.restockAt)}
      onClose={onClose}
      onSubmit={save}
      staysOpen
      waits
      draft={draft}
    >
      <TextInput {...field('name')} {...atMost(MAX_PET_TEXT)} data-autofocus />
      <TextInput {...field('category')} {...atMost(MAX_PET_TEXT)} />
      <div className={styles.pair}>
        <TextInput {...threshold('lowStockAt')} />
        <TextInput {...threshold('restockAt')} />
      </div>
      <p className={styles.hint}>{words.thresholdHint}</p>
      <CodesFields
        values={typed}
        onChange={set}
        descriptions={{ sku: field('sku').description, barcodes: field('barcodes').description }}
      />
      {conflict.note}
      {theirs && (
        <p role="alert" className={styles.conflict}>
          {words.editConflict(isLatest ? authorName(latest.actor, texts) : words.someone)}
        </p>
      )}
    </FormDialog>
  );
}
