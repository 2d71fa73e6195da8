import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../texts/texts-context.tsx';
import { useHotkeys } from '../hotkeys/hotkey-provider.tsx';
import styles from './records-table.module.css';

export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T) => ReactNode;
  readonly isNumber?: boolean;
  /** The column has a word or two of the page's own, which do not wrap. */
  readonly isShort?: boolean;
  /** The column has buttons, and its name is for screen readers. */
  readonly isActions?: boolean;
  /** The column needs a window that is wider than a phone, or than a tablet. */
  readonly from?: 'tablet' | 'desktop';
}

interface Props<T> {
  /** Names the table. */
  readonly label: string;
  /** The first one is the name of the record. */
  readonly columns: readonly Column<T>[];
  readonly records: readonly T[];
  readonly keyOf: (record: T) => string;
  /** The address of the record. The whole row is its link. */
  readonly hrefOf?: (record: T) => string;
  readonly isDim?: (record: T) => boolean;
  /** Loads the next page of records, if there is one. */
  readonly onMore?: (() => void) | undefined;
}

const STEP = 100;
const ROW_LINK = 'a[data-row]';

/** A table of some hundred records. The rest follows on request. */
export function RecordsTable<T>({ label, columns, records, keyOf, hrefOf, isDim, onMore }: Props<T>) {
  const { records: texts } = useTexts().app;
  const [limit, setLimit] = useState(STEP);
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table, label);
  const showMore = () => {
    setLimit((shown) => shown + STEP);
    if (records.length <= limit) onMore?.();
  };
  return (
    <>
      <table ref={table} className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isActions, from }) => (
              <th key={name} scope="col" data-number={isNumber} data-from={from}>
                <span className={isActions ? 'visually-hidden' : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.slice(0, limit).map((record) => (
            <tr key={keyOf(record)} data-dim={isDim?.(record) || undefined}>
              {columns.map(({ name, cell, isNumber, isShort, from }, index) => (
                <td
                  key={name}
                  className={isNumber ? 'number' : undefined}
                  data-number={isNumber}
                  data-short={isShort}
                  data-from={from}
                >
                  {index === 0 && hrefOf ? (
                    <Link href={hrefOf(record)} className={styles.link} data-row>
                      {cell(record)}
                    </Link>
                  ) : (
                    cell(record)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(records.length > limit || onMore) && (
        <Button variant="default" onClick={showMore} className={styles.more}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

/** `j` and `k` move between the links of the rows, and so do arrow keys while one of them has the focus. */
function useRowKeys(table: React.RefObject<HTMLTableElement | null>, label: string): void {
  const { records: texts } = useTexts().app;
  const move = (step: 1 | -1, needsFocus: boolean) => {
    const links: HTMLElement[] = [...(table.current?.querySelectorAll<HTMLElement>(ROW_LINK) ?? [])];
    const index = links.indexOf(document.activeElement as HTMLElement);
    if (links.length === 0 || (needsFocus && index < 0)) return false;
    const next = index < 0 ? 0 : Math.min(Math.max(index + step, 0), links.length - 1);
    links[next]?.focus();
    return true;
  };
  useHotkeys(label, [
    { keys: 'j', label: texts.next, run: () => move(1, false) },
    { keys: 'k', label: texts.previous, run: () => move(-1, false) },
    { keys: 'ArrowDown', run: () => move(1, true) },
    { keys: 'ArrowUp', run: () => move(-1, true) },
  ]);
}
