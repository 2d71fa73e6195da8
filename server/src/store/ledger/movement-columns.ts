import type { Movement } from '../../domain/ledger/ledger.ts';
import { bytesOf } from '../hex.ts';

/** The types of columns as PostgreSQL names them. */
type ColumnType = 'text' | 'bigint' | 'bytea';

/** What a row of `movements` has; the name of its actor is in `api_keys`. */
export type StoredMovement = Omit<Movement, 'actorName'>;

interface Column {
  readonly field: keyof StoredMovement;
  readonly name: string;
  readonly type: ColumnType;
}

/** The one definition of a movement's columns, in the order of the table and of every list of values. */
export const MOVEMENT_COLUMNS: readonly Column[] = [
  { field: 'sequence', name: 'sequence', type: 'bigint' },
  { field: 'previousSequence', name: 'previous_sequence', type: 'bigint' },
  { field: 'petId', name: 'pet_id', type: 'bigint' },
  { field: 'version', name: 'version', type: 'bigint' },
  { field: 'kind', name: 'kind', type: 'text' },
  { field: 'quantityBefore', name: 'quantity_before', type: 'bigint' },
  { field: 'quantityAfter', name: 'quantity_after', type: 'bigint' },
  { field: 'statusBefore', name: 'status_before', type: 'text' },
  { field: 'statusAfter', name: 'status_after', type: 'text' },
  { field: 'reservedBefore', name: 'reserved_before', type: 'bigint' },
  { field: 'reservedAfter', name: 'reserved_after', type: 'bigint' },
  { field: 'alertBefore', name: 'alert_before', type: 'text' },
  { field: 'alertAfter', name: 'alert_after', type: 'text' },
  { field: 'orderId', name: 'order_id', type: 'bigint' },
  { field: 'reason', name: 'reason', type: 'text' },
  { field: 'note', name: 'note', type: 'text' },
  { field: 'referenceDocumentUri', name: 'reference_document_uri', type: 'text' },
  { field: 'referenceId', name: 'reference_id', type: 'text' },
  { field: 'occurredAtMs', name: 'occurred_at', type: 'bigint' },
  { field: 'actor', name: 'actor', type: 'text' },
  { field: 'requestId', name: 'request_id', type: 'text' },
  { field: 'recordedAtMs', name: 'recorded_at', type: 'bigint' },
  { field: 'revertedSequence', name: 'reverted_sequence', type: 'bigint' },
  { field: 'hash', name: 'hash', type: 'bytea' },
];

export const MOVEMENT_COLUMN_NAMES = MOVEMENT_COLUMNS.map(({ name }) => name).join(', ');

/** The columns for SELECT from `movements`, in the same order: a petId as text, because no number can hold it. */
export const SELECTED_COLUMNS = MOVEMENT_COLUMNS.map(({ field, name }) =>
  field === 'petId' ? `CAST(movements.${name} AS text)` : `movements.${name}`,
);

/** The values of a movement in the order of the columns. Field by field: a loop over names takes twice as long. */
export function movementValues(movement: StoredMovement) {
  return [
    movement.sequence,
    movement.previousSequence,
    movement.petId,
    movement.version,
    movement.kind,
    movement.quantityBefore,
    movement.quantityAfter,
    movement.statusBefore,
    movement.statusAfter,
    movement.reservedBefore,
    movement.reservedAfter,
    movement.alertBefore,
    movement.alertAfter,
    movement.orderId,
    movement.reason,
    movement.note,
    movement.referenceDocumentUri,
    movement.referenceId,
    movement.occurredAtMs,
    movement.actor,
    movement.requestId,
    movement.recordedAtMs,
    movement.revertedSequence,
    bytesOf(movement.hash),
  ];
}

const ARRAYS = MOVEMENT_COLUMNS.map(({ type }, i) => `$${i + 1}::${type}[]`);

/** Adds the movements whose columns are `movementArrays`. */
export const RECORD_MOVEMENTS = `INSERT INTO movements (${MOVEMENT_COLUMN_NAMES})
SELECT * FROM unnest(${ARRAYS.join(', ')})`;

/** An array per column. */
export function movementArrays(movements: readonly Movement[]): unknown[] {
  return MOVEMENT_COLUMNS.map(({ field, type }) => {
    const values = movements.map((movement) => movement[field]);
    // `unnest` fills up a shorter array with nulls.
    if (values.every((value) => value === null)) return [];
    if (type === 'text') return values;
    // The client quotes each text. Numbers and hashes need no quotes: their array's text takes a quarter of the time.
    const texts = type === 'bytea' ? values.map((hash) => `"\\\\x${hash}"`) : values;
    return `{${texts.map((text) => text ?? 'NULL').join()}}`;
  });
}
