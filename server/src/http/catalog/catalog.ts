import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { ALERT_LEVELS } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { petNotFound } from '../../domain/inventory.ts';
import { stockTag } from '../../domain/ledger/stock.ts';
import { type CatalogPet, catalogJson } from '../../domain/management/catalog.ts';
import { barcodeKeyOf, type CodeKey, skuKey } from '../../domain/management/pet-codes.ts';
import type { ManagedPet, PetPosition, PetQuery } from '../../domain/management/pets.ts';
import { onlySet } from '../../domain/only-set.ts';
import type { CatalogStore } from '../../domain/store.ts';
import { LIST_PARAMETERS } from '../inventory/list-query.ts';
import { CACHE_CONTROL, ITEM_TAG, LIST_TAG, NEXT_PAGE } from '../openapi/headers.ts';
import { operationsWith } from '../operation/operation.ts';
import { answered, one, tagged, textView } from '../operation/output.ts';
import { choices, LIMIT, PET_ID } from '../operation/parameter.ts';
import { isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import { BarcodesSchema, SkuSchema } from '../schemas/codes.ts';
import { InventoryDetailSchema } from '../schemas/inventory-detail.ts';
import { CATEGORY, CODE_FILTERS, POSITION, WORDS } from './catalog-query.ts';

interface Services {
  readonly store: CatalogStore;
  /** Searches and filters, which read many rows. */
  readonly management: Pick<ManagementStore, 'pets'>;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

const operation = operationsWith<Services>({ tag: 'Catalog', stability: 'beta' });

const { petId, quantity, status, reserved, available, alertLevel, version, name, category } =
  InventoryDetailSchema.shape;

const CATALOG_PET = textView(
  'CatalogPet',
  z
    .object({
      petId,
      name,
      category,
      sku: SkuSchema,
      barcodes: BarcodesSchema,
      quantity,
      reserved,
      available,
      status,
      alertLevel,
      version,
    })
    .openapi({ description: 'A pet with its names, codes and stock.' }),
  (pet: CatalogPet) => catalogJson(pet),
);

const LEVEL = ALERT_LEVELS.join('|');

/** What makes the list one of some pets. */
const FILTERS = {
  q: WORDS,
  ...CODE_FILTERS,
  category: CATEGORY,
  status: LIST_PARAMETERS.status,
  alertLevel: choices(ALERT_LEVELS, {
    description: 'Only pets of these alert levels, separated by commas.',
    schema: { type: 'string', pattern: `^(${LEVEL})(,(${LEVEL}))*$` },
    example: 'low,out',
  }).optional(),
  updatedSince: LIST_PARAMETERS.updatedSince,
};

type Filters = Omit<PetQuery, 'archived' | 'after' | 'limit'>;

interface FoundPage {
  readonly json: string;
  /** Names the bytes; `undefined` where only they do. */
  readonly tag?: string;
  readonly next: PetPosition | undefined;
}

export const listCatalog = operation({
  id: 'listCatalog',
  at: 'GET /catalog',
  summary: 'List or search the catalog',
  description: [
    'Returns pets with their names, codes and stock, by petId; archived ones are left out. With `q` the pets are those with all of its words, in the order of one of them. With `sku` or `barcode` it is the pet that has it, or none.',
    'A page may have fewer pets than `limit`, or none, and not be the last: follow `Link` with `rel="next"` until it is missing. The `ETag` names the bytes: with `If-None-Match` an unchanged page returns 304.',
  ].join('\n\n'),
  access: { scope: 'inventory:read', role: null },
  query: { ...FILTERS, limit: LIMIT, cursor: POSITION },
  output: answered({
    schema: z.array(CATALOG_PET.schema),
    description: 'A page of pets.',
    headers: { ...LIST_TAG, ...CACHE_CONTROL, ...NEXT_PAGE },
    notModified: 'CatalogNotModified',
    isTagged: true,
  }),
  handle: async ({ store, management, baseUrl }, { query, context }) => {
    const { limit, cursor: after, q, alertLevel: alertLevels, updatedSince, ...filters } = query;
    const wanted = onlySet<Filters>({
      ...filters,
      query: q?.trim() === '' ? undefined : q,
      alertLevels,
      updatedSinceMs: updatedSince && Math.ceil(updatedSince),
    });
    const { json, next, tag: known } = await findPage({ store, management }, wanted, after, limit);
    const tag = `"${known ?? createHash('sha256').update(json).digest('base64url')}"`;
    const headers: Record<string, string> = { ETag: tag, 'Cache-Control': 'private, no-cache' };
    if (next) {
      const sent = new URLSearchParams(context.query);
      sent.set('cursor', POSITION.print(next));
      headers.Link = `<${baseUrl}/catalog?${sent}>; rel="next"`;
    }
    const ifNoneMatch = context.header('if-none-match');
    if (ifNoneMatch !== null && isNoneMatchMet(ifNoneMatch, tag)) return context.respond(304, null, headers);
    headers['Content-Type'] = JSON_TYPE;
    return context.respond(200, json, headers);
  },
});

async function findPage(
  { store, management }: Pick<Services, 'store' | 'management'>,
  filters: Filters,
  after: PetPosition | undefined,
  limit: number,
): Promise<FoundPage> {
  const names = Object.keys(filters);
  if (names.length === 0 && after?.word === undefined) {
    const { json, tag, nextAfter } = await store.catalogPage(after?.petId, limit);
    return { json, tag, next: nextAfter === undefined ? undefined : { petId: nextAfter } };
  }
  const key = names.length === 1 && !after ? keyOf(filters) : undefined;
  if (key) {
    const pet = await store.findManagedPet(key);
    return { json: pet?.archivedAtMs === null ? `[${catalogJson(pet)}]` : '[]', next: undefined };
  }
  const found = await management.pets.list(
    onlySet<PetQuery>({ ...filters, archived: 'exclude', after, limit }),
  );
  return { json: `[${found.pets.map(catalogJson).join(',')}]`, next: found.next };
}

function keyOf({ sku, barcode }: Filters): CodeKey | undefined {
  if (sku !== undefined) return skuKey(sku);
  return barcode === undefined ? undefined : barcodeKeyOf(barcode);
}

export const getCatalogPet = operation({
  id: 'getCatalogPet',
  at: 'GET /catalog/{petId}',
  summary: 'Get a pet of the catalog',
  description:
    'Returns a pet with its names, codes and stock, also an archived one. The `ETag` names the pet; `If-Match` of a write takes it.',
  access: { scope: 'inventory:read', role: null },
  path: { petId: PET_ID },
  output: one(CATALOG_PET, {
    description: 'The pet.',
    headers: [tagged<ManagedPet>((pet) => `"${stockTag(pet)}"`, ITEM_TAG)],
    notModified: 'ItemNotModified',
  }),
  missing: 'pet',
  handle: async ({ store }, { path }) => {
    const pet = await store.findManagedPet(path.petId);
    if (pet) return pet;
    throw petNotFound(path.petId);
  },
});
