import { petIdAfter } from '@petstore-inventory/shared/pet-id';
import type { MovementKind, PetStatus, Reason } from '@petstore-inventory/shared/words';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import {
  pruned,
  type CategorySum,
  type ChainEntry,
  type LedgerBounds,
  type PetStock,
  type PetSum,
  type ReportPet,
  type ReportStore,
  type StockSum,
} from '../../domain/management/reports/reports.ts';
import { HISTORY } from '../history/movement-sql.ts';
import { whole } from '../history/stock-totals.ts';
import { chainsOf, PETS, STOCK, stockSumsOf, sumsOf } from '../reports/report-sql.ts';
import type { AdminEngine } from './admin-engine.ts';

/** Movements that a call sums: some ten milliseconds. */
const MOVEMENTS = 20_000;
/** Pets per statement: some milliseconds. */
const PETS_PER_STATEMENT = 128;
/** Statements per call. */
const STATEMENTS = 8;
/** Entries of pets per call of `pets`, each of which is followed for some steps by `chains`. */
const ENTRIES = 128;

const STARTS = `SELECT sequence, recorded_at AS "recordedAtMs" FROM ledger_start`;

const SPAN = `SELECT
(SELECT recorded_at FROM movements WHERE sequence > CAST($1 AS bigint) AND sequence <= CAST($2 AS bigint) ORDER BY sequence LIMIT 1) AS "firstMs",
(SELECT recorded_at FROM movements WHERE sequence > CAST($1 AS bigint) AND sequence <= CAST($2 AS bigint) ORDER BY sequence DESC LIMIT 1) AS "lastMs"`;

interface ScanRow {
  readonly last: string | null;
  readonly scanned: number;
}

interface StockRow extends ScanRow {
  readonly petId: string | null;
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly reserved: number;
}

interface StockSumRow extends ScanRow {
  readonly category: string | null;
  readonly pets: number | null;
  readonly quantityHigh: number;
  readonly quantityLow: number;
  readonly reservedHigh: number;
  readonly reservedLow: number;
}

interface SumRow {
  readonly category: string | null;
  readonly kind: MovementKind;
  readonly reason: Reason | null;
  readonly revertedReason: Reason | null;
  readonly movements: number;
  readonly inHigh: number;
  readonly inLow: number;
  readonly outHigh: number;
  readonly outLow: number;
}

interface EntryRow extends Omit<ReportPet & ChainEntry, 'petId'> {
  readonly petId: string;
  readonly lastSequence: number;
}

interface ChainRow {
  readonly petId: string;
  readonly sequence: number;
  readonly open: number | null;
  /** Kind, reason, reason of what is reverted, and change of the quantity. */
  readonly packed: string;
}

/** Reads either engine for reports. */
export class SqlReportStore implements ReportStore {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  bounds(): Promise<LedgerBounds> {
    return this.#engine.snapshot(async () => {
      const start = await this.#start();
      const [head = start] = await this.#engine.all<LedgerHead>(HISTORY.ledgerHead);
      return { start, head, nowMs: await this.#engine.now() };
    });
  }

  async span(lower: number, upper: number): ReturnType<ReportStore['span']> {
    const [row] = await this.#engine.all<{ firstMs: number | null; lastMs: number | null }>(SPAN, [
      lower,
      upper,
    ]);
    if (!row || row.firstMs === null || row.lastMs === null) return undefined;
    return { firstMs: row.firstMs, lastMs: row.lastMs };
  }

  sequencesAt(atMs: readonly number[]): Promise<readonly number[]> {
    return this.#engine.snapshot(async () => {
      const found: number[] = [];
      for (const one of atMs) {
        const [row] = await this.#engine.all<{ sequence: number }>(HISTORY.sequenceAt, [Math.floor(one)]);
        found.push(row?.sequence ?? 0);
      }
      return found;
    });
  }

  stock(query: Parameters<ReportStore['stock']>[0]): ReturnType<ReportStore['stock']> {
    return this.#engine.snapshot(async () => {
      const pets: PetStock[] = [];
      const next = await this.#scan<StockRow>(STOCK, query, [], (row) => {
        const { petId: id, quantity, status, reserved, name, category } = row;
        if (id === null || (query.category !== undefined && category !== query.category)) return;
        const petId = BigInt(id);
        if (query.petId !== undefined && petId !== query.petId) return;
        pets.push({ petId, name, category, quantity, status, reserved });
      });
      return next === undefined ? { pets } : { pets, next };
    });
  }

  stockSums({
    isByCategory,
    ...query
  }: Parameters<ReportStore['stockSums']>[0]): ReturnType<ReportStore['stockSums']> {
    return this.#engine.snapshot(async () => {
      const sums: StockSum[] = [];
      const petId = query.petId === undefined ? null : String(query.petId);
      const values = [petId, query.category ?? null];
      const next = await this.#scan<StockSumRow>(stockSumsOf(isByCategory), query, values, (row) => {
        const { category, pets, quantityHigh, quantityLow, reservedHigh, reservedLow } = row;
        if (pets === null) return;
        const quantity = whole(quantityHigh, quantityLow);
        sums.push({ category, pets, quantity, reserved: whole(reservedHigh, reservedLow) });
      });
      return next === undefined ? { sums } : { sums, next };
    });
  }

  /** Runs a statement for the next pets some times. Returns the last of them, unless there are no more. */
  async #scan<Row extends ScanRow>(
    sql: string,
    { sequence, after, petId }: Parameters<ReportStore['stock']>[0],
    values: readonly (string | null)[],
    take: (row: Row) => void,
  ): Promise<bigint | undefined> {
    await this.#refusePruned(sequence);
    let from = after;
    for (let statements = 0; statements < STATEMENTS; statements += 1) {
      const first = petId ?? petIdAfter(from);
      if (first === undefined) return undefined;
      const most = petId === undefined ? PETS_PER_STATEMENT : 1;
      const rows = await this.#engine.all<Row>(sql, [String(first), most, sequence, ...values]);
      for (const row of rows) take(row);
      const [scan] = rows;
      if (petId !== undefined || !scan || scan.last === null || scan.scanned < most) return undefined;
      from = BigInt(scan.last);
    }
    return from;
  }

  sums({
    after,
    upTo,
    category,
    isByCategory,
  }: Parameters<ReportStore['sums']>[0]): ReturnType<ReportStore['sums']> {
    return this.#engine.snapshot(async () => {
      await this.#refusePruned(after);
      // After its start the ledger has no gaps.
      const reached = Math.min(upTo, after + MOVEMENTS);
      const hasCategory = category !== undefined;
      const values = [after, reached, ...(hasCategory ? [category] : [])];
      const rows = await this.#engine.all<SumRow>(sumsOf({ isByCategory, hasCategory }), values);
      const sums = rows.map(({ inHigh, inLow, outHigh, outLow, ...sum }): CategorySum => ({
        ...sum,
        unitsIn: whole(inHigh, inLow),
        unitsOut: whole(outHigh, outLow),
      }));
      return { sums, reached };
    });
  }

  pets({
    lower,
    upper,
    after,
    petId,
    category,
  }: Parameters<ReportStore['pets']>[0]): ReturnType<ReportStore['pets']> {
    return this.#engine.snapshot(async () => {
      await this.#refusePruned(lower);
      const pets: (ReportPet & ChainEntry)[] = [];
      let from = after;
      for (let statements = 0; statements < STATEMENTS; statements += 1) {
        const first = petId ?? petIdAfter(from);
        if (first === undefined) return { pets };
        const most = petId === undefined ? ENTRIES : 1;
        const rows = await this.#engine.all<EntryRow>(PETS, [String(first), most, upper]);
        for (const { petId: id, lastSequence, sequence, name, category: own } of rows) {
          const pet = BigInt(id);
          if (lastSequence <= lower || (category !== undefined && own !== category)) continue;
          if (petId === undefined || pet === petId) pets.push({ petId: pet, sequence, name, category: own });
        }
        const last = rows.at(-1);
        if (petId !== undefined || !last || rows.length < most) return { pets };
        from = BigInt(last.petId);
        // The chains of these are one call.
        if (pets.length >= ENTRIES) break;
      }
      return from === undefined ? { pets } : { pets, next: from };
    });
  }

  chains({ entries, lower, ends }: Parameters<ReportStore['chains']>[0]): ReturnType<ReportStore['chains']> {
    return this.#engine.snapshot(async () => {
      await this.#refusePruned(lower);
      const values = JSON.stringify(entries.map(({ petId, sequence }) => [String(petId), sequence]));
      const sql = chainsOf(this.#engine.dialect.jsonElements);
      const rows = await this.#engine.all<ChainRow>(sql, [values, lower]);
      const sums = new PetSums();
      const open: ChainEntry[] = [];
      for (const row of rows) {
        if (row.open !== null) open.push({ petId: BigInt(row.petId), sequence: row.open });
        const period = indexOf(ends, row.sequence);
        if (period < ends.length) sums.add(row.petId, period, row.packed);
      }
      return { sums: sums.all(), open };
    });
  }

  async #start(): Promise<LedgerHead> {
    const [start] = await this.#engine.all<LedgerHead>(STARTS);
    return start ?? { sequence: 0, recordedAtMs: 0 };
  }

  async #refusePruned(sequence: number): Promise<void> {
    const start = await this.#start();
    if (sequence < start.sequence) throw pruned(start);
  }
}

/** The index of the first of ascending numbers that is at least `value`. */
function indexOf(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds up movements per pet, period, kind and reasons. */
class PetSums {
  readonly #sums = new Map<string, { -readonly [Name in keyof PetSum]: PetSum[Name] }>();

  /** @param packed As in a `ChainRow`. */
  add(petId: string, period: number, packed: string): void {
    const end = packed.lastIndexOf(',');
    const causes = packed.slice(0, end);
    const [kind, reason, reverted] = causes.split(',') as [MovementKind, Reason | '', Reason | ''];
    const change = BigInt(packed.slice(end + 1));
    const key = `${petId},${period},${causes}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      const units = { movements: 0, unitsIn: 0n, unitsOut: 0n };
      const reasons = { reason: reason || null, revertedReason: reverted || null };
      sum = { petId: BigInt(petId), period, kind, ...reasons, ...units };
      this.#sums.set(key, sum);
    }
    sum.movements += 1;
    if (change > 0n) sum.unitsIn += change;
    else sum.unitsOut -= change;
  }

  all(): readonly PetSum[] {
    return [...this.#sums.values()];
  }
}
