import { createRoute } from '@hono/zod-openapi';
import { answers, FORBIDDEN } from '../openapi/responses.ts';
import {
  BatchHeaders,
  bodyErrors,
  CURRENT_STOCK_HEADERS,
  conflict,
  KEY_REUSED,
  REPLAYED_HEADER,
} from '../openapi/write-responses.ts';
import { BatchResultSchema, type inventoryBatchSchema } from './batch-inventory-schema.ts';

export function batchInventoryRoute(schema: ReturnType<typeof inventoryBatchSchema>) {
  return createRoute({
    operationId: 'batchInventory',
    method: 'post',
    path: '/inventory/batch',
    tags: ['Inventory'],
    summary: 'Change many pets',
    description: [
      'Carries out up to 1,000 changes in their order, all of them or none, as one request against the quota. The same pet may come more than once: each row finds the stock as the row before left it.',
      'With `dryRun` nothing is changed: the answer is 200, and tells of each row what would come of it. Send the same changes again with the `planId` of a dry run, and they are carried out only if nothing they touch has changed since.',
      'Conditions stand in the rows, as `changeFromQuantity` and `ifMatch`; the headers `If-Match` and `If-None-Match` are refused. A refusal tells in its headers the committed stock of the pet of the first row that was refused.',
      'A member that is not known is refused too, in the body and in the rows, so that no misspelt `dryRun` changes anything.',
    ].join('\n\n'),
    'x-stability': 'beta',
    'x-scope': 'inventory:batch',
    request: {
      headers: BatchHeaders,
      body: { required: true, content: { 'application/json': { schema } } },
    },
    responses: answers({
      schema: BatchResultSchema,
      description: 'What came of each row.',
      headers: REPLAYED_HEADER,
      errors: {
        ...FORBIDDEN,
        ...bodyErrors('1 MiB'),
        ...KEY_REUSED,
        404: {
          description: 'The first row that was refused names no pet; nothing was changed.',
          headers: REPLAYED_HEADER,
        },
        409: conflict(
          'The first row that was refused contradicts the stock, or something has changed since the dry run that gave `planId`; nothing was changed',
          ['conflict', 'insufficient_stock'],
        ),
        412: {
          description:
            'The item of the first row that was refused is not its `ifMatch`; nothing was changed.',
          headers: { ...CURRENT_STOCK_HEADERS, ...REPLAYED_HEADER },
        },
      },
    }),
  });
}
