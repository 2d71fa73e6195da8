import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { Account, UsageUnit } from '../../../api/schemas.ts';
import { ChartSection } from '../../../components/chart/chart-section.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useUsage, useUsageBefore } from '../access-api.ts';
import { lastPeriods, type Period, requestsBefore, SHOWN_PERIODS, sumOf } from './periods.ts';
import { UsageChart, useUsageTable } from './usage-chart.tsx';
import styles from './usage-panel.module.css';
import { UsageUnitControl } from './usage-unit-control.tsx';

const HEIGHT_PX = 240;

/** The requests of an account against its limits. */
export function UsagePanel({ account }: { account: Account }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const [unit, setUnit] = useState<UsageUnit>('day');
  const [isTable, setTable] = useState(false);
  const count = SHOWN_PERIODS[unit];
  const { data, error, refetch } = useUsage(account.id, unit, count);
  const { data: dataBefore } = useUsageBefore(account.id, data, count);
  const periods = lastPeriods(data, count);
  const beforeOf = requestsBefore(dataBefore, count);
  const against = dataBefore && usage.before(format.quantity(sumOf(dataBefore.periods)));
  const sum = sumOf(periods);
  const limit = limitOf(account, unit);
  const line = visibleLimit(periods, limit);
  const total = usage.total(format.quantity(sum));
  const table = useUsageTable({ unit, periods, beforeOf });
  const shareOf = (most: number): Column<Period> => ({
    name: usage.share,
    cell: ({ requests }) => format.percent(requests / most),
    isNumber: true,
  });
  return (
    <ChartSection
      id="usage"
      title={usage.title}
      isTable={isTable && data !== undefined}
      onToggle={() => setTable(!isTable)}
      controls={<UsageUnitControl unit={unit} onChange={setUnit} />}
      summary={
        <>
          <WindowMeters account={account} />
          {data && (
            <p className={`${styles.summary} number`}>
              <span>
                {usage.ranges[unit]}: {sum === 0 ? usage.none : total}
                {against !== undefined && `, ${against}`}
              </span>
              {limit === undefined ? (
                <span>{usage.noHourLimit}</span>
              ) : (
                <span className={line === undefined ? undefined : styles.limit}>
                  {usage.limitLine(format.quantity(limit))}
                </span>
              )}
            </p>
          )}
        </>
      }
      table={{
        ...table,
        columns: limit === undefined ? table.columns : [...table.columns, shareOf(limit)],
      }}
      note={usage.beforeNote}
    >
      {data ? (
        <UsageChart
          unit={unit}
          periods={periods}
          beforeOf={beforeOf}
          label={usage.allChart(usage.ranges[unit], total, against ?? '')}
          height={HEIGHT_PX}
          limit={line}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={HEIGHT_PX} />
      )}
    </ChartSection>
  );
}

/** The windows that limit an account: the current minute and the current day. */
function WindowMeters({ account }: { account: Account }) {
  return (
    <div className={styles.meters}>
      <Meter account={account} unit="minute" />
      <Meter account={account} unit="day" />
    </div>
  );
}

function Meter({ account, unit }: { account: Account; unit: 'minute' | 'day' }) {
  const { usage } = useTexts().access;
  const format = useFormat();
  const { data } = useUsage(account.id, unit, 1);
  const limit = unit === 'minute' ? account.perMinute : account.perDay;
  const used = sumOf(lastPeriods(data, 1));
  const label = unit === 'minute' ? usage.thisMinute : usage.today;
  return (
    <div className={styles.meter}>
      <div className={`${styles.words} number`}>
        <span>{label}</span>
        <span>{data && usage.ofLimit(format.quantity(used), format.quantity(limit))}</span>
      </div>
      <div className={styles.bar} aria-hidden data-full={used >= limit || undefined}>
        {used > 0 && <div className={styles.fill} style={{ width: `${Math.min(used / limit, 1) * 100}%` }} />}
      </div>
    </div>
  );
}

/** A lower share of the limit could not be seen on an axis up to the limit. */
const VISIBLE_SHARE = 0.2;

/** The limit, if columns against it can be read; else the axis ends with the columns. */
function visibleLimit(periods: readonly Period[], limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  return periods.some(({ requests }) => requests >= limit * VISIBLE_SHARE) ? limit : undefined;
}

/** The limit of a period; an hour has none. */
function limitOf({ perMinute, perDay }: Account, unit: UsageUnit): number | undefined {
  return { minute: perMinute, hour: undefined, day: perDay }[unit];
}
