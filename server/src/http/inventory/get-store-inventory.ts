import { z } from '@hono/zod-openapi';
import type { Ledger, StockTotals } from '../../domain/ledger-store.ts';
import { operationsWith } from '../operation/operation.ts';
import { one, storable, view } from '../operation/output.ts';

/** More than int64 only where above 1,024 pets have the largest quantity. */
const sum = (description: string, example: number) =>
  z.bigint().openapi({
    type: 'integer',
    format: 'int64',
    description: `${description}. An exact integer, which may be larger than 2^53.`,
    example,
  });
const stock = (status: string, example: number) =>
  sum(`The stock that is ${status}`, example).openapi({ minimum: 0 });

const STORE_INVENTORY = view(
  'StoreInventory',
  z
    .object({
      available: stock('available', 812),
      pending: stock('pending', 40),
      sold: stock('sold', 0),
      reservedUnits: sum('The units that open orders reserve', 31).openapi({ minimum: 0 }),
      availableUnits: sum('The stock of any status minus the reserved units', 821),
    })
    .openapi({ description: 'The stock of all pets, added up by status.' }),
  ({ available, pending, sold, reserved }: StockTotals) => ({
    available,
    pending,
    sold,
    reservedUnits: reserved,
    availableUnits: available + pending + sold - reserved,
  }),
);

const operation = operationsWith<{ readonly store: { readonly ledger: Ledger } }>({
  tag: 'Store',
});

export const getStoreInventory = operation({
  id: 'getStoreInventory',
  at: 'GET /store/inventory',
  summary: 'Get the stock by status',
  description:
    'Returns the stock per status: the exact sum of the quantities of all pets. A status without stock is 0. `reservedUnits` are those of open orders, whatever the status; `availableUnits` are all others, below 0 after recounts that found fewer.',
  access: { scope: 'inventory:read' },
  output: one(STORE_INVENTORY, { description: 'The stock by status.', headers: [storable] }),
  handle: ({ store }) => store.ledger.stockTotals(),
});
