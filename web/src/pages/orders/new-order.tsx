import { Button, Textarea, TextInput } from '@mantine/core';
import { MAX_ORDER_LINES } from '@petstore-inventory/shared/limits';
import { type Dispatch, type FormEvent, type SetStateAction, useState } from 'react';
import { useLocation } from 'wouter';
import type { ManagedPet, Role } from '../../api/schemas.ts';
import { useAdjustment } from '../../components/adjustment.tsx';
import { PetSelect } from '../../components/pet-select.tsx';
import { RouteDrawer } from '../../components/route-drawer.tsx';
import { CameraButton } from '../../components/scanner/camera-scanner.tsx';
import { findPet } from '../../components/scanner/find-pet.ts';
import { MIN_CODE } from '../../components/scanner/scan-burst.ts';
import { type CodeDialog, UnknownCode } from '../../components/scanner/unknown-code.tsx';
import { useKeyScanner } from '../../components/scanner/use-key-scanner.ts';
import { NoPermission } from '../../components/states/no-permission.tsx';
import { DraftNote } from '../../drafts/draft-note.tsx';
import { OfflineNote } from '../../drafts/offline-note.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { useMay } from '../../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { HoldSelect } from './hold-select.tsx';
import form from './new-order.module.css';
import { NewOrderLines } from './new-order-lines.tsx';
import { type Hold, type NewLine, readOrderDraft } from './order-draft.ts';
import drawer from './order-drawer.module.css';
import { StepProblem } from './step-problem.tsx';
import { usePlacement } from './use-placement.ts';

const NEEDED: Role = 'staff';

/** Places an order: pets, units, reference, and how long the units are held. */
export function NewOrderDrawer({ closeTo }: { closeTo: string }) {
  const { orders } = useTexts();
  return (
    <RouteDrawer
      isOpen
      closeTo={closeTo}
      name={orders.newOrder}
      title={<span className={drawer.title}>{orders.newOrder}</span>}
    >
      {useMay(NEEDED) ? <NewOrderForm /> : <NoPermission role={NEEDED} />}
    </RouteDrawer>
  );
}

function NewOrderForm() {
  const { orders } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const [, navigate] = useLocation();
  const [lines, setLines] = useState<readonly NewLine[]>([]);
  const { values, set, noteField, referenceField } = useAdjustment();
  const [hold, setHold] = useState<Hold>('shop');
  const { place, isBusy, problem, pets, attempt, restore } = usePlacement(lines, (orderId) => {
    draft.end();
    navigate(`/orders/${orderId}`, { replace: true });
  });
  const { reference, note } = values;
  const draft = useDraft({
    place: 'new-order',
    values: { lines, reference, note, hold, ...(attempt && { attempt }) },
    read: readOrderDraft,
    load: (kept) => {
      setLines(kept.lines);
      set({ reference: kept.reference, note: kept.note });
      setHold(kept.hold);
      restore(kept.attempt);
    },
  });
  const placeText = draft.notice?.kind === 'ended' ? orders.form.placeAnother : orders.form.place;
  const total = lines.reduce((sum, { units }) => sum + (Number(units) || 0), 0);
  const isFit = lines.length > 0 && lines.every(({ units }) => /^[1-9]\d{0,15}$/.test(units));

  const { unknown, dialog, setDialog, lookupError, addUnit, onCode } = useScannedLines(setLines);
  // Enter on the active option picks it twice: here, and in the component.
  const add = (pet: ManagedPet) =>
    setLines((before) =>
      before.some((line) => line.pet.petId === pet.petId) ? before : [...before, lineOf(pet)],
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isFit) void place({ reference: reference.trim(), note: note.trim(), hold });
  };
  const orderForm = (
    <form className={form.form} onSubmit={submit} {...draft.form}>
      <OfflineNote isKept />
      <DraftNote draft={draft} />
      {lines.length < MAX_ORDER_LINES ? (
        <div className={form.finder}>
          <PetSelect
            label={orders.form.addPet}
            placeholder={orders.form.search}
            without={lines.map(({ pet }) => pet.petId)}
            onPick={add}
            isFocused
          />
          <CameraButton size={36} onCode={(code) => void onCode(code)} />
        </div>
      ) : (
        <p className={drawer.hint}>{orders.form.tooMany(format.quantity(MAX_ORDER_LINES))}</p>
      )}
      {lookupError !== undefined && (
        <p role="alert" className={drawer.hint}>
          {errorText(lookupError)}
        </p>
      )}
      {lines.length === 0 ? (
        <p className={drawer.hint}>{orders.form.noLines}</p>
      ) : (
        <NewOrderLines lines={lines} pets={pets} onChange={setLines} />
      )}
      <div className={form.row}>
        <TextInput {...referenceField} placeholder={orders.form.referenceHint} />
        <HoldSelect value={hold} onChange={setHold} />
      </div>
      <Textarea {...noteField} autosize minRows={2} />
      {problem && <StepProblem problem={problem} pets={pets} />}
      <Button type="submit" size="md" disabled={!isFit} loading={isBusy}>
        {isFit ? placeText(format.count(total)) : orders.place}
      </Button>
    </form>
  );
  return (
    <>
      {unknown !== undefined && (
        <UnknownCode code={unknown} dialog={dialog} onDialog={setDialog} onPet={addUnit} />
      )}
      {orderForm}
    </>
  );
}

/** Adds what is scanned to the lines, by a hand scanner or the camera. */
function useScannedLines(setLines: Dispatch<SetStateAction<readonly NewLine[]>>) {
  const [unknown, setUnknown] = useState<string>();
  const [dialog, setDialog] = useState<CodeDialog>();
  const [lookupError, setLookupError] = useState<unknown>();
  /** A scan of a pet that has a line adds one unit to it. */
  const addUnit = (pet: ManagedPet) => {
    setUnknown(undefined);
    setLines((before) => {
      const line = before.find((other) => other.pet.petId === pet.petId);
      if (!line) return before.length < MAX_ORDER_LINES ? [...before, lineOf(pet)] : before;
      const units = String((Number(line.units) || 0) + 1);
      return before.map((other) => (other === line ? { ...other, units } : other));
    });
  };
  const onCode = async (code: string) => {
    setLookupError(undefined);
    try {
      const pet = await findPet(code);
      if (pet) addUnit(pet);
      else setUnknown(code);
    } catch (error) {
      setLookupError(error);
    }
  };
  useKeyScanner({
    isActive: dialog === undefined,
    minLength: () => MIN_CODE,
    onCode: (code) => void onCode(code),
  });
  return { unknown, dialog, setDialog, lookupError, addUnit, onCode };
}

const lineOf = ({ petId, name, available }: ManagedPet): NewLine => ({
  pet: { petId, name, available },
  units: '1',
});
