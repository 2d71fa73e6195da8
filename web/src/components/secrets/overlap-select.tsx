import { Select } from '@mantine/core';
import { useTexts } from '../../texts/texts-context.tsx';

const SECONDS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
export const DEFAULT_OVERLAP_SECONDS = SECONDS.day;

interface Props {
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
}

/** How long the old secret works after a rotation. */
export function OverlapSelect({ seconds, onChange }: Props) {
  const { secrets } = useTexts().app;
  return (
    <Select
      label={secrets.overlap}
      value={String(seconds)}
      onChange={(next) => onChange(Number(next))}
      data={(['none', 'hour', 'day', 'week'] as const).map((each) => ({
        value: String(SECONDS[each]),
        label: secrets.overlaps[each],
      }))}
      data-autofocus
    />
  );
}
