import { isRecord } from '@petstore-inventory/shared/is-record';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ManagedPet, OrderPart } from '../../../api/schemas.ts';
import { useAdjustment } from '../../../components/adjustment.tsx';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { readTexts } from '../../../drafts/drafts.ts';
import { OfflineNote } from '../../../drafts/offline-note.tsx';
import { useDraft } from '../../../drafts/use-draft.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import drawer from '../order-drawer.module.css';
import { totalOf, unitsLeft } from '../order-units.ts';
import type { SeenOrder, Step } from '../orders-api.ts';

interface Props {
  readonly seen: SeenOrder;
  readonly isBusy: boolean;
  readonly onSubmit: (body: OrderPart) => void;
  /** Somebody else changed the order after its step was typed. */
  readonly onChanged: () => void;
  readonly onCancel: () => void;
}

export type FormStep = Exclude<Step, 'approve'>;
/** The units of each pet as typed. */
type Units = Readonly<Record<string, string>>;

interface StepDraft {
  /** The version of the order for which it was typed. */
  readonly version: number;
  readonly units: Units;
  readonly note: string;
}

export const stepPlace = (step: FormStep, orderId: number): string => `${step}-order:${orderId}`;

function readStepDraft(value: unknown): StepDraft | undefined {
  const words = readTexts(value, ['note']);
  if (!words || !isRecord(value) || !isRecord(value.units) || !Number.isSafeInteger(value.version))
    return undefined;
  const units = readTexts(value.units, Object.keys(value.units));
  return units && { version: value.version as number, units, ...words };
}

interface StepFormProps extends Props {
  readonly step: FormStep;
  readonly title: string;
  readonly action: string;
  readonly leave: string;
  /** Why the step destroys something. */
  readonly danger?: string;
  /** What the step moves; `undefined` while it is not right. */
  readonly body: OrderPart | undefined;
  /** The units of each line as typed. */
  readonly units?: Units;
  readonly onUnits?: (units: Units) => void;
  readonly children?: ReactNode;
}

function StepForm({
  step,
  seen: { order },
  title,
  action,
  leave,
  danger,
  body,
  units = {},
  onUnits,
  isBusy,
  onSubmit,
  onChanged,
  onCancel,
  children,
}: StepFormProps) {
  const { values, set, words, noteField } = useAdjustment();
  const { note } = values;
  const [version, setVersion] = useState(order.version);
  const draft = useDraft<StepDraft>({
    place: stepPlace(step, order.orderId),
    values: { version, units, note },
    read: readStepDraft,
    load: (kept) => {
      set({ note: kept.note });
      setVersion(kept.version);
      onUnits?.({ ...units, ...kept.units });
      // What others did since then is said, as to a form that stayed open.
      if (kept.version !== order.version) onChanged();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) onSubmit({ ...body, ...words });
  };
  return (
    <form className={drawer.form} onSubmit={submit} aria-label={title} {...draft.form}>
      <h3 className={drawer.heading}>{title}</h3>
      {danger !== undefined && <p className={drawer.hint}>{danger}</p>}
      <OfflineNote isKept />
      <DraftNote draft={draft} />
      {children}
      <TextInput {...noteField} ref={children ? undefined : focused} />
      <div className={drawer.buttons}>
        <Button
          variant="default"
          onClick={() => {
            draft.end();
            onCancel();
          }}
        >
          {leave}
        </Button>
        <Button type="submit" color={danger && 'red.8'} disabled={!body} loading={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

export function CancelForm(props: Props) {
  const { orders } = useTexts();
  const format = useFormat();
  const units = totalOf(props.seen.order.lines, ({ reserved }) => reserved);
  return (
    <StepForm
      {...props}
      step="cancel"
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

/**
 * The units of each line to deliver or to take back: all that are left of a delivery and of one line. Few returns are of all
 * lines, and one that is wrong cannot be undone, so it begins with none.
 */
export function PartForm({ pets, ...props }: PartFormProps) {
  const { step, seen } = props;
  const { orders, shared, app } = useTexts();
  const format = useFormat();
  const lines = seen.order.lines
    .map((line) => ({ petId: line.petId, left: unitsLeft(step, line) }))
    .filter(({ left }) => left > 0);
  const isDelivery = step === 'deliver';
  const all = Object.fromEntries(lines.map(({ petId, left }) => [petId, String(left)]));
  const [texts, setTexts] = useState<Units>(() =>
    isDelivery || lines.length === 1 ? all : Object.fromEntries(lines.map(({ petId }) => [petId, '0'])),
  );
  const unitsOf = (petId: string) => Number(texts[petId] || 0);
  const isFit = ({ petId, left }: (typeof lines)[number]) =>
    /^\d*$/.test(texts[petId] ?? '') && unitsOf(petId) <= left;
  const total = lines.reduce((sum, { petId }) => sum + unitsOf(petId), 0);
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
      units={texts}
      onUnits={setTexts}
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
              value={texts[line.petId] ?? ''}
              error={!isFit(line)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setTexts((before) => ({ ...before, [line.petId]: value }));
              }}
              onFocus={(event) => event.currentTarget.select()}
              ref={index === 0 ? focused : undefined}
              className={drawer.partUnits}
            />
            <span className={`${drawer.partLeft} number`}>{orders.left(format.quantity(line.left))}</span>
          </div>
        );
      })}
      {!isDelivery && lines.length > 1 && (
        <Button variant="subtle" size="compact-sm" className={drawer.all} onClick={() => setTexts(all)}>
          {orders.allUnits}
        </Button>
      )}
    </StepForm>
  );
}

const focused = (element: HTMLElement | null) => element?.focus();
