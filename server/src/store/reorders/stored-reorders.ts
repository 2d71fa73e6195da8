import { createHash } from 'node:crypto';
import type { OpenReorder, ReorderRow } from '../../domain/management/reorders.ts';
import type { LockingClient } from '../sql-client.ts';
import { parseOpenReverts } from './open-reverts.ts';
import { lastRevertsOf, receivedOf, reordersOf } from './reorder-sql.ts';

const TAG_LENGTH = 16;

/** What is ordered of a pet. It may have arrived. */
export interface OrderedUnits {
  readonly petId: string;
  readonly ordered: number | null;
  readonly received: number;
  readonly afterSequence: number | null;
  /** Reverts that count in `received` and can be reverted, as the column has them. */
  readonly openReverts: string | null;
}

/** A row of `reorders`. */
export interface StoredReorder extends OrderedUnits {
  readonly supplier: string | null;
  readonly expectedOn: string | null;
  readonly orderedBy: string | null;
  readonly orderedByName: string | null;
  readonly orderedAtMs: number | null;
}

export interface UnitsRow {
  readonly petId: string;
  readonly units: number | null;
}

type Reader = Pick<LockingClient, 'all' | 'dialect'>;

/** What is ordered of a pet, and who sells it. */
type Reorder = Pick<ReorderRow, 'supplier' | 'open' | 'tag'>;

/** From `received` on: the values of a pet of which nothing is ordered since a time. */
export function nothingOrderedAt(atMs: number | null) {
  return [0, null, null, null, atMs, null] as const;
}

/**
 * The time is that of the last order, also after it was cancelled or has arrived: its tag never returns. A prune forgets the
 * rest of an order that has arrived.
 */
export function tagOf(
  reorder: Partial<Pick<StoredReorder, 'supplier' | 'ordered' | 'expectedOn' | 'orderedAtMs'>>,
  isOpen: boolean,
): string {
  const { supplier = null, ordered = null, expectedOn = null, orderedAtMs = null } = reorder;
  const open = isOpen ? [ordered, expectedOn] : [];
  const state = JSON.stringify([supplier, orderedAtMs, ...open]);
  return createHash('sha256').update(state).digest('base64url').slice(0, TAG_LENGTH);
}

/** The reorder of a pet without a stored one. */
export const UNORDERED: Reorder = { supplier: null, open: null, tag: tagOf({}, false) };

/** The stored reorders of pets, a limited number of pets per call. */
export async function readReorders(
  client: Reader,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Reorder>> {
  if (petIds.length === 0) return new Map();
  const stored = await client.all<StoredReorder>(reordersOf(petIds.length), petIds.map(String));
  const received = await readReceived(client, stored);
  return new Map(
    stored.map((row) => {
      const open = openOf(row, received.get(row.petId) ?? 0);
      return [BigInt(row.petId), { supplier: row.supplier, open, tag: tagOf(row, open !== null) }];
    }),
  );
}

/** @param units Units that arrived. */
export function isOpen({ ordered }: OrderedUnits, units: number): boolean {
  return ordered !== null && units < ordered;
}

/** @param units Units that arrived; below 0 where more were taken back. */
function openOf(row: StoredReorder, units: number): OpenReorder | null {
  const { ordered, orderedBy, orderedAtMs } = row;
  if (ordered === null || orderedBy === null || orderedAtMs === null || !isOpen(row, units)) return null;
  const { expectedOn, orderedByName } = row;
  const received = Math.max(0, units);
  return { ordered, received, expectedOn, orderedBy, orderedByName: orderedByName ?? orderedBy, orderedAtMs };
}

/**
 * Units that arrived of each pet since it was ordered.
 * @param upToOf The last movement of a pet that counts.
 */
export async function readReceived<Row extends OrderedUnits>(
  client: Reader,
  stored: readonly Row[],
  upToOf: (row: Row) => number = () => Number.MAX_SAFE_INTEGER,
): Promise<ReadonlyMap<string, number>> {
  const open = stored.filter(({ ordered }) => ordered !== null);
  if (open.length === 0) return new Map();
  const sql = receivedOf(client.dialect.jsonElements);
  const rows = await client.all<UnitsRow>(sql, arrivalsOf(open, upToOf));
  const later = new Map(rows.map(({ petId, units }) => [petId, units ?? 0]));
  return new Map(open.map(({ petId, received }) => [petId, received + (later.get(petId) ?? 0)]));
}

/** The values of the statements on what arrived. */
function arrivalsOf<Row extends OrderedUnits>(
  open: readonly Row[],
  upToOf: (row: Row) => number,
): readonly [string, string] {
  const named = open.map((row) => [row.petId, row.afterSequence, upToOf(row)]);
  const reverts = open.flatMap(({ petId, openReverts }) =>
    // Of a value that something else wrote, nothing counts: the list shows the pet, and `verify` names it.
    (parseOpenReverts(openReverts) ?? []).map((revert) => [petId, ...revert]),
  );
  return [JSON.stringify(named), JSON.stringify(reverts)];
}

/** The column `open_reverts` of each pet that has some after `upToOf`: reverts of what arrived up to there. */
export async function readOpenReverts<Row extends OrderedUnits>(
  client: Reader,
  open: readonly Row[],
  upToOf: (row: Row) => number,
): Promise<ReadonlyMap<string, string>> {
  const sql = lastRevertsOf(client.dialect.jsonElements);
  type Revert = { readonly petId: string; readonly sequence: number; readonly units: number };
  const found = Map.groupBy(await client.all<Revert>(sql, arrivalsOf(open, upToOf)), ({ petId }) => petId);
  const reverts = open.flatMap((row) => {
    const { petId } = row;
    const kept = found.get(petId)?.filter(({ sequence }) => sequence > upToOf(row)) ?? [];
    if (kept.length === 0) return [];
    return [[petId, JSON.stringify(kept.map(({ sequence, units }) => [sequence, units]))] as const];
  });
  return new Map(reverts);
}
