import { useState } from 'react';
import type { Overview } from '../../api/schemas.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { ChartSection } from '../../components/chart/chart-section.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

/** Each n-th hour has a label. */
const LABEL_EVERY = 6;

/** Changes per hour as columns, or as a table. */
export function HoursChart({ hours }: { hours: Overview['hours'] }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const [isTable, setTable] = useState(false);
  const counts = hours.map(({ movements }) => movements);
  const all = counts.reduce((sum, movements) => sum + movements, 0);
  const timeOf = (index: number) => format.time(new Date(hours[index]?.beganAt ?? 0));
  return (
    <ChartSection
      id="hours"
      title={texts.hours}
      isTable={isTable}
      onToggle={() => setTable(!isTable)}
      table={{
        label: texts.hoursTable,
        rows: [...hours.keys()].toReversed(),
        keyOf: (index) => index,
        columns: [
          { name: texts.hour, cell: timeOf },
          { name: texts.changesInHour, cell: (index) => format.quantity(counts[index] ?? 0), isNumber: true },
        ],
      }}
    >
      <Chart
        kind="columns"
        label={texts.hoursSummary(format.quantity(all), format.quantity(Math.max(1, ...counts)))}
        unit={texts.changesInHour}
        height={184}
        points={counts.map((value, at) => ({ at, value, isRunning: at === counts.length - 1 }))}
        range={[0, counts.length]}
        ticks={[...hours.keys()]
          .filter((index) => index % LABEL_EVERY === 0)
          .map((at) => ({ at: at + 0.5, text: timeOf(at) }))}
        tipOf={(index) => (
          <>
            <span>{timeOf(index)}</span>
            <span className="number">{texts.changes(format.count(counts[index] ?? 0))}</span>
          </>
        )}
      />
    </ChartSection>
  );
}
