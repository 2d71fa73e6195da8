import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Reorder } from '../../api/schemas.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { useForm } from '../../components/dialogs/use-form.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { revertMovement } from '../../components/movements/use-undo-movement.ts';
import { useOrderedText } from '../../components/reorder.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { parseUnits } from './parse-units.ts';
import { receiveUnits } from './reorders-api.ts';

interface Props {
  readonly row: Reorder;
  readonly onReload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Adds units that arrived to the stock, all that are on their way unless the person says otherwise. */
export function ReceiveDialog({ row, onReload, onClose }: Props) {
  const { reorders, shared } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const orderedText = useOrderedText();
  const seen = useRef(row);
  const { values, input } = useForm({ units: String(row.outstanding) });
  const [isTouched, setTouched] = useState(false);
  const name = row.name ?? shared.unnamed(row.petId);
  const units = parseUnits(values.units);

  const receive = async () => {
    setTouched(true);
    if (units === undefined) return;
    const { sequence } = await receiveUnits(row.petId, units, (now) => {
      if (isSameOrder(now, seen.current)) return;
      // Another person has received units of the order, or this one with an answer that was lost.
      seen.current = now;
      void onReload();
      throw new RefusedForm(reorders.arrivedMeanwhile(orderedText(now) ?? reorders.nothing));
    });
    await onReload();
    onClose();
    show({
      message: reorders.receivedUnits(name, format.count(units)),
      undo: async () => {
        await revertMovement(sequence);
        await onReload();
      },
    });
  };

  return (
    <FormDialog
      title={reorders.receivePet(name)}
      action={reorders.receive}
      onClose={onClose}
      onSubmit={receive}
      staysOpen
    >
      <TextInput
        {...input('units')}
        label={reorders.arrivedUnits}
        description={orderedText(row)}
        error={isTouched && units === undefined && reorders.invalidUnits}
        inputMode="numeric"
        className="number"
        data-autofocus
      />
    </FormDialog>
  );
}

/** Whether the same units are on their way. */
const isSameOrder = (a: Reorder, b: Reorder): boolean =>
  a.orderedAt === b.orderedAt && a.received === b.received && a.outstanding === b.outstanding;
