import { SegmentedControl, Skeleton } from '@mantine/core';
import { DAY_MS, HOUR_MS } from '@petstore-inventory/shared/durations';
import { useState } from 'react';
import type { Movement } from '../../api/schemas.ts';
import { Chart } from '../../components/chart/chart.tsx';
import { ChartSection } from '../../components/chart/chart-section.tsx';
import { midnights } from '../../components/day-start.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { authorName, changeOf, whyOf } from '../../components/movements/movement-facts.ts';
import { useNow } from '../../components/relative-time.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './chart.module.css';
import { chartPoints, joinedMovements, type StockPoint } from './chart-points.ts';
import { CHART_MOVEMENTS, type Pet, useHistory } from './pet-api.ts';

const RANGES = [7, 30, 90, 365] as const;
const DEFAULT_RANGE = 30;

interface Props {
  readonly pet: Pet;
  /** The newest ones, with those of the live stream. */
  readonly newest: readonly Movement[];
  readonly lowStockAt: number | null;
}

/** The quantity over a time as steps with the available units below it, or as a table. */
export function ChartPanel({ pet, newest, lowStockAt }: Props) {
  const texts = useTexts();
  const { pet: words, shared } = texts;
  const format = useFormat();
  const [days, setDays] = useState<number>(DEFAULT_RANGE);
  const [isTable, setTable] = useState(false);
  const toMs = useNow();
  const fromMs = Math.floor(toMs / HOUR_MS) * HOUR_MS - days * DAY_MS;
  const history = useHistory(pet.petId, fromMs);
  useHotkeys(words.keys.title, [{ keys: 't', label: words.keys.table, run: () => setTable(!isTable) }]);

  const movements = joinedMovements(history.data?.items ?? [], newest);
  const points = chartPoints(movements, pet, { fromMs, toMs: Math.max(toMs, Date.parse(pet.updatedAt)) });
  const [first, last] = [points[0], points.at(-1)];
  const summary = words.chartSummary(
    format.date(new Date(fromMs)),
    format.date(new Date(toMs)),
    format.quantity(first?.value ?? pet.quantity),
    format.quantity(last?.value ?? pet.quantity),
  );
  return (
    <ChartSection
      id="pet-chart"
      title={words.chart}
      isTable={isTable && history.data !== undefined}
      onToggle={() => setTable(!isTable)}
      controls={
        <SegmentedControl
          aria-label={words.range}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={RANGES.map((each) => ({
            value: String(each),
            label: each === 365 ? words.year : words.days(each),
          }))}
        />
      }
      note={history.data?.next === undefined ? undefined : words.newest(format.quantity(CHART_MOVEMENTS))}
      table={{
        label: words.table,
        empty: words.noChanges,
        rows: points
          .flatMap(({ movement, ...point }) => (movement ? [{ ...point, movement }] : []))
          .toReversed(),
        keyOf: ({ movement }) => movement.sequence,
        columns: [
          { name: words.time, cell: ({ at }) => format.dateTime(new Date(at)) },
          {
            name: words.change,
            cell: ({ movement }) => changeOf(movement, texts, format).change,
            isNumber: true,
          },
          { name: shared.fields.quantity, cell: ({ value }) => format.quantity(value), isNumber: true },
          { name: shared.fields.available, cell: ({ second }) => format.quantity(second), isNumber: true },
          { name: words.why, cell: ({ movement }) => whyOf(movement, texts) },
          { name: words.who, cell: ({ movement }) => authorName(movement.actor, texts) },
        ],
      }}
    >
      {history.error ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : history.isPending ? (
        <Skeleton height={240} />
      ) : (
        <Chart
          kind="steps"
          unit={texts.overview.unit}
          label={summary}
          points={points}
          range={[fromMs, Math.max(toMs, last?.at ?? toMs)]}
          ticks={midnights(fromMs, toMs).map((at) => ({ at, text: format.day(new Date(at)) }))}
          line={
            lowStockAt === null
              ? undefined
              : { value: lowStockAt, text: words.lowLine(format.quantity(lowStockAt)), tone: 'warning' }
          }
          tipOf={(index) => <PointTip point={points[index] as StockPoint} />}
        />
      )}
      {points.some(({ value, second }) => value !== second) && <Legend />}
    </ChartSection>
  );
}

/** Who changed it and why, at the pointer. */
function PointTip({ point: { at, value, second, movement } }: { point: StockPoint }) {
  const texts = useTexts();
  const format = useFormat();
  const { fields } = texts.shared;
  return (
    <>
      <span>{format.dateTime(new Date(at))}</span>
      {movement && (
        <span>
          <strong className="number">{changeOf(movement, texts, format).change}</strong>{' '}
          {whyOf(movement, texts)}, {authorName(movement.actor, texts)}
        </span>
      )}
      <span className="number">
        {fields.quantity} {format.quantity(value)}
        {second !== value && `, ${fields.available} ${format.quantity(second)}`}
      </span>
      {movement?.note && <span className={styles.note}>{movement.note}</span>}
    </>
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
