import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ManagedPet, OrderPart } from '../../../api/schemas.ts';
import { useAdjustment } from '../../../components/adjustment.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import { totalOf, unitsLeft } from '../order-units.ts';
import type { SeenOrder } from '../orders-api.ts';

interface Props {
  readonly seen: SeenOrder;
  readonly isBusy: boolean;
  readonly onSubmit: (body: OrderPart) => void;
  readonly onCancel: () => void;
}

interface StepFormProps extends Omit<Props, 'seen'> {
  readonly title: string;
  readonly action: string;
  readonly leave: string;
  /** Why the step destroys something. */
  readonly danger?: string;
  /** What the step moves; `undefined` while it is not right. */
  readonly body: OrderPart | undefined;
  readonly children?: ReactNode;
}

function StepForm({
  title,
  action,
  leave,
  danger,
  body,
  isBusy,
  onSubmit,
  onCancel,
  children,
}: StepFormProps) {
  const { words, noteField } = useAdjustment();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) onSubmit({ ...body, ...words });
  };
  return (
    <form className={drawer.form} onSubmit={submit} aria-label={title}>
      <h3 className={drawer.heading}>{title}</h3>
      {danger !== undefined && <p className={drawer.hint}>{danger}</p>}
      {children}
      <TextInput {...noteField} ref={children ? undefined : focused} />
      <div className={drawer.buttons}>
        <Button variant="default" onClick={onCancel}>
          {leave}
        </Button>
        <Button type="submit" color={danger && 'red.8'} disabled={!body} loading={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

export function CancelForm({ seen: { order }, ...props }: Props) {
  const { orders } = useTexts();
  const format = useFormat();
  const units = totalOf(order.lines, ({ reserved }) => reserved);
  return (
    <StepForm
      {...props}
      title={orders.cancelTitle}
      action={orders.steps.cancel}
      leave={orders.keepOrder}
      danger={orders.cancelHint(format.count(units))}
      body={{}}
    />
  );
}

interface PartFormProps extends Props {
  readonly step: 'deliver' | 'return';
  readonly pets: ReadonlyMap<string, ManagedPet>;
}

/** The units of each line to deliver or to take back; all that are left, unless the person says less. */
export function PartForm({ step, seen, pets, ...props }: PartFormProps) {
  const { orders, shared, app } = useTexts();
  const format = useFormat();
  const lines = seen.order.lines
    .map((line) => ({ petId: line.petId, left: unitsLeft(step, line) }))
    .filter(({ left }) => left > 0);
  const [texts, setTexts] = useState(() => new Map(lines.map(({ petId, left }) => [petId, String(left)])));
  const unitsOf = (petId: string) => Number(texts.get(petId) || 0);
  const isFit = ({ petId, left }: (typeof lines)[number]) =>
    /^\d*$/.test(texts.get(petId) ?? '') && unitsOf(petId) <= left;
  const total = lines.reduce((sum, { petId }) => sum + unitsOf(petId), 0);
  const isDelivery = step === 'deliver';
  const body = {
    lines: lines
      .map(({ petId }) => ({ petId, quantity: unitsOf(petId) }))
      .filter(({ quantity }) => quantity > 0),
    ...(!isDelivery && { reason: 'returned' as const }),
  };
  const label = isDelivery ? orders.deliverUnits : orders.returnUnits;
  return (
    <StepForm
      {...props}
      title={isDelivery ? orders.deliverTitle : orders.returnTitle}
      action={label(format.count(Number.isFinite(total) ? total : 0))}
      leave={app.actions.cancel}
      body={lines.every(isFit) && total > 0 ? body : undefined}
    >
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
              ref={index === 0 ? focused : undefined}
              className={drawer.partUnits}
            />
            <span className={`${drawer.partLeft} number`}>{orders.left(format.quantity(line.left))}</span>
          </div>
        );
      })}
    </StepForm>
  );
}

const focused = (element: HTMLElement | null) => element?.focus();
