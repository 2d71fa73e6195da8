import { type ReactNode, useState } from 'react';
import { serviceNow } from '../../api/service-clock.ts';
import { OutputMenu } from '../../components/downloads/output-menu.tsx';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageTabs } from '../../components/page/page-tabs.tsx';
import { PrintedRecords } from '../../components/records/printed-records.tsx';
import { RecordsState } from '../../components/records/records-state.tsx';
import { RecordsTable } from '../../components/records/records-table.tsx';
import type { Column } from '../../components/records/table.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { IconFilterOff } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import type { ReportAddress } from './report-address.ts';
import styles from './reports.module.css';
import {
  type Report,
  type ReportName,
  type ReportQuery,
  useReport,
  readFile,
  readWhole,
} from './reports-api.ts';

export interface ReportColumn<Row> extends Column<Row> {
  /** The total below the column. */
  readonly totalOf?: (rows: readonly Row[]) => string;
}

interface Props<Row> {
  readonly name: ReportName;
  readonly address: ReportAddress;
  readonly query: ReportQuery;
  /** Names a moment or a period in the name of a file. */
  readonly fileDay: string;
  readonly filters: ReactNode;
  readonly columns: readonly ReportColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: ((row: Row) => string) | undefined;
  /** What the report is about, such as its moment, and its totals. */
  readonly factsOf: (report: Report<Row> | undefined) => readonly (string | undefined)[];
  readonly emptyHint: string;
  /** Above the table. */
  readonly chart?: ReactNode;
}

/** A report with its filters, as a table, a file and on paper. */
export function ReportView<Row>(props: Props<Row>) {
  const { name, address, query, filters, columns, keyOf, hrefOf, factsOf, emptyHint } = props;
  const { app, reports } = useTexts();
  const format = useFormat();
  const { report, error, retry, more, isLoadingMore } = useReport<Row>(name, query);
  const [printed, setPrinted] = useState<readonly Row[]>();
  const facts = factsOf(report)
    .filter((fact) => fact !== undefined)
    .join(' · ');
  const title = reports.titles[name];
  const withTotals = (rows: readonly Row[]) => totalled(columns, rows, reports.groupings.total);
  return (
    <>
      <PageHeader
        title={app.pages.reports}
        facts={facts}
        actions={
          <OutputMenu<Row>
            file={`${name}-${props.fileDay}`}
            readFile={(fileFormat) => readFile(name, query, fileFormat)}
            readRows={() => readWhole<Row>(name, query)}
            onPrint={setPrinted}
            isEmpty={report?.rows.length === 0}
          />
        }
      />
      {/* By the browser's own menu, the tab is what names the report on paper. */}
      <div className={styles.tabs} data-printed={printed ? true : undefined}>
        <PageTabs
          label={reports.tabs}
          tabs={[
            ['/reports', reports.titles.stock],
            ['/reports/movements', reports.titles.movements],
            ['/reports/variance', reports.titles.variance],
          ]}
        />
      </div>
      <PageBody>
        {filters}
        {props.chart && <div className={styles.screen}>{props.chart}</div>}
        <div className={styles.table} data-printed={printed ? true : undefined}>
          <RecordsState
            isLoading={report === undefined}
            error={error}
            onRetry={retry}
            empty={
              report?.rows.length === 0 && (
                <EmptyState icon={IconFilterOff} title={reports.empty}>
                  {emptyHint}
                </EmptyState>
              )
            }
          >
            <RecordsTable
              label={title}
              columns={report && !more ? withTotals(report.rows) : columns}
              records={report?.rows ?? []}
              keyOf={keyOf}
              {...(hrefOf && { hrefOf })}
              onMore={more}
              isLoadingMore={isLoadingMore}
            />
          </RecordsState>
        </div>
        {printed && (
          <PrintedRecords
            label={reports.printedTable}
            // The head of the page, which is on paper too, has the facts.
            caption={[title, address.category, reports.printed(format.dateTime(new Date(serviceNow())))]
              .filter((part) => part !== '')
              .join(' · ')}
            columns={withTotals(printed)}
            records={printed}
            keyOf={keyOf}
            onDone={() => setPrinted(undefined)}
          />
        )}
      </PageBody>
    </>
  );
}

/** The columns with the totals of all rows, if there is more than one row. */
function totalled<Row>(
  columns: readonly ReportColumn<Row>[],
  rows: readonly Row[],
  label: string,
): readonly Column<Row>[] {
  if (rows.length < 2) return columns;
  return columns.map((column, index) => ({ ...column, total: index === 0 ? label : column.totalOf?.(rows) }));
}
