import type { AdminStore } from '../../domain/admin-store.ts';
import { UNEXPLAINED } from '../../domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { Order } from '../../domain/orders/orders.ts';
import type { WriteCommand } from '../../domain/write-command.ts';

const DAY_MS = 86_400_000;

/** Places the orders of the sample shop: one that waits for its approval, and one that is delivered in part. */
export async function placeSampleOrders(store: AdminStore): Promise<void> {
  await orderAfter(store, {
    kind: 'place',
    lines: [{ petId: 26n, quantity: 6 }],
    expiresAtMs: (await store.now()) + 30 * DAY_MS,
    explanation: { ...UNEXPLAINED, referenceId: 'web-1001', note: 'an aviary of finches' },
  });
  const { orderId } = await orderAfter(store, {
    kind: 'place',
    lines: [
      { petId: 31n, quantity: 40 },
      { petId: 36n, quantity: 8 },
    ],
    expiresAtMs: null,
    explanation: { ...UNEXPLAINED, referenceId: 'phone-17', note: 'an aquarium for a school' },
  });
  await orderAfter(store, { kind: 'step', step: 'approve', orderId });
  await orderAfter(store, { kind: 'step', step: 'deliver', orderId, lines: [{ petId: 31n }] });
}

async function orderAfter(store: AdminStore, command: WriteCommand): Promise<Order> {
  const result = await store.write(command, CLI_AUTHOR);
  if (result.kind === 'order' && result.code === 'done' && result.order) return result.order;
  throw new Error(`The sample shop's order was refused: ${result.code}.`);
}
