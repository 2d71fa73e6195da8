import { z } from '@hono/zod-openapi';
import { MAX_KEEP_DAYS } from '@petstore-inventory/shared/limits';
import { type PruneBound, pruneMoment } from '../../../domain/actions/prune.ts';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import type { ActionAuthor } from '../../../domain/management/activity.ts';
import { parseTimestamp } from '../../../domain/timestamps.ts';
import { previewJson, prunedJson } from '../../../wire/audit-json.ts';
import { PruneSchema, RetentionStartSchema } from '../../movements/audit-schema.ts';
import { respondSlowly } from '../../movements/slow-response.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { wholeNumber } from '../../schemas/values.ts';
import { ACTION_ERRORS, adminOperation, authorOf } from '../admin-operation.ts';
import { bodyObject, timeField } from '../fields.ts';

const DAYS_RULE = `must be a whole number from 1 to ${MAX_KEEP_DAYS}.`;

const schema = bodyObject({
  before: timeField(
    'Delete movements recorded before this moment, which must not be in the future.',
  ).optional(),
  keepDays: z
    .int(DAYS_RULE)
    .min(1, DAYS_RULE)
    .max(MAX_KEEP_DAYS, DAYS_RULE)
    .openapi({
      format: 'int64',
      description: 'Delete movements recorded before the last days, as many as this.',
    })
    .optional(),
  dryRun: z
    .boolean('must be true or false.')
    .openapi({ description: 'Whether to count the movements only.' })
    .optional(),
  acceptClock: z
    .boolean('must be true or false.')
    .openapi({
      description: 'Whether the clock is right although the newest movement is more than 366 days old.',
    })
    .optional(),
})
  .refine(({ before, keepDays }) => (before === undefined) !== (keepDays === undefined), {
    message: 'must have one of before and keepDays.',
  })
  .openapi('LedgerPruning', {
    description: 'Which movements to delete: `before` or `keepDays`.',
    example: { keepDays: 730, dryRun: true },
  });

const PrunedLedgerSchema = z
  .object({
    dryRun: z.literal(true).openapi({ description: 'Only of a dry run.' }).optional(),
    movements: wholeNumber('Movements that were deleted, or would be.', 4651),
    start: RetentionStartSchema,
    prune: z
      .union([PruneSchema, z.null()])
      .openapi({
        description: 'The record of the prune; `null` when the ledger began there already. Not of a dry run.',
      })
      .optional(),
  })
  .openapi('PrunedLedger', { description: 'What a prune deleted, or would delete.' });

export const pruneLedger = adminOperation({
  route: {
    operationId: 'pruneLedger',
    method: 'post',
    path: '/ledger/prune',
    tags: ['Ledger'],
    summary: 'Delete old movements',
    description: [
      'Deletes movements for good, except the newest of each pet. History, reverts and past lists from before that time are lost: make a backup first. The stock does not change, and audits still work. Begin with `dryRun`. When the clock may be wrong, it is a `conflict`, unless the body has `acceptClock`.',
      'Clients can read and write meanwhile. The same request completes a prune that was interrupted. The ledger records the prune, which changes its newest hash: note `prune.hash`.',
      'After 10 seconds the response begins with a space, and another follows every 10 seconds. A prune that fails later aborts the connection.',
    ].join('\n\n'),
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      success: { schema: PrunedLedgerSchema, description: 'What was deleted.' },
      errors: ACTION_ERRORS,
    }),
  },
  role: 'administrator',
  isCostly: true,
  create:
    ({ jobs }) =>
    async (context) => {
      requireNoQuery(context);
      const body = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
      return respondSlowly(
        context,
        prune(jobs, body, authorOf(context)).then((result) => JSON.stringify(result)),
      );
    },
});

async function prune(
  jobs: ManagementStore,
  { dryRun, acceptClock, ...bound }: z.infer<typeof schema>,
  author: ActionAuthor,
): Promise<object> {
  const acceptance = { isAccepted: acceptClock === true, hint: '"acceptClock": true' };
  const beforeMs = await pruneMoment(jobs, boundOf(bound), acceptance);
  return dryRun
    ? { dryRun, ...previewJson(await jobs.previewPrune(beforeMs)) }
    : prunedJson(await jobs.pruneMovements(beforeMs, author));
}

function boundOf({ before = '', keepDays }: Pick<z.infer<typeof schema>, 'before' | 'keepDays'>): PruneBound {
  return keepDays === undefined ? { beforeMs: parseTimestamp(before) ?? 0 } : { keepDays };
}
