import { ApiError } from '../../domain/errors.ts';
import type { Change } from '../../domain/stock.ts';
import type { BatchCommand } from '../../domain/write-command.ts';
import { answers, FORBIDDEN } from '../openapi/responses.ts';
import {
  BatchHeaders,
  bodyErrors,
  CURRENT_STOCK_HEADERS,
  conflict,
  KEY_REUSED,
  REPLAYED_HEADER,
} from '../openapi/write-responses.ts';
import { parseEntityTags } from '../request/entity-tags.ts';
import { readJsonBody } from '../request/json-body.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { explanationOf } from '../schemas/explanation.ts';
import { BATCH_LIMITS, BatchResultSchema, inventoryBatchSchema } from './batch-inventory-schema.ts';
import { answerBatch } from './batch-response.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { WriteExecutor } from './write-executor.ts';

const MAX_BATCH_BYTES = 1024 * 1024;

type BatchBody = ReturnType<ReturnType<typeof inventoryBatchSchema>['parse']>;

export function batchInventory(maxQuantity: number): OperationDefinition<{ readonly writer: WriteExecutor }> {
  const schema = inventoryBatchSchema(maxQuantity);
  const options = { schema, maxBytes: MAX_BATCH_BYTES, hasPetIds: true, limits: BATCH_LIMITS };
  return {
    route: {
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
    },
    scope: 'inventory:batch',
    create:
      ({ writer }) =>
      async (context) => {
        requireNoQuery(context);
        for (const name of ['If-Match', 'If-None-Match']) {
          if (context.header(name.toLowerCase()) === null) continue;
          throw new ApiError(
            'invalid_parameter',
            `${name} names one item; give ifMatch in the rows instead.`,
          );
        }
        const key = readIdempotencyKey(context);
        const { changes, errorPolicy, dryRun, planId } = await readJsonBody(context, options);
        const command: BatchCommand = {
          kind: 'batch',
          changes: changes.map(changeOf),
          errorPolicy,
          isDryRun: dryRun,
          planId,
        };
        return answerBatch(writer, context, command, await writer.write(context, command, key));
      },
  };
}

function changeOf(row: BatchBody['changes'][number]): Change {
  const { petId, quantity, delta, changeFromQuantity } = row;
  const ifMatch = row.ifMatch === undefined ? undefined : parseEntityTags(row.ifMatch);
  const common = { petId, ifMatch, changeFromQuantity, explanation: explanationOf(row) };
  if (delta !== undefined) return { kind: 'adjust', delta, ...common };
  // Turns -0 into 0.
  return { kind: 'set', quantity: (quantity as number) + 0, ...common };
}
