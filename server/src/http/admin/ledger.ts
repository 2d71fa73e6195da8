import { z } from '@hono/zod-openapi';
import { MAX_KEEP_DAYS } from '@petstore-inventory/shared/limits';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { FAULT_KINDS } from '@petstore-inventory/shared/words';
import { type PruneBound, pruneMoment } from '../../domain/actions/prune.ts';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { previewJson, prunedJson, verifyJson } from '../../wire/audit-json.ts';
import { LedgerAuditSchema, PruneSchema, RetentionStartSchema } from '../movements/audit-schema.ts';
import { answerSlowly } from '../movements/slow-response.ts';
import { CONFLICT } from '../openapi/error-responses.ts';
import { body, optionalBody } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { wholeNumber } from '../schemas/values.ts';
import { bodyObject, timeField } from './fields.ts';

const operation = operationsWith<{ readonly jobs: ManagementStore; readonly verifier: Verifier }>({
  tag: 'Ledger',
});

const DAYS_RULE = `must be a whole number from 1 to ${MAX_KEEP_DAYS}.`;

const PruningSchema = bodyObject({
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
    endpointsBehind: wholeNumber(
      'Webhook endpoints, also paused ones, that have not received all movements that would be deleted: they lose the rest. Only of a dry run.',
      1,
    ).optional(),
    prune: z
      .union([PruneSchema, z.null()])
      .openapi({
        description: 'The record of the prune; `null` when the ledger began there already. Not of a dry run.',
      })
      .optional(),
  })
  .openapi('PrunedLedger', { description: 'What a prune deleted, or would delete.' });

export const pruneLedger = operation({
  id: 'pruneLedger',
  at: 'POST /ledger/prune',
  summary: 'Delete old movements',
  description: [
    'Deletes movements for good, except the newest of each pet. History, reverts and past lists from before that time are lost: make a backup first. The stock does not change, and audits still work. Begin with `dryRun`. When the clock may be wrong, it is a `conflict`, unless the body has `acceptClock`.',
    'Clients can read and write meanwhile. The same request completes a prune that was interrupted. The ledger records the prune, which changes its newest hash: note `prune.hash`.',
    'After 10 seconds the response begins with a space, and another follows every 10 seconds. A prune that fails later aborts the connection.',
  ].join('\n\n'),
  access: { role: 'administrator' },
  isCostly: true,
  body: body(PruningSchema),
  output: answered({ schema: PrunedLedgerSchema, description: 'What was deleted.' }),
  errors: CONFLICT,
  handle: ({ jobs }, { context, body: wanted, author }) => answerSlowly(context, prune(jobs, wanted, author)),
});

async function prune(
  jobs: ManagementStore,
  { dryRun, acceptClock, ...bound }: z.infer<typeof PruningSchema>,
  author: ActionAuthor,
): Promise<string> {
  const acceptance = { isAccepted: acceptClock === true, hint: '"acceptClock": true' };
  const beforeMs = await pruneMoment(jobs, boundOf(bound), acceptance);
  const result = dryRun
    ? { dryRun, ...previewJson(await jobs.previewPrune(beforeMs)) }
    : prunedJson(await jobs.pruneMovements(beforeMs, author));
  return JSON.stringify(result);
}

function boundOf({
  before = '',
  keepDays,
}: Pick<z.infer<typeof PruningSchema>, 'before' | 'keepDays'>): PruneBound {
  return keepDays === undefined ? { beforeMs: parseTimestamp(before) ?? 0 } : { keepDays };
}

const MAX_EXPECTED = 100;
const EXPECTED_RULE = `must be an array of at most ${MAX_EXPECTED} movements with their hashes.`;
const SEQUENCE_RULE = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`;
const HASH_RULE = 'must have 64 hexadecimal digits in lower case.';

const ExpectedPointSchema = bodyObject({
  sequence: z
    .int(SEQUENCE_RULE)
    .min(0, SEQUENCE_RULE)
    .max(Number.MAX_SAFE_INTEGER, SEQUENCE_RULE)
    .openapi({ format: 'int64', description: 'The sequence of the movement.', example: 4711 }),
  hash: z
    .string(HASH_RULE)
    .regex(/^[0-9a-f]{64}$/, HASH_RULE)
    .openapi({
      description: 'The hash that was noted with it.',
      example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    }),
}).openapi('ExpectedPoint', {
  description: 'A movement and its hash: the `head` of an earlier report, or of an audit.',
});

const VerificationSchema = bodyObject({
  expect: z
    .array(ExpectedPointSchema, EXPECTED_RULE)
    .max(MAX_EXPECTED, EXPECTED_RULE)
    .openapi({
      description:
        'What the ledger must contain. After a prune, also its place `afterSequence` and its `hash`.',
    })
    .optional(),
}).openapi('Verification', {
  description: 'What to expect of the ledger.',
  example: { expect: [] },
});

const VerificationReportSchema = LedgerAuditSchema.omit({ isIntact: true })
  .extend({
    findings: z
      .array(
        z.object({
          code: z.enum(FAULT_KINDS).openapi({ description: 'The kind.', example: 'hash' }),
          count: wholeNumber('How many were found; more than 100 stands for any larger number.', 1),
        }),
      )
      .openapi({ description: 'The kinds of the faults, each once.', example: [] }),
  })
  .openapi('VerificationReport', {
    description: 'The result of checking the database. Without faults all of it is correct.',
  });

export const verifyLedger = operation({
  id: 'verifyLedger',
  at: 'POST /ledger/verify',
  summary: 'Verify the database',
  description: [
    'Checks the storage of the database, every hash and every balance of the ledger, the reservations of orders and the search index. Clients can read and write meanwhile.',
    'With `expect`, each hash that the ledger does not contain is a fault, and so is each prune that none of them confirms. A person who can write to the database can rebuild the whole ledger, so keep noted hashes elsewhere.',
    'After 10 seconds the response begins with a space, and another follows every 10 seconds. A verification that fails later aborts the connection. An instance runs one at a time: another one is a `conflict`.',
  ].join('\n\n'),
  access: { role: 'administrator' },
  isCostly: true,
  body: optionalBody(VerificationSchema),
  output: answered({
    schema: VerificationReportSchema,
    description: 'The findings; also when something is wrong.',
  }),
  errors: CONFLICT,
  handle: ({ verifier }, { context, body: wanted }) =>
    answerSlowly(
      context,
      verifier.verify(wanted?.expect).then((report) => JSON.stringify(verifyJson(report))),
    ),
});

/** Runs verifications of the database, one at a time. */
export class Verifier {
  readonly #jobs: ManagementStore;
  readonly #onAudit: (report: AuditReport) => void;
  #isRunning = false;

  /** @param onAudit Called with each report. */
  constructor(jobs: ManagementStore, onAudit: (report: AuditReport) => void) {
    this.#jobs = jobs;
    this.#onAudit = onAudit;
  }

  /** @throws OperatorError `conflict` while another verification runs. */
  async verify(expected: readonly ChainPoint[] | undefined): Promise<AuditReport> {
    // A second verification would wait for the first, and read the whole database again.
    if (this.#isRunning) throw new OperatorError('A verification is running; wait until it has ended.');
    this.#isRunning = true;
    try {
      const report = await this.#jobs.verify(expected);
      this.#onAudit(report);
      return report;
    } finally {
      this.#isRunning = false;
    }
  }
}
