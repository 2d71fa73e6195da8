import { MAX_NAMED_PETS } from '@petstore-inventory/shared/limits';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Import, ImportEffect, ImportedValues, ImportRow, PetStatus } from '../../../api/schemas.ts';
import { Badge, type Shape, type Tone } from '../../../components/badge.tsx';
import { useRowHeight } from '../../../components/density.ts';
import { usePetNames } from '../../../components/movements/use-pet-names.ts';
import { RecordsState } from '../../../components/records/records-state.tsx';
import { type Column, Table } from '../../../components/records/table.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { IconFilterOff } from '../../../icons/icons.tsx';
import type { Texts } from '../../../texts/en.ts';
import type { Format } from '../../../texts/format.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useImportRows } from '../imports-api.ts';
import styles from './plan-table.module.css';

const EFFECTS: Readonly<Record<ImportEffect, readonly [Shape, Tone]>> = {
  new: ['dot', 'success'],
  changed: ['half', 'accent'],
  unchanged: ['ring', 'neutral'],
};
const OVERSCAN = 8;
/** The next page is read before its rows come into view. */
const AHEAD = 100;

/** The rows of a plan with their values before and after. Pages load as the person scrolls. */
export function PlanTable({ found, effect }: { found: Import; effect: ImportEffect | undefined }) {
  const texts = useTexts();
  const format = useFormat();
  const { imports } = texts;
  const { rows, error, retry, more } = useImportRows(found, effect);
  const view = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const count = rows?.length ?? 0;
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => view.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const names = useNamesNear(rows, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
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
  const shown = OPTIONAL.filter((column) => rows.some((row) => HAS[column](row)));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard.
    <div ref={view} role="region" aria-label={imports.plan} tabIndex={0} className={styles.view}>
      <Table
        label={imports.plan}
        className={[styles.table, ...shown.map((column) => styles[column])].join(' ')}
        columns={columnsOf(texts, format, new Set(shown), names)}
        records={rows}
        keyOf={({ petId }) => petId}
        stateOf={({ effect }) => ({ 'data-effect': effect })}
        virtualizer={virtualizer}
      />
    </div>
  );
}

/**
 * The names of pets that do not change, which their rows do not have. They are read for a hundred rows together, because
 * scrolling would send a request for every few rows.
 */
function useNamesNear(
  rows: readonly ImportRow[] | undefined,
  first: number,
  last: number,
): ReadonlyMap<string, string> {
  const from = Math.floor(first / MAX_NAMED_PETS) * MAX_NAMED_PETS;
  const to = Math.ceil((last + 1) / MAX_NAMED_PETS) * MAX_NAMED_PETS;
  return usePetNames((rows ?? []).slice(from, to).filter(({ effect }) => effect === 'unchanged'));
}

/**
 * Columns that a plan has where one of its rows has a code, by which a file may name its pets, or changes thresholds or a
 * supplier: the names need the width.
 */
const OPTIONAL = ['sku', 'barcodes', 'thresholds', 'supplier'] as const;
type Optional = (typeof OPTIONAL)[number];
const HAS: Readonly<Record<Optional, (row: ImportRow) => boolean>> = {
  sku: inEither(({ sku }) => sku !== null),
  barcodes: inEither(({ barcodes }) => barcodes.length > 0),
  thresholds: ({ before, after }) =>
    after !== null &&
    (after.lowStockAt !== (before?.lowStockAt ?? null) || after.restockAt !== (before?.restockAt ?? null)),
  supplier: ({ before, after }) => after !== null && after.supplier !== (before?.supplier ?? null),
};

/** Whether a row has something before or after. */
function inEither(has: (pet: NonNullable<ImportedValues>) => boolean): (row: ImportRow) => boolean {
  return ({ before, after }) => (before !== null && has(before)) || (after !== null && has(after));
}

/** A value that changes shows its former one, too. */
function columnsOf(
  { shared, imports, app }: Texts,
  format: Format,
  shown: ReadonlySet<Optional>,
  names: ReadonlyMap<string, string>,
): readonly Column<ImportRow>[] {
  const { fields } = shared;
  const textOf = (pet: ImportedValues, member: keyof NonNullable<ImportedValues>): string => {
    const value = pet?.[member] ?? null;
    if (value === null) return app.records.empty;
    if (member === 'status') return shared.status[value as PetStatus];
    if (typeof value === 'number') return format.quantity(value);
    return typeof value === 'string' ? value : value.join(', ') || app.records.empty;
  };
  const change = ({ before, after }: ImportRow) => (before && after ? after.quantity - before.quantity : 0);
  const field = (member: keyof NonNullable<ImportedValues>, isNumber = false): Column<ImportRow> => ({
    name: fields[member],
    isNumber,
    cell: (row) => {
      const before = row.before && textOf(row.before, member);
      const after = textOf(row.after, member);
      if (before === null || before === after) return after;
      return (
        <>
          <del className={styles.before}>{before}</del> <ins className={styles.after}>{after}</ins>
        </>
      );
    },
  });
  const quantity = field('quantity', true);
  const name = field('name');
  return [
    {
      name: fields.petId,
      className: styles.id,
      cell: ({ petId }) => <span className="number">{petId}</span>,
    },
    {
      name: imports.effect,
      className: styles.effect,
      cell: ({ effect }) => (
        <Badge shape={EFFECTS[effect][0]} tone={EFFECTS[effect][1]}>
          {imports.effects[effect]}
        </Badge>
      ),
    },
    ...(shown.has('sku') ? [field('sku')] : []),
    ...(shown.has('barcodes') ? [field('barcodes')] : []),
    {
      ...name,
      className: styles.name,
      cell: (row, index) =>
        row.effect === 'unchanged' ? (names.get(row.petId) ?? app.records.empty) : name.cell(row, index),
    },
    field('category'),
    {
      ...quantity,
      className: styles.quantity,
      cell: (row, index) => (
        <>
          {quantity.cell(row, index)}
          {change(row) !== 0 && <span className={styles.change}>{format.change(change(row))}</span>}
        </>
      ),
    },
    field('status'),
    ...(shown.has('thresholds') ? [field('lowStockAt', true), field('restockAt', true)] : []),
    ...(shown.has('supplier') ? [{ ...field('supplier'), className: styles.seller }] : []),
    { name: imports.line, isNumber: true, cell: ({ line }) => format.quantity(line) },
  ];
}
