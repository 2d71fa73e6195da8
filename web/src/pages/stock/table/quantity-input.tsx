import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { parseQuantity, type QuantityEdit } from '../../../components/parse-quantity.ts';
import type { StockRow } from '../../../stock/stock-row.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './quantity-cell.module.css';

interface Props {
  readonly label: string;
  /** The pet as it is now. */
  readonly row: StockRow;
  /** The quantity that the table shows, which may not be confirmed yet. */
  readonly current: number;
  /** What was typed to begin the edit; without it the current quantity is selected. */
  readonly typed: string;
  /**
   * @param move How many rows to go on.
   * @param seen The pet when the person began to type.
   */
  readonly onSave: (edit: QuantityEdit, move: number, seen: StockRow) => void;
  readonly onCancel: () => void;
}

/** A number sets, `+3` and `-2` add. What it leads to shows before it is saved. */
export function QuantityInput({ label, row, current, typed, onSave, onCancel }: Props) {
  const { stock } = useTexts();
  const format = useFormat();
  const [own, setOwn] = useState(typed === '' ? undefined : { text: typed, seen: row, before: current });
  const { text, seen, before } = own ?? { text: String(current), seen: row, before: current };
  const edit = parseQuantity(text, current);
  const field = useRef<HTMLInputElement>(null);
  // Until something is typed, the field follows the changes of others: it would set their quantity back.
  useLayoutEffect(() => {
    if (own === undefined && text !== '') field.current?.select();
  }, [own, text]);
  const isInvalid = edit === undefined && text.trim() !== '' && !/^[+\-−]$/.test(text.trim());

  // The focus leaves the field when Enter or Escape has ended the edit.
  const isDone = useRef(false);
  const end = (how: () => void) => {
    if (isDone.current) return;
    isDone.current = true;
    how();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      end(onCancel);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (edit) end(() => onSave(edit, event.shiftKey ? -1 : 1, seen));
  };
  const onBlur = () => end(() => (edit && edit.delta !== 0 ? onSave(edit, 0, seen) : onCancel()));

  return (
    <span className={styles.editor}>
      <input
        className={`${styles.input} number`}
        aria-label={label}
        aria-invalid={isInvalid}
        inputMode="numeric"
        enterKeyHint="done"
        autoComplete="off"
        value={text}
        ref={(input) => {
          field.current = input;
          if (input && input !== document.activeElement) input.focus();
        }}
        onChange={(event) => setOwn({ seen, before, text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      <span className={`${styles.preview} number`} data-invalid={isInvalid || undefined} role="status">
        {isInvalid
          ? stock.invalid
          : edit &&
            edit.delta !== 0 && (
              <>
                {before !== current && (
                  <span className={styles.was}>{stock.was(format.quantity(before))}</span>
                )}
                {stock.becomes(format.quantity(current), format.quantity(edit.quantity))}
                <span className={styles.delta}>{format.change(edit.delta)}</span>
              </>
            )}
      </span>
    </span>
  );
}
