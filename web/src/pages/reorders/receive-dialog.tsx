import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import type { Reorder } from '../../api/schemas.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useForm } from '../../components/dialogs/use-form.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { revertMovement } from '../../components/movements/use-undo-movement.ts';
import { useOrderedText } from '../../components/reorder.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { parseUnits } from './parse-units.ts';
import styles from './reorders.module.css';
import { receiveUnits } from './reorders-api.ts';
import { undoEach } from './use-reorder-change.ts';

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
  /** By petId, where it is newer than the row. */
  const seen = useRef(new Map<string, Reorder>());
  /** The movements of this dialog by petId, which the next attempt leaves out. */
  const movements = useRef(new Map<string, number>());
  const { values, input } = useForm({ units: String(row.outstanding) });
  const [isTouched, setTouched] = useState(false);
  const nameOf = (one: Reorder) => one.name ?? shared.unnamed(one.petId);
  const units = parseUnits(values.units);
  const sum = rows.reduce((all, { outstanding }) => all + BigInt(outstanding), 0n);

  const receiveOne = async (one: Reorder, delta: number) => {
    const expected = seen.current.get(one.petId) ?? one;
    const { sequence } = await receiveUnits(one.petId, delta, (now) => {
      if (isSameOrder(now, expected)) return;
      // Another person has received units of the order, or this one with an answer that was lost.
      seen.current.set(one.petId, now);
      void onReload();
      const state = orderedText(now) ?? reorders.nothing;
      throw new RefusedForm(
        isOne ? reorders.arrivedMeanwhile(state) : reorders.arrivedOfMany(nameOf(one), state),
      );
    });
    movements.current.set(one.petId, sequence);
  };
  const receive = async () => {
    setTouched(true);
    if (units === undefined) return;
    const refusals: unknown[] = [];
    for (const one of rows) {
      const delta = isOne ? units : (seen.current.get(one.petId) ?? one).outstanding;
      if (delta === 0 || movements.current.has(one.petId)) continue;
      await receiveOne(one, delta).catch((error: unknown) => {
        // The others would meet the same.
        if (isApiError(error) && error.isTemporary) throw error;
        refusals.push(error);
      });
    }
    await onReload();
    if (refusals.length > 0) throw refusals[0];
    finish();
  };
  const finish = () => {
    onDone();
    const sequences = [...movements.current.values()];
    show({
      message: isOne
        ? reorders.receivedUnits(nameOf(row), format.count(units ?? 0))
        : reorders.receivedPets(format.count(sequences.length)),
      undo: () => undoEach(sequences, onReload, revertMovement),
    });
  };
  /** Pets that were received before the refusal of another one can be undone too. */
  const close = () => (movements.current.size > 0 ? finish() : onClose());

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
    </FormDialog>
  );
}

/** Whether the same units are on their way. */
const isSameOrder = (a: Reorder, b: Reorder): boolean =>
  a.orderedAt === b.orderedAt && a.received === b.received && a.outstanding === b.outstanding;
