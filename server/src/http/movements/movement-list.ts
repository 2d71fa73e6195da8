import { z } from '@hono/zod-openapi';
import type { LedgerHead } from '../../domain/ledger.ts';
import type { Ledger, MovementFilter, MovementPage } from '../../domain/ledger-store.ts';
import type { Answer } from '../../listen/exchange.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';
import { MovementSchema } from '../schemas/movement.ts';
import { movementJson } from './movement-json.ts';
import type { MovementsQuery } from './movement-query.ts';

/** What the operations that list movements have in common. */

export const PAGING =
  'Pages are by sequence: follow `Link` with `rel="next"` until there is none. A page may have fewer movements than `limit`, or none, and not be the last one.';

const MOVEMENTS_HEADERS = {
  Link: 'The next page (RFC 8288).',
  'Cache-Control': 'The client may keep the movements, and asks each time whether there are more.',
};
const HEAD_HEADER = {
  'Inventory-Sequence': {
    type: 'integer',
    description: 'Where the ledger stood: all movements up to there that were asked for are in these pages.',
    example: 4711,
    isRequired: true,
  },
  'Ledger-Start': {
    type: 'integer',
    description:
      'Movements up to this sequence may be missing here, because the operator does not keep them. It is told where the question reaches that far back.',
    example: 1200,
  },
} as const;

export function movementList(description: string) {
  return {
    schema: z.array(MovementSchema),
    description,
    headersOfAll: MOVEMENTS_HEADERS,
    headers: HEAD_HEADER,
  };
}

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

/** Whether movements are asked for that may be gone. */
function isBefore({ after = 0, sinceMs }: MovementFilter, start: LedgerHead): boolean {
  return after < start.sequence && (sinceMs === undefined || sinceMs <= start.recordedAtMs);
}
