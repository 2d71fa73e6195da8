import { Select } from '@mantine/core';
import { durationText } from '../../components/duration.ts';
import { useLimits } from '../../components/use-limits.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { HOLDS, type Hold } from './order-draft.ts';

interface Props {
  readonly value: Hold;
  readonly onChange: (hold: Hold) => void;
}

/** Chooses how long an order reserves its units. The usual time of the shop shows how long it is. */
export function HoldSelect({ value, onChange }: Props) {
  const { form } = useTexts().orders;
  const { locale } = useFormat();
  const seconds = useLimits()?.orderHoldSeconds;
  const usual =
    seconds === undefined
      ? form.holds.shop
      : form.usualHold(seconds === 0 ? form.holds.never : durationText(seconds, locale));
  return (
    <Select
      label={form.hold}
      data={(Object.keys(HOLDS) as Hold[]).map((hold) => ({
        value: hold,
        label: hold === 'shop' ? usual : form.holds[hold],
      }))}
      value={value}
      onChange={(hold) => hold !== null && onChange(hold)}
    />
  );
}
