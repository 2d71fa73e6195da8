import { SegmentedControl } from '@mantine/core';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import type { UsageUnit } from '../../../api/schemas.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

/** Chooses the length of the periods of a chart. */
export function UsageUnitControl({
  unit,
  onChange,
}: {
  unit: UsageUnit;
  onChange: (unit: UsageUnit) => void;
}) {
  const { usage } = useTexts().access;
  return (
    <SegmentedControl
      aria-label={usage.unit}
      value={unit}
      onChange={(next) => onChange(next as UsageUnit)}
      data={USAGE_UNITS.map((value) => ({ value, label: usage.units[value] }))}
    />
  );
}
