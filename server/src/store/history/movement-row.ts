import type { PetStatus } from '../../domain/inventory.ts';
import type { Movement, MovementKind, Reason } from '../../domain/ledger.ts';
import { hexOf } from '../ledger/ledger-bounds.ts';

/** What `MOVEMENT_COLUMNS` returns. */
export interface MovementRow {
  readonly sequence: number;
  readonly previousSequence: number | null;
  readonly petId: string;
  readonly version: number;
  readonly kind: MovementKind;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly reason: Reason | null;
  readonly note: string | null;
  readonly referenceDocumentUri: string | null;
  readonly referenceId: string | null;
  readonly occurredAtMs: number | null;
  readonly actor: string;
  readonly actorName: string;
  readonly requestId: string | null;
  readonly recordedAtMs: number;
  readonly revertedSequence: number | null;
  readonly hash: Uint8Array;
}

/** The columns of a movement, out of `movements LEFT JOIN api_keys ON id = actor`; SQLite and PostgreSQL understand them. */
export const MOVEMENT_COLUMNS = `movements.sequence, previous_sequence AS "previousSequence",
CAST(movements.pet_id AS text) AS "petId", movements.version, movements.kind, quantity_before AS "quantityBefore",
quantity_after AS "quantityAfter", status_before AS "statusBefore", status_after AS "statusAfter", reason, note,
reference_document_uri AS "referenceDocumentUri", reference_id AS "referenceId", occurred_at AS "occurredAtMs",
actor, coalesce(api_keys.name, actor) AS "actorName", request_id AS "requestId", recorded_at AS "recordedAtMs",
reverted_sequence AS "revertedSequence", movements.hash`;

export const MOVEMENT_BY_SEQUENCE = `SELECT ${MOVEMENT_COLUMNS} FROM movements LEFT JOIN api_keys ON api_keys.id = actor
WHERE sequence = $1`;

/** Field by field: to spread a row of SQLite's takes four times as long. What else the row has is left out. */
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
