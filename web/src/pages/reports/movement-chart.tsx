import { useState } from 'react';
import type { MovementReportRow } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { ChartSection } from '../../components/chart/chart-section.tsx';
import { calendarDay } from '../../components/day-start.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { unitsPerPeriod } from './period-units.ts';
import type { ReportAddress } from './report-address.ts';
import { type ReportQuery, useReport } from './reports-api.ts';
import styles from './reports.module.css';
import { sumOf } from './units.ts';

/** Labels that have room below a wide chart; others are left out. */
const MAX_TICKS = 12;

/** Units in and out per month or day, of all reasons together. */
export function MovementChart({ query, per }: { query: ReportQuery; per: ReportAddress['per'] }) {
  const { reports, overview } = useTexts();
  const format = useFormat();
  const [isTable, setTable] = useState(false);
  const { report, more } = useReport<MovementReportRow>('movements', { ...query, by: 'total' });
  const periods = unitsPerPeriod(report?.rows ?? []);
  if (periods.length === 0 || more) return null;
  // One column has nothing beside it to compare.
  if (periods.length === 1) return <p className={styles.hint}>{reports.onePeriod[per]}</p>;
  const today = calendarDay(serviceNow(), 0);
  const dayOf = (period: string) => new Date(`${period}T00:00`);
  const nameOf = (period: string) => (per === 'day' ? format.date(dayOf(period)) : format.month(period));
  const step = Math.ceil(periods.length / MAX_TICKS);
  const units = (value: bigint) => format.quantity(String(value));
  const total = reports.movementTotal(
    format.quantity(sumOf(periods, ({ unitsIn }) => String(unitsIn))),
    format.quantity(sumOf(periods, ({ unitsOut }) => String(unitsOut))),
  );
  const title = reports.unitsPer[per];
  return (
    <ChartSection
      id="report-chart"
      title={title}
      isTable={isTable}
      onToggle={() => setTable(!isTable)}
      table={{
        label: title,
        rows: periods.toReversed(),
        keyOf: ({ period }) => period,
        columns: [
          { name: reports.columns[per], cell: ({ period }) => nameOf(period) },
          { name: reports.columns.unitsIn, isNumber: true, cell: ({ unitsIn }) => units(unitsIn) },
          { name: reports.columns.unitsOut, isNumber: true, cell: ({ unitsOut }) => units(unitsOut) },
        ],
      }}
      note={reports.chartNote}
    >
      <Chart
        kind="columns"
        label={`${title}: ${total}`}
        unit={overview.unit}
        height={200}
        points={periods.map(({ period, unitsIn, unitsOut }, at) => ({
          at,
          value: Number(unitsIn),
          second: Number(unitsOut),
          isRunning: today.startsWith(period),
        }))}
        range={[0, periods.length]}
        ticks={periods.flatMap(({ period }, at) =>
          at % step === 0
            ? [{ at: at + 0.5, text: per === 'day' ? format.day(dayOf(period)) : format.month(period) }]
            : [],
        )}
        tipOf={(index) => {
          const { period, unitsIn, unitsOut } = periods[index] ?? {
            period: today,
            unitsIn: 0n,
            unitsOut: 0n,
          };
          return (
            <>
              <span>{nameOf(period)}</span>
              <span className="number">{reports.movementTotal(units(unitsIn), units(unitsOut))}</span>
            </>
          );
        }}
      />
    </ChartSection>
  );
}
