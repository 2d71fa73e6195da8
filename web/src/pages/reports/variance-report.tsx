import type { VarianceReportRow } from '../../api/schemas.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useGroupColumns } from './group-column.tsx';
import { fileDayOf, PeriodFilters, usePeriodText } from './period.tsx';
import { periodOf, useReportAddress } from './report-address.ts';
import { type ReportColumn, ReportView } from './report-view.tsx';
import { changeText, sumOf, totalOf } from './units.ts';

/** What stock-takes expected and counted. */
export function VarianceReport() {
  const { reports } = useTexts();
  const format = useFormat();
  const { address, choose } = useReportAddress('total');
  const { by, category } = address;
  const { columns: texts } = reports;
  const period = usePeriodText(address);
  const columns: readonly ReportColumn<VarianceReportRow>[] = [
    { name: texts.stocktake, cell: ({ stocktake }) => <bdi>{stocktake}</bdi> },
    {
      name: texts.started,
      from: 'desktop',
      isShort: true,
      cell: ({ startedAt }) => format.date(new Date(startedAt)),
    },
    ...useGroupColumns<VarianceReportRow>(by),
    ...(by === 'pet'
      ? []
      : [
          {
            name: texts.pets,
            isNumber: true,
            from: 'tablet' as const,
            cell: ({ pets }: VarianceReportRow) => format.quantity(pets),
          },
        ]),
    {
      name: texts.expected,
      isNumber: true,
      from: 'tablet',
      cell: ({ expected }) => format.quantity(expected),
    },
    { name: texts.counted, isNumber: true, from: 'tablet', cell: ({ counted }) => format.quantity(counted) },
    {
      name: texts.variance,
      isNumber: true,
      cell: ({ variance }) => changeText(format, variance),
      totalOf: (rows) =>
        changeText(
          format,
          totalOf(rows, ({ variance }) => variance),
        ),
    },
    {
      name: texts.surplus,
      isNumber: true,
      from: 'desktop',
      cell: ({ surplus }) => format.quantity(surplus),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ surplus }) => surplus)),
    },
    {
      name: texts.shortage,
      isNumber: true,
      from: 'desktop',
      cell: ({ shortage }) => format.quantity(shortage),
      totalOf: (rows) => format.quantity(sumOf(rows, ({ shortage }) => shortage)),
    },
  ];
  return (
    <ReportView<VarianceReportRow>
      name="variance"
      address={address}
      query={{ by, category, ...periodOf(address) }}
      fileDay={fileDayOf(address)}
      columns={columns}
      keyOf={({ stocktakeId, petId, category: own }) => `${stocktakeId} ${petId} ${own}`}
      hrefOf={({ stocktakeId }) => `/stocktakes/${stocktakeId}`}
      factsOf={() => [period ?? reports.allStocktakes]}
      emptyHint={category === '' ? reports.noStocktakes : reports.noStocktakesIn}
      filters={<PeriodFilters address={address} onChange={choose} />}
    />
  );
}
