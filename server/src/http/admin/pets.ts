import { hasAtMost } from '@petstore-inventory/shared/characters';
import { z } from '@hono/zod-openapi';
import {
  MAX_NAMED_PETS,
  MAX_PAGE_ITEMS,
  MAX_PET_TEXT,
  MAX_QUANTITY,
} from '@petstore-inventory/shared/limits';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { PET_ROW_COLUMNS, type PetRowsPage } from '../../domain/management/pet-rows.ts';
import type { PetStore } from '../../domain/management/pet-store.ts';
import { ARCHIVED_FILTERS, type NewPet, type PetQuery } from '../../domain/management/pets.ts';
import { onlySet } from '../../domain/only-set.ts';
import { CATEGORY, CODE_FILTERS, POSITION, SUPPLIER, WORDS } from '../catalog/catalog-query.ts';
import { LIST_PARAMETERS, petIds } from '../inventory/list-query.ts';
import { schemaAt } from '../openapi/components.ts';
import { CONFLICT, type ErrorResponses, errorComponent } from '../openapi/error-responses.ts';
import { header } from '../openapi/headers.ts';
import { body, patch } from '../operation/body.ts';
import { operationsWith, type RequestHeaders } from '../operation/operation.ts';
import { answered, located, nothing, one, page } from '../operation/output.ts';
import { choice, LIMIT, limit, PET_ID } from '../operation/parameter.ts';
import { JSON_LINES_TYPE } from '../request/content-negotiation.ts';
import { type EntityTags, readPreconditions } from '../request/entity-tags.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import { BarcodesSchema, SkuSchema } from '../schemas/codes.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { quantitySchema } from '../schemas/quantity.ts';
import { PRECONDITIONS } from '../writes/write-headers.ts';
import { PET_TEXT_RULE, thresholdField } from './fields.ts';
import { MAX_OPEN_EXPORTS, type OpenExports } from './open-exports.ts';
import { MANAGED_PET, PET_TAG, RESTORED_PET, CHANGED_PET_TAG } from './managed-pet.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly openExports: OpenExports;
}>({ tag: 'Pets' });

const CHANGED = one(MANAGED_PET, { description: 'The pet.', headers: [CHANGED_PET_TAG] });
const ONE = { path: { petId: PET_ID }, missing: 'pet' };

export const ARCHIVED = choice(ARCHIVED_FILTERS, {
  description: 'Whether archived pets are left out (the default), included, or alone in the result.',
  schema: { type: 'string', enum: ARCHIVED_FILTERS },
}).orElse('exclude');

const NAMED_PETS = petIds(MAX_NAMED_PETS, {
  component: 'NamedPets',
  description: `Only these pets: up to ${MAX_NAMED_PETS} petIds, separated by commas. It excludes all other parameters.`,
}).alone();

const PER_WORD = limit(
  {
    description:
      'With `q`, at most so many pets of a page that the same word finds, and all of them by default; the others of this word are left out. With 20, `gold` finds `Goldfish` too where hundreds of pets have the word `gold`.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PAGE_ITEMS },
    example: 20,
  },
  { byDefault: MAX_PAGE_ITEMS, max: MAX_PAGE_ITEMS },
);

export const listPets = operation({
  id: 'listPets',
  at: 'GET /pets',
  summary: 'List or search pets',
  description:
    'Returns pets by petId, or with `q` those with all of its words, in the order of one of them. With `sku` or `barcode` it returns the pet that has it. A page may have fewer pets than `limit`, or none, and not be the last: follow `Link` until it is missing. With `petId` it returns those of the named pets that exist, archived ones too.',
  access: { role: 'viewer' },
  query: {
    q: WORDS,
    archived: ARCHIVED,
    status: LIST_PARAMETERS.status,
    alert: LIST_PARAMETERS.alert,
    category: CATEGORY,
    supplier: SUPPLIER,
    ...CODE_FILTERS,
    petId: NAMED_PETS,
    limit: LIMIT,
    perWord: PER_WORD,
    cursor: POSITION,
  },
  output: page(MANAGED_PET, { description: 'A page of pets.', maxItems: null }),
  handle: async ({ management: { pets } }, { query }) => {
    const { q, alert, petId: named, cursor: after, perWord, ...filters } = query;
    if (named) return { items: await pets.findAll(named) };
    const search = q === undefined || q.trim() === '' ? {} : { query: q, perWord };
    const found = await pets.list(onlySet<PetQuery>({ ...filters, ...search, alertLevels: alert, after }));
    return { items: found.pets, next: found.next && { cursor: found.next } };
  },
});

const textMember = (description: string, example: string) =>
  z
    .string(PET_TEXT_RULE)
    .refine((text) => hasAtMost(text, MAX_PET_TEXT), PET_TEXT_RULE)
    .nullable()
    .optional()
    .openapi({ maxLength: MAX_PET_TEXT, description, example });

/** The members that a body sets; `null` removes a value. */
const PET_MEMBERS = {
  name: textMember('The name of the animal; `null` removes it.', 'Biscuit'),
  category: textMember('The kind of animal; `null` removes it.', 'Dogs'),
  lowStockAt: thresholdField(
    'Low at so many available units, or fewer; `null`: the default of the shop applies.',
  ),
  restockAt: thresholdField('No longer low at so many; greater than `lowStockAt`, and only with it.'),
  sku: SkuSchema.optional(),
  barcodes: BarcodesSchema.optional(),
  takeCodes: z
    .boolean('must be true or false.')
    .optional()
    .openapi({ description: 'Takes the codes from archived pets that have them; `false` by default.' }),
};

const NewPetSchema = z
  .strictObject({
    petId: ExactPetIdSchema,
    ...PET_MEMBERS,
    quantity: quantitySchema(MAX_QUANTITY, 'Units on hand; 0 by default.').optional(),
    status: PetStatusSchema.optional(),
  })
  .openapi('NewPet', {
    description: 'A pet to add.',
    example: { petId: 4711, name: 'Rex', category: 'dogs', quantity: 3 },
  });

const LOCATION = header('Location', 'PetLocation', {
  description: 'The address of the pet.',
  required: true,
  schema: { type: 'string', format: 'uri' },
});

const CODE_CONFLICT: ErrorResponses = {
  409: errorComponent('PetConflict', {
    description: 'The present state does not allow the action, or another pet has one of the codes.',
    codes: ['conflict', 'code_in_use'],
  }),
};

export const createPet = operation({
  id: 'createPet',
  at: 'POST /pets',
  summary: 'Add a pet',
  description:
    'Adds a pet with its stock, which is a movement of the kind `import`. A petId that exists is 409 `conflict`, and a code of another pet 409 `code_in_use`: `takeCodes` takes those of archived pets.',
  access: { role: 'staff' },
  body: body(NewPetSchema, { petIdsIn: true }),
  output: one(MANAGED_PET, {
    status: 201,
    description: 'The pet.',
    headers: [CHANGED_PET_TAG, located(({ petId }) => `/pets/${petId}`, LOCATION)],
  }),
  errors: CODE_CONFLICT,
  handle: ({ management }, { body: wanted, author }) => {
    const { name = null, category = null, lowStockAt = null, restockAt = null } = wanted;
    const { quantity = 0, status = 'available' } = wanted;
    const pet = { ...wanted, name, category, lowStockAt, restockAt, quantity, status };
    return management.pets.create(onlySet<NewPet>(pet), author);
  },
});

const ROWS_SEQUENCE = header('Inventory-Sequence', 'RowsSequence', {
  description: 'A movement that no row is older than: follow the live stream after it.',
  required: true,
  schema: schemaAt('WholeNumber'),
  example: 4711,
});

export const listPetRows = operation({
  id: 'listPetRows',
  at: 'GET /pets/rows',
  summary: 'List all pets in one response',
  description: `Returns all pets in the order of petId, archived ones too, as fast as they are read: one JSON array per line. The first line has the names of the members: ${PET_ROW_COLUMNS.join(', ')}. The petId is a text, because a JSON parser may round a number; times are Unix times in milliseconds. Pets that change meanwhile are old or new in the response. To stay current, follow the live stream after \`Inventory-Sequence\`, and apply movements with a greater \`version\` than the row. A key may read ${MAX_OPEN_EXPORTS} of these lists at the same time; one more returns 503 \`service_unavailable\`.`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: JSON_LINES_TYPE,
  output: answered({
    response: 'PetRows',
    description: 'The names of the members, then all pets, one per line.',
    headers: ROWS_SEQUENCE,
    notModified: 'PetRowsNotModified',
    mediaTypes: [JSON_LINES_TYPE],
    schema: { description: `Arrays of ${PET_ROW_COLUMNS.join(', ')}.` },
  }),
  handle: async ({ management, openExports }, { context }) => {
    const first = await management.pets.rowsPage();
    return context.respond(200, openExports.bodyOf(context, rowTexts(management.pets, first)), {
      'Content-Type': JSON_LINES_TYPE,
      'Cache-Control': 'no-store',
      'Inventory-Sequence': String(first.sequence),
    });
  },
});

async function* rowTexts(pets: PetStore, first: PetRowsPage): AsyncGenerator<string> {
  let current = first;
  yield `${JSON.stringify(PET_ROW_COLUMNS)}\n${current.text}`;
  while (current.next !== undefined) {
    current = await pets.rowsPage(current.next);
    yield current.text;
  }
}

export const getManagedPet = operation({
  id: 'getManagedPet',
  at: 'GET /pets/{petId}',
  summary: 'Get a pet',
  description: 'Returns a pet with its stock, also an archived one.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(MANAGED_PET, { description: 'The pet.', headers: [PET_TAG], notModified: 'ItemNotModified' }),
  handle: ({ management }, { path: { petId } }) => management.pets.find(petId),
});

const PetChangesSchema = z.strictObject(PET_MEMBERS).openapi('PetChanges', {
  description: 'The values to change; others stay.',
  example: { name: 'Rex', category: 'dogs' },
});

const CONDITIONS: RequestHeaders<Record<'ifMatch' | 'ifNoneMatch', EntityTags | undefined>> = {
  documented: PRECONDITIONS,
  errors: {
    412: errorComponent('PetUnmet', {
      description: 'The pet is not one that `If-Match` names, or is one that `If-None-Match` names.',
    }),
  },
  read: readPreconditions,
};

export const updatePet = operation({
  id: 'updatePet',
  at: 'PATCH /pets/{petId}',
  summary: 'Edit a pet',
  description:
    'Changes the name, category, thresholds and codes of a pet, which is a movement of the kind `import`. Without a change nothing is recorded. `If-Match` takes the tag of the pet or of its inventory item. A code of another pet is 409 `code_in_use`: `takeCodes` takes those of archived pets. The quantity changes with the operations of the inventory.',
  access: { role: 'staff' },
  ...ONE,
  headers: CONDITIONS,
  body: patch(PetChangesSchema),
  output: CHANGED,
  errors: CODE_CONFLICT,
  handle: ({ management }, { path: { petId }, body: changes, author, headers }) =>
    management.pets.update(petId, onlySet(changes), author, headers),
});

export const archivePet = operation({
  id: 'archivePet',
  at: 'POST /pets/{petId}/archive',
  summary: 'Archive a pet',
  description:
    'Hides a pet from lists and search of this interface; clients still find it. Only a pet without stock and reservations can be archived, else the response is 409 `conflict`.',
  access: { role: 'staff' },
  ...ONE,
  output: CHANGED,
  errors: CONFLICT,
  handle: ({ management }, { path: { petId }, author }) => management.pets.archive(petId, author),
});

export const deletePet = operation({
  id: 'deletePet',
  at: 'DELETE /pets/{petId}',
  summary: 'Delete a pet',
  description:
    'Deletes a pet that was created by mistake, with a movement of the kind `import` that reverts its creation: its petId and its codes are free again. Only a pet without a movement besides its creation can be deleted; sales, counts, orders and edits are movements. Any other is 409 `conflict`: archive it. Past lists and the ledger keep what there was.',
  access: { role: 'staff' },
  ...ONE,
  output: nothing('The pet is deleted.', 'DeletedPet'),
  errors: CONFLICT,
  handle: ({ management }, { path: { petId }, author }) => management.pets.delete(petId, author),
});

export const restorePet = operation({
  id: 'restorePet',
  at: 'POST /pets/{petId}/restore',
  summary: 'Restore a pet',
  description:
    'Shows an archived pet again, without the codes that other pets took meanwhile, which `takenCodes` names. A pet that is not archived stays as it is.',
  access: { role: 'staff' },
  ...ONE,
  output: one(RESTORED_PET, { description: 'The pet.', headers: [CHANGED_PET_TAG] }),
  handle: ({ management }, { path: { petId }, author }) => management.pets.restore(petId, author),
});
