import { createRoute } from '@hono/zod-openapi';
import { answers, FORBIDDEN } from '../openapi/responses.ts';
import { StoreInventorySchema } from '../schemas/movement.ts';
import { LedgerAuditSchema } from './audit-schema.ts';

export const getStoreInventoryRoute = createRoute({
  operationId: 'getStoreInventory',
  method: 'get',
  path: '/store/inventory',
  tags: ['Store'],
  summary: 'Get the stock by status',
  description:
    'Returns how much stock there is of each status: the quantities of all pets, added up exactly. Each status is there, with 0 where there is none.',
  'x-stability': 'beta',
  'x-scope': 'inventory:read',
  responses: answers({
    schema: StoreInventorySchema,
    description: 'The stock by status.',
    errors: FORBIDDEN,
  }),
});

export const auditLedgerRoute = createRoute({
  operationId: 'auditLedger',
  method: 'get',
  path: '/ledger/audit',
  tags: ['Ledger'],
  summary: 'Audit the ledger',
  description:
    'Recomputes the chain of hashes, of movements and of prunes, and the balance of every pet, and tells the first movement that is wrong. It reads the whole ledger, and takes as long; those who ask while one is under way share the next, which begins after a pause as long as the last one took, a minute at most. After 10 seconds the answer begins with a space, and one more follows every 10 seconds; an audit that fails after that aborts the connection. `HEAD` runs none.',
  'x-stability': 'beta',
  'x-scope': 'ledger:audit',
  responses: answers({
    schema: LedgerAuditSchema,
    description: 'What was found; also when something is wrong.',
    errors: FORBIDDEN,
  }),
});
