import {
  MOVEMENT_KINDS,
  type MovementKind,
  REASONS,
  type Reason,
  type ReportGrouping,
  type ReportPer,
} from '@petstore-inventory/shared/words';
import { OperatorError } from '../../errors.ts';
import { compareCategories } from '../pets.ts';
import { calendarPeriods } from './calendar.ts';
import { addGroup } from './report-groups.ts';
import {
  type ChainEntry,
  type MovementSum,
  type PetSum,
  pruned,
  type ReportFilter,
  type ReportPet,
  type ReportStore,
} from './reports.ts';

export interface MovementReportRow extends MovementSum {
  /** The month such as `2026-07`, or the day such as `2026-07-14`. */
  readonly period: string;
  /** `null` unless rows are about pets. */
  readonly petId: bigint | null;
  readonly name: string | null;
  readonly category: string | null;
}

/** Movements recorded from a moment on, and before another one. */
export interface Period {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** Movements after `lower`, up to `upper`. */
export interface MovementBounds {
  readonly lower: number;
  readonly upper: number;
}

interface MovementReportQuery extends ReportFilter, MovementBounds {
  readonly by: ReportGrouping;
  readonly timeZone: string;
  readonly per: ReportPer;
  /** Only pets after this one. */
  readonly after?: bigint | undefined;
}

/** @throws OperatorError `invalid_parameter` for a period that ends before it begins. */
export function checkPeriod({ fromMs, toMs }: Period): void {
  if (fromMs === undefined || toMs === undefined || fromMs < toMs) return;
  throw new OperatorError('to must be later than from.', { code: 'invalid_parameter' });
}

/**
 * The movements of a period. Without `from`, they begin where the ledger does.
 * @throws OperatorError `history_pruned` where the ledger begins after `from` or `to`.
 */
export async function movementBounds(store: ReportStore, period: Period): Promise<MovementBounds> {
  checkPeriod(period);
  const { fromMs, toMs } = period;
  const { start, head } = await store.bounds();
  // Movements of the same millisecond as the start may be deleted.
  const isCut = (atMs: number | undefined) => atMs !== undefined && atMs <= start.recordedAtMs;
  if (start.sequence > 0 && (isCut(fromMs) || isCut(toMs))) throw pruned(start);
  const [before = 0, last = 0] = await store.sequencesAt([(fromMs ?? 1) - 1, (toMs ?? 1) - 1]);
  const lower = fromMs === undefined ? start.sequence : Math.min(before, head.sequence);
  const upper = toMs === undefined ? head.sequence : Math.min(last, head.sequence);
  return { lower, upper: Math.max(lower, upper) };
}

interface PeriodEnd {
  readonly period: string;
  /** The sequence of the last movement of the period. */
  readonly end: number;
}

/** The months or days of some movements: the time of movements never decreases, so that each is a range of them. */
async function periodEnds(
  store: ReportStore,
  { lower, upper, timeZone, per }: MovementReportQuery,
): Promise<readonly PeriodEnd[]> {
  const span = await store.span(lower, upper);
  if (!span) return [];
  const periods = calendarPeriods(span.firstMs, span.lastMs, { timeZone, per });
  const ends = await store.sequencesAt(periods.map(({ endedAtMs }) => endedAtMs - 1));
  return periods.map(({ name }, i) => ({ period: name, end: Math.min(upper, ends[i] ?? upper) }));
}

/**
 * Rows by period, category, kind and reason after all movements are read; of pets, rows by petId and period as they are read,
 * those of a pet together.
 */
export async function* movementRows(
  store: ReportStore,
  query: MovementReportQuery,
): AsyncGenerator<readonly MovementReportRow[]> {
  const periods = await periodEnds(store, query);
  if (query.by === 'pet') yield* petRows(store, query, periods);
  else if (query.petId === undefined) yield await scannedRows(store, query, periods);
  else yield await rowsOfPet(store, query, periods);
}

type Sums = Map<string, MovementReportRow>;

async function scannedRows(
  store: ReportStore,
  { by, category, lower }: MovementReportQuery,
  periods: readonly PeriodEnd[],
): Promise<readonly MovementReportRow[]> {
  const sums: Sums = new Map();
  let after = lower;
  for (const { period, end } of periods) {
    while (after < end) {
      const part = await store.sums({ after, upTo: end, category, isByCategory: by === 'category' });
      for (const sum of part.sums) addSum(sums, { ...sum, period, petId: null, name: null });
      after = part.reached;
    }
  }
  return [...sums.values()].sort(compareRows);
}

/** The rows of one pet, without its name. */
async function rowsOfPet(
  store: ReportStore,
  query: MovementReportQuery,
  periods: readonly PeriodEnd[],
): Promise<readonly MovementReportRow[]> {
  const sums: Sums = new Map();
  for await (const rows of petRows(store, query, periods)) {
    for (const row of rows) {
      const category = query.by === 'category' ? row.category : null;
      addSum(sums, { ...row, petId: null, name: null, category });
    }
  }
  return [...sums.values()].sort(compareRows);
}

async function* petRows(
  store: ReportStore,
  { lower, upper, petId, category, after }: MovementReportQuery,
  periods: readonly PeriodEnd[],
): AsyncGenerator<readonly MovementReportRow[]> {
  const ends = periods.map(({ end }) => end);
  let next = after;
  if (periods.length === 0) return;
  do {
    const part = await store.pets({ lower, upper, petId, category, after: next });
    const known = new Map(part.pets.map((pet): [bigint, ReportPet] => [pet.petId, pet]));
    const sums: Sums = new Map();
    for (let entries: readonly ChainEntry[] = part.pets; entries.length > 0;) {
      const followed = await store.chains({ entries, lower, ends });
      for (const sum of followed.sums) addSum(sums, named(sum, periods, known));
      entries = followed.open;
    }
    yield [...sums.values()].sort(compareRows);
    next = part.next;
  } while (next !== undefined);
}

function named(
  { period: index, ...sum }: PetSum,
  periods: readonly PeriodEnd[],
  pets: ReadonlyMap<bigint, ReportPet>,
): MovementReportRow {
  const { name = null, category = null } = pets.get(sum.petId) ?? {};
  return { ...sum, period: periods[index]?.period ?? '', name, category };
}

function addSum(sums: Sums, row: MovementReportRow): void {
  const { period, petId, kind, reason, revertedReason, category } = row;
  const key = `${period} ${petId} ${kind} ${reason} ${revertedReason} ${category === null ? '' : `=${category}`}`;
  const before = sums.get(key);
  const sum = before
    ? {
        ...before,
        movements: before.movements + row.movements,
        unitsIn: before.unitsIn + row.unitsIn,
        unitsOut: before.unitsOut + row.unitsOut,
      }
    : row;
  if (petId === null) addGroup(sums, key, sum);
  else sums.set(key, sum);
}

function compareRows(a: MovementReportRow, b: MovementReportRow): number {
  if (a.petId !== b.petId) return (a.petId ?? 0n) < (b.petId ?? 0n) ? -1 : 1;
  if (a.period !== b.period) return a.period < b.period ? -1 : 1;
  return (
    compareCategories(a.category, b.category) ||
    placeOfKind(a.kind) - placeOfKind(b.kind) ||
    placeOfReason(a.reason) - placeOfReason(b.reason) ||
    placeOfReason(a.revertedReason) - placeOfReason(b.revertedReason)
  );
}

const placeOfKind = (kind: MovementKind) => MOVEMENT_KINDS.indexOf(kind);
const placeOfReason = (reason: Reason | null) => (reason === null ? -1 : REASONS.indexOf(reason));
