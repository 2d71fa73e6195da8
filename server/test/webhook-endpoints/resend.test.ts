import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworks } from '../../src/webhooks/delivery/addresses.ts';
import { TestSender } from '../../src/webhooks/test-sender.ts';
import { adminShop } from '../support/admin-shop.ts';
import { testOnceIn } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const once = testOnceIn();

const PATH = '/admin/v1/webhook-endpoints';

type Attempt = Readonly<Record<'eventId' | 'eventType' | 'statusCode' | 'number', unknown>>;

async function startShop(t: Parameters<typeof adminShop>[0]) {
  const shop = await adminShop(t, 'administrator', { config: { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8' } });
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const { id: accountId } = shop.app.principal.account;
  const make = async (members: object = {}) => {
    const made = await shop.send('POST', PATH, { accountId, url: receiver.url, ...members });
    const { endpoint } = made.json as { endpoint: { id: string } };
    await shop.send('POST', `${PATH}/${endpoint.id}/pause`);
    return endpoint.id;
  };
  const resend = (id: string, event: string) => shop.send('POST', `${PATH}/${id}/resend?event=${event}`);
  return { ...shop, receiver, make, resend };
}

test('one event is sent again with the same bytes, and the endpoint keeps its place', async (t) => {
  const { app, send, receiver, make, resend, principal } = await startShop(t);
  await app.admin.importPets(
    [{ petId: 1n, name: null, category: null, quantity: 5, status: 'available' }],
    'cli',
  );
  const id = await make();
  await send('PATCH', '/admin/v1/inventory/1', { quantity: 3 });
  const [movement] = (await send('GET', '/admin/v1/movements?order=desc&limit=1')).json as {
    sequence: number;
  }[];
  const { sequence } = movement as { sequence: number };
  const before = (await send('GET', `${PATH}/${id}`)).json;
  const sent = [
    (await resend(id, `${sequence}.0`)).json,
    (await resend(id, `${sequence}.0`)).json,
  ] as Attempt[];
  const [first, second] = sent;
  assert.deepEqual([first?.eventType, first?.statusCode, first?.number], ['inventory.changed', 204, 1]);
  assert.deepEqual([second?.eventId, second?.number], [first?.eventId, 2]);
  assert.equal(receiver.messages().length, 2);
  assert.equal(receiver.messages()[0]?.body, receiver.messages()[1]?.body);
  assert.equal((JSON.parse(receiver.messages()[0]?.body ?? '') as { id: string }).id, first?.eventId);
  assert.deepEqual((await send('GET', `${PATH}/${id}`)).json, before);
  assert.deepEqual((await send('GET', `${PATH}/${id}/deliveries`)).json, sent.toReversed());
  const [entry] = await app.admin.activity.list({ action: 'webhooks.resend', limit: 1 });
  assert.deepEqual([entry?.actor, entry?.target], [principal.key.id, id]);
  assert.equal(entry?.details['eventId'], first?.eventId);
  // By its id, and not by that of another history.
  assert.equal((await resend(id, String(first?.eventId))).status, 200);
  const replaced = await resend(id, `${sequence}.0-00000000`);
  assert.deepEqual([replaced.status, replaced.code], [404, 'not_found']);
});

once(
  'an alert and a recorded event are sent again, and what the endpoint does not receive is not',
  async (t) => {
    const { app, send, receiver, make, resend } = await startShop(t);
    const thresholds = { lowStockAt: 4, restockAt: 4 };
    await app.admin.importPets(
      [{ petId: 1n, name: null, category: null, quantity: 5, status: 'available', thresholds }],
      'cli',
    );
    const [low, all] = [await make({ types: ['inventory.low'] }), await make()];
    await send('PATCH', '/admin/v1/inventory/1', { quantity: 3 });
    const placed = await send('POST', '/admin/v1/store/orders', { lines: [{ petId: 1, quantity: 1 }] });
    assert.equal(placed.status, 201, placed.text);
    const movements = (await send('GET', '/admin/v1/movements?order=desc&limit=2')).json as {
      sequence: number;
    }[];
    const [reserved, changed] = movements.map(({ sequence }) => sequence);
    const typeOf = async (id: string, event: string) => {
      const { json, code } = await resend(id, event);
      return code ?? (json as Attempt).eventType;
    };
    assert.equal(await typeOf(low, `${changed}.1`), 'inventory.low');
    assert.equal(await typeOf(low, `${changed}.0`), 'not_found');
    assert.equal(await typeOf(all, `${changed}.0`), 'inventory.changed');
    assert.equal(await typeOf(all, `${reserved}.2`), 'order.placed');
    assert.equal(await typeOf(all, `${reserved}.1`), 'not_found', 'a movement without an alert');
    assert.equal(await typeOf(all, '9007199254740991.0'), 'not_found');
    assert.equal(await typeOf(all, '0.0'), 'not_found');
    assert.equal(await typeOf(all, 'x'), 'invalid_parameter');
    assert.equal(await typeOf('whe_0000000000000000', `${changed}.0`), 'not_found');
    assert.equal(receiver.messages().length, 3, 'nothing else was sent');
  },
);

once('an event that an active endpoint has still to receive is left to its queue', async (t) => {
  const { app, send, receiver, make, resend } = await startShop(t);
  await app.admin.importPets(
    [{ petId: 1n, name: null, category: null, quantity: 5, status: 'available' }],
    'cli',
  );
  const id = await make();
  const { lastEventId } = (await send('GET', `${PATH}/${id}`)).json as { lastEventId: string };
  await send('PATCH', '/admin/v1/inventory/1', { quantity: 3 });
  await send('POST', `${PATH}/${id}/resume`);
  const sequence = Number(lastEventId.split('.')[0]) + 1;
  const refused = await resend(id, `${sequence}.0`);
  assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
  assert.match(refused.text, new RegExp(`a replay after ${lastEventId.replace('.', '\\.')} attempts it now`));
  // What did not happen, or is of another history, is not waited for.
  for (const event of [`${sequence}.1`, `${sequence}.0-00000000`, `${sequence + 1}.0`]) {
    const missing = await resend(id, event);
    assert.deepEqual([missing.status, missing.code], [404, 'not_found'], event);
  }
  await send('POST', `${PATH}/${id}/replay?after=${sequence}.0`);
  assert.equal((await resend(id, `${sequence}.0`)).status, 200);
  assert.equal(receiver.messages().length, 1);
});

test('a second request for an event that is being sent is refused, and sends nothing', async (t) => {
  const { app, send, make } = await startShop(t);
  const held: (() => void)[] = [];
  const receiver = await startReceiver(t, (response) => {
    held.push(() => response.writeHead(204).end());
  });
  await app.admin.importPets(
    [{ petId: 1n, name: null, category: null, quantity: 5, status: 'available' }],
    'cli',
  );
  const id = await make({ url: receiver.url });
  await send('PATCH', '/admin/v1/inventory/1', { quantity: 3 });
  const [movement] = (await send('GET', '/admin/v1/movements?order=desc&limit=1')).json as {
    sequence: number;
  }[];
  const event = { sequence: movement?.sequence ?? 0, number: 0 };
  const readNow = () => app.admin.webhooks.findWithSecrets(id);
  const { endpoint } = await readNow();
  const stored = await app.admin.webhooks.findEvent(event);
  const sender = new TestSender(parseNetworks(['127.0.0.0/8']), '1.0.0', Date.now);
  t.after(() => sender.close());
  const sendEvent = () => sender.sendEvent(endpoint, readNow, event, stored);
  const first = sendEvent();
  await assert.rejects(sendEvent(), { code: 'conflict', message: /is being sent/ });
  await until(() => held.length === 1, 'the message arrives');
  held[0]?.();
  assert.equal((await first).statusCode, 204);
  const second = sendEvent();
  await until(() => held.length === 2, 'the next one arrives');
  held[1]?.();
  assert.equal((await second).statusCode, 204);
  assert.equal(receiver.messages().length, 2);
});
