import { z } from '@hono/zod-openapi';
import { OperatorError } from '../../../domain/errors.ts';
import type { ChainPoint } from '../../../domain/ledger-store.ts';
import { verifyJson } from '../../../wire/audit-json.ts';
import { LedgerAuditSchema } from '../../movements/audit-schema.ts';
import { respondSlowly } from '../../movements/slow-response.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ACTION_ERRORS, adminOperation } from '../admin-operation.ts';
import { bodyObject, ruled } from '../fields.ts';

const MAX_EXPECTED = 100;
const EXPECTED_RULE = `must be an array of at most ${MAX_EXPECTED} movements with their hashes.`;
const SEQUENCE_RULE = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`;
const HASH_RULE = 'must have 64 hexadecimal digits in lower case.';

const ExpectedPointSchema = bodyObject({
  sequence: z
    .int(ruled(SEQUENCE_RULE))
    .min(0, SEQUENCE_RULE)
    .max(Number.MAX_SAFE_INTEGER, SEQUENCE_RULE)
    .openapi({ format: 'int64', description: 'The sequence of the movement.', example: 4711 }),
  hash: z
    .string(ruled(HASH_RULE))
    .regex(/^[0-9a-f]{64}$/, HASH_RULE)
    .openapi({
      description: 'The hash that was noted with it.',
      example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    }),
}).openapi('ExpectedPoint', {
  description: 'A movement and its hash: the `head` of an earlier report, or of an audit.',
});

const schema = bodyObject({
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

const VerificationReportSchema = LedgerAuditSchema.omit({ isIntact: true }).openapi('VerificationReport', {
  description: 'The result of checking the database. Without faults all of it is correct.',
});

export const verifyLedger = adminOperation({
  route: {
    operationId: 'verifyLedger',
    method: 'post',
    path: '/ledger/verify',
    tags: ['Ledger'],
    summary: 'Verify the database',
    description: [
      'Checks the storage of the database, every hash and every balance of the ledger, the reservations of orders and the search index. Clients can read and write meanwhile.',
      'With `expect`, each hash that the ledger does not contain is a fault, and so is each prune that none of them confirms. A person who can write to the database can rebuild the whole ledger, so keep noted hashes elsewhere.',
      'After 10 seconds the response begins with a space, and another follows every 10 seconds. A verification that fails later aborts the connection. An instance runs one at a time: another one is a `conflict`.',
    ].join('\n\n'),
    'x-stability': 'beta',
    request: { body: { required: false, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      success: {
        schema: VerificationReportSchema,
        description: 'The findings; also when something is wrong.',
      },
      errors: ACTION_ERRORS,
    }),
  },
  role: 'administrator',
  isCostly: true,
  create: ({ jobs, onAudit }) => {
    let isRunning = false;
    const verify = async (expected: readonly ChainPoint[] | undefined): Promise<string> => {
      // It would wait for the first one, and read the whole database again.
      if (isRunning) throw new OperatorError('A verification is running; wait until it has ended.');
      isRunning = true;
      try {
        const report = await jobs.verify(expected);
        onAudit(report);
        return JSON.stringify(verifyJson(report));
      } finally {
        isRunning = false;
      }
    };
    return async (context) => {
      requireNoQuery(context);
      const body = await readOptionalJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
      return respondSlowly(context, verify(body?.expect));
    };
  },
});
