import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Import, ImportEffect } from '../../../api/schemas.ts';
import { useRowHeight } from '../../../components/density.ts';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { IconFilterOff } from '../../../icons/icons.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useImportRows } from '../imports-api.ts';
import { PlanRow } from './plan-row.tsx';
import styles from './plan-table.module.css';

const OVERSCAN = 8;
/** The next page is read before its rows come into view. */
const AHEAD = 100;

/** The rows of a plan with their values before and after. Pages load as the person scrolls. */
export function PlanTable({ found, effect }: { found: Import; effect: ImportEffect | undefined }) {
  const texts = useTexts();
  const format = useFormat();
  const { imports, shared } = texts;
  const { rows, error, retry, more } = useImportRows(found, effect);
  const grid = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const count = rows?.length ?? 0;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && error === null && lastShown + AHEAD > count) more();
  }, [more, error, lastShown, count]);
  if (rows === undefined || count === 0) {
    return (
      <div className={styles.alone}>
        <RecordsState
          isLoading={rows === undefined}
          error={error}
          onRetry={retry}
          empty={<EmptyState icon={IconFilterOff} title={imports.noRows} />}
        >
          {null}
        </RecordsState>
      </div>
    );
  }
  const headers = [
    shared.fields.petId,
    imports.effect,
    shared.fields.name,
    shared.fields.category,
    shared.fields.quantity,
    shared.fields.status,
    shared.fields.lowStockAt,
    shared.fields.restockAt,
    imports.line,
  ];
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={imports.plan}
      aria-rowcount={count + 1}
      tabIndex={0}
      className={styles.grid}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" className={styles.row}>
          {headers.map((header) => (
            <div key={header} role="columnheader">
              {header}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <PlanRow key={row.petId} row={row} index={index} top={start} texts={texts} format={format} />
            )
          );
        })}
      </div>
    </div>
  );
}
