import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { quotaEventData } from '../../src/domain/management/usage-events.ts';
import { recordedFingerprint } from '../../src/domain/webhooks/events.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { type Received, startReceiver } from './receiver.ts';
import { newSendingShop, type SendingShop } from './sending-shop.ts';

interface History {
  readonly shop: SendingShop;
  readonly endpointId: string;
  readonly messages: readonly Received[];
}

/** A shop whose movement 2 has this quantity: two of them are a history and what follows its restored backup. */
async function newHistory(t: TestContext, quantity: number): Promise<History> {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint } = await shop.subscribe(receiver.url);
  const { stop } = await shop.startSender();
  const data = quotaEventData({
    ...{ accountId: 'acc_7dM3kPq9sTv2Wx5Y', dayLabel: 1 },
    ...{ percent: quantity, limit: 100, used: quantity },
  });
  await shop.database.run(`INSERT INTO events (sequence, number, type, account_id, data, recorded_at)
VALUES (1, 2, 'quota.reached', 'acc_shop', '${data}', 5)`);
  await shop.change(1, quantity);
  await until(() => receiver.messages().length === 2, 'two messages');
  await stop();
  return { shop, endpointId: endpoint.id, messages: receiver.messages() };
}

test('after a restored backup, no id repeats and an id of the lost history is refused', async (t) => {
  const lost = await newHistory(t, 80);
  const { shop, endpointId, messages } = await newHistory(t, 100);
  const placesOf = (history: readonly Received[]) => history.map(({ place }) => place);
  assert.deepEqual(placesOf(messages), ['1.2', '2.0']);
  assert.deepEqual(placesOf(lost.messages), ['1.2', '2.0']);
  const replay = async (id: string) => {
    const [, sequence, number, fingerprint] = /^(\d+)\.(\d+)(?:-(.+))?$/.exec(id) ?? [];
    const after = { sequence: Number(sequence), number: Number(number), fingerprint };
    return (await shop.store.webhooks.replay(endpointId, after, AUTHOR)).cursor;
  };
  for (const [i, { id, place, body }] of messages.entries()) {
    const before = lost.messages[i];
    assert.ok(before);
    assert.notEqual(id, before.id);
    assert.equal(JSON.parse(body).id, id);
    const refusal = { code: 'validation_failed', message: new RegExp(`event ${place} is not ${before.id} `) };
    await assert.rejects(replay(before.id), refusal);
    const [sequence, number] = place.split('.').map(Number);
    assert.deepEqual(await replay(id), { sequence, number });
    assert.deepEqual(await replay(place), { sequence, number });
  }
});

test('the fingerprint of a recorded event covers its type, account, data and time', () => {
  const event = { type: 'quota.reached', accountId: 'acc_shop', data: '{}', recordedAtMs: 5 } as const;
  const others = [
    { ...event, type: 'api_key.banned' } as const,
    { ...event, accountId: null },
    { ...event, data: '{"percent":80}' },
    { ...event, recordedAtMs: 6 },
  ];
  const all = [event, ...others].map(recordedFingerprint);
  assert.equal(new Set(all).size, 5);
  for (const fingerprint of all) assert.match(fingerprint, /^[0-9a-f]{8}$/);
});
