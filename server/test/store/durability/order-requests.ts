import { request } from '../../blackbox/api-request.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import type { Service } from '../../blackbox/service.ts';

/** An order in a response. */
export interface OrderJson {
  readonly orderId: number;
  readonly status: string;
  readonly version: number;
  readonly referenceId: string | null;
}

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Orders units of a pet. */
export function placeOrder(
  service: Service,
  petId: number,
  quantity: number,
  referenceId: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const body = JSON.stringify({ lines: [{ petId, quantity }], referenceId, expiresAt: null });
  return request(service, {
    method: 'POST',
    path: '/v1/store/orders',
    key: service.key,
    headers: { ...JSON_BODY, ...headers },
    body,
  });
}

export function stepOrder(service: Service, orderId: number, step: string): Promise<RawResponse> {
  return request(service, { method: 'POST', path: `/v1/store/orders/${orderId}/${step}`, key: service.key });
}

export function orderOf({ body }: RawResponse): OrderJson {
  return JSON.parse(body.toString()) as OrderJson;
}

/** All orders, the oldest first. */
export async function ordersOf(service: Service): Promise<OrderJson[]> {
  const found: OrderJson[] = [];
  for (let cursor = ''; ;) {
    const path = `/v1/store/orders?order=asc&limit=100${cursor}`;
    const response = await request(service, { path, key: service.key });
    found.push(...(JSON.parse(response.body.toString()) as OrderJson[]));
    const next = /[?&](cursor=[^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) return found;
    cursor = `&${next}`;
  }
}
