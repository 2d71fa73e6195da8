import type { ReportGrouping } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../errors.ts';
import { timestamp } from '../../timestamps.ts';
import { compareCategories } from '../pets.ts';
import { addGroup } from './report-groups.ts';
import { pruned, type ReportStore, type StockQuery, type StockSum } from './reports.ts';

export interface StockRow extends StockSum {
  /** `null` unless rows are pets. */
  readonly petId: bigint | null;
  readonly name: string | null;
}

interface StockMoment {
  readonly atMs?: number | undefined;
  readonly sequence?: number | undefined;
}

interface StockReportQuery extends StockQuery {
  readonly by: ReportGrouping;
}

/**
 * The last movement of a moment; the newest one without a moment.
 * @throws OperatorError `history_pruned`, or `invalid_parameter` for a moment that is not in the past.
 */
export async function stockSequence(store: ReportStore, { atMs, sequence }: StockMoment): Promise<number> {
  const { start, head, nowMs } = await store.bounds();
  if (sequence !== undefined) {
    if (sequence > head.sequence) {
      throw invalid(`There is no movement ${sequence}; the newest one is ${head.sequence}.`);
    }
    if (sequence < start.sequence) throw pruned(start);
    return sequence;
  }
  if (atMs === undefined) return head.sequence;
  if (atMs > Math.max(nowMs, head.recordedAtMs)) {
    throw invalid(
      `asOf is in the future: it is ${timestamp(nowMs)}, and the newest movement is ${head.sequence}.`,
    );
  }
  if (start.sequence > 0 && atMs < start.recordedAtMs) throw pruned(start);
  const [found = 0] = await store.sequencesAt([atMs]);
  return Math.max(start.sequence, Math.min(found, head.sequence));
}

/** Rows by petId; or one row, or one per category by its name, after all pets are read. */
export async function* stockRows(
  store: ReportStore,
  { by, after, ...query }: StockReportQuery,
): AsyncGenerator<readonly StockRow[]> {
  if (by === 'pet') {
    let next = after;
    do {
      const part = await store.stock({ ...query, after: next });
      yield part.pets.map(({ petId, name, category, quantity, reserved }) => ({
        ...{ petId, name, category, pets: 1 },
        ...{ quantity: BigInt(quantity), reserved: BigInt(reserved) },
      }));
      next = part.next;
    } while (next !== undefined);
  } else yield stockGroups(store, { ...query, after }, by === 'category');
}

async function stockGroups(
  store: ReportStore,
  query: StockQuery,
  isByCategory: boolean,
): Promise<StockRow[]> {
  const groups = new Map<string | null, StockRow>();
  let next = query.after;
  do {
    const part = await store.stockSums({ ...query, after: next, isByCategory });
    for (const { category, pets, quantity, reserved } of part.sums) {
      const before = groups.get(category);
      addGroup(groups, category, {
        petId: null,
        name: null,
        category,
        pets: pets + (before?.pets ?? 0),
        quantity: quantity + (before?.quantity ?? 0n),
        reserved: reserved + (before?.reserved ?? 0n),
      });
    }
    next = part.next;
  } while (next !== undefined);
  return [...groups.values()].sort((a, b) => compareCategories(a.category, b.category));
}

function invalid(message: string): OperatorError {
  return new OperatorError(message, { code: 'invalid_parameter' });
}
