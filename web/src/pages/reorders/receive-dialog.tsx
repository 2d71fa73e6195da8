import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Reorder } from '../../api/schemas.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useForm } from '../../components/dialogs/use-form.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { useOrderedText } from '../../components/reorder.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { ChangedPets } from './changed-pets.tsx';
import { Delivery, type RefusedPet } from './delivery.ts';
import { parseUnits } from './parse-units.ts';
import styles from './reorders.module.css';
import { DELIVERY_CALLS } from './reorders-api.ts';

interface Props {
  /** At least one. */
  readonly rows: readonly Reorder[];
  readonly onReload: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds units that arrived to the stock, all that are on their way; of one pet, as many as the person types. */
export function ReceiveDialog({ rows, onReload, onDone, onClose }: Props) {
  const { reorders, shared } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const orderedText = useOrderedText();
  const [row] = rows as readonly [Reorder, ...Reorder[]];
  const isOne = rows.length === 1;
  const [delivery] = useState(() => new Delivery(rows, DELIVERY_CALLS));
  const [pets, setPets] = useState(0);
  const { values, input } = useForm({ units: String(row.outstanding) });
  const [isTouched, setTouched] = useState(false);
  const nameOf = (one: Reorder) => one.name ?? shared.unnamed(one.petId);
  const units = parseUnits(values.units);
  const sum = rows.reduce((all, { outstanding }) => all + BigInt(outstanding), 0n);

  const receive = async () => {
    setTouched(true);
    if (units === undefined) return;
    const refused = await delivery.receive(() => setPets(delivery.pets), isOne ? units : undefined);
    await onReload();
    const [first] = refused;
    if (first) throw refusalOf(first);
    finish();
  };
  const refusalOf = ({ row: one, now, error }: RefusedPet) => {
    if (!now) return error;
    const state = orderedText(now) ?? reorders.nothing;
    return new RefusedForm(
      isOne ? reorders.arrivedMeanwhile(state) : reorders.arrivedOfMany(nameOf(one), state),
    );
  };
  const finish = () => {
    onDone();
    show({
      message: isOne
        ? reorders.receivedUnits(nameOf(row), format.count(units ?? 0))
        : reorders.receivedPets(format.count(delivery.pets)),
      undo: async () => {
        try {
          await delivery.undo();
        } finally {
          await onReload();
        }
      },
    });
  };
  /** Pets that were received before the refusal of another one can be undone too. */
  const close = () => (delivery.pets > 0 ? finish() : onClose());

  return (
    <FormDialog
      title={isOne ? reorders.receivePet(nameOf(row)) : reorders.receiveMany(format.count(rows.length))}
      action={reorders.receive}
      onClose={close}
      onSubmit={receive}
      staysOpen
    >
      {isOne ? (
        <TextInput
          {...input('units')}
          label={reorders.arrivedUnits}
          description={orderedText(row)}
          error={isTouched && units === undefined && reorders.invalidUnits}
          inputMode="numeric"
          className="number"
          data-autofocus
        />
      ) : (
        <p className={styles.sum}>
          {reorders.arrivedPets(format.count(rows.length), format.quantity(String(sum)))}
        </p>
      )}
      <ChangedPets done={pets} all={rows.length} />
    </FormDialog>
  );
}
