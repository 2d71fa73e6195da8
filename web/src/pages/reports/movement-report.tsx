import type { MovementReportRow } from '../../api/schemas.ts';
import { ownTimeZone } from '../../components/day-start.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useGroupColumns } from './group-column.tsx';
import { periodOf, useReportAddress } from './report-address.ts';
import { fileDayOf, PeriodFilters, usePeriodText } from './period.tsx';
import { MovementChart } from './movement-chart.tsx';
import { type ReportColumn, ReportView } from './report-view.tsx';
import type { Report } from './reports-api.ts';
import { changeText, sumOf, totalOf } from './units.ts';

const WIDE = { from: 'tablet' } as const;

/** Movements per month, by what caused them and their reason. */
export function MovementReport() {
  const { reports, movements, shared } = useTexts();
  const format = useFormat();
  const { address, choose } = useReportAddress('total');
  const { by, per, category, from } = address;
  const { columns: texts } = reports;
  const period = usePeriodText(address);
  // A phone has room for two columns of units, or for a group and the change.
  const [units, change] = by === 'total' ? [{}, WIDE] : [WIDE, {}];
  const columns: readonly ReportColumn<MovementReportRow>[] = [
    {
      name: per === 'day' ? texts.day : texts.month,
      isShort: true,
      cell: ({ month, day }) => (day === null ? format.month(month) : format.date(new Date(`${day}T00:00`))),
    },
    ...useGroupColumns<MovementReportRow>(by),
    {
      name: texts.why,
      cell: ({ kind, reason, revertedReason }) => {
        const shown = revertedReason ?? reason;
        return shown === null ? movements.kind[kind] : `${movements.kind[kind]} · ${shared.reason[shown]}`;
      },
    },
    {
      name: texts.movements,
      isNumber: true,
      from: by === 'total' ? 'tablet' : 'desktop',
      cell: (row) => format.quantity(row.movements),
      totalOf: (rows) => format.quantity(sumOf(rows, (row) => row.movements)),
    },
    {
      name: texts.unitsIn,
      isNumber: true,
      ...units,
      cell: ({ unitsIn }) => format.quantity(unitsIn),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ unitsIn }) => unitsIn)),
    },
    {
      name: texts.unitsOut,
      isNumber: true,
      ...units,
      cell: ({ unitsOut }) => format.quantity(unitsOut),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ unitsOut }) => unitsOut)),
    },
    {
      name: texts.change,
      isNumber: true,
      ...change,
      cell: (row) => changeText(format, row.change),
      totalOf: (rows) =>
        changeText(
          format,
          totalOf(rows, (row) => row.change),
        ),
    },
  ];
  const factsOf = (report: Report<MovementReportRow> | undefined) => {
    const start = report?.retentionStart;
    return [
      from === '' && typeof start === 'string' ? reports.since(format.dateTime(new Date(start))) : undefined,
      period,
      report && by !== 'pet'
        ? reports.movementTotal(
            format.quantity(sumOf(report.rows, ({ unitsIn }) => unitsIn)),
            format.quantity(sumOf(report.rows, ({ unitsOut }) => unitsOut)),
          )
        : undefined,
      reports.timeZone(ownTimeZone(), per),
    ];
  };
  const query = { by, per, category, ...periodOf(address), timeZone: ownTimeZone() };
  return (
    <ReportView<MovementReportRow>
      name="movements"
      address={address}
      query={query}
      chart={<MovementChart query={query} per={per} />}
      fileDay={fileDayOf(address)}
      columns={columns}
      keyOf={({ month, day, petId, category: own, kind, reason, revertedReason }) =>
        `${day ?? month} ${petId} ${kind} ${reason} ${revertedReason} ${own}`
      }
      factsOf={factsOf}
      emptyHint={category === '' ? reports.noMovements : reports.noMovementsIn}
      filters={<PeriodFilters address={address} onChange={choose} hasPer />}
    />
  );
}
