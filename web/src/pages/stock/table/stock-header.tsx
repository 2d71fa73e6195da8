import { IconArrowDown, IconArrowUp } from '../../../icons/icons.tsx';
import type { SortColumn, StockQuery } from '../../../stock/stock-view.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from './stock-table.module.css';

const COLUMNS: readonly {
  readonly column: SortColumn;
  readonly className: keyof typeof styles;
  readonly isRight?: boolean;
}[] = [
  { column: 'petId', className: 'id' },
  { column: 'name', className: 'name' },
  { column: 'sku', className: 'sku' },
  { column: 'category', className: 'category' },
  { column: 'status', className: 'status' },
  { column: 'alert', className: 'alert' },
  { column: 'reserved', className: 'reserved', isRight: true },
  { column: 'available', className: 'available', isRight: true },
  { column: 'quantity', className: 'quantity', isRight: true },
  { column: 'changed', className: 'changed', isRight: true },
];
/** Columns whose largest values are asked for first. */
const DESCENDING_FIRST: readonly SortColumn[] = ['alert', 'changed', 'reserved'];

interface Props {
  readonly query: StockQuery;
  readonly onChange: (changes: Partial<StockQuery>) => void;
  readonly selected: 'none' | 'some' | 'all';
  readonly onSelectAll: () => void;
}

export function StockHeader({ query, onChange, selected, onSelectAll }: Props) {
  const { stock, shared } = useTexts();
  const sortBy = (column: SortColumn) =>
    onChange({
      sort: column,
      isDescending: query.sort === column ? !query.isDescending : DESCENDING_FIRST.includes(column),
    });
  return (
    <div role="row" aria-rowindex={1} className={styles.header} tabIndex={-1}>
      <div role="columnheader" className={styles.check}>
        <input
          type="checkbox"
          aria-label={stock.selectAll}
          checked={selected === 'all'}
          ref={(input) => {
            if (input) input.indeterminate = selected === 'some';
          }}
          onChange={onSelectAll}
        />
      </div>
      {COLUMNS.map(({ column, className, isRight }) => {
        const isSorted = query.sort === column;
        const Arrow = query.isDescending ? IconArrowDown : IconArrowUp;
        return (
          <div
            key={column}
            role="columnheader"
            className={styles[className]}
            aria-sort={isSorted ? (query.isDescending ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              className={styles.sort}
              data-right={isRight}
              data-sorted={isSorted || undefined}
              onClick={() => sortBy(column)}
            >
              {shared.fields[column]}
              {isSorted && <Arrow size={14} stroke={2} aria-hidden />}
            </button>
          </div>
        );
      })}
    </div>
  );
}
