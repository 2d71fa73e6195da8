import { z } from '@hono/zod-openapi';
import { keyId } from '../schemas/actor.ts';
import { moment, SequenceSchema, sequenceOrNull, sha256, wholeNumber } from '../schemas/values.ts';

export const PruneSchema = z
  .object({
    number: wholeNumber('1 for the first prune, and one more for each.', 1),
    afterSequence: wholeNumber(
      'The newest movement at the time of the prune: its place in the chain of hashes.',
      9001,
    ),
    start: z
      .object({
        sequence: SequenceSchema,
        recordedAt: moment('Time of that movement.'),
        hash: sha256('The hash of that movement.'),
      })
      .openapi({ description: 'The retention start that it made.' }),
    decidedSequence: wholeNumber(
      'The prune determined the newest movement of each pet up to this movement.',
      9001,
    ),
    retained: wholeNumber(
      'Retained movements up to the retention start: the newest movement of each pet.',
      60,
    ),
    retainedDigest: sha256('SHA-256 over those movements.'),
    deleted: wholeNumber('Deleted movements.', 4651),
    actor: z
      .object({ keyId: keyId('`null` for the operator.') })
      .openapi({ description: 'The author of the prune.', example: { keyId: null } }),
    recordedAt: moment('When it was made.'),
    previousHash: sha256('The hash of the record before it in the chain, a movement or a prune.'),
    hash: sha256('SHA-256 over that hash, the hash of the prune before, and the other fields.'),
  })
  .openapi('Prune', {
    description: 'The record of a prune. It is part of the ledger’s chain of hashes.',
  });

export const RetentionStartSchema = z
  .object({
    sequence: wholeNumber('Movements up to this one may be deleted; 0 without a prune.', 0),
    recordedAt: moment('Time of that movement; `null` without a prune.').nullable(),
  })
  .openapi({ description: 'The retention start of the newest prune.' });

export const LedgerAuditSchema = z
  .object({
    pets: wholeNumber('Pets whose balance was recomputed.', 60),
    movements: wholeNumber('Movements in the ledger.', 4711),
    hashesChecked: wholeNumber(
      'Movements whose hash was recomputed. The others were retained by the newest prune, whose digest covers them.',
      4711,
    ),
    retentionStart: RetentionStartSchema,
    prunes: z.array(PruneSchema).openapi({ description: 'All prunes, the oldest first.', example: [] }),
    head: z
      .object({
        sequence: wholeNumber('The newest movement of the audit.', 4711),
        hash: sha256('Its hash, over all before it; of a prune, if one was made after it.'),
      })
      .openapi({
        description:
          'The newest record of the ledger. Keep it: it proves later that nothing before it changed.',
      }),
    isIntact: z.boolean().openapi({ description: 'Whether no fault was found.', example: true }),
    firstBadSequence: sequenceOrNull('The first movement that is wrong.', null),
    faults: z.array(z.string()).openapi({ description: 'One sentence per fault.', example: [] }),
  })
  .openapi('LedgerAudit', { description: 'The result of recomputing every hash and every balance.' });
