import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import {
  MAX_LISTED_PETS,
  MAX_PET_TEXT,
  MAX_QUANTITY,
  MAX_SKU,
  MAX_SUPPLIER,
  MAX_SUPPLIERS,
} from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { REORDER_FILTERS, REORDER_STATES } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import {
  reorderPage,
  type ReorderPlace,
  type ReorderRow,
  reorderRows,
} from '../../domain/management/reorders.ts';
import { REORDER_COLUMNS, reorderFields, reorderMembers } from '../../wire/reorder-json.ts';
import { CATEGORY, SUPPLIER } from '../catalog/catalog-query.ts';
import { LIST_PARAMETERS, petIds } from '../inventory/list-query.ts';
import { component, schemaAt } from '../openapi/components.ts';
import { errorComponent } from '../openapi/error-responses.ts';
import { header } from '../openapi/headers.ts';
import { ENTITY_TAG } from '../openapi/value-schemas.ts';
import { patch } from '../operation/body.ts';
import { operationsWith, type RequestHeaders } from '../operation/operation.ts';
import { list, one, page, type ResponseHeader, tagged, textView, view } from '../operation/output.ts';
import { choice, cursor, LIMIT, PET_ID } from '../operation/parameter.ts';
import { type EntityTags, readEntityTags } from '../request/entity-tags.ts';
import { ActorSchema } from '../schemas/actor.ts';
import { DAY, dayField } from '../schemas/expected-day.ts';
import { InventoryDetailSchema } from '../schemas/inventory-detail.ts';
import { supplierField } from '../schemas/supplier.ts';
import {
  ENTITY_TAG_PATTERN,
  moment,
  PetIdSchema,
  QuantitySchema,
  text,
  wholeNumber,
} from '../schemas/values.ts';
import { bodyObject } from './fields.ts';
import type { OpenExports } from './open-exports.ts';
import { answerFile, FILE, FILE_OUTPUT, READERS } from './reports/report-files.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly reporting: ManagementStore;
  readonly openExports: OpenExports;
}>({ tag: 'Reorders' });

const ORDERED = { format: 'int64', minimum: 1, maximum: MAX_QUANTITY, example: 140 } as const;
const { quantity, reserved, available, alertLevel, daysOfStock } = InventoryDetailSchema.shape;

const REORDER = view(
  'Reorder',
  z
    .object({
      petId: PetIdSchema,
      name: text(MAX_PET_TEXT, 'Its name.', 'Biscuit').nullable(),
      category: text(MAX_PET_TEXT, 'Its category.', 'Dogs').nullable(),
      sku: text(MAX_SKU, 'Its SKU.', 'DOG-0042').nullable(),
      supplier: text(
        MAX_SUPPLIER,
        'Who sells it to the shop; `null`: not known.',
        'Zoo Wholesale',
      ).nullable(),
      state: z.enum(REORDER_STATES).nullable().openapi({
        description:
          '`to_order`: the pet has an alert level, and nothing is on its way. `ordered`: units are on their way. `null`: neither; the pet is not in the list.',
        example: 'ordered',
      }),
      ...{ alertLevel, quantity, reserved, available, daysOfStock },
      enough: wholeNumber('The available units at which the pet has no alert level any more.', 150),
      suggested: QuantitySchema.openapi({
        description: 'Units to order, besides those that are on their way, to reach `enough`.',
        example: 10,
      }),
      ordered: z
        .int()
        .nullable()
        .openapi({ ...ORDERED, description: 'Units that were ordered; `null`: none are on their way.' }),
      received: wholeNumber('Ordered units that arrived.', 40),
      outstanding: wholeNumber('Ordered units that are on their way.', 100),
      expectedOn: z
        .string()
        .nullable()
        .openapi({ ...DAY, description: 'The day on which they are expected; `null`: not known.' }),
      orderedAt: moment('When they were marked as ordered.').nullable(),
      orderedBy: z.union([ActorSchema, z.null()]),
      etag: z.string().openapi({
        pattern: ENTITY_TAG_PATTERN,
        description: 'For the `If-Match` of a change: it identifies what is ordered, and the supplier.',
        example: '"pnX2rUv0sQ8L1b3d"',
      }),
    })
    .openapi({ description: 'What a shop needs to know to order a pet.' }),
  (row: ReorderRow) => reorderMembers(row),
);

const FILTERS = {
  state: choice(REORDER_FILTERS, {
    component: 'ListedReorders',
    description:
      'Pets `to_order`, those that are `ordered`, or `all` of them, by default. A pet with units on their way is `ordered`, whatever its alert level; any other pet with an alert level is `to_order`.',
    schema: { type: 'string', enum: [...REORDER_FILTERS] },
  }).orElse('all'),
  supplier: SUPPLIER,
  category: CATEGORY,
  alert: LIST_PARAMETERS.alert,
};

const NAMED_REORDERS = petIds(MAX_LISTED_PETS, {
  component: 'NamedReorders',
  description:
    'These pets, also those that are not in the list: up to 1,000 petIds, separated by commas. It excludes all other parameters.',
}).alone();

const CURSOR = cursor<ReorderPlace>({
  parse: (sent) => {
    const [rank = '', days = '', last = '', ...rest] = sent.split(':');
    const petId = parsePetId(last);
    if (rest.length > 0 || petId === undefined || !/^[0-3]$/.test(rank)) return undefined;
    if (!/^(?:|(?:0|[1-9]\d{0,17})(?:\.\d)?)$/.test(days)) return undefined;
    return { rank: Number(rank), daysOfStock: days === '' ? null : Number(days), petId };
  },
  // Days of the greatest quantity have 18 digits, which only their own text gives back exactly.
  print: ({ rank, daysOfStock, petId }) => `${rank}:${daysOfStock ?? ''}:${petId}`,
});

export const listReorders = operation({
  id: 'listReorders',
  at: 'GET /reorders',
  summary: 'List what to order',
  description:
    'Returns the pets with an alert level, and those of which units are on their way, without archived ones. The most urgent pet comes first: oversold, out, low, then those with enough; of each of these the fewest days of stock, then the lowest petId. The order is that of now, so a pet whose stock changes between two pages may be on both or on none. With `petId` it returns those of the named pets that exist, by petId, as they are at one moment.',
  access: { role: 'viewer' },
  isCostly: true,
  query: { ...FILTERS, petId: NAMED_REORDERS, limit: LIMIT, cursor: CURSOR },
  output: page(REORDER, { description: 'A page of the list.' }),
  handle: async ({ reporting: { reorders } }, { query }) => {
    const { petId: named, limit, cursor: after, alert: alertLevels, ...rest } = query;
    if (named) return { items: await reorders.rows(named) };
    const filter = { ...rest, alertLevels };
    const { items, next } = await reorderPage(reorders, filter, { limit, after });
    return { items, ...(next && { next: { cursor: next } }) };
  },
});

export const exportReorders = operation({
  id: 'exportReorders',
  at: 'GET /reorders/export',
  summary: 'Export what to order',
  description: `Returns the list \`listReorders\` as a file, with all its rows. ${READERS}`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: '*/*',
  query: { ...FILTERS, ...FILE },
  output: FILE_OUTPUT,
  handle: ({ reporting: { reorders }, openExports }, { context, query }) => {
    const { state, supplier, category, alert: alertLevels, ...form } = query;
    return answerFile('reorders', {
      context,
      openExports,
      form,
      columns: REORDER_COLUMNS,
      rows: reorderRows(reorders, { state, supplier, category, alertLevels }),
      membersOf: reorderFields,
    });
  },
});

export const listSuppliers = operation({
  id: 'listSuppliers',
  at: 'GET /reorders/suppliers',
  summary: 'List suppliers',
  description: `Returns the suppliers of all pets, up to ${MAX_SUPPLIERS} of them.`,
  access: { role: 'viewer' },
  output: list(
    textView('Supplier', text(MAX_SUPPLIER, 'The name of a supplier.', 'Zoo Wholesale'), (supplier: string) =>
      JSON.stringify(supplier),
    ),
    { description: 'The suppliers.', maxItems: MAX_SUPPLIERS },
  ),
  handle: ({ management: { reorders } }) => reorders.suppliers(),
});

const ONE = { path: { petId: PET_ID }, missing: 'pet' };

const REORDER_TAG = header('ETag', 'ReorderTag', {
  description:
    'Identifies the response. The part before the dot is that of what is ordered, and of the supplier: `If-Match` takes no notice of the rest.',
  required: true,
  schema: ENTITY_TAG,
  example: '"pnX2rUv0sQ8L1b3d.Zk0f"',
});

/** What is ordered, and then the rest, such as the stock. */
const READ_TAG = tagged((row: ReorderRow) => {
  // JSON has no numbers as great as a petId, which the address names.
  const members = JSON.stringify({ ...reorderMembers(row), petId: undefined });
  const rest = createHash('sha256').update(members).digest('base64url');
  return `"${row.tag}.${rest}"`;
}, REORDER_TAG);
const TAG: ResponseHeader<ReorderRow> = { documented: REORDER_TAG, of: READ_TAG.of };

const CONDITION: RequestHeaders<{ readonly ifMatch: EntityTags | undefined }> = {
  documented: [
    component('parameters', 'ReorderIfMatch', {
      name: 'If-Match',
      in: 'header',
      description:
        '`ETag`s of the reorder, or `*`: unless one matches, nothing changes and the response is 412.',
      schema: schemaAt('EntityTags'),
      example: '"pnX2rUv0sQ8L1b3d.Zk0f"',
    }),
  ],
  errors: {
    412: errorComponent('ReorderUnmet', { description: 'The reorder is not one that `If-Match` names.' }),
  },
  read: (context) => {
    const tags = readEntityTags(context, 'If-Match');
    return { ifMatch: typeof tags === 'string' ? tags : tags?.map((tag) => tag.split('.', 1)[0] ?? '') };
  },
};

export const getReorder = operation({
  id: 'getReorder',
  at: 'GET /reorders/{petId}',
  summary: 'Get what is ordered of a pet',
  description: 'Returns what a shop needs to know to order a pet, also of one that is not in the list.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(REORDER, {
    description: 'The pet.',
    headers: [READ_TAG],
    notModified: 'ReorderNotModified',
  }),
  handle: ({ management: { reorders } }, { path: { petId } }) => reorders.find(petId),
});

const ORDERED_RULE = `must be a whole number from 1 to ${MAX_QUANTITY}, or null.`;

const ReorderChangesSchema = bodyObject({
  supplier: supplierField(
    'Who sells the pet; `null` or a blank text: not known. It stays after the units arrived.',
  ),
  ordered: z
    .int(ORDERED_RULE)
    .min(1, ORDERED_RULE)
    .max(MAX_QUANTITY, ORDERED_RULE)
    .nullable()
    .optional()
    .openapi({
      ...ORDERED,
      description:
        'Units that are ordered. While some of an order are on their way, this is the corrected number of the same order. `null`: they were not ordered after all.',
    }),
  expectedOn: dayField('The day on which they are expected; `null`: not known.'),
}).openapi('ReorderChanges', {
  description: 'The values to change; others stay.',
  example: { supplier: 'Zoo Wholesale', ordered: 140, expectedOn: '2026-12-03' },
});

export const updateReorder = operation({
  id: 'updateReorder',
  at: 'PATCH /reorders/{petId}',
  summary: 'Mark a pet as ordered',
  description:
    'Sets what is ordered of a pet, when it is expected, and who sells it. Units arrive by any change of the stock with the reason `received`, from this moment on; an undo of such a change takes them back. When all have arrived, nothing is ordered any more. Without a change nothing is recorded. Send `If-Match` with the `ETag` that was read, or with the `etag` of a row: another person may have ordered the pet, and a request that is repeated after its units have arrived would order them again.',
  access: { role: 'staff' },
  ...ONE,
  headers: CONDITION,
  body: patch(ReorderChangesSchema),
  output: one(REORDER, { description: 'The pet.', headers: [TAG] }),
  handle: ({ management: { reorders } }, { path: { petId }, body: change, headers: { ifMatch }, author }) =>
    reorders.update(petId, change, author, ifMatch),
});
