import { MOVEMENT_KINDS, REASONS } from '@petstore-inventory/shared/words';
import { petNotFound } from '../../domain/inventory.ts';
import type { LedgerHead, Movement } from '../../domain/ledger/ledger.ts';
import {
  type Ledger,
  MOVEMENT_ORDERS,
  type MovementFilter,
  type StockStore,
} from '../../domain/ledger-store.ts';
import { onlySet } from '../../domain/only-set.ts';
import { schemaAt } from '../openapi/components.ts';
import { HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { LEDGER_SEQUENCE, LEDGER_START } from '../openapi/headers.ts';
import { type Call, operationsWith } from '../operation/operation.ts';
import { one, type Page, page, type ResponseHeader, revalidated, storable } from '../operation/output.ts';
import {
  choice,
  LIMIT,
  matching,
  moment,
  PET_ID,
  PET_ID_FILTER,
  type ValuesOf,
  wholeNumber,
} from '../operation/parameter.ts';
import { MOVEMENT, movementPruned, noSuchMovement, SEQUENCE } from './movement.ts';

const operation = operationsWith<{ readonly store: Pick<StockStore, 'findItem' | 'ledger'> }>({
  tag: 'Movements',
});

const FILTERS = {
  kind: choice(MOVEMENT_KINDS, {
    description: 'Movements of this kind.',
    schema: schemaAt('MovementKind'),
  }).optional(),
  reason: choice(REASONS, {
    description: 'Only movements with this reason.',
    schema: schemaAt('Reason'),
  }).optional(),
  actor: matching(
    /^(?:key_[0-9A-Za-z]{16}|cli|service)$/,
    'must be cli, service or the id of a key: key_ and 16 letters or digits, such as key_4fQ2n8Zk1bXw0aLr.',
    {
      description:
        'Only movements of the API key or management key with this id, of the operator (`cli`), or of the service (`service`).',
      schema: { type: 'string', pattern: '^(key_[0-9A-Za-z]{16}|cli|service)$' },
      example: 'key_4fQ2n8Zk1bXw0aLr',
    },
  ).optional(),
  since: moment('Only movements recorded at this moment or later.').optional(),
  until: moment('Only movements recorded before this moment.').optional(),
  after: wholeNumber({
    description: 'Only movements with a greater sequence.',
    schema: schemaAt('WholeNumber'),
    example: 4_000,
  }).optional(),
  before: wholeNumber({
    description: 'Only movements with a smaller sequence.',
    schema: schemaAt('WholeNumber'),
    example: 5_000,
  }).optional(),
  order: choice(MOVEMENT_ORDERS, {
    description: 'Oldest first (`asc`, the default), or newest first (`desc`).',
    schema: schemaAt('MovementOrder'),
  }).orElse('asc'),
  limit: LIMIT,
};

/** A page with the state of the ledger in which it was read. */
interface LedgerPage extends Page<Movement> {
  readonly sequence: number;
  /** Up to this movement some may be missing; `undefined`: the query does not reach that far back. */
  readonly start: number | undefined;
}

const LEDGER: ResponseHeader<LedgerPage> = {
  documented: { ...LEDGER_SEQUENCE, ...LEDGER_START },
  of: ({ sequence, start }) => ({
    'Inventory-Sequence': String(sequence),
    ...(start !== undefined && { 'Ledger-Start': String(start) }),
  }),
};

const MOVEMENTS = page(MOVEMENT, {
  response: 'MovementPage',
  description: 'Movements.',
  headers: [revalidated, LEDGER],
  notModified: 'MovementsNotModified',
});

const PAGING =
  'Follow `Link` with `rel="next"` until it is missing. A page may have fewer movements than `limit`, or none, and not be the last page.';

export const listItemMovements = operation({
  id: 'listItemMovements',
  at: 'GET /inventory/{petId}/movements',
  summary: 'List the movements of a pet',
  description: `Returns the changes of the stock of one pet, each with its time, author, reason, and the stock before and after, also of a pet that is deleted. ${PAGING}`,
  access: { scope: 'movements:read' },
  path: { petId: PET_ID },
  query: FILTERS,
  output: MOVEMENTS,
  missing: 'pet',
  handle: async ({ store }, { context, path: { petId }, query }) => {
    const found = await readMovements(store.ledger, context, { petId, ...query });
    if (found.items.length === 0) await requireHistory(store, context, petId);
    return found;
  },
});

/**
 * Every pet has movements, so only an empty page needs this.
 * @throws ApiError `not_found` without such a pet and without the history of a deleted one
 */
async function requireHistory(
  store: Pick<StockStore, 'findItem' | 'ledger'>,
  { nowMs }: Call['context'],
  petId: bigint,
): Promise<void> {
  if (await store.findItem(petId, nowMs)) return;
  const { ledger } = store;
  const query = { filter: { petId }, order: 'desc', limit: 1, head: await ledger.head() } as const;
  if ((await ledger.listMovements(query)).movements.length === 0) throw petNotFound(petId);
}

export const listMovements = operation({
  id: 'listMovements',
  at: 'GET /movements',
  summary: 'List movements',
  description: `Returns the ledger: every change of stock, in order. ${PAGING}`,
  access: { scope: 'movements:read' },
  query: { petId: PET_ID_FILTER, ...FILTERS },
  output: MOVEMENTS,
  handle: ({ store }, { context, query }) => readMovements(store.ledger, context, query),
});

async function readMovements(
  ledger: Ledger,
  context: Call['context'],
  query: ValuesOf<typeof FILTERS> & { readonly petId: bigint | undefined },
): Promise<LedgerPage> {
  const { since, until, order, limit, ...filters } = query;
  const filter = onlySet<MovementFilter>({ ...filters, sinceMs: wholeMs(since), untilMs: wholeMs(until) });
  const head = context.ledgerHead ?? (await ledger.head());
  const [{ movements, next }, start] = await Promise.all([
    ledger.listMovements({ filter, order, limit, head }),
    ledger.retentionStart(),
  ]);
  return {
    items: movements,
    next: next === undefined ? undefined : { [order === 'asc' ? 'after' : 'before']: next },
    sequence: head.sequence,
    start: isBefore(filter, start) ? start.sequence : undefined,
  };
}

/** Movements have whole milliseconds, so a bound between two milliseconds is rounded up. */
function wholeMs(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : Math.ceil(atMs);
}

/** Whether the query includes movements that may be deleted. */
function isBefore({ after = 0, sinceMs }: MovementFilter, start: LedgerHead): boolean {
  return after < start.sequence && (sinceMs === undefined || sinceMs <= start.recordedAtMs);
}

export const getMovement = operation({
  id: 'getMovement',
  at: 'GET /movements/{sequence}',
  summary: 'Get a movement',
  description: 'Returns one movement. A movement never changes.',
  access: { scope: 'movements:read' },
  path: { sequence: SEQUENCE },
  output: one(MOVEMENT, { description: 'The movement.', headers: [storable] }),
  missing: 'movement',
  errors: { 410: HISTORY_PRUNED },
  handle: async ({ store: { ledger } }, { path: { sequence } }) => {
    const movement = await ledger.findMovement(sequence);
    if (movement) return movement;
    const start = await ledger.retentionStart();
    throw sequence > start.sequence ? noSuchMovement(sequence) : movementPruned(sequence);
  },
});
