import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { movementOf } from '../history/movement-row.ts';
import { MOVEMENT_COLUMNS, SELECTED_COLUMNS, type StoredMovement } from '../ledger/movement-columns.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';

/** Sequences per page; a page takes 8 KiB. */
const PAGE = 65_536;

/** A set of sequences: one bit for each, on pages that exist only where needed. */
export class SequenceSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Returns whether it was new. */
  add(sequence: number): boolean {
    const key = Math.floor(sequence / PAGE);
    let page = this.#pages.get(key);
    if (!page) {
      page = new Uint8Array(PAGE / 8);
      this.#pages.set(key, page);
    }
    const place = sequence - key * PAGE;
    const [byte, bit] = [place >> 3, 1 << (place & 7)];
    const held = page[byte] as number;
    page[byte] = held | bit;
    return (held & bit) === 0;
  }

  has(sequence: number): boolean {
    const key = Math.floor(sequence / PAGE);
    const place = sequence - key * PAGE;
    return ((this.#pages.get(key)?.[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }
}

/** What an audit reads. */
export interface AuditSource extends RowReader {
  /** A sentence about the damage, if damage is why a read failed. */
  damageOf(error: unknown): string | undefined;
}

/** A movement with the pet of the movement that it reverts, if the ledger still has that one. */
export interface AuditedMovement {
  readonly movement: StoredMovement;
  readonly revertedPetId: string | null;
}

/** The stock of a pet as its row has it. */
export interface AuditedStock {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: string;
  readonly version: number;
  readonly lastSequence: number;
  readonly updatedAtMs: number;
  readonly reserved: number;
  readonly alertLevel: string | null;
}

/** The record of a deleted pet. */
export type DeletedPet = Pick<AuditedStock, 'petId' | 'version' | 'lastSequence'>;

/** Rows per statement: one or two milliseconds of work. */
const ROWS_PER_PAGE = 250;

const AUDITED_MOVEMENTS = rowStatement(
  'auditMovements',
  `SELECT ${SELECTED_COLUMNS.join(', ')}, (
  SELECT CAST(reverted.pet_id AS text) FROM movements AS reverted WHERE reverted.sequence = movements.reverted_sequence
)
FROM movements WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${ROWS_PER_PAGE}`,
);

const STOCK = rowStatement(
  'auditStock',
  `SELECT CAST(pet_id AS text), quantity, status, version, last_sequence, updated_at,
reserved, alert_level, (SELECT coalesce(max(sequence), 0) FROM movements)
FROM inventory WHERE pet_id >= CAST($1 AS bigint) ORDER BY inventory.pet_id LIMIT ${ROWS_PER_PAGE}`,
);
type StockRow = readonly [
  petId: string,
  quantity: number,
  status: string,
  version: number,
  lastSequence: number,
  updatedAtMs: number,
  reserved: number,
  alertLevel: string | null,
  head: number,
];

/** The first movements after a sequence up to another one, oldest first. */
export async function nextPage(
  source: RowReader,
  after: number,
  upTo: number,
): Promise<readonly AuditedMovement[]> {
  return (await source.read(AUDITED_MOVEMENTS, [after, upTo])).map(toAudited);
}

/** The movements after a sequence up to another one, oldest first, in pages. */
export async function* movementPages(
  source: RowReader,
  after: number,
  upTo: number,
): AsyncGenerator<readonly AuditedMovement[]> {
  for (let position = after; ;) {
    const page = await nextPage(source, position, upTo);
    yield page;
    const last = page.at(-1)?.movement.sequence;
    // A damaged index may return the same rows again.
    if (last === undefined || page.length < ROWS_PER_PAGE || last <= position) return;
    position = last;
  }
}

/** Rows of two numbers per statement. */
const PREVIOUS_PER_PAGE = 2_000;
const PREVIOUS = rowStatement(
  'previousSequences',
  `SELECT sequence, previous_sequence FROM movements WHERE sequence > $1 AND sequence <= $2
ORDER BY sequence LIMIT ${PREVIOUS_PER_PAGE}`,
);
type PreviousRow = readonly [sequence: number, previousSequence: number | null];

/** The movements up to a sequence that are not the newest of their pet. */
export async function readSuperseded(source: RowReader, upTo: number): Promise<SequenceSet> {
  const superseded = new SequenceSet();
  for (let position = 0; ;) {
    const rows = await source.read<PreviousRow>(PREVIOUS, [position, upTo]);
    for (const [, previous] of rows) if (previous !== null) superseded.add(previous);
    const last = rows.at(-1)?.[0];
    if (last === undefined || rows.length < PREVIOUS_PER_PAGE || last <= position) return superseded;
    position = last;
  }
}

/** The stock of all pets in pages, ascending by pet, each as it was when the ledger ended at `head`. */
export async function* stockPages(
  source: RowReader,
): AsyncGenerator<{ readonly head: number; readonly stock: readonly AuditedStock[] }> {
  for (let from = MIN_INT64; ;) {
    const rows = await source.read<StockRow>(STOCK, [String(from)]);
    const stock = rows.map(toStock);
    const last = stock.at(-1);
    if (!last) return;
    yield { head: rows[0]?.[8] ?? 0, stock };
    if (rows.length < ROWS_PER_PAGE || last.petId < from || last.petId === MAX_INT64) return;
    from = last.petId + 1n;
  }
}

const DELETED = rowStatement(
  'auditDeleted',
  `SELECT CAST(pet_id AS text), version, last_sequence, (SELECT coalesce(max(sequence), 0) FROM movements)
FROM deleted_pets WHERE pet_id >= CAST($1 AS bigint) ORDER BY deleted_pets.pet_id LIMIT ${ROWS_PER_PAGE}`,
);
type DeletedRow = readonly [petId: string, version: number, lastSequence: number, head: number];

/** The records of deleted pets in pages, as `stockPages`. */
export async function* deletedPages(
  source: RowReader,
): AsyncGenerator<{ readonly head: number; readonly deleted: readonly DeletedPet[] }> {
  for (let from = MIN_INT64; ;) {
    const rows = await source.read<DeletedRow>(DELETED, [String(from)]);
    const deleted = rows.map(([petId, version, lastSequence]) => ({
      petId: BigInt(petId),
      version,
      lastSequence,
    }));
    const last = deleted.at(-1);
    if (!last) return;
    yield { head: rows[0]?.[3] ?? 0, deleted };
    if (rows.length < ROWS_PER_PAGE || last.petId < from || last.petId === MAX_INT64) return;
    from = last.petId + 1n;
  }
}

function toStock(row: StockRow): AuditedStock {
  return {
    petId: BigInt(row[0]),
    quantity: row[1],
    status: row[2],
    version: row[3],
    lastSequence: row[4],
    updatedAtMs: row[5],
    reserved: row[6],
    alertLevel: row[7],
  };
}

function toAudited(row: readonly unknown[]): AuditedMovement {
  return { movement: movementOf(row), revertedPetId: row[MOVEMENT_COLUMNS.length] as string | null };
}
