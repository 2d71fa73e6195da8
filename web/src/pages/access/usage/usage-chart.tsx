import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { UsageUnit } from '../../../api/schemas.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { columnName } from './period-name.ts';
import type { Period } from './usage-periods.ts';

interface Props {
  readonly unit: UsageUnit;
  readonly periods: readonly Period[];
  readonly limit: number | undefined;
  /** For screen readers; the table has the numbers. */
  readonly label: string;
}

const HEIGHT = 228;

/** Columns of requests against the line of the limit. */
export default function UsageChart({ unit, periods, limit, label }: Props) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const data = periods.map(({ beganAt, requests }) => ({
    period: columnName(format, unit, beganAt),
    requests,
  }));
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={HEIGHT}
        data={data}
        dataKey="period"
        series={[{ name: 'requests', label: usage.requests, color: 'var(--accent)' }]}
        maxBarWidth={24}
        gridAxis="x"
        tickLine="none"
        valueFormatter={format.quantity}
        yAxisProps={{ domain: [0, 'auto'], width: 64, allowDecimals: false }}
        barChartProps={{ margin: { top: 8, right: 4 } }}
        xAxisProps={{ minTickGap: 32 }}
        barProps={{ isAnimationActive: false, radius: [2, 2, 0, 0] }}
        tooltipAnimationDuration={0}
        referenceLines={
          limit === undefined
            ? []
            : [{ y: limit, color: 'var(--danger)', ifOverflow: 'extendDomain', strokeWidth: 1.5 }]
        }
      />
    </div>
  );
}
