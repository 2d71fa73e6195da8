import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Ledger, MovementFilter, MovementPage } from '../../domain/ledger-store.ts';
import type { Answer } from '../../listen/exchange.ts';
import { movementJson } from '../../wire/movement-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { CACHE_CONTROL, LEDGER_SEQUENCE, LEDGER_START, NEXT_PAGE } from '../openapi/headers.ts';
import { notModified, success } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { MovementsQuery } from './movement-query.ts';

/** What the operations that list movements have in common. */

export const PAGING =
  'Follow `Link` with `rel="next"` until it is missing. A page may have fewer movements than `limit`, or none, and not be the last page.';

const HEADERS = { ...NEXT_PAGE, ...CACHE_CONTROL, ...LEDGER_SEQUENCE, ...LEDGER_START };
export const MOVEMENTS = {
  success: success(
    'MovementPage',
    'Movements.',
    { type: 'array', items: schemaAt('Movement'), maxItems: MAX_PAGE_ITEMS },
    HEADERS,
  ),
  notModified: notModified('MovementsNotModified', HEADERS),
};

/** A page with the state of the ledger in which it was read. */
interface ReadPage extends MovementPage {
  readonly head: LedgerHead;
  readonly start: LedgerHead;
}

export async function readMovements(
  context: RequestContext,
  ledger: Ledger,
  { filter, order, limit }: MovementsQuery,
): Promise<ReadPage> {
  const head = context.ledgerHead ?? (await ledger.head());
  const [page, start] = await Promise.all([
    ledger.listMovements({ filter, order, limit, head }),
    ledger.retentionStart(),
  ]);
  return { ...page, head, start };
}

/** @param address The address of the list, without a query. */
export function respondMovements(
  context: RequestContext,
  { parameters, filter, order }: MovementsQuery,
  { movements, next, head, start }: ReadPage,
  address: string,
): Answer {
  const headers: Record<string, string> = {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'private, no-cache',
    'Inventory-Sequence': String(head.sequence),
  };
  if (isBefore(filter, start)) headers['Ledger-Start'] = String(start.sequence);
  if (next !== undefined) {
    parameters.set(order === 'asc' ? 'after' : 'before', String(next));
    headers.Link = `<${address}?${parameters}>; rel="next"`;
  }
  return context.respond(200, `[${movements.map(movementJson).join(',')}]`, headers);
}

/** Whether the query includes movements that may be deleted. */
function isBefore({ after = 0, sinceMs }: MovementFilter, start: LedgerHead): boolean {
  return after < start.sequence && (sinceMs === undefined || sinceMs <= start.recordedAtMs);
}
