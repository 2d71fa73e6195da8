import { Select } from '@mantine/core';
import { MAX_NOTE, MAX_REFERENCE_ID } from '@petstore-inventory/shared/limits';
import { REASONS, type Reason } from '@petstore-inventory/shared/words';
import { useTexts } from '../texts/texts-context.tsx';
import { atMost } from './at-most.ts';
import { useForm } from './dialogs/use-form.ts';

const NO_VALUES = {
  mode: 'add' as 'add' | 'set',
  amount: '',
  reason: null as Reason | null,
  note: '',
  reference: '',
};

/** A change of stock by one form, or a step of an order, with its explanation: `words` are those of its request. */
export function useAdjustment() {
  const { shared } = useTexts();
  const form = useForm(NO_VALUES);
  const note = form.values.note.trim();
  const referenceId = form.values.reference.trim();
  return {
    ...form,
    words: { ...(note && { note }), ...(referenceId && { referenceId }) },
    noteField: { ...form.input('note'), label: shared.fields.note, ...atMost(MAX_NOTE) },
    referenceField: {
      ...form.input('reference'),
      label: shared.fields.reference,
      ...atMost(MAX_REFERENCE_ID),
    },
  };
}

type Adjustment = ReturnType<typeof useAdjustment>;

/** @param usual The reason that is proposed until the person chooses one. */
export function ReasonSelect({ of: { values, choice }, usual }: { of: Adjustment; usual: Reason }) {
  const { fields, reason } = useTexts().shared;
  return (
    <Select
      {...choice('reason')}
      value={values.reason ?? usual}
      label={fields.reason}
      data={REASONS.map((value) => ({ value, label: reason[value] }))}
      allowDeselect={false}
    />
  );
}
