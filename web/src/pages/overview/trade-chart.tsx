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
import { changeShare, readTrade, TRADES, type Trade, type TradeDay, tradeDays, totalOf } from './trade.ts';

const RANGES = [7, 28] as const;
/** A report costs as much as a long list. */
const FRESH_MS = 300_000;
/** In pixels, with or without data. */
const HEIGHT = 184;
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

/** Units sold, received and lost per day, beside the same number of days before. */
export function TradeChart() {
  const { overview: texts, pet: words } = useTexts();
  const [range, setRange] = useState<number>(RANGES[0]);
  const [trade, setTrade] = useState<Trade>('sold');
  const [isTable, setTable] = useState(false);
  const nowMs = serviceNow();
  const days = Array.from({ length: 2 * range }, (_, i) => calendarDay(nowMs, i + 1 - 2 * range));
  const { data, error, refetch } = useTrade(days[0] ?? '', days[range] ?? '');
  const hasBefore = data?.hasBefore !== false;
  const all = tradeDays(data?.rows ?? NO_ROWS, days);
  const now = all.slice(range);
  const before = hasBefore ? all.slice(0, range) : undefined;
  const { units, dateOf } = useTradeFormat();
  const controls = (
    <SegmentedControl
      aria-label={words.range}
      value={String(range)}
      onChange={(value) => setRange(Number(value))}
      data={RANGES.map((each) => ({ value: String(each), label: words.days(each) }))}
    />
  );
  return (
    <ChartSection
      id="trade"
      title={texts.trade}
      isTable={isTable && data !== undefined}
      onToggle={() => setTable(!isTable)}
      controls={controls}
      summary={
        <TradeSums
          now={now}
          before={before}
          isKnown={data !== undefined}
          chosen={trade}
          onChoose={setTrade}
        />
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
        <TradeColumns trade={trade} now={now} before={before} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </ChartSection>
  );
}

/** Two ranges of days beside each other. */
interface TradeRanges {
  readonly now: readonly TradeDay[];
  /** The days before; `undefined` if they were pruned. */
  readonly before: readonly TradeDay[] | undefined;
}

interface SumsProps extends TradeRanges {
  readonly isKnown: boolean;
  readonly chosen: Trade;
  readonly onChoose: (trade: Trade) => void;
}

/** The sum of each kind of trade, which is also what chooses the columns. */
function TradeSums({ now, before, isKnown, chosen, onChoose }: SumsProps) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const { units } = useTradeFormat();
  const againstBefore = (sum: bigint, sumBefore: bigint) => {
    const share = changeShare(sumBefore, sum);
    return texts.against(units(sumBefore), share === undefined ? '' : format.share(share));
  };
  return (
    <div className={styles.trades} role="group" aria-label={texts.trade}>
      {TRADES.map((trade) => {
        const sum = totalOf(now, trade);
        return (
          <UnstyledButton
            key={trade}
            className={styles.trade}
            aria-pressed={trade === chosen}
            onClick={() => onChoose(trade)}
          >
            <span className={styles.faint}>{texts.trades[trade]}</span>
            <strong className="number">{isKnown ? units(sum) : '–'}</strong>
            <span className={`${styles.faint} number`}>
              {isKnown && (before ? againstBefore(sum, totalOf(before, trade)) : texts.againstPruned)}
            </span>
          </UnstyledButton>
        );
      })}
    </div>
  );
}

/** A column per day, and the one of the day as long before next to it. */
function TradeColumns({ trade, now, before }: TradeRanges & { readonly trade: Trade }) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const { units, dateOf } = useTradeFormat();
  const points = now.map(({ units: each }, at) => ({
    value: heightOf(each[trade]),
    ...(before && { second: heightOf(before[at]?.units[trade] ?? 0n) }),
    isRunning: at === now.length - 1,
    at,
  }));
  // Of weeks, the first days.
  const ticks = now.flatMap(({ day }, at) =>
    now.length === RANGES[0] || at % RANGES[0] === 0
      ? [{ at: at + 0.5, text: format.day(new Date(`${day}T00:00`)) }]
      : [],
  );
  return (
    <Chart
      kind="columns"
      label={texts.tradeSummary(
        texts.trades[trade],
        units(totalOf(now, trade)),
        before && units(totalOf(before, trade)),
        now.length,
      )}
      unit={texts.unit}
      height={HEIGHT}
      points={points}
      range={[0, now.length]}
      ticks={ticks}
      tipOf={(index) => (
        <>
          <span>{dateOf(now[index]?.day ?? '')}</span>
          <span className="number">{texts.units(format.count(Number(now[index]?.units[trade] ?? 0n)))}</span>
          {before && (
            <span className="number">
              {dateOf(before[index]?.day ?? '')}: {units(before[index]?.units[trade] ?? 0n)}
            </span>
          )}
        </>
      )}
    />
  );
}

/** A column has no height below 0, where more was taken back than there was on that day. */
const heightOf = (units: bigint) => Math.max(0, Number(units));

function useTradeFormat() {
  const format = useFormat();
  return {
    units: (value: bigint) => format.quantity(String(value)),
    dateOf: (day: string) => format.date(new Date(`${day}T00:00`)),
  };
}
