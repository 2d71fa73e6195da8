import { Button, TextInput } from '@mantine/core';
import { MAX_NOTE } from '@petstore-inventory/shared/limits';
import { type FormEvent, useState } from 'react';
import type { Order, OrderPart } from '../../../api/schemas.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import { totalOf } from '../order-units.ts';

interface Props {
  readonly order: Order;
  readonly isBusy: boolean;
  readonly onSubmit: (body: OrderPart) => void;
  readonly onCancel: () => void;
}

export function CancelForm({ order, isBusy, onSubmit, onCancel }: Props) {
  const { orders, shared } = useTexts();
  const format = useFormat();
  const [note, setNote] = useState('');
  const units = totalOf(order.lines, ({ reserved }) => reserved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(note.trim() === '' ? {} : { note: note.trim() });
  };
  return (
    <form className={drawer.form} onSubmit={submit} aria-label={orders.cancelTitle}>
      <h3 className={drawer.heading}>{orders.cancelTitle}</h3>
      <p className={drawer.hint}>{orders.cancelHint(format.count(units))}</p>
      <TextInput
        label={shared.fields.note}
        value={note}
        maxLength={MAX_NOTE}
        onChange={(event) => setNote(event.currentTarget.value)}
        ref={focused}
      />
      <div className={drawer.buttons}>
        <Button variant="default" onClick={onCancel}>
          {orders.keepOrder}
        </Button>
        <Button type="submit" color="red.8" loading={isBusy}>
          {orders.steps.cancel}
        </Button>
      </div>
    </form>
  );
}

const focused = (element: HTMLElement | null) => element?.focus();
