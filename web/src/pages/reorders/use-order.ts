import { useRef, useState } from 'react';
import type { Reorder } from '../../api/schemas.ts';
import { useForm } from '../../components/dialogs/use-form.ts';
import { useSubmit } from '../../components/dialogs/use-submit.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { parseUnits } from './parse-units.ts';
import { updateReorder } from './reorders-api.ts';
import { useReorderChange } from './use-reorder-change.ts';

export interface OrderOptions {
  /** With units on their way it is edited. */
  readonly row: Reorder;
  /** As the table has them. */
  readonly units: string;
  readonly onReload: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The form of an order of a pet: what was typed, what of it is wrong, and what saves or cancels it. */
export function useOrder({ row, units, onReload, onDone }: OrderOptions) {
  const { reorders, shared } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const change = useReorderChange(row);
  const isEdit = row.ordered !== null;
  const { values, input, choice } = useForm({
    units: isEdit ? String(row.ordered) : units,
    expectedOn: isEdit ? (row.expectedOn ?? '') : '',
    supplier: row.supplier ?? '',
  });
  const [isTouched, setTouched] = useState(false);
  const day = useRef<HTMLInputElement>(null);
  const name = row.name ?? shared.unnamed(row.petId);
  const ordered = parseUnits(values.units);
  // A date field without a value may have a part of one.
  const isDayWrong = () => day.current?.validity.badInput === true;
  const supplier = values.supplier.trim();

  /** The result of a change, when the list has been read again, also after a refusal. */
  const reloaded = async (changed: Promise<Reorder>): Promise<Reorder> => {
    try {
      return await changed;
    } finally {
      await onReload();
    }
  };
  const save = async () => {
    setTouched(true);
    if (ordered === undefined || isDayWrong()) return;
    const expected = values.expectedOn === '' ? null : values.expectedOn;
    const changes = { ordered, expectedOn: expected, supplier: supplier === '' ? null : supplier };
    const now = await reloaded(change(changes));
    onDone();
    if (isEdit) return show({ message: reorders.saved(name) });
    show({
      message: reorders.marked(format.count(1), format.quantity(ordered)),
      undo: async () => {
        await reloaded(updateReorder(now, { ordered: null, supplier: row.supplier }));
      },
    });
  };
  const cancel = useSubmit(async () => {
    await change({ ordered: null });
    await onReload();
    onDone();
    show({ message: reorders.cancelled(name) });
  });
  const fault = {
    units: isTouched && ordered === undefined && reorders.invalidUnits,
    day: isTouched && isDayWrong() && reorders.invalidDay,
  };
  return { name, isEdit, input, choice, day, fault, save, cancel };
}
