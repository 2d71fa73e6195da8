import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Usage, UsageUnit } from '../../../api/schemas.ts';
import { Chart } from '../../../components/chart/chart.tsx';
import { ChartSection } from '../../../components/chart/chart-section.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useShopUsage, useShopUsageBefore } from '../access-api.ts';
import { usePeriodNames } from './period-names.ts';
import { lastPeriods, type Period, requestsBefore, SHOWN_PERIODS, sumOf } from './periods.ts';
import styles from './usage-panel.module.css';
import { UsageUnitControl } from './usage-unit-control.tsx';

/** Accounts that are named above the chart. */
const NAMED = 5;

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
  const { shortName, longName } = usePeriodNames(unit);
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
      table={{
        label: usage.ranges[unit],
        rows: periods.toReversed(),
        keyOf: ({ beganAt }) => beganAt.getTime(),
        columns: [
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
        ],
      }}
      note={usage.beforeNote}
    >
      {data ? (
        <Chart
          kind="columns"
          label={usage.allChart(usage.ranges[unit], total, against ?? '')}
          unit={usage.requests}
          height={184}
          points={periods.map((period, at) => {
            const second = beforeOf(period);
            const point = { at, value: period.requests, isRunning: at === periods.length - 1 };
            return second === undefined ? point : { ...point, second };
          })}
          range={[0, periods.length]}
          ticks={periods.map((period, at) => ({ at: at + 0.5, text: shortName(period) }))}
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
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={184} />
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
