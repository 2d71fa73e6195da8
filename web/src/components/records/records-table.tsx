import { Button } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { useLocation } from 'wouter';
import { useKeptState } from '../../stock/stock-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useHotkeys } from '../hotkeys/hotkey-provider.tsx';
import styles from './records-table.module.css';
import { MoreOnPaper } from './more-on-paper.tsx';
import { Table, type TableProps } from './table.tsx';
import { MAX_PRINTED, usePrinting } from './use-printing.ts';

interface Props<T> extends TableProps<T> {
  readonly label: string;
  /** Loads the next page of records, if there is one. */
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
  /** What the button for it says, in place of "Show more". */
  readonly moreLabel?: string;
}

const STEP = 100;
const ROW_LINK = 'a[data-row]';

/** A table of some hundred records. The rest follows on request. Paper has all records that are read. */
export function RecordsTable<T>({ onMore, isLoadingMore, moreLabel, ...props }: Props<T>) {
  const { label, records } = props;
  const { records: texts } = useTexts().app;
  const [path] = useLocation();
  const [limit, setLimit] = useKeptState(`rows ${label} ${path}`, STEP);
  const isPrinting = usePrinting();
  const shown = records.slice(0, isPrinting ? MAX_PRINTED : limit);
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table, label);
  const showMore = () => {
    setLimit((shown) => shown + STEP);
    if (records.length <= limit) onMore?.();
  };
  return (
    <>
      <Table {...props} records={shown} tableRef={table} />
      {(records.length > shown.length || onMore) && (
        <>
          <Button variant="default" onClick={showMore} loading={isLoadingMore} className={styles.more}>
            {moreLabel ?? texts.more}
          </Button>
          <MoreOnPaper count={shown.length} />
        </>
      )}
    </>
  );
}

/** `j` and `k` move between the links of the rows, and so do arrow keys while one of them has the focus. */
function useRowKeys(table: RefObject<HTMLTableElement | null>, label: string): void {
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
