import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Usage, UsageUnit } from '../../../api/schemas.ts';
import { ChartSection } from '../../../components/chart/chart-section.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useShopUsage, useShopUsageBefore } from '../access-api.ts';
import { lastPeriods, requestsBefore, SHOWN_PERIODS, sumOf } from './periods.ts';
import { UsageChart, useUsageTable } from './usage-chart.tsx';
import styles from './usage-panel.module.css';
import { UsageUnitControl } from './usage-unit-control.tsx';

/** Accounts that are named above the chart. */
const NAMED = 5;
const HEIGHT_PX = 184;

/** The requests of all accounts over time, against the time before, and who sent most of them. */
export function ShopUsageChart() {
  const { usage } = useTexts().access;
  const format = useFormat();
  const [unit, setUnit] = useState<UsageUnit>('hour');
  const [isTable, setTable] = useState(false);
  const count = SHOWN_PERIODS[unit];
  const { data, error, refetch } = useShopUsage(unit, count);
  const { data: dataBefore } = useShopUsageBefore(data, count);
  const periods = lastPeriods(data, count);
  const sum = sumOf(periods);
  const sumBefore = dataBefore?.requests;
  const beforeOf = requestsBefore(dataBefore, count);
  const table = useUsageTable({ unit, periods, beforeOf });
  const total = usage.total(format.quantity(sum));
  const against = sumBefore === undefined ? undefined : usage.before(format.quantity(sumBefore));
  return (
    <ChartSection
      id="shop-usage"
      title={usage.allTitle}
      isTable={isTable && data !== undefined}
      onToggle={() => setTable(!isTable)}
      controls={<UsageUnitControl unit={unit} onChange={setUnit} />}
      summary={
        data && (
          <>
            <p className={`${styles.summary} number`}>
              <span>
                {usage.ranges[unit]}: {sum === 0 ? usage.none : total}
              </span>
              {against !== undefined && <span>{against}</span>}
            </p>
            <Busiest accounts={data.accounts} total={data.requests} />
          </>
        )
      }
      table={table}
      note={usage.beforeNote}
    >
      {data ? (
        <UsageChart
          unit={unit}
          periods={periods}
          beforeOf={beforeOf}
          label={usage.allChart(usage.ranges[unit], total, against ?? '')}
          height={HEIGHT_PX}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={HEIGHT_PX} />
      )}
    </ChartSection>
  );
}

/** The busiest accounts of the chart, each a link to its own usage. */
function Busiest({ accounts, total }: { accounts: Usage['accounts']; total: number }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  if (accounts.length === 0) return null;
  const others = accounts.length - NAMED;
  return (
    <ol className={styles.busiest} aria-label={usage.busiest}>
      {accounts.slice(0, NAMED).map(({ id, name, requests }) => (
        <li key={id}>
          <Link href={`/access/accounts/${id}`} className="tap">
            {name}
          </Link>
          <span className={`${styles.faint} number`}>
            {usage.ofAll(format.quantity(requests), format.percent(requests / total))}
          </span>
        </li>
      ))}
      {others > 0 && <li className={styles.faint}>{usage.others(format.count(others))}</li>}
    </ol>
  );
}
