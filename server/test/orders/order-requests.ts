import type { Answer } from '../support/harness.ts';
import { bodyOf, type RequestHeaders, type RequestSender } from '../support/stock-requests.ts';

export type Verb = 'approve' | 'deliver' | 'cancel' | 'return';
export const VERBS: readonly Verb[] = ['approve', 'deliver', 'cancel', 'return'];

/** An order as its JSON reads; a petId within 2^53 is a number. */
export interface OrderJson {
  readonly orderId: number;
  readonly status: string;
  readonly version: number;
  readonly lines: readonly OrderLineJson[];
  readonly referenceId: string | null;
  readonly note: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly actor: { readonly keyId: string | null; readonly name: string };
}

export interface OrderLineJson {
  readonly petId: number | bigint;
  readonly quantity: number;
  readonly delivered: number;
  readonly returned: number;
  readonly reserved: number;
}

export function orderOf({ json }: Pick<Answer, 'json'>): OrderJson {
  return json as unknown as OrderJson;
}

export function ordersOf({ json }: Pick<Answer, 'json'>): OrderJson[] {
  return json as unknown as OrderJson[];
}

/** Lines from pairs of a pet and its units. */
export function linesOf(...pairs: readonly (readonly [number | bigint, number])[]): object {
  return { lines: pairs.map(([petId, quantity]) => ({ petId, quantity })) };
}

export function place(app: RequestSender, body: object | string, headers: RequestHeaders = {}) {
  return app.request('POST', '/v1/store/orders', { body: bodyOf(body), headers });
}

/** Has no body unless `body` is set. */
export function take(
  app: RequestSender,
  verb: Verb,
  orderId: number | string,
  body?: object | string,
  headers: RequestHeaders = {},
): Promise<Answer> {
  const sending = body === undefined ? { headers } : { headers, body: bodyOf(body) };
  return app.request('POST', `/v1/store/orders/${orderId}/${verb}`, sending);
}

export function getOrder(app: RequestSender, orderId: number | string, headers: RequestHeaders = {}) {
  return app.request('GET', `/v1/store/orders/${orderId}`, { headers });
}

export function listOrders(app: RequestSender, query = ''): Promise<Answer> {
  return app.request('GET', `/v1/store/orders${query}`);
}

export function messageOf({ json }: Pick<Answer, 'json'>): string {
  return (json as { message: string }).message;
}
