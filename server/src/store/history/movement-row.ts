import type { Movement } from '../../domain/ledger/ledger.ts';
import { hexOf } from '../hex.ts';
import { MOVEMENT_COLUMNS, SELECTED_COLUMNS, type StoredMovement } from '../ledger/movement-columns.ts';

/** A movement as a database returns it. */
type Stored<Fields> = {
  readonly [Name in keyof Fields]: Name extends 'petId'
    ? string
    : Name extends 'hash'
      ? Uint8Array
      : Fields[Name];
};

/** A row of `MOVEMENT_FIELDS`. */
export type MovementRow = Stored<Movement>;

/**
 * The fields of a movement, from `movements LEFT JOIN api_keys ON api_keys.id = actor`; SQLite and PostgreSQL accept this
 * text.
 */
export const MOVEMENT_FIELDS = [
  ...SELECTED_COLUMNS.map((column, i) => `${column} AS "${MOVEMENT_COLUMNS[i]?.field}"`),
  'coalesce(api_keys.name, actor) AS "actorName"',
].join(', ');

export const MOVEMENT_BY_SEQUENCE = `SELECT ${MOVEMENT_FIELDS} FROM movements LEFT JOIN api_keys ON api_keys.id = actor
WHERE sequence = $1`;

/** Field by field: to spread a row of SQLite's takes four times as long. Other columns of the row are left out. */
export function toMovement(row: MovementRow): Movement {
  return {
    sequence: row.sequence,
    previousSequence: row.previousSequence,
    petId: BigInt(row.petId),
    version: row.version,
    kind: row.kind,
    quantityBefore: row.quantityBefore,
    quantityAfter: row.quantityAfter,
    statusBefore: row.statusBefore,
    statusAfter: row.statusAfter,
    reservedBefore: row.reservedBefore,
    reservedAfter: row.reservedAfter,
    alertBefore: row.alertBefore,
    alertAfter: row.alertAfter,
    orderId: row.orderId,
    reason: row.reason,
    note: row.note,
    referenceDocumentUri: row.referenceDocumentUri,
    referenceId: row.referenceId,
    occurredAtMs: row.occurredAtMs,
    actor: row.actor,
    actorName: row.actorName,
    requestId: row.requestId,
    recordedAtMs: row.recordedAtMs,
    revertedSequence: row.revertedSequence,
    hash: hexOf(row.hash),
  };
}

/** A movement from the values of `SELECTED_COLUMNS`, for cold code. */
export function movementOf(values: readonly unknown[]): StoredMovement {
  const fields: Record<string, unknown> = {};
  for (const [i, { field }] of MOVEMENT_COLUMNS.entries()) fields[field] = values[i];
  fields.petId = BigInt(fields.petId as string);
  fields.hash = hexOf(fields.hash as Uint8Array);
  return fields as unknown as StoredMovement;
}
