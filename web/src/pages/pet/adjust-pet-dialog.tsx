import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Movement } from '../../api/schemas.ts';
import { ReasonSelect } from '../../components/adjustment.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useSubmit } from '../../components/dialogs/use-submit.ts';
import { parseQuantity } from '../../components/parse-quantity.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { Conflict } from './conflict.tsx';
import styles from './dialogs.module.css';
import type { Pet } from './pet-api.ts';
import { USUAL_REASON, useAdjustPet } from './use-adjust-pet.ts';

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

/** Changes the quantity of one pet, with why. What others change meanwhile is shown before it is overwritten. */
export function AdjustPetDialog({ pet, name, latest, outstanding, onReload, onClose }: Props) {
  const { pet: texts, reorders } = useTexts();
  const format = useFormat();
  const form = useAdjustPet({ pet, name, onReload, onClose });
  const { adjustment, edit, error, from, hasConflict, save } = form;
  const { values, input, set } = adjustment;
  const [isTouched, setTouched] = useState(false);
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
      draft={form.draft}
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
      {form.isReservedShort && (
        <Checkbox
          checked={form.takesReserved}
          onChange={(event) => form.setTakesReserved(event.currentTarget.checked)}
          label={texts.takeReserved(format.quantity(pet.reserved))}
        />
      )}
      {hasConflict && (
        <Conflict
          pet={pet}
          latest={latest}
          edit={error === undefined ? parseQuantity(values.amount, pet.quantity) : undefined}
          isBusy={overwrite.isBusy}
          onKeep={form.end}
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
