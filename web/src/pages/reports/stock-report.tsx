import { Button } from '@mantine/core';
import type { StockReportRow } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { calendarDay, lastMonthEnd } from '../../components/day-start.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useGroupColumns } from './group-column.tsx';
import { endOfDay, useReportAddress } from './report-address.ts';
import { shownDay } from './period.tsx';
import { DayField, ReportFilters } from './report-filters.tsx';
import { type ReportColumn, ReportView } from './report-view.tsx';
import styles from './reports.module.css';
import type { Report } from './reports-api.ts';
import { sumOf } from './units.ts';

/** The stock now, or at the end of a day. */
export function StockReport() {
  const { reports, shared } = useTexts();
  const format = useFormat();
  const { address, choose } = useReportAddress('category');
  const { by, category, day } = address;
  const asOf = endOfDay(day, serviceNow());
  const { columns: texts } = reports;
  const columns: readonly ReportColumn<StockReportRow>[] = [
    ...useGroupColumns<StockReportRow>(by),
    ...(by === 'pet'
      ? []
      : [
          {
            name: texts.pets,
            isNumber: true,
            cell: ({ pets }: StockReportRow) => format.quantity(pets),
            totalOf: (rows: readonly StockReportRow[]) => format.quantity(sumOf(rows, ({ pets }) => pets)),
          },
        ]),
    {
      name: shared.fields.quantity,
      isNumber: true,
      cell: ({ quantity }) => format.quantity(quantity),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ quantity }) => quantity)),
    },
    {
      name: shared.fields.reserved,
      isNumber: true,
      from: 'tablet',
      cell: ({ reserved }) => format.quantity(reserved),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ reserved }) => reserved)),
    },
    {
      name: shared.fields.available,
      isNumber: true,
      from: 'tablet',
      cell: ({ available }) => format.quantity(available),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ available }) => available)),
    },
  ];
  const factsOf = (report: Report<StockReportRow> | undefined) => [
    asOf === undefined ? reports.now : reports.asOf(format.dateTime(new Date(asOf))),
    // Rows by pet are a part of them.
    report && by !== 'pet'
      ? reports.stockTotal(
          format.quantity(sumOf(report.rows, ({ quantity }) => quantity)),
          format.count(report.rows.reduce((sum, { pets }) => sum + pets, 0)),
        )
      : undefined,
  ];
  return (
    <ReportView<StockReportRow>
      name="stock"
      address={address}
      query={{ by, category, asOf }}
      fileDay={asOf === undefined ? calendarDay(serviceNow(), 0) : day}
      columns={columns}
      keyOf={({ petId, category: own }) => petId ?? `=${own}`}
      hrefOf={by === 'pet' ? ({ petId }) => `/pets/${petId}` : undefined}
      factsOf={factsOf}
      emptyHint={category === '' ? reports.noStock : reports.noStockIn}
      filters={
        <ReportFilters
          address={address}
          onChange={choose}
          filters={
            day === ''
              ? []
              : [{ field: reports.endOf, value: shownDay(format, day), remove: () => choose({ day: '' }) }]
          }
        >
          <DayField label={reports.endOf} value={day} onChange={(next) => choose({ day: next })} />
          <Button
            variant="default"
            className={styles.button}
            onClick={() => choose({ day: lastMonthEnd(serviceNow()) })}
          >
            {reports.lastMonth}
          </Button>
        </ReportFilters>
      }
    />
  );
}
