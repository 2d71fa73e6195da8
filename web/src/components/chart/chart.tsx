import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { useFormat } from '../../texts/texts-context.tsx';
import styles from './chart.module.css';
import { axisTicks, roomFor } from './scale.ts';

/** More dots than this would hide the line. */
const MAX_DOTS = 150;
const MAX_COLUMN_PX = 24;
/** How much wider than its column the line of a second value is. */
const BEYOND_PX = 3;
/** A character of an axis at most. */
const CHARACTER_PX = 7;
/** Above the axis is its unit. */
const TOP_PX = 28;
const UNIT_PX = 11;
const RIGHT_PX = 8;
const BELOW_PX = 28;

export interface ChartPoint {
  readonly at: number;
  readonly value: number;
  /** A second value: a dotted line, or a line across its column. */
  readonly second?: number;
  /** A column that still grows. */
  readonly isRunning?: boolean;
}

interface Props {
  readonly kind: 'steps' | 'columns';
  /** For screen readers, in a sentence; the table has the numbers. */
  readonly label: string;
  readonly points: readonly ChartPoint[];
  /** The ends of the axis below. A column takes one from its place on. */
  readonly range: readonly [from: number, to: number];
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  readonly line?:
    | { readonly value: number; readonly text?: string; readonly tone: 'warning' | 'danger' }
    | undefined;
  /** What the axis at the left counts, such as "units". */
  readonly unit: string;
  readonly height?: number;
  readonly tipOf: (index: number) => ReactNode;
}

/** Values over a time, as steps or as columns. */
export function Chart({ kind, label, points, range, ticks, line, unit, height = 240, tipOf }: Props) {
  const format = useFormat();
  const { ref, width } = useElementSize();
  const [active, setActive] = useState<number>();
  const [from, to] = range;
  const levels = axisTicks([
    ...points.map(({ value }) => value),
    ...points.map(({ second = 0 }) => second),
    line?.value ?? 0,
  ]);
  const [lowest = 0, highest = 1] = [levels[0], levels.at(-1)];
  const left = Math.max(...levels.map((level) => format.quantity(level).length)) * CHARACTER_PX + 12;
  const inner = Math.max(width - left - RIGHT_PX, 1);
  const x = (at: number) => left + ((at - from) / (to - from)) * inner;
  const y = (value: number) =>
    TOP_PX + ((highest - value) / (highest - lowest)) * (height - TOP_PX - BELOW_PX);
  const band = inner / (to - from);
  const placeOf = ({ at }: ChartPoint) => x(at) + (kind === 'columns' ? band / 2 : 0);
  const shown = active === undefined ? undefined : points[active];

  const onPointer = (event: PointerEvent) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const distance = (point: ChartPoint) => Math.abs(placeOf(point) - at);
    let nearest = 0;
    for (const [index, point] of points.entries())
      if (distance(point) < distance(points[nearest] as ChartPoint)) nearest = index;
    setActive(nearest);
  };
  return (
    <div
      ref={ref}
      role="img"
      aria-label={label}
      className={styles.chart}
      style={{ height }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setActive(undefined)}
    >
      <svg width={width} height={height} aria-hidden>
        <text x={0} y={UNIT_PX}>
          {unit}
        </text>
        {levels.map((level) => (
          <g key={level}>
            <line x1={left} x2={left + inner} y1={y(level)} y2={y(level)} className={styles.level} />
            <text x={left - 8} y={y(level) + 4} textAnchor="end">
              {format.quantity(level)}
            </text>
          </g>
        ))}
        {roomFor(
          ticks,
          ({ at }) => x(at),
          ({ text }) => text.length * CHARACTER_PX,
        ).map(({ at, text }) => (
          <text key={at} x={x(at)} y={height - 8} textAnchor={at === from ? 'start' : 'middle'}>
            {text}
          </text>
        ))}
        {kind === 'steps' ? (
          <Steps points={points} x={x} y={y} />
        ) : (
          <Columns points={points} width={columnWidth(band)} x={placeOf} y={y} />
        )}
        <line x1={left} x2={left + inner} y1={y(0)} y2={y(0)} className={styles.axis} />
        {line && (
          <g className={styles.limit} data-tone={line.tone}>
            <line x1={left} x2={left + inner} y1={y(line.value)} y2={y(line.value)} />
            <text x={left + inner - 6} y={y(line.value) - 5} textAnchor="end">
              {line.text}
            </text>
          </g>
        )}
        {shown && kind === 'steps' && (
          <>
            <line x1={x(shown.at)} x2={x(shown.at)} y1={TOP_PX} y2={y(lowest)} className={styles.axis} />
            <circle cx={x(shown.at)} cy={y(shown.value)} r={5} className={styles.active} />
          </>
        )}
      </svg>
      {shown && (
        <div
          className={styles.tip}
          style={
            placeOf(shown) > width / 2
              ? { right: width - placeOf(shown) + 12 }
              : { left: placeOf(shown) + 12 }
          }
        >
          {tipOf(points.indexOf(shown))}
        </div>
      )}
    </div>
  );
}

const columnWidth = (band: number): number => Math.max(Math.min(band - 3, MAX_COLUMN_PX), 1);

interface ColumnsProps {
  readonly points: readonly ChartPoint[];
  readonly width: number;
  /** The middle of a column. */
  readonly x: (point: ChartPoint) => number;
  readonly y: (value: number) => number;
}

function Columns({ points, width, x, y }: ColumnsProps) {
  return points.map((point) => {
    const left = x(point) - width / 2;
    const height = y(0) - y(point.value);
    return (
      <g key={point.at}>
        <rect
          className={styles.column}
          data-running={point.isRunning}
          x={left}
          y={y(point.value)}
          width={width}
          height={height}
          rx={Math.min(2, height)}
        />
        {point.second !== undefined && (
          <line
            className={styles.before}
            x1={left - BEYOND_PX}
            x2={left + width + BEYOND_PX}
            y1={y(point.second)}
            y2={y(point.second)}
          />
        )}
      </g>
    );
  });
}

interface StepsProps {
  readonly points: readonly ChartPoint[];
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

function Steps({ points, x, y }: StepsProps) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const path = (heightOf: (point: ChartPoint) => number) =>
    points
      .map((point, i) => `${i === 0 ? `M${x(point.at)} ` : `H${x(point.at)}V`}${y(heightOf(point))}`)
      .join('');
  const steps = path(({ value }) => value);
  return (
    <>
      <path d={`${steps}V${y(0)}H${x(first.at)}Z`} className={styles.area} />
      {points.some(({ value, second = value }) => second !== value) && (
        <path d={path(({ value, second = value }) => second)} className={styles.second} />
      )}
      <path d={steps} className={styles.steps} />
      {points.length <= MAX_DOTS &&
        points.map(({ at, value }, i) => (
          // The place is the key, because two movements may be of one moment.
          <circle key={i} cx={x(at)} cy={y(value)} r={2.5} className={styles.dot} />
        ))}
    </>
  );
}
