import { createRoute, z } from '@hono/zod-openapi';
import { answers, notModified, PetIdParameter } from './document-parts.ts';
import { InventoryItemSchema, type inventoryUpdateSchema } from './schemas.ts';

export const DEFAULT_PAGE_ITEMS = 100;
export const LARGEST_PAGE_ITEMS = 1_000;

const LIST_HEADERS = {
  ETag: 'Names these bytes; send it back in If-None-Match (RFC 9110 section 8.8.3).',
  'Cache-Control': 'The client may keep the list, and asks each time whether it still holds.',
  Vary: 'What else the bytes depend on.',
  Link: 'The next page, when the list was asked for in pages (RFC 8288).',
};

export const listInventoryRoute = createRoute({
  operationId: 'listInventory',
  method: 'get',
  path: '/inventory',
  tags: ['Inventory'],
  summary: 'List inventory',
  description:
    'Returns current stock levels for all pets in the store, ascending by `petId`, with every change in it that was acknowledged before the request arrived. Send the `ETag` back in `If-None-Match` and an unchanged list costs a 304. With `limit` or `cursor` the same array comes in pages.',
  'x-scope': 'inventory:read',
  request: {
    query: z.object({
      limit: z.string().optional().openapi({
        type: 'integer',
        minimum: 1,
        maximum: LARGEST_PAGE_ITEMS,
        description: 'Items in a page.',
        example: DEFAULT_PAGE_ITEMS,
      }),
      cursor: z
        .string()
        .optional()
        .openapi({ description: 'Where the page begins; from the `Link` header of the page before.' }),
    }),
    headers: z.object({
      'If-None-Match': z.string().optional().openapi({ description: 'The ETag of a list the client has.' }),
    }),
  },
  responses: {
    ...answers(z.array(InventoryItemSchema), 'All entries, or one page of them.', [400, 403], LIST_HEADERS),
    ...notModified(LIST_HEADERS),
  },
});

export function updateInventoryRoute(schema: ReturnType<typeof inventoryUpdateSchema>) {
  return createRoute({
    operationId: 'updateInventory',
    method: 'patch',
    path: '/inventory/{petId}',
    tags: ['Inventory'],
    summary: 'Update stock level',
    description:
      'Sets the stock quantity of one pet: new arrivals, returns, manual adjustments. The answer is sent when the change is on disk. Setting what is already there changes and records nothing. Integers by value are accepted (`5.0`, `1e3`); unknown members are ignored.',
    'x-stability': 'experimental',
    'x-scope': 'inventory:write',
    request: {
      params: PetIdParameter,
      body: {
        required: true,
        content: { 'application/json': { schema }, 'application/merge-patch+json': { schema } },
      },
    },
    responses: answers(InventoryItemSchema, 'The updated entry.', [400, 403, 404, 408, 413, 415]),
  });
}
