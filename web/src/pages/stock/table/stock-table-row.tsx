import { memo } from 'react';
import { Link } from 'wouter';
import { AlertBadge, StatusBadge } from '../../../components/badge.tsx';
import type { QuantityEdit } from '../../../components/parse-quantity.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { availableOf, type StockRow } from '../../../stock/stock-row.ts';
import type { Texts } from '../../../texts/en.ts';
import type { Format } from '../../../texts/format.ts';
import type { PendingEdit } from '../edit/edit-book.ts';
import { ConflictNote } from './conflict-note.tsx';
import cell from './quantity-cell.module.css';
import { QuantityInput } from './quantity-input.tsx';
import styles from './stock-table.module.css';

const FLASH_MS = 1_500;

export interface RowActions {
  save(seen: StockRow, edit: QuantityEdit, move: number): void;
  cancel(): void;
  keepTheirs(petId: string): void;
  setMine(seen: StockRow): void;
}

interface Props {
  readonly row: StockRow;
  /** The index of the row among the shown rows. */
  readonly position: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly mayEdit: boolean;
  /** What was typed to begin an edit of this row; `undefined`: it is not edited. */
  readonly typed: string | undefined;
  readonly edit: PendingEdit | undefined;
  /** Whether the name, or another text of the row, is one that waits for the connection. */
  readonly isDetailWaiting: boolean;
  readonly actions: RowActions;
  readonly texts: Texts;
  readonly format: Format;
}

/** A row of plain elements: it is drawn tens of times per key in search. Clicks are handled by the table. */
export const StockTableRow = memo(function StockTableRow(props: Props) {
  const { row, position, top, isActive, isSelected, texts, format, edit, actions } = props;
  const { petId, sku, category, status, reserved, alertLevel } = row;
  const name = row.name ?? texts.shared.unnamed(petId);
  return (
    <div
      role="row"
      id={`row-${petId}`}
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      data-position={position}
      data-active={isActive || undefined}
      data-editing={props.typed !== undefined || undefined}
    >
      <div role="gridcell" className={styles.check}>
        <input
          type="checkbox"
          checked={isSelected}
          readOnly
          tabIndex={-1}
          aria-label={texts.stock.select(name)}
        />
      </div>
      <div role="gridcell" className={`${styles.id} number`} title={petId}>
        {petId}
      </div>
      <div role="gridcell" className={styles.name}>
        <Link
          href={`/pets/${petId}`}
          tabIndex={-1}
          className={styles.link}
          title={props.isDetailWaiting ? `${name}: ${texts.stock.waits}` : name}
          data-waiting-details={props.isDetailWaiting || undefined}
        >
          {name}
        </Link>
        <span className={styles.below} aria-hidden="true">
          {sku !== null && <>{sku} · </>}
          <bdi>{category ?? texts.shared.noCategory}</bdi> · {texts.shared.status[status]}
        </span>
      </div>
      <div role="gridcell" className={styles.sku} title={sku ?? undefined}>
        {sku}
      </div>
      <div role="gridcell" className={styles.category} title={category ?? undefined}>
        {category}
      </div>
      <div role="gridcell" className={styles.status}>
        <StatusBadge status={status} />
      </div>
      <div role="gridcell" className={styles.alert}>
        {alertLevel && <AlertBadge level={alertLevel} />}
      </div>
      <div role="gridcell" className={`${styles.reserved} number`} data-zero={reserved === 0 || undefined}>
        {format.quantity(reserved)}
      </div>
      <div
        role="gridcell"
        className={`${styles.available} number`}
        data-zero={availableOf(row) === 0 || undefined}
      >
        {format.quantity(availableOf(row))}
      </div>
      <div role="gridcell" className={styles.quantity}>
        <QuantityCell {...props} name={name} />
        {edit?.kind === 'conflict' && (
          <ConflictNote
            current={row.quantity}
            edit={edit}
            onKeep={() => actions.keepTheirs(petId)}
            onSet={() => actions.setMine(row)}
          />
        )}
      </div>
      <div role="gridcell" className={styles.changed}>
        <RelativeTime at={new Date(row.updatedAtMs).toISOString()} />
      </div>
    </div>
  );
});

function QuantityCell({ row, name, typed, edit, mayEdit, actions, texts, format }: Props & { name: string }) {
  const label = texts.stock.editQuantity(name);
  const shown = edit && edit.kind !== 'conflict' ? edit.quantity : row.quantity;
  const isWaiting = edit?.kind === 'waiting';
  if (typed !== undefined) {
    return (
      <QuantityInput
        label={label}
        row={row}
        current={shown}
        typed={typed}
        onSave={(parsed, move, seen) => actions.save(seen, parsed, move)}
        onCancel={actions.cancel}
      />
    );
  }
  const isFlashing = Date.now() - row.flashedAtMs < FLASH_MS;
  return (
    <button
      // Another key starts the animation again.
      key={isFlashing ? row.flashedAtMs : 'still'}
      type="button"
      tabIndex={-1}
      disabled={!mayEdit}
      className={`${cell.value} number`}
      data-cell="quantity"
      data-saving={edit?.kind === 'saving' || undefined}
      data-waiting={isWaiting || undefined}
      title={isWaiting ? texts.stock.waits : undefined}
      data-flash={isFlashing || undefined}
      aria-label={`${label}: ${format.quantity(shown)}${isWaiting ? `, ${texts.stock.waits}` : ''}`}
    >
      {format.quantity(shown)}
    </button>
  );
}
