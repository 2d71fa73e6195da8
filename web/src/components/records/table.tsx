import type { Virtualizer } from '@tanstack/react-virtual';
import type { ReactNode, RefObject } from 'react';
import { Link } from 'wouter';
import { IconArrowDown, IconArrowUp } from '../../icons/icons.tsx';
import styles from './records-table.module.css';

export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T, index: number) => ReactNode;
  /** For screen readers, the cells of the column are the names of their rows. */
  readonly isHeader?: boolean;
  readonly isNumber?: boolean;
  /** The column has a word or two of the page's own, which do not wrap. */
  readonly isShort?: boolean;
  /** The column has buttons, and its name is for screen readers. */
  readonly isActions?: boolean;
  /** The column needs a window that is wider than a phone, or than a tablet. */
  readonly from?: 'tablet' | 'desktop';
  /** A class of the page, for the heading and the cells. */
  readonly className?: string | undefined;
  /** Of all records together, in a last row that is no record. */
  readonly total?: ReactNode;
  /** The table can be sorted by the column. */
  readonly sort?: SortRule<T>;
}

interface SortRule<T> {
  /** Names the column in the address. */
  readonly by: string;
  /** `null` is last in both directions. */
  readonly valueOf: (record: T) => number | string | null;
  /** The first click on the heading sorts the largest values first. */
  readonly isDescendingFirst?: boolean;
}

export interface SortOrder {
  readonly by: string;
  readonly isDescending: boolean;
}

export interface TableProps<T> {
  /** Names the table. */
  readonly label?: string | undefined;
  readonly caption?: ReactNode;
  readonly columns: readonly Column<T>[];
  readonly records: readonly T[];
  readonly keyOf: (record: T) => string | number;
  /** The address of the record. The whole row is its link, which is in the first column. */
  readonly hrefOf?: (record: T) => string;
  /** The states of a row, for the style sheet, such as `data-dim`. */
  readonly stateOf?: (
    record: T,
    index: number,
  ) => Readonly<Record<`data-${string}`, true | string | undefined>>;
  /** The column by which the records are sorted, and what changes it. */
  readonly sorting?: { readonly order: SortOrder | undefined; readonly onSort: (order: SortOrder) => void };
  /** A class of the page, in place of the usual look. */
  readonly className?: string;
  /** Draws only the rows in view. `records` has all. */
  readonly virtualizer?: Virtualizer<HTMLElement, HTMLTableRowElement>;
  readonly tableRef?: RefObject<HTMLTableElement | null>;
}

/** A table with a row per record. */
export function Table<T>(props: TableProps<T>) {
  const { label, caption, columns, records, keyOf, hrefOf, stateOf, virtualizer, sorting } = props;
  const inView = virtualizer?.getVirtualItems();
  return (
    <table
      ref={props.tableRef}
      className={props.className ?? styles.table}
      aria-label={label}
      aria-rowcount={inView && records.length + 1}
    >
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr aria-rowindex={inView && 1}>
          {columns.map(({ name, isNumber, isActions, from, className, sort }) => (
            <th
              key={name}
              scope="col"
              className={className}
              data-number={isNumber}
              data-from={from}
              aria-sort={sort && sorting && sortState(sort, sorting.order)}
            >
              {sort && sorting ? (
                <SortButton name={name} rule={sort} {...sorting} />
              ) : (
                <span className={isActions ? 'visually-hidden' : undefined}>{name}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Gap height={inView?.[0]?.start} />
        {[...(inView?.map(({ index }) => index) ?? records.keys())].map((index) => {
          const record = records[index] as T;
          return (
            <tr
              key={keyOf(record)}
              ref={virtualizer?.measureElement}
              data-index={inView && index}
              aria-rowindex={inView && index + 2}
              {...stateOf?.(record, index)}
            >
              {columns.map(({ name, cell, isHeader, isNumber, isShort, from, className }, column) => {
                const Cell = isHeader ? 'th' : 'td';
                return (
                  <Cell
                    key={name}
                    scope={isHeader ? 'row' : undefined}
                    className={[className, isNumber && 'number'].filter(Boolean).join(' ') || undefined}
                    data-number={isNumber}
                    data-short={isShort}
                    data-from={from}
                    data-label={name}
                  >
                    {column === 0 && hrefOf ? (
                      <Link href={hrefOf(record)} className={styles.link} data-row>
                        {cell(record, index)}
                      </Link>
                    ) : (
                      cell(record, index)
                    )}
                  </Cell>
                );
              })}
            </tr>
          );
        })}
        <Gap height={virtualizer && virtualizer.getTotalSize() - (inView?.at(-1)?.end ?? 0)} />
      </tbody>
      <Totals columns={columns} />
    </table>
  );
}

/** The totals of columns that have one. The first column names the row. */
function Totals<T>({ columns }: Pick<TableProps<T>, 'columns'>) {
  if (!columns.some(({ total }) => total !== undefined)) return null;
  return (
    <tfoot>
      <tr>
        {columns.map(({ name, total, isNumber, from, className }, column) => {
          const Cell = column === 0 ? 'th' : 'td';
          return (
            <Cell
              key={name}
              scope={column === 0 ? 'row' : undefined}
              className={[className, isNumber && 'number'].filter(Boolean).join(' ') || undefined}
              data-number={isNumber}
              data-from={from}
              data-label={name}
            >
              {total}
            </Cell>
          );
        })}
      </tr>
    </tfoot>
  );
}

function sortState({ by }: SortRule<never>, order: SortOrder | undefined) {
  if (order?.by !== by) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}

interface SortButtonProps {
  readonly name: string;
  readonly rule: SortRule<never>;
  readonly order: SortOrder | undefined;
  readonly onSort: (order: SortOrder) => void;
}

/** A heading that sorts by its column, and in the other direction where the table is sorted by it. */
function SortButton({ name, rule: { by, isDescendingFirst = false }, order, onSort }: SortButtonProps) {
  const isSorted = order?.by === by;
  const Arrow = order?.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <button
      type="button"
      className={styles.sort}
      data-sorted={isSorted || undefined}
      onClick={() => onSort({ by, isDescending: isSorted ? !order.isDescending : isDescendingFirst })}
    >
      {name}
      {isSorted && <Arrow size={14} stroke={2} aria-hidden />}
    </button>
  );
}

/** Stands for the rows above or below those in view. */
function Gap({ height = 0 }: { height?: number | undefined }) {
  return height > 0 && <tr aria-hidden style={{ height }} />;
}
