import { z } from '@hono/zod-openapi';
import { MAX_BULK_PETS, MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { BULK_OUTCOMES, BULK_REASONS, BULK_STATES, PET_STATUSES } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import {
  type BulkFailureCode,
  BULK_FAILURES,
  type PetSelection,
} from '../../domain/management/bulk-changes.ts';
import { bulkJson, bulkRowJson } from '../../wire/bulk-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { ACTION_CONFLICT } from '../openapi/error-responses.ts';
import { LOCATION } from '../openapi/headers.ts';
import { operationsWith } from '../operation/operation.ts';
import { located, one, page, pageOf, view } from '../operation/output.ts';
import { anyText, choice, cursor, LIMIT, NEWEST_PAGE, oneMore } from '../operation/parameter.ts';
import { BarcodesSchema, SkuSchema } from '../schemas/codes.ts';
import { moment, PetIdSchema, text, wholeNumber, wholeNumberOrNull } from '../schemas/values.ts';
import type { Importing } from './imports/create-import.ts';
import { FilterSchema, filterOf, NEW_BULK_CHANGE, ValuesSchema, valuesOf } from './new-bulk-change.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly importing: Pick<Importing, 'wake'>;
}>({ tag: 'Pets' });

const BULK_CHANGE = view(
  'BulkChange',
  z
    .object({
      id: text(24, 'The id of the bulk change.', 'blk_4fQ2n8Zk1bXw0aLr'),
      state: z.enum(BULK_STATES).openapi('BulkState', {
        description:
          'The pets are found and compared (`planning`); then it is `planned`. It is `applying`, then `applied`; `undoing`, then `undone`. `cancelled`: stopped where it was, or replaced by a newer plan. `failed`: see `failure`.',
        example: 'planned',
      }),
      filter: FilterSchema.nullable().openapi({ description: '`null`: the pets were named.' }),
      set: ValuesSchema,
      counts: z
        .object({
          planned: wholeNumber('Pets that will change; while it is applied, those that are left.', 80),
          unchanged: wholeNumber('Pets that have the values already.', 15),
          refused: wholeNumber('Pets that cannot have the values; see their `reason`.', 1),
          changed: wholeNumber('Pets that have the new values.', 0),
          stale: wholeNumber('Pets that stayed as they are, because they changed after the plan.', 0),
          undone: wholeNumber('Pets that have their earlier values again.', 0),
          kept: wholeNumber('Pets that an undo left, because their values were changed again.', 0),
        })
        .openapi('BulkCounts', { description: 'Pets by their outcome.' }),
      failure: text(500, 'Why it failed, as a sentence.', null).nullable(),
      failureCode: z
        .enum(Object.keys(BULK_FAILURES) as [BulkFailureCode, ...BulkFailureCode[]])
        .nullable()
        .openapi({ description: 'Why it failed.', example: null }),
      createdBy: text(100, 'The id of the key that planned it.', 'key_4fQ2n8Zk1bXw0aLr'),
      appliedBy: text(100, 'The id of the key that applied it.', null).nullable(),
      undoneBy: text(100, 'The id of the key that undid it.', null).nullable(),
      createdAt: moment('When it was planned.'),
      updatedAt: moment('When it changed last.'),
    })
    .openapi({ description: 'A change of many pets that is planned, shown, and then applied.' }),
  bulkJson,
);

const CHANGE_ID = anyText({
  component: 'BulkChangeId',
  description: 'The id of the bulk change.',
  required: true,
  schema: { type: 'string', maxLength: 24 },
  example: 'blk_4fQ2n8Zk1bXw0aLr',
});

const ONE = { path: { bulkChangeId: CHANGE_ID }, missing: 'bulk change' };

export const createBulkChange = operation({
  id: 'createBulkChange',
  at: 'POST /bulk-changes',
  summary: 'Plan a change of many pets',
  description: [
    `Plans new values for up to ${MAX_BULK_PETS} named pets, or for all pets of a filter: a category, a status, thresholds, codes, their supplier, what is ordered of them, or whether they are archived. Nothing changes before it is applied: read the plan until it is \`planned\`, and its pets.`,
    'A pet is refused that does not exist (`not_found`), that would be archived with stock or reservations (`has_stock`), that would be restored although other pets took its codes (`codes_taken`): restore it alone, or that would get a code which another pet has (`code_in_use`), an SKU that is too long (`sku_too_long`), or a barcode for which its petId has too many digits (`no_barcode`). Nothing is ordered of a pet of which units are on their way (`already_ordered`), or for which the reorder list suggests none (`not_needed`).',
    'A key has one plan that is not applied: a new one replaces it. A bulk change without an action for 7 days is deleted.',
  ].join('\n\n'),
  access: { role: 'staff' },
  isCostly: true,
  body: NEW_BULK_CHANGE,
  output: one(BULK_CHANGE, {
    status: 202,
    description: 'The bulk change, which is being planned.',
    headers: [located(({ id }) => `/bulk-changes/${id}`, LOCATION)],
  }),
  errors: { 409: { ...ACTION_CONFLICT, description: 'Too many bulk changes of the key are running.' } },
  handle: async ({ management, importing }, { body: { petIds, units, filter, set }, author }) => {
    const values = valuesOf(set);
    const selection = petIds
      ? { petIds, units: units?.map(Number) }
      : { filter: filterOf(filter ?? {}, values) };
    const created = await management.bulkChanges.create(selection satisfies PetSelection, values, author);
    importing.wake();
    return created;
  },
});

export const listBulkChanges = operation({
  id: 'listBulkChanges',
  at: 'GET /bulk-changes',
  summary: 'List changes of many pets',
  description: 'Returns the bulk changes of the last 7 days, the newest first.',
  access: { role: 'viewer' },
  query: NEWEST_PAGE,
  output: page(BULK_CHANGE, { description: 'A page of bulk changes.', maxItems: null }),
  handle: async ({ management }, { query: { limit, cursor: before } }) =>
    pageOf(await management.bulkChanges.list({ limit: limit + 1, before }), limit, (last) => last),
});

export const getBulkChange = operation({
  id: 'getBulkChange',
  at: 'GET /bulk-changes/{bulkChangeId}',
  summary: 'Get a change of many pets',
  description: 'Returns the state of a bulk change, and how many pets have which outcome so far.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(BULK_CHANGE, { description: 'The bulk change.' }),
  handle: ({ management }, { path }) => management.bulkChanges.find(path.bulkChangeId),
});

const CODES = { sku: SkuSchema, barcodes: BarcodesSchema };

const PET = view(
  'BulkPet',
  z
    .object({
      petId: PetIdSchema,
      name: text(200, 'Its name now.', 'Rex').nullable(),
      outcome: z.enum(BULK_OUTCOMES).openapi('BulkOutcome', {
        description: 'What becomes of the pet. `counts` of the bulk change describes each.',
        example: 'planned',
      }),
      reason: z
        .enum(BULK_REASONS)
        .openapi('BulkReason', {
          description:
            'Why it is refused: it does not exist, has stock or reservations, lost codes to another pet, would get a code of another pet or an SKU that is too long, its petId does not fit into a barcode (it is negative, or has more than ten digits), units of it are on their way, or the reorder list suggests none: it is not low, or it is archived.',
          example: 'has_stock',
        })
        .nullable(),
      codeOwner: z.union([PetIdSchema, z.null()]).openapi({
        description: 'The pet that has the code, if the `reason` is `code_in_use`.',
        example: null,
      }),
      before: z
        .object({
          category: text(200, 'Its category.', 'Dog').nullable(),
          status: z.enum(PET_STATUSES).openapi('PetStatus'),
          lowStockAt: wholeNumberOrNull('Its own threshold.', 5),
          restockAt: wholeNumberOrNull('Its own threshold.', 10),
          ...CODES,
          archived: z.boolean().openapi({ description: 'Whether it is archived.' }),
          supplier: text(MAX_SUPPLIER, 'Who sells it to the shop.', null).nullable(),
        })
        .openapi('BulkFacts', { description: 'The values of a pet that a bulk change can change.' })
        .nullable()
        .openapi({ description: 'When it was planned; `null`: there is no such pet.' }),
      codes: z
        .union([z.object(CODES).openapi('BulkCodes', { description: 'Codes of a pet.' }), z.null()])
        .openapi({
          description:
            'Its codes with the new values; `null`: the change sets none, or there is no such pet.',
        }),
      ordered: wholeNumberOrNull('Units that the change orders of it; `null`: none.', 140),
    })
    .openapi({ description: 'A pet of a bulk change.' }),
  bulkRowJson,
);

const OUTCOME = choice(BULK_OUTCOMES, {
  component: 'BulkOutcomeFilter',
  description: 'Only pets with this outcome.',
  schema: schemaAt('BulkOutcome'),
}).optional();

export const listBulkChangePets = operation({
  id: 'listBulkChangePets',
  at: 'GET /bulk-changes/{bulkChangeId}/pets',
  summary: 'List the pets of a bulk change',
  description:
    'Returns the pets in the order of their petIds, with their values before the change. While it is planned, it returns those so far.',
  access: { role: 'viewer' },
  ...ONE,
  query: { outcome: OUTCOME, limit: LIMIT, cursor: cursor<bigint>({ parse: parsePetId }) },
  output: page(PET, { description: 'A page of pets.', maxItems: null }),
  handle: async ({ management: { bulkChanges } }, { path: { bulkChangeId }, query }) => {
    await bulkChanges.find(bulkChangeId);
    const rows = await bulkChanges.rows(bulkChangeId, { outcome: query.outcome, ...oneMore(query) });
    return pageOf(rows, query.limit, ({ petId }) => petId);
  },
});

const REFUSED = {
  409: { ...ACTION_CONFLICT, description: 'The state of the bulk change does not allow it.' },
};

/** @param status 202: a job does it. */
const action = (
  verb: 'apply' | 'undo' | 'cancel',
  status: 200 | 202,
  texts: { readonly id: string; readonly summary: string; readonly description: string },
) =>
  operation({
    ...texts,
    at: `POST /bulk-changes/{bulkChangeId}/${verb}`,
    access: { role: 'staff' },
    ...ONE,
    output: one(BULK_CHANGE, { status, description: 'The bulk change.' }),
    errors: REFUSED,
    handle: async ({ management, importing }, { path: { bulkChangeId }, author }) => {
      const changed = await management.bulkChanges[verb](bulkChangeId, author);
      importing.wake();
      return changed;
    },
  });

export const applyBulkChange = action('apply', 202, {
  id: 'applyBulkChange',
  summary: 'Apply a change of many pets',
  description:
    'Changes the pets of a plan in batches, so that other changes do not wait; the key of this request is the author. Each pet that gets new values has a movement of the kind `import` with the id of the change as its `referenceId`; archiving, a supplier and an order have none. A pet that changed after the plan, or whose new code another pet got, stays as it is, and is `stale`; for a supplier, only another supplier or the deletion of the pet is such a change; for an order, another order, another supplier or the deletion. A service that is interrupted continues where it was. The activity log has one line with the counts when it ends.',
});

export const undoBulkChange = action('undo', 202, {
  id: 'undoBulkChange',
  summary: 'Undo a change of many pets',
  description:
    'Gives the `changed` pets their earlier values back, in batches, also of a change that was cancelled or failed. A pet whose values were changed again, whose ordered units have begun to arrive, whose earlier codes another pet has, or that has stock and would be archived, stays as it is, and is `kept`. Movements are never deleted: an undo adds others.',
});

export const cancelBulkChange = action('cancel', 200, {
  id: 'cancelBulkChange',
  summary: 'Stop a change of many pets',
  description:
    'Ends a plan, or stops a change or an undo where it is. What is changed stays, and can be undone.',
});
