import { createRoute, z } from '@hono/zod-openapi';
import { PET_STATUSES } from '../../domain/inventory.ts';
import {
  choiceParameter,
  LimitParameter,
  momentParameter,
  PetIdParameter,
  ReadHeaders,
  wholeNumberParameter,
} from '../openapi/parameters.ts';
import { answers, FORBIDDEN, notModified } from '../openapi/responses.ts';
import { InventoryItemSchema } from '../schemas/inventory.ts';
import { InventoryDetailSchema } from '../schemas/movement.ts';

const LIST_HEADERS = {
  ETag: 'Names these bytes; send it back in If-None-Match (RFC 9110 section 8.8.3).',
  'Cache-Control': 'The client may keep the list, and asks each time whether it still holds.',
  Vary: 'What else the bytes depend on.',
  Link: 'The next page, when the list was asked for in pages (RFC 8288).',
};

const SEQUENCE_HEADER = {
  'Inventory-Sequence': {
    type: 'integer',
    description:
      'The movement after which the stock was so. Ask for the movements after it, and none is missed and none comes twice.',
    example: 4711,
    isRequired: true,
  },
} as const;

export const listInventoryRoute = createRoute({
  operationId: 'listInventory',
  method: 'get',
  path: '/inventory',
  tags: ['Inventory'],
  summary: 'List inventory',
  description: [
    'Returns current stock levels for all pets in the store, ascending by `petId`, with every change in it that was acknowledged before the request arrived. Send the `ETag` back in `If-None-Match` and an unchanged list costs a 304. With `limit` or `cursor` the same array comes in pages.',
    'With `asOf` or `atSequence` it is the stock as it was then, all of it at one and the same moment. The other parameters choose among the pets. Pages of such a list are of one moment too: their `Link` names it. Where few pets fit, a page may have fewer than `limit`, or none, and not be the last one: follow `Link` with `rel="next"` until there is none.',
  ].join('\n\n'),
  'x-scope': 'inventory:read',
  request: {
    query: z.object({
      limit: LimitParameter,
      cursor: z
        .string()
        .optional()
        .openapi({ description: 'Where the page begins; from the `Link` header of the page before.' }),
      asOf: momentParameter(
        'The stock at this moment, which is not in the future. Not together with `atSequence`.',
      ),
      atSequence: wholeNumberParameter('The stock after this movement. Not together with `asOf`.', 4711),
      status: choiceParameter(PET_STATUSES, 'Pets of this status alone.'),
      quantityLte: wholeNumberParameter('Pets with this quantity or less.', 5),
      quantityGte: wholeNumberParameter('Pets with this quantity or more.', 1),
      updatedSince: momentParameter('Pets whose stock was changed at this moment or later.'),
      petId: z.string().optional().openapi({
        description: 'These pets alone: up to 1,000 petIds, separated by commas.',
        pattern: '^-?[0-9]+(,-?[0-9]+)*$',
        example: '1,2,7',
      }),
    }),
    headers: ReadHeaders,
  },
  responses: {
    ...answers({
      schema: z.array(InventoryItemSchema),
      description: 'All entries, or one page of them.',
      headersOfAll: LIST_HEADERS,
      headers: SEQUENCE_HEADER,
      errors: {
        ...FORBIDDEN,
        410: {
          description:
            'The moment lies before the begin of the ledger, which the operator does not keep whole.',
          codes: ['history_pruned'],
        },
      },
    }),
    ...notModified(LIST_HEADERS, SEQUENCE_HEADER),
  },
});

const ITEM_HEADERS = {
  ETag: 'Names the item; send it in `If-None-Match`, or in `If-Match` of a write (RFC 9110 section 8.8.3).',
  'Cache-Control': 'The client may keep the item, and asks each time whether it still holds.',
};

export const getInventoryItemRoute = createRoute({
  operationId: 'getInventoryItem',
  method: 'get',
  path: '/inventory/{petId}',
  tags: ['Inventory'],
  summary: 'Get the stock of a pet',
  description:
    'Returns the stock of one pet, with its version and what it is called. The `ETag` names the item: in `If-None-Match` an unchanged one costs a 304, in `If-Match` a write happens only if nobody was faster.',
  'x-stability': 'beta',
  'x-scope': 'inventory:read',
  request: { params: PetIdParameter, headers: ReadHeaders },
  responses: {
    ...answers({
      schema: InventoryDetailSchema,
      description: 'The item.',
      headersOfAll: ITEM_HEADERS,
      errors: { ...FORBIDDEN, 404: { description: 'There is no such pet.' } },
    }),
    ...notModified(ITEM_HEADERS),
  },
});
