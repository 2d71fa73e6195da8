import type { RefObject } from 'react';
import { useHotkeys } from '../../../components/hotkeys/hotkey-provider.tsx';
import type { Hotkey } from '../../../components/hotkeys/hotkeys.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Selection } from './use-selection.ts';

interface TableKeys {
  readonly gridRef: RefObject<HTMLDivElement | null>;
  readonly position: number;
  readonly last: number;
  /** Rows that Page Up and Page Down pass. */
  readonly pageRows: number;
  readonly selection: Selection;
  petIdAt(position: number): string;
  moveTo(position: number): void;
  beginEdit(position: number, typed: string): void;
  open(petId: string): void;
  adjust(petIds: readonly string[]): void;
}

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', 'Shift++', '-'];

/**
 * The keys of the table. They work on the whole page, except where a field or a button has the focus; a button keeps all but
 * that of the selection of all rows. A link of the navigation, and the box of a row that was clicked, keep only Enter.
 */
export function useTableKeys(table: TableKeys): void {
  const { app, stock } = useTexts();
  const { keys } = stock;
  const { position, last, selection } = table;
  const { gridRef } = table;

  const inGrid = (run: () => void) => {
    if (last < 0) return false;
    gridRef.current?.focus({ preventScroll: true });
    run();
    return true;
  };
  const rowKey = (run: () => void) => (event: KeyboardEvent) => {
    const focused = document.activeElement;
    const isOnPage = focused === document.body || focused === gridRef.current || focused?.id === 'content';
    const isFree =
      isOnPage ||
      (event.key !== 'Enter' && focused?.matches('nav a, [data-position] input[type="checkbox"]') === true);
    return isFree && inGrid(run);
  };
  const move = (to: number) => rowKey(() => table.moveTo(to));
  const extend = (to: number) =>
    rowKey(() => {
      if (selection.petIds.size === 0) selection.anchorAt(position);
      table.moveTo(to);
      selection.extendTo(Math.max(0, Math.min(to, last)), position);
    });
  const adjust = () => {
    if (last < 0) return false;
    table.adjust(selection.petIds.size > 0 ? [...selection.petIds] : [table.petIdAt(position)]);
    return true;
  };

  useHotkeys(app.pages.stock, [
    { keys: 'j', label: keys.next, run: move(position + 1) },
    { keys: 'k', label: keys.previous, run: move(position - 1) },
    { keys: 'ArrowDown', run: move(position + 1) },
    { keys: 'ArrowUp', run: move(position - 1) },
    { keys: 'Home', label: keys.ends, run: move(0) },
    { keys: 'End', run: move(last) },
    { keys: 'PageDown', run: move(position + table.pageRows) },
    { keys: 'PageUp', run: move(position - table.pageRows) },
    { keys: 'Shift+ArrowDown', run: extend(position + 1) },
    { keys: 'Shift+ArrowUp', run: extend(position - 1) },
    {
      keys: 'Enter',
      label: keys.edit,
      run: rowKey(() => table.beginEdit(position, '')),
    },
    ...DIGITS.map((key): Hotkey => ({
      keys: key,
      run: rowKey(() => table.beginEdit(position, key.replace('Shift+', ''))),
    })),
    { keys: 'o', label: keys.open, run: rowKey(() => table.open(table.petIdAt(position))) },
    { keys: 'e', label: keys.adjust, run: adjust },
    {
      keys: 'x',
      label: keys.select,
      run: rowKey(() => {
        selection.anchorAt(position);
        selection.toggle(table.petIdAt(position));
      }),
    },
    // A button has no use for it, such as that of the filters, which gets the focus back from its menu.
    {
      keys: 'Mod+a',
      label: keys.selectAll,
      run: () => inGrid(() => selection.selectAll()),
    },
    {
      keys: 'Escape',
      label: keys.clear,
      run: () => {
        if (selection.petIds.size === 0) return false;
        selection.clear();
        return true;
      },
    },
  ]);
}
