import { petNotFound } from '../../domain/inventory.ts';
import { daysOfStock } from '../../domain/ledger/sales.ts';
import { availableOf, itemTag } from '../../domain/ledger/stock.ts';
import type { StockItem, StockStore } from '../../domain/ledger-store.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { CACHE_CONTROL, ITEM_TAG } from '../openapi/headers.ts';
import { handwritten } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { PET_ID, parseQuery } from '../operation/parameter.ts';
import { isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import { InventoryDetailSchema } from '../schemas/inventory-detail.ts';

export const getInventoryItem = handwritten<{ readonly store: Pick<StockStore, 'findItem'> }>({
  tag: 'Inventory',
  id: 'getInventoryItem',
  at: 'GET /inventory/{petId}',
  summary: 'Get the stock of a pet',
  description:
    'Returns the stock of one pet with its reservations, alert level, version, name and category. `daysOfStock` is the available units divided by the units sold per day, over the last 30 days or, of a newer pet, the days since it was added; in tenths, rounded down. The `ETag` names the item. With `If-None-Match` an unchanged item returns 304. With `If-Match` a write succeeds only if the item is unchanged.',
  access: { scope: 'inventory:read' },
  path: { petId: PET_ID },
  output: answered({
    schema: InventoryDetailSchema,
    description: 'The item.',
    headers: { ...ITEM_TAG, ...CACHE_CONTROL },
    notModified: 'ItemNotModified',
    isTagged: true,
  }),
  missing: 'pet',
  create:
    ({ store }) =>
    async (context, parameter) => {
      if (context.query !== '') parseQuery(context.query, {});
      const petId = PET_ID.read('petId', parameter('petId'));
      const item = await store.findItem(petId, context.nowMs);
      if (!item) throw petNotFound(petId);
      const days = daysOfStock(availableOf(item), item, context.nowMs);
      const tag = itemTag(item, days);
      const headers: Record<string, string> = { ETag: tag, 'Cache-Control': 'private, no-cache' };
      // The tag of the response to a write names the same stock.
      context.plainTag = itemTag(item);
      const ifNoneMatch = context.header('if-none-match');
      if (ifNoneMatch !== null && isNoneMatchMet(ifNoneMatch, tag))
        return context.respond(304, null, headers);
      headers['Content-Type'] = JSON_TYPE;
      return context.respond(200, stockItemJson(item, days), headers);
    },
});

function stockItemJson(item: StockItem, days: number | null): string {
  const { petId, quantity, status, reserved, alertLevel, lowStockAt, restockAt } = item;
  const { version, updatedAtMs, name, category } = item;
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}","reserved":${reserved},"available":${availableOf(item)},"alertLevel":${JSON.stringify(alertLevel)},"lowStockAt":${lowStockAt},"restockAt":${restockAt},"daysOfStock":${days},"version":${version},"updatedAt":"${timestamp(updatedAtMs)}","name":${JSON.stringify(name)},"category":${JSON.stringify(category)}}`;
}
