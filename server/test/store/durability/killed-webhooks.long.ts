import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setQuantity } from '../../blackbox/api-request.ts';
import type { Service } from '../../blackbox/service.ts';
import { LOCAL_RECEIVERS } from '../../race/webhooks/local-receivers.ts';
import { AUTHOR } from '../../webhook-endpoints/endpoint-shop.ts';
import { type Receiver, startReceiver } from '../../webhooks/receiver.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { killRounds, ROUNDS } from './kill-rounds.ts';

const PEPPER = 'p'.repeat(64);
const CLIENTS = 2;
const DELIVERED_TIMEOUT_MS = 120_000;

/** The movements that arrived, each once, in the order of their first arrival. */
function arrived(receiver: Receiver): number[] {
  const places = receiver.messages().map(({ place }) => place);
  return [...new Set(places)]
    .filter((place) => place.endsWith('.0'))
    .map((place) => Number.parseInt(place, 10));
}

test('each movement is delivered in order through kills of the service', async (t) => {
  const receiver = await startReceiver(t);
  let changes = 0;
  const change = async (service: Service, petId: number) => {
    for (let quantity = 1; ; quantity += 1) {
      const response = await setQuantity(service, petId, quantity).catch(() => undefined);
      if (!response) return;
      assert.equal(response.status, 200, response.body.toString());
      changes += 1;
    }
  };
  const service = await killRounds(t, {
    env: { ...LOCAL_RECEIVERS, PETSTORE_PEPPER: PEPPER },
    pets: Array.from({ length: CLIENTS }, (_, i) => ({ petId: BigInt(i + 1), quantity: 0 })),
    begin: async ({ databaseDir }) => {
      const admin = await openAdmin(`sqlite:${databaseDir}/petstore.db`, {
        pepper: () => Buffer.from(PEPPER),
      });
      const [account] = await admin.accounts.list();
      await admin.webhooks.create({ accountId: account?.id ?? '', url: receiver.url }, 1, AUTHOR);
      await admin.close();
    },
    // A lease of the killed sender ends first, so each kill meets a sender.
    done: () => receiver.messages().length,
    work: (serving) => Promise.all([1, 2].map((petId) => change(serving, petId))),
    check: async () => {
      const movements = arrived(receiver);
      const first = CLIENTS + 1;
      assert.deepEqual(
        movements,
        movements.map((_, i) => i + first),
        'in order, without a gap',
      );
    },
  });
  const { head } = (await service.cli('verify')) as { head: { sequence: number } };
  const deadline = Date.now() + DELIVERED_TIMEOUT_MS;
  while (arrived(receiver).at(-1) !== head.sequence) {
    assert.ok(Date.now() < deadline, `in time: movement ${head.sequence} arrives`);
    await delay(200);
  }
  assert.equal(arrived(receiver).length, head.sequence - CLIENTS);
  const again = receiver.messages().length - new Set(receiver.messages().map(({ id }) => id)).size;
  t.diagnostic(`${changes} changes, ${receiver.messages().length} messages, ${again} of them again`);
  assert.ok(changes > ROUNDS * CLIENTS);
  assert.equal(await service.stop(), 0);
});
