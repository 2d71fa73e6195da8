import type { UsageUnit } from '../../../api/schemas.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { usePeriodNames } from './period-names.ts';
import type { Period } from './periods.ts';

interface Props {
  readonly unit: UsageUnit;
  readonly periods: readonly Period[];
  /** The requests of the same period of the time before. */
  readonly beforeOf: (period: Period) => number | undefined;
  readonly label: string;
  readonly height: number;
  /** Requests that a period may have. */
  readonly limit?: number | undefined;
}

/** Requests per period as columns, each against the time before. */
export function UsageChart({ unit, periods, beforeOf, label, height, limit }: Props) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const { shortName, longName } = usePeriodNames(unit);
  return (
    <Chart
      kind="columns"
      label={label}
      unit={usage.requests}
      height={height}
      points={periods.map((period, at) => {
        const second = beforeOf(period);
        const point = { at, value: period.requests, isRunning: at === periods.length - 1 };
        return second === undefined ? point : { ...point, second };
      })}
      range={[0, periods.length]}
      ticks={periods.map((period, at) => ({ at: at + 0.5, text: shortName(period) }))}
      line={limit === undefined ? undefined : { value: limit, tone: 'danger' }}
      tipOf={(index) => {
        const period = periods[index] as Period;
        const requests = beforeOf(period);
        return (
          <>
            <span>{longName(period)}</span>
            <span className="number">{usage.total(format.quantity(period.requests))}</span>
            {requests !== undefined && (
              <span className="number">{usage.before(format.quantity(requests))}</span>
            )}
          </>
        );
      }}
    />
  );
}

/** The columns of the table behind the chart, newest period first. */
export function useUsageTable({ unit, periods, beforeOf }: Pick<Props, 'unit' | 'periods' | 'beforeOf'>) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const { longName } = usePeriodNames(unit);
  const columns: readonly Column<Period>[] = [
    { name: usage.period, cell: longName },
    { name: usage.requests, cell: ({ requests }) => format.quantity(requests), isNumber: true },
    {
      name: usage.requestsBefore,
      cell: (period) => {
        const requests = beforeOf(period);
        return requests === undefined ? '–' : format.quantity(requests);
      },
      isNumber: true,
    },
  ];
  return {
    label: usage.ranges[unit],
    rows: periods.toReversed(),
    keyOf: ({ beganAt }: Period) => beganAt.getTime(),
    columns,
  };
}
