import { memo, type ReactNode } from 'react';
import type { ImportEffect, ImportRow } from '../../../api/schemas.ts';
import { Badge, type Shape, type Tone } from '../../../components/badge.tsx';
import type { Texts } from '../../../texts/en.ts';
import type { Format } from '../../../texts/format.ts';
import styles from './plan-table.module.css';

const EFFECTS: Readonly<Record<ImportEffect, readonly [Shape, Tone]>> = {
  new: ['dot', 'success'],
  changed: ['half', 'accent'],
  unchanged: ['ring', 'neutral'],
};

interface Props {
  readonly row: ImportRow;
  readonly index: number;
  readonly top: number;
  readonly texts: Texts;
  readonly format: Format;
}

/** A row of the plan: a value that changes shows what it was, too. */
export const PlanRow = memo(function PlanRow({ row, index, top, texts, format }: Props) {
  const { petId, before, after, effect, line } = row;
  const { shared, imports, app } = texts;
  const [shape, tone] = EFFECTS[effect];
  const number = (value: number | null | undefined) =>
    value == null ? app.records.empty : format.quantity(value);
  const text = (value: string | null | undefined) => value ?? app.records.empty;
  const change = before && after ? after.quantity - before.quantity : 0;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-effect={effect}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className="number">
        {petId}
      </div>
      <div role="gridcell">
        <Badge shape={shape} tone={tone}>
          {imports.effects[effect]}
        </Badge>
      </div>
      <div role="gridcell" className={styles.name}>
        <Cell before={before && text(before.name)} after={text(after?.name)} />
      </div>
      <div role="gridcell">
        <Cell before={before && text(before.category)} after={text(after?.category)} />
      </div>
      <div role="gridcell" className="number">
        <Cell before={before && number(before.quantity)} after={number(after?.quantity)} />
        {change !== 0 && <span className={styles.change}>{format.change(change)}</span>}
      </div>
      <div role="gridcell">
        <Cell
          before={before && shared.status[before.status]}
          after={after ? shared.status[after.status] : app.records.empty}
        />
      </div>
      <div role="gridcell" className="number">
        <Cell before={before && number(before.lowStockAt)} after={number(after?.lowStockAt)} />
      </div>
      <div role="gridcell" className="number">
        <Cell before={before && number(before.restockAt)} after={number(after?.restockAt)} />
      </div>
      <div role="gridcell" className="number">
        {format.quantity(line)}
      </div>
    </div>
  );
});

function Cell({ before, after }: { before: string | null; after: string }): ReactNode {
  if (before === null || before === after) return <span>{after}</span>;
  return (
    <>
      <del className={styles.before}>{before}</del> <ins className={styles.after}>{after}</ins>
    </>
  );
}
