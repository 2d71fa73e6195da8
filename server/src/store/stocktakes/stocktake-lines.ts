import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { Stocktake, StocktakeLine } from '../../domain/management/stocktakes.ts';
import type { SqlReader } from '../sql-client.ts';
import { batchesOf } from '../batches.ts';

/** Rows per statement. */
const ROWS = 1_000;

const FROM_PET = '(pet_id, sequence) > ($2, $3) AND pet_id <= $4';

/**
 * Movements that name the stock-take `$1`, in the order of their pets. SQLite uses the index of stock-takes only where its
 * condition is in the statement, word for word, and enters it by a range only where no CAST hides the parameters.
 */
export const COUNT_ROWS = `SELECT CAST(pet_id AS text) AS "petId", found.sequence, kind, quantity_before AS before,
quantity_after AS after, actor, coalesce(api_keys.name, actor) AS "actorName", recorded_at AS "recordedAtMs", counted
FROM (
  SELECT * FROM movements WHERE substr(reference_id, 1, 4) = 'stk_' AND reference_id = $1 AND ${FROM_PET}
  ORDER BY pet_id, sequence LIMIT ${ROWS}
) AS found
LEFT JOIN stocktake_counts ON stocktake_counts.sequence = found.sequence
LEFT JOIN api_keys ON api_keys.id = actor ORDER BY found.pet_id, found.sequence`;

/** A subquery, which no planner joins with all movements. One statement, because a chain can have thousands of reverts. */
const reverts = (sequences: readonly number[]) => `WITH RECURSIVE chain (first, sequence) AS (
  SELECT reverted_sequence, sequence FROM movements WHERE reverted_sequence IN (${sequences.join()})
  UNION ALL
  SELECT chain.first, (SELECT next.sequence FROM movements AS next WHERE next.reverted_sequence = chain.sequence)
  FROM chain WHERE chain.sequence IS NOT NULL
)
SELECT first, sequence FROM chain WHERE sequence IS NOT NULL ORDER BY sequence`;

const LINES = `SELECT CAST(pet_id AS text) AS "petId", sequence, expected, counted, posted, counts, actor,
coalesce(api_keys.name, actor) AS "actorName", counted_at AS "countedAtMs"
FROM (
  SELECT * FROM stocktake_lines WHERE stocktake_id = $1 AND pet_id > $2 AND pet_id <= $3 ORDER BY pet_id LIMIT ${ROWS}
) AS lines LEFT JOIN api_keys ON api_keys.id = actor ORDER BY lines.pet_id`;

interface CountRow {
  readonly petId: string;
  readonly sequence: number;
  readonly kind: string;
  readonly before: number;
  readonly after: number;
  readonly actor: string;
  readonly actorName: string;
  readonly recordedAtMs: number;
  /** What was counted, where the movement leaves the stock as it is. */
  readonly counted: number | null;
}

/** What a stock-take did to a pet. */
export interface CountedPet {
  readonly petId: bigint;
  /** None where all counts were undone. */
  readonly line: StocktakeLine | undefined;
  /** Movements whose revert takes back what the stock-take still changes. */
  readonly effective: readonly OwnChange[];
}

/** A movement of a stock-take, with the units that it added. */
export interface OwnChange {
  readonly sequence: number;
  readonly delta: number;
}

interface PetRange {
  /** After this pet. */
  readonly after?: bigint | undefined;
  readonly upTo?: bigint | undefined;
}

/** Some of the counted pets of a range, by petId, and the pet after which there may be more. */
export interface CountedPets {
  readonly pets: readonly CountedPet[];
  readonly next?: bigint;
}

/** Reads the next counted pets. The caller's transaction sees one moment. */
export async function readCountedPets(
  client: SqlReader,
  stocktake: Stocktake,
  { after, upTo = MAX_INT64 }: PetRange = {},
): Promise<CountedPets> {
  if (stocktake.prunedAtMs !== null) return readKeptLines(client, stocktake.id, { after, upTo });
  const rows: CountRow[] = [];
  let from: readonly [bigint, number] =
    after === undefined ? [MIN_INT64, -1] : [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const values = [stocktake.id, String(from[0]), from[1], String(upTo)];
    const read = await client.all<CountRow>(COUNT_ROWS, values);
    rows.push(...read);
    const last = read.at(-1);
    if (read.length < ROWS || !last) return { pets: await foldAll(client, stocktake, rows) };
    const end = rows.findLastIndex(({ petId }) => petId !== last.petId);
    if (end >= 0) {
      // The last pet may have more rows.
      const whole = rows.slice(0, end + 1);
      return { pets: await foldAll(client, stocktake, whole), next: BigInt(rows[end]?.petId ?? 0) };
    }
    from = [BigInt(last.petId), last.sequence];
  }
}

/** Calls `work` with all counted pets, some at a time. */
export async function forCountedPets(
  client: SqlReader,
  stocktake: Stocktake,
  work: (pets: readonly CountedPet[]) => Promise<void> | void,
): Promise<void> {
  let after: bigint | undefined;
  do {
    const { pets, next } = await readCountedPets(client, stocktake, { after });
    await work(pets);
    after = next;
  } while (after !== undefined);
}

async function readKeptLines(
  client: SqlReader,
  id: string,
  { after = MIN_INT64, upTo = MAX_INT64 }: PetRange,
): Promise<CountedPets> {
  const values = [id, String(after), String(upTo)];
  type KeptLine = Omit<StocktakeLine, 'petId' | 'unposted'> & { readonly petId: string };
  const rows = await client.all<KeptLine>(LINES, values);
  const pets = rows.map((row) => {
    const [petId, unposted] = [BigInt(row.petId), row.counted - row.expected - row.posted];
    return { petId, line: { ...row, petId, unposted }, effective: [] };
  });
  const last = pets.at(-1);
  return last && rows.length === ROWS ? { pets, next: last.petId } : { pets };
}

async function foldAll(
  client: SqlReader,
  stocktake: Stocktake,
  rows: readonly CountRow[],
): Promise<CountedPet[]> {
  const own = rows.filter((row) => isPartOf(stocktake, row));
  const chains = await readReverts(client, own);
  const end = stocktake.undoneSequence ?? Number.MAX_SAFE_INTEGER;
  const byPet = Map.groupBy(own, ({ petId }) => petId);
  return [...byPet].map(([petId, ofPet]) => fold(BigInt(petId), ofPet, chains, end));
}

/** Any client can name a stock-take as its reference: what counts is a set until the close, or an adjustment by the close. */
function isPartOf(
  { startedSequence, closedSequence, postedSequence }: Stocktake,
  { kind, sequence }: CountRow,
): boolean {
  if (sequence <= startedSequence) return false;
  if (closedSequence === null || sequence <= closedSequence) return kind === 'set';
  return kind === 'adjust' && sequence <= (postedSequence ?? closedSequence);
}

/** The reverts of each movement, the reverts of those, and so on, in their order. */
async function readReverts(
  client: SqlReader,
  rows: readonly CountRow[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const chains = new Map<number, number[]>();
  for (const some of batchesOf(rows, ROWS)) {
    const sequences = some.map(({ sequence }) => sequence);
    const found = await client.all<{ readonly first: number; readonly sequence: number }>(reverts(sequences));
    for (const { first, sequence } of found) {
      const chain = chains.get(first) ?? [];
      chains.set(first, chain);
      chain.push(sequence);
    }
  }
  return chains;
}

const isHeld = (chain: readonly number[]) => chain.length % 2 === 1;

/**
 * The units of a line. What a stock-take changes has no limit, because others change the stock between its counts: sums are
 * exact, and what JSON would round ends at the largest quantity.
 */
function unitsOf(last: CountRow, changes: readonly OwnChange[]) {
  const sum = (some: typeof changes) => some.reduce((units, { delta }) => units + BigInt(delta), 0n);
  const counted = last.counted ?? last.after;
  const expected = BigInt(last.before) - sum(changes.filter(({ sequence }) => sequence < last.sequence));
  const posted = sum(changes);
  return {
    counted,
    // The variance then has the limits of what is posted, so that both are the same after a close.
    expected: limited(expected, counted - MAX_QUANTITY),
    posted: limited(posted, counted - MAX_QUANTITY),
    unposted: Number(BigInt(counted) - expected - posted),
  };
}

const limited = (units: bigint, least: number) => Math.min(Math.max(Number(units), least), MAX_QUANTITY);

function countOf({ sequence, actor, actorName, recordedAtMs: countedAtMs }: CountRow) {
  return { sequence, actor, actorName, countedAtMs };
}

/** @param end Counts are those that hold after this movement. */
function fold(
  petId: bigint,
  rows: readonly CountRow[],
  chains: ReadonlyMap<number, readonly number[]>,
  end: number,
): CountedPet {
  const changes: OwnChange[] = [];
  const effective: OwnChange[] = [];
  const counts: CountRow[] = [];
  for (const row of rows) {
    const chain = [row.sequence, ...(chains.get(row.sequence) ?? [])];
    const delta = row.after - row.before;
    changes.push(...chain.map((sequence, i) => ({ sequence, delta: i % 2 === 0 ? delta : -delta })));
    // After an even number of reverts the movement holds again.
    if (isHeld(chain) && delta !== 0) effective.push({ sequence: chain.at(-1) ?? row.sequence, delta });
    // The undo of a whole stock-take leaves what was counted in the report.
    if (row.kind === 'set' && isHeld(chain.filter((sequence) => sequence <= end))) counts.push(row);
  }
  const last = counts.at(-1);
  const line = last && { petId, ...unitsOf(last, changes), ...countOf(last), counts: counts.length };
  return { petId, line, effective };
}
