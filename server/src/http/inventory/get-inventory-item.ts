import { petNotFound } from '../../domain/inventory.ts';
import type { StockItem, StockStore } from '../../domain/ledger-store.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import { itemTag } from '../../domain/stock.ts';
import { timestamp } from '../movements/movement-json.ts';
import { isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { Operation } from '../request/operation.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { getInventoryItemRoute } from './list-inventory-route.ts';

export function getInventoryItem(store: StockStore): Operation {
  return {
    route: getInventoryItemRoute,
    scope: 'inventory:read',
    isFree: false,
    handle: (context, parameter) => {
      requireNoQuery(context);
      const petId = petIdParameter(parameter('petId'));
      return andThen(store.findItem(petId), (item) => {
        if (!item) throw petNotFound(petId);
        const headers: Record<string, string> = {
          ETag: itemTag(item),
          'Cache-Control': 'private, no-cache',
        };
        const ifNoneMatch = context.header('if-none-match');
        if (ifNoneMatch !== null && isNoneMatchMet(ifNoneMatch, itemTag(item))) {
          return context.respond(304, null, headers);
        }
        headers['Content-Type'] = JSON_TYPE;
        return context.respond(200, stockItemJson(item), headers);
      });
    },
  };
}

function stockItemJson(item: StockItem): string {
  const { petId, quantity, status, version, updatedAtMs, name, category } = item;
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}","version":${version},"updatedAt":"${timestamp(updatedAtMs)}","name":${JSON.stringify(name)},"category":${JSON.stringify(category)}}`;
}
