import { SegmentedControl, Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { isApiError } from '../../api/api-error.ts';
import { LONG_WORK_MS, send } from '../../api/client.ts';
import type { MovementReportRow } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { ChartSection } from '../../components/chart/chart-section.tsx';
import { calendarDay, dayStart, ownTimeZone } from '../../components/day-start.ts';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './overview.module.css';
import { changeShare, readTrade, TRADES, type Trade, tradeDays, totalOf } from './trade.ts';

const RANGES = [7, 28] as const;
/** A report costs as much as a long list. */
const FRESH_MS = 300_000;
const NO_ROWS: readonly MovementReportRow[] = [];

/** The movements of a range of days per day, and those of the days before it. */
function useTrade(before: string, first: string) {
  const timeZone = ownTimeZone();
  return useQuery({
    queryKey: ['overview', 'trade', before, first, timeZone],
    queryFn: ({ signal }) =>
      readTrade(
        async (day) => {
          const query = { by: 'total', per: 'day', from: dayStart(day), timeZone };
          const { value } = await send<{ readonly rows: readonly MovementReportRow[] }>(
            'GET',
            '/reports/movements',
            // A ledger of millions of movements takes seconds.
            { query, signal, limitMs: LONG_WORK_MS },
          );
          return value.rows;
        },
        { before, first },
      ),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
}

/** A column has no height below 0, where more was taken back than there was on that day. */
const heightOf = (units: bigint) => Math.max(0, Number(units));

/** Units sold, received and lost per day, beside the same number of days before. */
export function TradeChart() {
  const { overview: texts, pet: words } = useTexts();
  const format = useFormat();
  const [range, setRange] = useState<number>(RANGES[0]);
  const [trade, setTrade] = useState<Trade>('sold');
  const [isTable, setTable] = useState(false);
  const nowMs = serviceNow();
  const days = Array.from({ length: 2 * range }, (_, i) => calendarDay(nowMs, i + 1 - 2 * range));
  const { data, error, refetch } = useTrade(days[0] ?? '', days[range] ?? '');
  const hasBefore = data?.hasBefore !== false;
  const all = tradeDays(data?.rows ?? NO_ROWS, days);
  const [before, now] = [all.slice(0, range), all.slice(range)];
  const units = (value: bigint) => format.quantity(String(value));
  const dateOf = (day: string) => format.date(new Date(`${day}T00:00`));
  const controls = (
    <SegmentedControl
      aria-label={words.range}
      value={String(range)}
      onChange={(value) => setRange(Number(value))}
      data={RANGES.map((each) => ({ value: String(each), label: words.days(each) }))}
    />
  );
  const shown = now.map(({ day, units: each }, at) => ({
    ...{ day, at },
    value: heightOf(each[trade]),
    ...(hasBefore && { second: heightOf(before[at]?.units[trade] ?? 0n) }),
    isRunning: at === range - 1,
  }));
  return (
    <ChartSection
      id="trade"
      title={texts.trade}
      isTable={isTable && data !== undefined}
      onToggle={() => setTable(!isTable)}
      controls={controls}
      summary={
        <div className={styles.trades} role="group" aria-label={texts.trade}>
          {TRADES.map((each) => {
            const [sum, sumBefore] = [totalOf(now, each), totalOf(before, each)];
            const share = changeShare(sumBefore, sum);
            return (
              <UnstyledButton
                key={each}
                className={styles.trade}
                aria-pressed={each === trade}
                onClick={() => setTrade(each)}
              >
                <span className={styles.faint}>{texts.trades[each]}</span>
                <strong className="number">{data ? units(sum) : '–'}</strong>
                <span className={`${styles.faint} number`}>
                  {data &&
                    (hasBefore
                      ? texts.against(units(sumBefore), share === undefined ? '' : format.share(share))
                      : texts.againstPruned)}
                </span>
              </UnstyledButton>
            );
          })}
        </div>
      }
      table={{
        label: texts.tradeTable,
        rows: (hasBefore ? all : now).toReversed(),
        keyOf: ({ day }) => day,
        columns: [
          { name: texts.day, cell: ({ day }) => dateOf(day) },
          ...TRADES.map((each) => ({
            name: texts.trades[each],
            cell: (row: (typeof all)[number]) => units(row.units[each]),
            isNumber: true,
          })),
        ],
      }}
      note={
        <>
          {texts.tradeDays(range, hasBefore)} {texts.tradeNote}{' '}
          <Link
            href={`/reports/movements?per=day&from=${now[0]?.day ?? ''}`}
            className={`${styles.more} tap`}
          >
            {texts.tradeReport}
          </Link>
        </>
      }
    >
      {error && !data ? (
        isApiError(error, 'history_pruned') ? (
          <p className={styles.pruned}>{texts.tradePruned}</p>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data ? (
        <Chart
          kind="columns"
          label={texts.tradeSummary(
            texts.trades[trade],
            units(totalOf(now, trade)),
            hasBefore ? units(totalOf(before, trade)) : undefined,
            range,
          )}
          unit={texts.unit}
          height={184}
          points={shown}
          range={[0, range]}
          ticks={shown
            .filter(({ at }) => range === RANGES[0] || at % RANGES[0] === 0)
            .map(({ at, day }) => ({ at: at + 0.5, text: format.day(new Date(`${day}T00:00`)) }))}
          tipOf={(index) => (
            <>
              <span>{dateOf(shown[index]?.day ?? '')}</span>
              <span className="number">
                {texts.units(format.count(Number(now[index]?.units[trade] ?? 0n)))}
              </span>
              {hasBefore && (
                <span className="number">
                  {dateOf(before[index]?.day ?? '')}: {units(before[index]?.units[trade] ?? 0n)}
                </span>
              )}
            </>
          )}
        />
      ) : (
        <Skeleton height={184} />
      )}
    </ChartSection>
  );
}
