import type { BatchChange, BatchCommand } from '../../domain/write-command.ts';
import { BATCH, changeConflict, HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { REPLAYED } from '../openapi/headers.ts';
import { body } from '../operation/body.ts';
import { type Operation, operationsWith } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { requireScope } from '../request/bound-operation.ts';
import { parseEntityTags } from '../request/entity-tags.ts';
import { explanationOf } from '../schemas/explanation.ts';
import { BATCH_LIMITS, documentedBatchSchema, inventoryBatchSchema } from './batch-inventory-schema.ts';
import { answerBatch } from './batch-response.ts';
import { BatchResultSchema } from './batch-result-schema.ts';
import type { WriteExecutor } from './write-executor.ts';
import { idempotent } from './write-headers.ts';

const MAX_BATCH_BYTES = 1024 * 1024;

const CONFLICT = changeConflict(
  'The first refused row contradicts the stock, or something has changed since the dry run of `planId`; nothing changed',
);

type BatchBody = ReturnType<ReturnType<typeof inventoryBatchSchema>['parse']>;

const operation = operationsWith<{ readonly writer: WriteExecutor }>({ tag: 'Inventory' });

export function batchInventory(maxQuantity: number): Operation<{ readonly writer: WriteExecutor }> {
  const options = { maxBytes: MAX_BATCH_BYTES, petIdsIn: 'changes', limits: BATCH_LIMITS };
  const read = body(inventoryBatchSchema(maxQuantity), options);
  return operation({
    id: 'batchInventory',
    at: 'POST /inventory/batch',
    summary: 'Change many pets',
    description: [
      'Applies up to 1,000 changes in their order, all of them or none, as one request of the quota. The same pet may occur more than once: each row finds the stock as the row before left it.',
      'With `dryRun` nothing changes, and the 200 has the result of each row. Send the same changes again with the `planId` of a dry run: they are applied only if nothing that they touch has changed since.',
      'Preconditions are in the rows, as `changeFromQuantity` and `ifMatch`; the headers `If-Match` and `If-None-Match` are refused. The headers of a refusal describe the committed stock of the pet of the first refused row.',
      'A row with `revert` reverts a movement of its pet, as `revertMovement` does, and needs the scope `movements:revert` too.',
      'A `delta` or a `revert` takes no reserved units without `takeReserved`. An unknown member is refused too, in the body and in the rows, so a misspelt `dryRun` changes nothing.',
    ].join('\n\n'),
    access: { scope: 'inventory:batch' },
    headers: idempotent('names one item. Send ifMatch in the rows instead.'),
    body: { ...read, schema: documentedBatchSchema(maxQuantity) },
    output: answered({
      schema: BatchResultSchema,
      description: 'The result of each row.',
      headers: REPLAYED,
    }),
    errors: { ...BATCH, ...CONFLICT, 410: HISTORY_PRUNED },
    handle: async ({ writer }, { context, headers, body: { changes, errorPolicy, dryRun, planId } }) => {
      if (changes.some(({ revert }) => revert !== undefined)) requireScope(context, 'movements:revert');
      const command: BatchCommand = {
        kind: 'batch',
        changes: changes.map(changeOf),
        errorPolicy,
        isDryRun: dryRun,
        planId,
      };
      return answerBatch(writer, context, command, await writer.write(context, command, headers.key));
    },
  });
}

function changeOf(row: BatchBody['changes'][number]): BatchChange {
  const { petId, quantity, delta, revert, changeFromQuantity } = row;
  const ifMatch = row.ifMatch === undefined ? undefined : parseEntityTags(row.ifMatch);
  const common = { petId, ifMatch, changeFromQuantity, explanation: explanationOf(row) };
  if (delta !== undefined) return { kind: 'adjust', delta, takesReserved: row.takeReserved, ...common };
  if (revert !== undefined) {
    return { kind: 'revert', sequence: revert, takesReserved: row.takeReserved, ...common };
  }
  // Turns -0 into 0.
  return { kind: 'set', quantity: (quantity as number) + 0, ...common };
}
