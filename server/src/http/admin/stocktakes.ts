import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_PET_TEXT, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { ALERT_LEVELS, STOCKTAKE_STATES } from '@petstore-inventory/shared/words';
import type { Principal } from '../../domain/access/principal.ts';
import { nameOf } from '../../domain/actions/accounts.ts';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { MAX_QUERY_CHARACTERS } from '../../domain/management/pet-words.ts';
import type { NewStocktake, RecordedCount, StocktakeScope } from '../../domain/management/stocktakes.ts';
import { onlySet } from '../../domain/only-set.ts';
import { type ErrorResponses, errorComponent } from '../openapi/error-responses.ts';
import { ITEM_TAG, PETS_IN_THE_WAY, REPLAYED } from '../openapi/headers.ts';
import { body } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { located, one, page, pageOf, type ResponseHeader } from '../operation/output.ts';
import { anyText, choice, cursor, LIMIT, PAGE } from '../operation/parameter.ts';
import { explanationOf, NoteSchema, OccurredAtSchema } from '../schemas/explanation.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { quantitySchema } from '../schemas/quantity.ts';
import { idempotencyOf } from '../writes/idempotency-key.ts';
import { CONDITIONAL } from '../writes/write-headers.ts';
import { bodyObject, nameField } from './fields.ts';
import { MANAGED_PET } from './managed-pet.ts';
import { COUNT, LINE, PostingSchema, STOCKTAKE, TOTALS } from './stocktake-views.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  /** For what may take seconds. */
  readonly jobs: ManagementStore;
}>({ tag: 'Stock-takes' });

const STOCKTAKE_ID = anyText({
  component: 'StocktakeId',
  description: 'The id of the stock-take.',
  required: true,
  schema: { type: 'string', maxLength: 24 },
  example: 'stk_4fQ2n8Zk1bXw0aLr',
});

const ONE = { path: { stocktakeId: STOCKTAKE_ID }, missing: 'stock-take' };

const STATE = choice(STOCKTAKE_STATES, {
  component: 'StocktakeStateFilter',
  description: 'Only stock-takes in this state.',
  schema: { type: 'string', enum: [...STOCKTAKE_STATES] },
}).optional();

export const listStocktakes = operation({
  id: 'listStocktakes',
  at: 'GET /stocktakes',
  summary: 'List stock-takes',
  description: 'Returns the stock-takes, the newest first.',
  access: { role: 'viewer' },
  query: { state: STATE, ...PAGE },
  output: page(STOCKTAKE, { description: 'A page of stock-takes.', maxItems: null }),
  handle: async ({ management }, { query: { limit, cursor: before, state } }) =>
    pageOf(await management.stocktakes.list({ limit: limit + 1, before, state }), limit, ({ id }) => id),
});

const WORDS_RULE = `must be a text of 1 to ${MAX_QUERY_CHARACTERS} characters, or null.`;
const CATEGORY_RULE = `must be a text of 1 to ${MAX_PET_TEXT} characters, or null.`;
const ALERT_RULE = `must be an array of 1 to ${ALERT_LEVELS.length} different alert levels, or null.`;
const STATUS_RULE = 'must be available, pending, sold or null.';

const ScopeSchema = bodyObject({
  q: z
    .string(WORDS_RULE)
    .refine((words) => words.trim() !== '' && hasAtMost(words, MAX_QUERY_CHARACTERS), WORDS_RULE)
    .nullable()
    .optional()
    .openapi({
      minLength: 1,
      maxLength: MAX_QUERY_CHARACTERS,
      description: 'Words of name or category, as `q` of `listPets`.',
      example: 'leash',
    }),
  category: z
    .string(CATEGORY_RULE)
    .refine((name) => name !== '' && hasAtMost(name, MAX_PET_TEXT), CATEGORY_RULE)
    .nullable()
    .optional()
    .openapi({
      minLength: 1,
      maxLength: MAX_PET_TEXT,
      description: 'Exactly this category.',
      example: 'Dogs',
    }),
  status: z.union([PetStatusSchema, z.null()], STATUS_RULE).optional(),
  alert: z
    .array(z.enum(ALERT_LEVELS, ALERT_RULE), ALERT_RULE)
    .min(1, ALERT_RULE)
    .max(ALERT_LEVELS.length, ALERT_RULE)
    .refine((levels) => new Set(levels).size === levels.length, ALERT_RULE)
    .nullable()
    .optional()
    .openapi({ uniqueItems: true, description: 'Pets of these alert levels.', example: ['low', 'out'] }),
}).openapi('StocktakeFilter', { description: 'Which pets must be counted; all without a member.' });

const NewStocktakeSchema = bodyObject({
  name: nameField('Its name.', 'Autumn 2026'),
  scope: ScopeSchema.optional(),
  posting: PostingSchema.optional(),
}).openapi('StocktakeStart', {
  description: 'A stock-take to start.',
  example: { name: 'Autumn 2026', scope: { category: 'Dogs' }, posting: 'at_count' },
});

export const startStocktake = operation({
  id: 'startStocktake',
  at: 'POST /stocktakes',
  summary: 'Start a stock-take',
  description:
    'Starts a stock-take of all pets, or of those of its `scope`. Several can run at the same time. While one runs, no prune deletes its counts; cancel one that was started by mistake.',
  access: { role: 'administrator' },
  body: body(NewStocktakeSchema),
  output: one(STOCKTAKE, {
    status: 201,
    description: 'The stock-take.',
    headers: [located(({ id }) => `/stocktakes/${id}`)],
  }),
  handle: ({ management }, { body: { name, scope = {}, posting = 'at_count' }, author }) => {
    const { q, category, status, alert } = scope;
    const filter = onlySet<StocktakeScope>({
      query: q ?? undefined,
      category: category ?? undefined,
      status: status ?? undefined,
      alertLevels: alert ?? undefined,
    });
    const wanted: NewStocktake = { name: nameOf(name) ?? name, scope: filter, posting };
    return management.stocktakes.start(wanted, author);
  },
});

export const getStocktake = operation({
  id: 'getStocktake',
  at: 'GET /stocktakes/{stocktakeId}',
  summary: 'Get a stock-take',
  description: 'Returns a stock-take.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(STOCKTAKE, { description: 'The stock-take.' }),
  handle: ({ management }, { path }) => management.stocktakes.find(path.stocktakeId),
});

export const getStocktakeTotals = operation({
  id: 'getStocktakeTotals',
  at: 'GET /stocktakes/{stocktakeId}/totals',
  summary: 'Get the totals of a stock-take',
  description: 'Returns how many pets are counted, how many are not, and what differs.',
  access: { role: 'viewer' },
  isCostly: true,
  ...ONE,
  output: one(TOTALS, { description: 'The totals.' }),
  handle: ({ jobs }, { path }) => jobs.stocktakes.totals(path.stocktakeId),
});

const NewCountSchema = bodyObject({
  petId: ExactPetIdSchema,
  counted: quantitySchema(MAX_QUANTITY, 'The units that were counted.'),
  note: NoteSchema.optional(),
  occurredAt: OccurredAtSchema.optional(),
}).openapi('PetCount', {
  description: 'A pet that was counted.',
  example: { petId: 1, counted: 12 },
});

const COUNT_HEADERS: ResponseHeader<RecordedCount> = {
  documented: { ...ITEM_TAG, ...REPLAYED },
  of: ({ tag, isReplayed }) => ({
    ETag: `"${tag}"`,
    ...(isReplayed && { 'Idempotency-Replayed': 'true' }),
  }),
};

const NOT_COUNTED: ErrorResponses = {
  404: errorComponent('CountNotFound', {
    description: 'There is no such stock-take or pet.',
    headers: REPLAYED,
  }),
  409: errorComponent('CountConflict', {
    description: 'The stock-take is closed or cancelled.',
    codes: ['conflict'],
    headers: REPLAYED,
  }),
};

export const countPet = operation({
  id: 'countPet',
  at: 'POST /stocktakes/{stocktakeId}/counts',
  summary: 'Count a pet',
  description:
    'Records how many units of a pet are there, as a movement of the kind `set` with the reason `cycle_count` and the stock-take as its `referenceId`; also when the count equals the stock. With `posting` `at_count` the stock is then what was counted. With `at_close` it stays. A pet can be counted again: its last count holds. Send `If-Match` with the tag of the item to count only what you have seen, and an `Idempotency-Key` to repeat the request safely.\n\nOther ways to set a quantity count too, if they give the `referenceId` and a reason, such as `updateInventory` of a till; they always change the stock.',
  access: { role: 'staff' },
  path: { stocktakeId: STOCKTAKE_ID },
  headers: CONDITIONAL,
  body: body(NewCountSchema, { petIdsIn: true }),
  output: one(COUNT, { status: 201, description: 'The count.', headers: [COUNT_HEADERS] }),
  errors: NOT_COUNTED,
  handle: ({ management }, { context, path: { stocktakeId }, headers, body: given, author }) => {
    const { key, ...conditions } = headers;
    const { petId, counted, note, occurredAt } = given;
    const explanation = explanationOf({ note, occurredAt });
    const count = {
      petId,
      counted: counted + 0,
      note: explanation?.note ?? null,
      occurredAtMs: explanation?.occurredAtMs ?? null,
      ...conditions,
    };
    const counter = { ...author, actorName: (context.principal as Principal).key.name };
    const idempotency = key === undefined ? undefined : idempotencyOf(context, key, count);
    return management.stocktakes.count(stocktakeId, count, counter, idempotency);
  },
});

const AFTER_PET = cursor<bigint>({ parse: parsePetId });

const DIFFERS = choice(['true', 'false'], {
  component: 'Differs',
  description: 'Only pets with a variance (`true`), such as for a recount, or only those without (`false`).',
  schema: { type: 'string', enum: ['true', 'false'] },
}).optional();

export const listStocktakeLines = operation({
  id: 'listStocktakeLines',
  at: 'GET /stocktakes/{stocktakeId}/report',
  summary: 'Report a stock-take',
  description:
    'Returns what was expected and what was counted of each counted pet, by petId, and who counted it last. It is computed from the movements. A page may have fewer pets than `limit`, or none, and not be the last: follow `Link` until it is missing.',
  access: { role: 'viewer' },
  ...ONE,
  query: { differs: DIFFERS, limit: LIMIT, cursor: AFTER_PET },
  output: page(LINE, { description: 'A page of the report.', maxItems: null }),
  handle: async ({ management }, { path, query: { differs, limit, cursor: after } }) => {
    const wanted = { after, limit, differs: differs === undefined ? undefined : differs === 'true' };
    const { lines, next } = await management.stocktakes.lines(path.stocktakeId, wanted);
    return next === undefined ? { items: lines } : { items: lines, next: { cursor: next } };
  },
});

export const listUncountedPets = operation({
  id: 'listUncountedPets',
  at: 'GET /stocktakes/{stocktakeId}/uncounted',
  summary: 'List pets that were not counted',
  description:
    'Returns the pets of the scope that were not counted yet, by petId. After its end, pets that were added since are left out. A page may have fewer pets than `limit`, or none, and not be the last: follow `Link` until it is missing.',
  access: { role: 'viewer' },
  ...ONE,
  query: { limit: LIMIT, cursor: AFTER_PET },
  output: page(MANAGED_PET, { description: 'A page of pets.', maxItems: null }),
  handle: async ({ management }, { path, query: { limit, cursor: after } }) => {
    const { pets, next } = await management.stocktakes.uncounted(path.stocktakeId, { after, limit });
    return next === undefined ? { items: pets } : { items: pets, next: { cursor: next } };
  },
});

const UNPOSTABLE: ErrorResponses = {
  409: errorComponent('StocktakeConflict', {
    description:
      'The state of the stock-take does not allow it (`conflict`); or pets would have fewer than 0 units (`insufficient_stock`) or more than the largest quantity (`conflict`), which the message and `Inventory-Pets` name. Nothing was changed.',
    codes: ['conflict', 'insufficient_stock'],
    headers: PETS_IN_THE_WAY,
  }),
};

export const closeStocktake = operation({
  id: 'closeStocktake',
  at: 'POST /stocktakes/{stocktakeId}/close',
  summary: 'Close a stock-take',
  description:
    'Ends the counting, and posts each variance that is not in the stock yet as an adjustment: all in one transaction, or none. The movements of a pet between its count and the close stay. Changes wait meanwhile; 100,000 differences take seconds. Pets that were not counted stay as they are. If pets have fewer units than are missing, nothing is posted, and the refusal names all of them. Closed twice, it stays as it is; a cancelled one is 409.',
  access: { role: 'administrator' },
  isCostly: true,
  ...ONE,
  output: one(STOCKTAKE, { description: 'The closed stock-take.' }),
  errors: UNPOSTABLE,
  handle: ({ jobs }, { path, author }) => jobs.stocktakes.close(path.stocktakeId, author),
});

export const undoStocktake = operation({
  id: 'undoStocktake',
  at: 'POST /stocktakes/{stocktakeId}/undo',
  summary: 'Undo a stock-take',
  description:
    'Reverts everything that a closed stock-take changed in the stock: all in one transaction, or none. Later sales and changes stay. If pets have fewer units than the stock-take added, nothing is undone, and the refusal names all of them. Undone twice, it stays as it is; one that runs, or was cancelled, is 409.',
  access: { role: 'administrator' },
  isCostly: true,
  ...ONE,
  output: one(STOCKTAKE, { description: 'The stock-take.' }),
  errors: UNPOSTABLE,
  handle: ({ jobs }, { path, author }) => jobs.stocktakes.undo(path.stocktakeId, author),
});

export const cancelStocktake = operation({
  id: 'cancelStocktake',
  at: 'POST /stocktakes/{stocktakeId}/cancel',
  summary: 'Cancel a stock-take',
  description:
    'Ends a running stock-take that was started by mistake. It posts nothing, and reverts everything that its counts changed in the stock: all in one transaction, or none. Later sales and changes stay, and so does its report, but the variance report leaves it out. If pets have fewer units than its counts added, nothing is changed, and the refusal names all of them. Cancelled twice, it stays as it is; one that was closed is 409.',
  access: { role: 'administrator' },
  isCostly: true,
  ...ONE,
  output: one(STOCKTAKE, { description: 'The cancelled stock-take.' }),
  errors: UNPOSTABLE,
  handle: ({ jobs }, { path, author }) => jobs.stocktakes.cancel(path.stocktakeId, author),
});
