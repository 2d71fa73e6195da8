import { MILESTONE_EVERY } from '../../domain/ledger/ledger.ts';
import type { MovementPage, MovementQuery } from '../../domain/ledger-store.ts';
import type { Parameter } from '../sql-client.ts';
import { type MovementRow, toMovement } from './movement-row.ts';
import type { HISTORY } from './movement-sql.ts';

/** The most movements that a page of the whole ledger reads, however few pass its filter. */
const MAX_LINES = 10_000;
/** The most movements that a page of one pet reads: they are on different pages of the table. */
const MAX_LINES_OF_PET = 1_000;
/**
 * How far back a quantity is searched on a pet's chain: 128 movements, and up to a milestone's distance to the first
 * of them.
 */
export const MAX_STEPS_BACK = 128 + MILESTONE_EVERY;

/** A statement of `HISTORY` for a page, with its values. */
interface PageStatement {
  readonly name: Extract<keyof typeof HISTORY, `${string}ovements${string}`>;
  readonly values: readonly Parameter[];
}

/** A row of a page; an empty page is one row without a movement. */
export type PageRow = (MovementRow | { readonly [Name in keyof MovementRow]: null }) & {
  /** The newest movement of the ledger. */
  readonly newest: number;
  /** The last movement read, where more may follow in the bounds of the page. */
  readonly lastRead: number | null;
};

export function pageStatement({ filter, order, limit }: MovementQuery): PageStatement {
  const { petId, kind, reason, actor, sinceMs, untilMs, after, before } = filter;
  const isFiltered = kind !== undefined || reason !== undefined || actor !== undefined;
  const isUp = order === 'asc';
  const values = (lines: number): Parameter[] => [
    after ?? 0,
    (before ?? Number.MAX_SAFE_INTEGER) - 1,
    lastBefore(sinceMs),
    lastBefore(untilMs),
    kind ?? null,
    reason ?? null,
    actor ?? null,
    lines,
    // A movement above the limit shows whether there is a next page.
    limit + 1,
  ];
  if (petId === undefined) {
    const lines = isFiltered ? MAX_LINES : Math.min(limit + 1, MAX_LINES);
    return { name: isUp ? 'movementsUp' : 'movementsDown', values: values(lines) };
  }
  const lines = Math.max(isFiltered ? MAX_LINES_OF_PET : 0, limit + 1);
  // The first milestone may be the very next movement, and the entry lies up to a milestone's distance too far.
  const [name, reach] = isUp
    ? (['petMovementsUp', Math.ceil(lines / MILESTONE_EVERY) + 1] as const)
    : (['petMovementsDown', lines + MILESTONE_EVERY] as const);
  return { name, values: [...values(reach), String(petId)] };
}

/** The last millisecond before a moment. */
function lastBefore(atMs: number | undefined): number | null {
  return atMs === undefined ? null : Math.ceil(atMs) - 1;
}

export function toPage(rows: readonly PageRow[], limit: number): MovementPage {
  const movements = [];
  for (const row of rows.slice(0, limit)) {
    if (row.sequence !== null) movements.push(toMovement(row));
  }
  const next = rows.length > limit ? movements.at(-1)?.sequence : rows[0]?.lastRead;
  return { movements, next: next ?? undefined };
}

/**
 * The movement up to which a replica must have the same ledger for its page to be the same; beyond all movements
 * where the page must not miss a later one.
 */
export function reliedOn({ movements, next }: MovementPage, { order, filter, head }: MovementQuery): number {
  const asked =
    order === 'asc' && next !== undefined
      ? next
      : Math.min((filter.before ?? Infinity) - 1, head?.sequence ?? Infinity);
  // What was read beyond the requested head is part of the page too.
  return movements.reduce((upTo, { sequence }) => Math.max(upTo, sequence), asked);
}
