import assert from 'node:assert/strict';
import type { OrderStep } from '@petstore-inventory/shared/words';
import { type Explanation, UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import type { Order, StepLine } from '../../../src/domain/orders/orders.ts';
import type { WriteCommand, WriteResult } from '../../../src/domain/write-command.ts';
import type { TestApp } from '../../support/harness.ts';

type Shop = Pick<TestApp, 'store' | 'clock'>;

/** Executes a command at the time of the test. */
export async function write({ store, clock }: Shop, command: WriteCommand): Promise<WriteResult> {
  const author = { actor: 'key_1', actorName: 'key_1', requestId: 'request', atMs: clock.nowMs };
  const answer = await store.write({ author, command });
  assert.equal(answer.kind, 'written');
  return answer.result;
}

function orderOf(result: WriteResult): Order {
  assert.ok(result.kind === 'order' && result.code === 'done' && result.order, JSON.stringify(result.kind));
  return result.order;
}

export interface Placement {
  readonly expiresAtMs?: number | null;
  readonly explanation?: Partial<Explanation>;
}

/** Places an order that the shop must accept. It never expires, unless it has a time. */
export async function place(
  shop: Shop,
  lines: readonly (readonly [petId: bigint, quantity: number])[],
  { expiresAtMs = null, explanation = {} }: Placement = {},
): Promise<Order> {
  const wanted = lines.map(([petId, quantity]) => ({ petId, quantity }));
  const all = { ...UNEXPLAINED, ...explanation };
  return orderOf(await write(shop, { kind: 'place', lines: wanted, expiresAtMs, explanation: all }));
}

/** Takes a step that the shop must accept. */
export async function step(
  shop: Shop,
  orderId: number,
  name: OrderStep,
  lines?: readonly StepLine[],
): Promise<Order> {
  return orderOf(await write(shop, { kind: 'step', step: name, orderId, lines, isForced: true }));
}
