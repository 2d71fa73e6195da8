import type { ReportGrouping, StocktakeState } from '@petstore-inventory/shared/words';
import { compareCategories } from '../pets.ts';
import { type Stocktake, type StocktakeStore, stateOf, varianceOf } from '../stocktakes.ts';
import { checkPeriod, type Period } from './movement-report.ts';
import { addGroup } from './report-groups.ts';
import type { ReportFilter } from './reports.ts';

/** Stock-takes and lines per read. */
const PAGE = 1_000;

/** A cancelled one was a mistake: what it counted was neither found nor missing. */
type ReportedState = Exclude<StocktakeState, 'cancelled'>;

interface ReportedStocktake extends Stocktake {
  readonly state: ReportedState;
}

export interface VarianceRow {
  readonly stocktakeId: string;
  readonly stocktake: string;
  readonly state: ReportedState;
  readonly startedAtMs: number;
  readonly closedAtMs: number | null;
  /** `null` unless rows are about pets. */
  readonly petId: bigint | null;
  readonly name: string | null;
  readonly category: string | null;
  /** Counted pets. */
  readonly pets: number;
  readonly expected: bigint;
  readonly counted: bigint;
  /** Units that were found more than expected, of all pets with more. */
  readonly surplus: bigint;
  /** Units that were missing, of all pets with fewer. */
  readonly shortage: bigint;
  readonly posted: bigint;
}

interface VarianceQuery extends ReportFilter, Period {
  readonly by: ReportGrouping;
  /** Rows of this stock-take after this pet, and of earlier stock-takes. */
  readonly after?: { readonly stocktakeId: string; readonly petId: bigint } | undefined;
}

/**
 * Rows of the stock-takes that were started in a period, the newest stock-take first, its rows by petId or category.
 * Each stock-take is read when its rows are.
 */
export async function* varianceRows(
  store: StocktakeStore,
  { by, after, category, petId, ...period }: VarianceQuery,
): AsyncGenerator<readonly VarianceRow[]> {
  checkPeriod(period);
  const rows = new Map<string, VarianceRow>();
  for await (const stocktake of startedIn(store, period, after?.stocktakeId)) {
    const first = after?.stocktakeId === stocktake.id ? after.petId : undefined;
    const groups = new Map<string | null, VarianceRow>();
    for await (const lines of linesOf(store, stocktake, { petId, category, after: first })) {
      const found = lines.map((line) => ({ ...rowOf(stocktake), ...line }));
      if (by === 'pet') yield found;
      else {
        for (const row of found) {
          const own = by === 'category' ? row.category : null;
          groups.set(own, sum(groups.get(own), { ...row, petId: null, name: null, category: own }));
        }
      }
    }
    if (by === 'total' && groups.size === 0) groups.set(null, rowOf(stocktake));
    for (const row of [...groups.values()].sort((a, b) => compareCategories(a.category, b.category))) {
      addGroup(rows, `${row.stocktakeId} ${row.category === null ? '' : `=${row.category}`}`, row);
    }
  }
  if (by !== 'pet') yield [...rows.values()];
}

/** The stock-takes of a period, the newest first, from one of them on. */
async function* startedIn(
  store: StocktakeStore,
  { fromMs = -Infinity, toMs = Infinity }: Period,
  from: string | undefined,
): AsyncGenerator<ReportedStocktake> {
  let before = from;
  if (from !== undefined) {
    yield* reported(await store.find(from));
  }
  for (;;) {
    const found = await store.list({ limit: PAGE, before });
    for (const stocktake of found) {
      if (stocktake.startedAtMs < fromMs) return;
      if (stocktake.startedAtMs < toMs) yield* reported(stocktake);
    }
    if (found.length < PAGE) return;
    before = found.at(-1)?.id;
  }
}

function reported(stocktake: Stocktake): readonly ReportedStocktake[] {
  const state = stateOf(stocktake);
  return state === 'cancelled' ? [] : [{ ...stocktake, state }];
}

type Line = Omit<VarianceRow, 'stocktakeId' | 'stocktake' | 'state' | 'startedAtMs' | 'closedAtMs'>;

async function* linesOf(
  store: StocktakeStore,
  { id }: Stocktake,
  { petId, category, after }: ReportFilter & { readonly after: bigint | undefined },
): AsyncGenerator<readonly Line[]> {
  let next = after;
  do {
    const page = await store.lines(id, { after: next, limit: PAGE });
    yield page.lines
      .filter((line) => petId === undefined || line.petId === petId)
      .filter((line) => category === undefined || line.category === category)
      .map((line) => {
        const variance = BigInt(varianceOf(line));
        return {
          petId: line.petId,
          name: line.name,
          category: line.category,
          pets: 1,
          expected: BigInt(line.expected),
          counted: BigInt(line.counted),
          surplus: variance > 0n ? variance : 0n,
          shortage: variance < 0n ? -variance : 0n,
          posted: BigInt(line.posted),
        };
      });
    next = page.next;
    if (petId !== undefined && next !== undefined && next >= petId) return;
  } while (next !== undefined);
}

function rowOf(stocktake: ReportedStocktake): VarianceRow {
  const { id, name, state, startedAtMs, closedAtMs } = stocktake;
  return {
    stocktakeId: id,
    stocktake: name,
    state,
    startedAtMs,
    closedAtMs,
    petId: null,
    name: null,
    category: null,
    pets: 0,
    expected: 0n,
    counted: 0n,
    surplus: 0n,
    shortage: 0n,
    posted: 0n,
  };
}

function sum(before: VarianceRow | undefined, row: VarianceRow): VarianceRow {
  if (!before) return row;
  return {
    ...before,
    pets: before.pets + row.pets,
    expected: before.expected + row.expected,
    counted: before.counted + row.counted,
    surplus: before.surplus + row.surplus,
    shortage: before.shortage + row.shortage,
    posted: before.posted + row.posted,
  };
}
