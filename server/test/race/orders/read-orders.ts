import assert from 'node:assert/strict';
import { request } from '../../blackbox/api-request.ts';
import { nextOf, parsePetIds } from '../checker/movement-pages.ts';
import type { OrderJson } from './order-operation.ts';

/** Reads all orders of a query, page by page. A query with `limit=1` reads one page. */
export async function readOrders(
  service: { readonly port: number; readonly key: string },
  query = '?order=asc&limit=100',
): Promise<OrderJson[]> {
  const orders: OrderJson[] = [];
  for (let path: string | undefined = `/v1/store/orders${query}`; path !== undefined;) {
    const { status, headers, body } = await request(service, { path, key: service.key });
    assert.equal(status, 200, String(body));
    orders.push(...(parsePetIds(String(body)) as OrderJson[]));
    path = query.endsWith('?limit=1') ? undefined : nextOf(headers.get('link'));
  }
  return orders;
}
