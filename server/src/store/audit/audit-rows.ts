import type { PetStatus } from '../../domain/inventory.ts';
import type { Movement, MovementKind, Reason } from '../../domain/ledger.ts';
import { hexOf } from '../ledger/ledger-bounds.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';
import { SequenceSet } from './sequence-bitset.ts';

/** What an audit asks of a database. */
export interface AuditSource extends RowReader {
  /** A sentence about what is damaged, if that is why something could not be read. */
  damageOf(error: unknown): string | undefined;
}

/** A movement with the pet of the movement that it takes back, if that one is there. */
export interface AuditedMovement {
  readonly movement: Omit<Movement, 'actorName'>;
  readonly revertedPetId: string | null;
}

/** The stock of a pet as its row says, and where the ledger stood when it said so. */
export interface AuditedStock {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: string;
  readonly version: number;
  readonly lastSequence: number;
  readonly updatedAtMs: number;
}

/** Rows that are read at once: a millisecond of work or two. */
const SLICE = 250;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

export const AUDITED_MOVEMENTS = rowStatement(
  'auditMovements',
  `SELECT sequence, previous_sequence, CAST(pet_id AS text), version, kind, quantity_before, quantity_after, status_before,
status_after, reason, note, reference_document_uri, reference_id, occurred_at, actor, request_id, recorded_at,
reverted_sequence, hash, (
  SELECT CAST(reverted.pet_id AS text) FROM movements AS reverted WHERE reverted.sequence = movements.reverted_sequence
)
FROM movements WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${SLICE}`,
);
export type AuditedRow = readonly [
  sequence: number,
  previousSequence: number | null,
  petId: string,
  version: number,
  kind: MovementKind,
  quantityBefore: number,
  quantityAfter: number,
  statusBefore: PetStatus | null,
  statusAfter: PetStatus,
  reason: Reason | null,
  note: string | null,
  referenceDocumentUri: string | null,
  referenceId: string | null,
  occurredAtMs: number | null,
  actor: string,
  requestId: string | null,
  recordedAtMs: number,
  revertedSequence: number | null,
  hash: Uint8Array,
  revertedPetId: string | null,
];

const STOCK = rowStatement(
  'auditStock',
  `SELECT CAST(pet_id AS text), quantity, status, version, last_sequence, updated_at,
(SELECT coalesce(max(sequence), 0) FROM movements)
FROM inventory WHERE pet_id >= CAST($1 AS bigint) ORDER BY inventory.pet_id LIMIT ${SLICE}`,
);
type StockRow = readonly [
  petId: string,
  quantity: number,
  status: string,
  version: number,
  lastSequence: number,
  updatedAtMs: number,
  head: number,
];

/** The first movements after a sequence up to another one, oldest first. */
export async function nextSlice(
  source: RowReader,
  after: number,
  upTo: number,
): Promise<readonly AuditedMovement[]> {
  return (await source.read<AuditedRow>(AUDITED_MOVEMENTS, [after, upTo])).map(toAudited);
}

/** The movements after a sequence up to another one, oldest first, in slices. */
export async function* movementSlices(
  source: RowReader,
  after: number,
  upTo: number,
): AsyncGenerator<readonly AuditedMovement[]> {
  for (let position = after; ; ) {
    const slice = await nextSlice(source, position, upTo);
    yield slice;
    const last = slice.at(-1)?.movement.sequence;
    // An index that is damaged may hand out the same rows again.
    if (last === undefined || slice.length < SLICE || last <= position) return;
    position = last;
  }
}

/** Rows of two numbers that are read at once. */
const PREVIOUS_SLICE = 2_000;
const PREVIOUS = rowStatement(
  'previousSequences',
  `SELECT sequence, previous_sequence FROM movements WHERE sequence > $1 AND sequence <= $2
ORDER BY sequence LIMIT ${PREVIOUS_SLICE}`,
);
type PreviousRow = readonly [sequence: number, previousSequence: number | null];

/** The movements that a later one of the same pet follows, up to a sequence. */
export async function readSuperseded(source: RowReader, upTo: number): Promise<SequenceSet> {
  const superseded = new SequenceSet();
  for (let position = 0; ; ) {
    const rows = await source.read<PreviousRow>(PREVIOUS, [position, upTo]);
    for (const [, previous] of rows) if (previous !== null) superseded.add(previous);
    const last = rows.at(-1)?.[0];
    if (last === undefined || rows.length < PREVIOUS_SLICE || last <= position) return superseded;
    position = last;
  }
}

/** The stock of all pets in slices, ascending by pet, each as it was when the ledger ended at `head`. */
export async function* stockSlices(
  source: RowReader,
): AsyncGenerator<{ readonly head: number; readonly stock: readonly AuditedStock[] }> {
  for (let from = MIN_INT64; ; ) {
    const rows = await source.read<StockRow>(STOCK, [String(from)]);
    const stock = rows.map(toStock);
    const last = stock.at(-1);
    if (!last) return;
    yield { head: rows[0]?.[6] ?? 0, stock };
    if (rows.length < SLICE || last.petId < from || last.petId === MAX_INT64) return;
    from = last.petId + 1n;
  }
}

function toStock([petId, quantity, status, version, lastSequence, updatedAtMs]: StockRow): AuditedStock {
  return { petId: BigInt(petId), quantity, status, version, lastSequence, updatedAtMs };
}

export function toAudited(row: AuditedRow): AuditedMovement {
  const movement = {
    sequence: row[0],
    previousSequence: row[1],
    petId: BigInt(row[2]),
    version: row[3],
    kind: row[4],
    quantityBefore: row[5],
    quantityAfter: row[6],
    statusBefore: row[7],
    statusAfter: row[8],
    reason: row[9],
    note: row[10],
    referenceDocumentUri: row[11],
    referenceId: row[12],
    occurredAtMs: row[13],
    actor: row[14],
    requestId: row[15],
    recordedAtMs: row[16],
    revertedSequence: row[17],
    hash: hexOf(row[18]),
  };
  return { movement, revertedPetId: row[19] };
}
