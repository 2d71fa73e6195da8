import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { Account, UsageUnit } from '../../../api/schemas.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { LateCode } from '../../../loading/late-code.ts';
import { lateComponent } from '../../../loading/late-component.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useUsage } from '../access-api.ts';
import styles from './usage-panel.module.css';
import { allPeriods, limitOf, SHOWN_PERIODS, visibleLimit } from './usage-periods.ts';
import { UsageTable } from './usage-table.tsx';
import { WindowMeters } from './window-meters.tsx';

const UsageChart = lateComponent(new LateCode(() => import('./usage-chart.tsx')));
const UNITS = ['minute', 'hour', 'day'] as const;

/** The requests of an account against its limits. */
export function UsagePanel({ account }: { account: Account }) {
  const { usage } = useTexts().access;
  const [unit, setUnit] = useState<UsageUnit>('day');
  const [isTable, setTable] = useState(false);
  return (
    <section aria-labelledby="usage" className={styles.panel}>
      <div className={styles.head}>
        <h2 id="usage" className={styles.title}>
          {usage.title}
        </h2>
        <SegmentedControl
          aria-label={usage.unit}
          value={unit}
          onChange={(next) => setUnit(next as UsageUnit)}
          data={UNITS.map((value) => ({ value, label: usage.units[value] }))}
        />
      </div>
      <WindowMeters account={account} />
      <UsageRange account={account} unit={unit} isTable={isTable} />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        className={styles.toggle}
        onClick={() => setTable(!isTable)}
      >
        {isTable ? usage.showChart : usage.showTable}
      </Button>
    </section>
  );
}

interface RangeProps {
  readonly account: Account;
  readonly unit: UsageUnit;
  readonly isTable: boolean;
}

function UsageRange({ account, unit, isTable }: RangeProps) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const { data, error, refetch } = useUsage(account.id, unit, SHOWN_PERIODS[unit]);
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={260} />;
  const periods = allPeriods(data);
  const limit = limitOf(account, unit);
  const line = visibleLimit(periods, limit);
  const total = usage.total(format.quantity(data.requests));
  return (
    <>
      <p className={`${styles.summary} number`}>
        <span>
          {usage.ranges[unit]}: {data.requests === 0 ? usage.none : total}
        </span>
        {limit === undefined ? (
          <span>{usage.noHourLimit}</span>
        ) : (
          <span className={line === undefined ? undefined : styles.limit}>
            {usage.limitLine(format.quantity(limit))}
          </span>
        )}
      </p>
      {isTable ? (
        <UsageTable unit={unit} periods={periods} limit={limit} />
      ) : (
        <Suspense fallback={<Skeleton height={228} />}>
          <UsageChart
            unit={unit}
            periods={periods}
            limit={line}
            label={usage.chart(usage.ranges[unit], total)}
          />
        </Suspense>
      )}
    </>
  );
}
