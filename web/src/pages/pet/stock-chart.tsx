import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { authorName, changeOf, whyOf } from '../../components/movements/movement-facts.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './chart.module.css';
import type { ChartPoint } from './chart-points.ts';

/** More dots than this would hide the line. */
const MAX_DOTS = 150;
const DAY_MS = 86_400_000;
const AXIS = { stroke: 'var(--line-strong)', tick: { fill: 'var(--text-dim)', fontSize: 12 } } as const;

interface Props {
  readonly points: readonly ChartPoint[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly lowStockAt: number | null;
}

/** The quantity as steps, the available units below it, and a dot per movement. */
export default function StockChart({ points, fromMs, toMs, lowStockAt }: Props) {
  const { pet } = useTexts();
  const format = useFormat();
  const isShort = toMs - fromMs <= 2 * DAY_MS;
  const hasDots = points.length <= MAX_DOTS;
  const dot = { r: 2.5, fill: 'var(--accent)', strokeWidth: 0 };
  const hasReserved = points.some(({ quantity, available }) => quantity !== available);
  return (
    <ResponsiveContainer width="100%" height={240}>
      <ComposedChart data={[...points]} accessibilityLayer={false} margin={{ top: 12, right: 8, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="atMs"
          type="number"
          scale="time"
          domain={[fromMs, toMs]}
          ticks={ticksBetween(fromMs, toMs)}
          tickFormatter={(atMs: number) => format[isShort ? 'time' : 'day'](new Date(atMs))}
          tickLine={false}
          minTickGap={16}
          {...AXIS}
        />
        <YAxis
          allowDecimals={false}
          domain={[0, 'auto']}
          tickFormatter={(value: number) => format.quantity(value)}
          width={44}
          tickLine={false}
          axisLine={false}
          {...AXIS}
        />
        <Area
          dataKey="quantity"
          type="stepAfter"
          stroke="var(--accent)"
          strokeWidth={2}
          fill="var(--accent-tint)"
          fillOpacity={0.6}
          isAnimationActive={false}
          dot={hasDots ? dot : false}
          activeDot={{ r: 5, fill: 'var(--accent)', stroke: 'var(--canvas)', strokeWidth: 2 }}
        />
        {hasReserved && (
          <Line
            dataKey="available"
            type="stepAfter"
            stroke="var(--text-faint)"
            strokeDasharray="2 3"
            isAnimationActive={false}
            dot={false}
            activeDot={false}
          />
        )}
        {lowStockAt !== null && (
          <ReferenceLine
            y={lowStockAt}
            ifOverflow="extendDomain"
            stroke="var(--warning)"
            strokeDasharray="6 4"
            label={{
              value: pet.lowLine(format.quantity(lowStockAt)),
              position: 'insideBottomRight',
              fill: 'var(--warning)',
              fontSize: 12,
            }}
          />
        )}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={({ active, payload }) => {
            const point = active ? (payload?.[0]?.payload as ChartPoint | undefined) : undefined;
            return point ? <PointTip point={point} /> : null;
          }}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Who changed it and why, at the pointer. */
function PointTip({ point: { atMs, quantity, available, movement } }: { point: ChartPoint }) {
  const texts = useTexts();
  const format = useFormat();
  const { fields } = texts.shared;
  return (
    <div className={styles.tip}>
      <span className={styles.tipTime}>{format.dateTime(new Date(atMs))}</span>
      {movement && (
        <span>
          <strong className="number">{changeOf(movement, texts, format).change}</strong>{' '}
          {whyOf(movement, texts)}, {authorName(movement.actor, texts)}
        </span>
      )}
      <span className="number">
        {fields.quantity} {format.quantity(quantity)}
        {available !== quantity && `, ${fields.available} ${format.quantity(available)}`}
      </span>
      {movement?.note && <span className={styles.tipNote}>{movement.note}</span>}
    </div>
  );
}

/** Some midnights, or some full hours of a short time. */
function ticksBetween(fromMs: number, toMs: number): number[] {
  const isShort = toMs - fromMs <= 2 * DAY_MS;
  const start = new Date(fromMs);
  start.setHours(isShort ? start.getHours() + 1 : 24, 0, 0, 0);
  const stepMs = isShort ? 4 * 3_600_000 : DAY_MS * Math.max(1, Math.ceil((toMs - fromMs) / DAY_MS / 10));
  const ticks: number[] = [];
  for (let atMs = start.getTime(); atMs < toMs; atMs += stepMs) ticks.push(atMs);
  return ticks;
}
