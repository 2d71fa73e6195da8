import { ActionIcon, SegmentedControl, Skeleton, Tooltip } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { Movement } from '../../api/schemas.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { useNow } from '../../components/relative-time.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { IconChartLine, IconTable } from '../../icons/icons.tsx';
import { LateCode } from '../../loading/late-code.ts';
import { lateComponent } from '../../loading/late-component.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './chart.module.css';
import { chartPoints, joinedMovements } from './chart-points.ts';
import { CHART_MOVEMENTS, type Pet, useHistory } from './pet-api.ts';
import { PointsTable } from './points-table.tsx';

const StockChart = lateComponent(new LateCode(() => import('./stock-chart.tsx')));
const RANGES = [7, 30, 90, 365] as const;
const DEFAULT_RANGE = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Props {
  readonly pet: Pet;
  /** The newest ones, with those of the live stream. */
  readonly newest: readonly Movement[];
  readonly lowStockAt: number | null;
}

/** The quantity over a time as a chart, or as a table. */
export function ChartPanel({ pet, newest, lowStockAt }: Props) {
  const { pet: texts } = useTexts();
  const format = useFormat();
  const [days, setDays] = useState<number>(DEFAULT_RANGE);
  const [isTable, setTable] = useState(false);
  const toMs = useNow();
  const fromMs = Math.floor(toMs / HOUR_MS) * HOUR_MS - days * DAY_MS;
  const history = useHistory(pet.petId, fromMs);
  useHotkeys(texts.keys.title, [{ keys: 't', label: texts.keys.table, run: () => setTable(!isTable) }]);

  const movements = joinedMovements(history.data?.items ?? [], newest);
  const points = chartPoints(movements, pet, { fromMs, toMs: Math.max(toMs, Date.parse(pet.updatedAt)) });
  const [first, last] = [points[0], points.at(-1)];
  const summary = texts.chartSummary(
    format.date(new Date(fromMs)),
    format.date(new Date(toMs)),
    format.quantity(first?.quantity ?? pet.quantity),
    format.quantity(last?.quantity ?? pet.quantity),
  );
  return (
    <section className={styles.panel} aria-labelledby="pet-chart">
      <div className={styles.head}>
        <h2 id="pet-chart">{texts.chart}</h2>
        <div className={styles.controls}>
          <SegmentedControl
            aria-label={texts.range}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
            data={RANGES.map((each) => ({
              value: String(each),
              label: each === 365 ? texts.year : texts.days(each),
            }))}
          />
          <Tooltip label={isTable ? texts.asChart : texts.asTable}>
            <ActionIcon
              variant="default"
              size={32}
              aria-label={isTable ? texts.asChart : texts.asTable}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? <IconChartLine size={16} stroke={1.75} /> : <IconTable size={16} stroke={1.75} />}
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      {history.error ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : history.isPending ? (
        <Skeleton height={240} />
      ) : isTable ? (
        <PointsTable points={points} />
      ) : (
        <div className={styles.chart} role="img" aria-label={summary}>
          <Suspense fallback={<Skeleton height={240} />}>
            <StockChart points={points} fromMs={fromMs} toMs={toMs} lowStockAt={lowStockAt} />
          </Suspense>
        </div>
      )}
      {points.some(({ quantity, available }) => quantity !== available) && !isTable && <Legend />}
      {history.data?.next !== undefined && (
        <p className={styles.note}>{texts.newest(format.quantity(CHART_MOVEMENTS))}</p>
      )}
    </section>
  );
}

function Legend() {
  const { fields } = useTexts().shared;
  return (
    <p className={styles.legend} aria-hidden>
      <span data-line="solid">{fields.quantity}</span>
      <span data-line="dotted">{fields.available}</span>
    </p>
  );
}
