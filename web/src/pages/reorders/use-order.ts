import { useRef, useState } from 'react';
import type { Reorder } from '../../api/schemas.ts';
import { useForm } from '../../components/dialogs/use-form.ts';
import { useSubmit } from '../../components/dialogs/use-submit.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { parseUnits } from './parse-units.ts';
import { undoReorders, useReorderChange } from './use-reorder-change.ts';

export interface OrderOptions {
  /** At least one. One with units on their way is edited. */
  readonly rows: readonly Reorder[];
  /** As the table has them, by petId. */
  readonly unitsOf: (row: Reorder) => string;
  readonly onReload: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The form of an order of pets: what was typed, what of it is wrong, and what saves or cancels it. */
export function useOrder({ rows, unitsOf, onReload, onDone, onClose }: OrderOptions) {
  const { reorders, shared } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const { change, changeAll, made } = useReorderChange();
  const [pets, setPets] = useState(0);
  const [row] = rows as readonly [Reorder, ...Reorder[]];
  const isOne = rows.length === 1;
  const isEdit = isOne && row.ordered !== null;
  const common = rows.every(({ supplier }) => supplier === row.supplier) ? (row.supplier ?? '') : '';
  const { values, input, choice } = useForm({
    units: isEdit ? String(row.ordered) : unitsOf(row),
    expectedOn: isEdit ? (row.expectedOn ?? '') : '',
    supplier: common,
  });
  const [isTouched, setTouched] = useState(false);
  const day = useRef<HTMLInputElement>(null);
  const nameOf = (one: Reorder) => one.name ?? shared.unnamed(one.petId);
  const orders = rows.map((one) => ({ row: one, units: parseUnits(isOne ? values.units : unitsOf(one)) }));
  const wrong = orders.find(({ units }) => units === undefined)?.row;
  const sum = orders.reduce((units, order) => units + BigInt(order.units ?? 0), 0n);
  // A date field without a value may have a part of one.
  const isDayWrong = () => day.current?.validity.badInput === true;
  const supplier = values.supplier.trim();

  const save = async () => {
    setTouched(true);
    if (wrong || isDayWrong()) return;
    const changes = {
      expectedOn: values.expectedOn === '' ? null : values.expectedOn,
      // With several pets, an empty field leaves each pet its supplier.
      ...((isOne || supplier !== common) && { supplier: supplier === '' ? null : supplier }),
    };
    const unitsToBuy = new Map(orders.map((order) => [order.row.petId, order.units as number]));
    const changesTo = ({ petId }: Reorder) => ({ ...changes, ordered: unitsToBuy.get(petId) ?? null });
    try {
      await changeAll(rows, changesTo, () => setPets(made.size));
    } finally {
      await onReload();
    }
    finish();
  };
  const finish = () => {
    onDone();
    if (isEdit) return show({ message: reorders.saved(nameOf(row)) });
    const units = [...made.values()].reduce((all, { now }) => all + BigInt(now.ordered ?? 0), 0n);
    show({
      message: reorders.marked(format.count(made.size), format.quantity(String(units))),
      undo: () =>
        undoReorders(made.values(), onReload, (before) => ({ ordered: null, supplier: before.supplier })),
    });
  };
  /** Pets that were marked before the refusal of another one can be undone too. */
  const close = () => (made.size > 0 ? finish() : onClose());
  const cancel = useSubmit(async () => {
    await change(row, { ordered: null });
    await onReload();
    onDone();
    show({ message: reorders.cancelled(nameOf(row)) });
  });
  const fault = {
    units: isTouched && wrong && reorders.invalidUnits,
    day: isTouched && isDayWrong() && reorders.invalidDay,
  };
  return { row, isOne, isEdit, input, choice, day, nameOf, wrong, sum, fault, pets, save, close, cancel };
}
