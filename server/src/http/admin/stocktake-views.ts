import { z } from '@hono/zod-openapi';
import { MAX_NAME, MAX_PET_TEXT, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { STOCKTAKE_POSTINGS, STOCKTAKE_STATES } from '@petstore-inventory/shared/words';
import { MAX_QUERY_CHARACTERS } from '../../domain/management/pet-words.ts';
import type {
  NamedLine,
  RecordedCount,
  Stocktake,
  StocktakeTotals,
} from '../../domain/management/stocktakes.ts';
import { stocktakeLineMembers, stocktakeMembers } from '../../wire/stocktake-json.ts';
import { view } from '../operation/output.ts';
import { ActorSchema } from '../schemas/actor.ts';
import { AlertLevelSchema } from '../schemas/alert.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import {
  moment,
  PetIdSchema,
  QuantitySchema,
  SequenceSchema,
  text,
  units,
  wholeNumber,
} from '../schemas/values.ts';

/** How responses show stock-takes. */

export const PostingSchema = z
  .enum(STOCKTAKE_POSTINGS, `must be one of ${STOCKTAKE_POSTINGS.join(', ')}.`)
  .openapi('StocktakePosting', {
    description:
      'When the stock changes. `at_count`: with each count. `at_close`: with all differences when the stock-take is closed; until then the stock stays as it is.',
    example: 'at_count',
  });

export const STOCKTAKE = view(
  'Stocktake',
  z
    .object({
      id: text(
        24,
        'The id of the stock-take, and the `referenceId` of its movements.',
        'stk_4fQ2n8Zk1bXw0aLr',
      ),
      name: text(MAX_NAME, 'Its name.', 'Autumn 2026'),
      state: z.enum(STOCKTAKE_STATES).openapi('StocktakeState', {
        description:
          'Counts are accepted while it is `running`. After its close it can be `undone`. One that was started by mistake can be `cancelled` while it runs.',
        example: 'running',
      }),
      scope: z
        .object({
          q: text(MAX_QUERY_CHARACTERS, 'Words that the pets have.', null).nullable(),
          category: text(MAX_PET_TEXT, 'Their category.', 'Dogs').nullable(),
          status: z.union([PetStatusSchema, z.null()]).openapi({ description: 'Their status.' }),
          alert: z
            .array(AlertLevelSchema)
            .nullable()
            .openapi({ description: 'Their alert levels.', example: null }),
        })
        .openapi('StocktakeScope', {
          description:
            'Which pets must be counted, as the filters of `listPets`; `null` members do not filter. It holds for the pets as they are when the response is made.',
        }),
      posting: PostingSchema,
      startedBy: ActorSchema,
      startedAt: moment('When it was started.'),
      closedBy: z.union([ActorSchema, z.null()]),
      closedAt: moment('When it was closed; `null` while it runs, and if it was cancelled.').nullable(),
      undoneBy: z.union([ActorSchema, z.null()]),
      undoneAt: moment('When it was undone; `null` if it was not.').nullable(),
      cancelledBy: z.union([ActorSchema, z.null()]),
      cancelledAt: moment('When it was cancelled; `null` if it was not.').nullable(),
      prunedAt: moment(
        'When a prune deleted its movements. The report is that of this moment; `null`: none of them is deleted.',
      ).nullable(),
    })
    .openapi({ description: 'A stock-take, whose counts are movements of the ledger.' }),
  (stocktake: Stocktake) => stocktakeMembers(stocktake),
);

const signedUnits = (description: string, example: number) =>
  z.int().openapi({ format: 'int64', minimum: -MAX_QUANTITY, maximum: MAX_QUANTITY, description, example });

export const LINE = view(
  'StocktakeLine',
  z
    .object({
      petId: PetIdSchema,
      name: text(MAX_PET_TEXT, 'The name of the pet.', 'Biscuit').nullable(),
      category: text(MAX_PET_TEXT, 'Its category.', 'Dogs').nullable(),
      expected: signedUnits(
        'The stock just before the last count, without what this stock-take itself had changed. Sales before the count lower it, and sales after it do not matter.',
        12,
      ),
      counted: QuantitySchema,
      variance: signedUnits('`counted` minus `expected`.', -2),
      posted: signedUnits(
        'What the stock-take has changed in the stock: the variance once it is posted, 0 before it and after an undo or a cancel.',
        -2,
      ),
      counts: wholeNumber('How many times the pet was counted, without counts that were undone.', 1),
      countedBy: ActorSchema,
      countedAt: moment('When the last count was recorded.'),
      sequence: SequenceSchema,
    })
    .openapi({ description: 'A counted pet. `sequence` is the movement of its last count.' }),
  (line: NamedLine) => stocktakeLineMembers(line),
);

export const TOTALS = view(
  'StocktakeTotals',
  z
    .object({
      sequence: wholeNumber('The movement after which the totals hold.', 4711),
      counted: wholeNumber('Pets that were counted, also outside of the scope.', 120),
      uncounted: wholeNumber('Pets of the scope that were not.', 3),
      differences: wholeNumber('Counted pets with a variance.', 7),
      surplus: units('Units that were found more than expected, of all pets with more.', 4),
      shortage: units('Units that were missing, of all pets with fewer.', 11),
      unposted: wholeNumber('Counted pets whose variance is not what the stock-take has changed.', 0),
    })
    .openapi({ description: 'A stock-take in numbers.' }),
  (totals: StocktakeTotals) => totals,
);

export const COUNT = view(
  'StocktakeCount',
  z
    .object({
      petId: PetIdSchema,
      counted: QuantitySchema,
      sequence: SequenceSchema,
      quantity: QuantitySchema.openapi({ description: 'The stock after the count.' }),
    })
    .openapi({ description: 'A recorded count. `sequence` is its movement.' }),
  ({ petId, counted, sequence, quantity }: RecordedCount) => ({ petId, counted, sequence, quantity }),
);
