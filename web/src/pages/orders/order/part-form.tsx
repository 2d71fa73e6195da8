import { Button, TextInput } from '@mantine/core';
import { MAX_NOTE } from '@petstore-inventory/shared/limits';
import { type FormEvent, useState } from 'react';
import type { ManagedPet, OrderPart } from '../../../api/schemas.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import { unitsLeft } from '../order-units.ts';
import type { SeenOrder } from '../orders-api.ts';

interface Props {
  readonly step: 'deliver' | 'return';
  readonly seen: SeenOrder;
  readonly pets: ReadonlyMap<string, ManagedPet>;
  readonly isBusy: boolean;
  readonly onSubmit: (body: OrderPart) => void;
  readonly onCancel: () => void;
}

/** The units of each line to deliver or to take back; all that are left, unless the person says less. */
export function PartForm({ step, seen, pets, isBusy, onSubmit, onCancel }: Props) {
  const { orders, shared, app } = useTexts();
  const format = useFormat();
  const lines = seen.order.lines
    .map((line) => ({ petId: line.petId, left: unitsLeft(step, line) }))
    .filter(({ left }) => left > 0);
  const [texts, setTexts] = useState(() => new Map(lines.map(({ petId, left }) => [petId, String(left)])));
  const [note, setNote] = useState('');
  const unitsOf = (petId: string) => Number(texts.get(petId) || 0);
  const isFit = ({ petId, left }: (typeof lines)[number]) =>
    /^\d*$/.test(texts.get(petId) ?? '') && unitsOf(petId) <= left;
  const total = lines.reduce((sum, { petId }) => sum + unitsOf(petId), 0);
  const canSubmit = lines.every(isFit) && total > 0;
  const isDelivery = step === 'deliver';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSubmit) return;
    onSubmit({
      lines: lines
        .filter(({ petId }) => unitsOf(petId) > 0)
        .map(({ petId }) => ({ petId, quantity: unitsOf(petId) })),
      ...(!isDelivery && { reason: 'returned' as const }),
      ...(note.trim() !== '' && { note: note.trim() }),
    });
  };
  const title = isDelivery ? orders.deliverTitle : orders.returnTitle;
  const label = isDelivery ? orders.deliverUnits : orders.returnUnits;
  return (
    <form className={drawer.form} onSubmit={submit} aria-label={title}>
      <h3 className={drawer.heading}>{title}</h3>
      {lines.map((line, index) => {
        const name = pets.get(line.petId)?.name ?? shared.unnamed(line.petId);
        return (
          <div key={line.petId} className={drawer.part}>
            <span className={drawer.partName}>{name}</span>
            <TextInput
              aria-label={orders.unitsOf(name)}
              inputMode="numeric"
              autoComplete="off"
              value={texts.get(line.petId) ?? ''}
              error={!isFit(line)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setTexts((before) => new Map(before).set(line.petId, value));
              }}
              onFocus={(event) => event.currentTarget.select()}
              ref={index === 0 ? focusOnce : undefined}
              className={drawer.partUnits}
            />
            <span className={`${drawer.partLeft} number`}>{orders.left(format.quantity(line.left))}</span>
          </div>
        );
      })}
      <TextInput
        label={shared.fields.note}
        value={note}
        maxLength={MAX_NOTE}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={drawer.buttons}>
        <Button variant="default" onClick={onCancel}>
          {app.actions.cancel}
        </Button>
        <Button type="submit" disabled={!canSubmit} loading={isBusy}>
          {label(format.count(Number.isFinite(total) ? total : 0))}
        </Button>
      </div>
    </form>
  );
}

const focusOnce = (element: HTMLElement | null) => element?.focus();
