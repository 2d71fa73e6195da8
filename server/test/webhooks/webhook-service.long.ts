import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { openAdmin } from '../../src/store/open-admin.ts';
import { request } from '../blackbox/api-request.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { RUNTIMES } from '../blackbox/service-process.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { ok, startReceiver } from './receiver.ts';

/** Longer than a stop waits for the last attempts where requests took its time. */
const SLOW_MS = 4_500;
const PETS = [{ petId: 9_007_199_254_740_993n, quantity: 5 }];
const CHANGES = 200;
const DELIVERED = /^petstore_webhook_deliveries_total\{result="delivered"\} [1-9]\d*$/m;
const PEPPER = randomBytes(32).toString('hex');

async function subscribe(service: Service, url: string): Promise<string> {
  const database = `sqlite:${service.databaseDir}/petstore.db`;
  const admin = await openAdmin(database, { pepper: () => Buffer.from(PEPPER) });
  try {
    const accounts = await admin.accounts.list();
    const accountId = accounts[0]?.id ?? '';
    return (await admin.webhooks.create({ accountId, url }, 1, AUTHOR)).secret;
  } finally {
    await admin.close();
  }
}

async function change(service: Service, quantity: number): Promise<void> {
  const { status } = await request(service, {
    method: 'PATCH',
    path: '/v1/inventory/9007199254740993',
    key: service.key,
    headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
    body: `{"quantity":${quantity}}`,
  });
  assert.equal(status, 200);
}

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, a service that is killed and started again delivers each movement, in order`, async (t) => {
    const databaseDir = temporaryFolder(t);
    const env = { PETSTORE_PEPPER: PEPPER, PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' };
    const receiver = await startReceiver(t);
    const first = await startService(t, { runtime, databaseDir, env, pets: PETS });
    const secret = await subscribe(first, receiver.url);
    for (let i = 0; i < CHANGES / 2; i += 1) await change(first, i);
    await until(() => receiver.messages().length > 0, 'the first delivery');
    await first.kill9();
    const second = await startService(t, { runtime, databaseDir, env, key: first.key });
    for (let i = CHANGES / 2; i < CHANGES; i += 1) await change(second, i);
    const places = () => [...new Set(receiver.messages().map(({ place }) => place))];
    const movements = () => places().filter((place) => place.endsWith('.0'));
    const expected = Array.from({ length: CHANGES }, (_, i) => `${i + 2}.0`);
    await until(() => movements().length >= CHANGES, 'all movements');
    assert.deepEqual(movements(), expected);
    for (const { body, headers } of receiver.messages()) {
      assert.ok(new Webhook(secret).verify(body, headers as Record<string, string>));
      assert.match(body, /"petId":9007199254740993,/);
    }
    const { body } = await request(second, { path: '/v1/movements/2', key: second.key });
    assert.ok(receiver.messages()[0]?.body.endsWith(`,"data":${body.toString()}}`));
    // The thread that sends reports its numbers from time to time.
    const isCounted = async () =>
      DELIVERED.test((await request(second, { path: '/metrics' })).body.toString());
    await until(isCounted, 'the deliveries are counted');
    assert.equal(await second.stop(), 0);
    assert.deepEqual((await second.cli('verify')).faults, []);
  });

  test(`on ${runtime}, a stop waits for an attempt of several seconds, which is not repeated after it`, async (t) => {
    const databaseDir = temporaryFolder(t);
    const env = { PETSTORE_PEPPER: PEPPER, PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' };
    const receiver = await startReceiver(t, (response, message) =>
      message.place === '2.0' ? setTimeout(() => ok(response, message), SLOW_MS) : ok(response, message),
    );
    const first = await startService(t, { runtime, databaseDir, env, pets: PETS });
    await subscribe(first, receiver.url);
    await change(first, 1);
    await until(() => receiver.messages().length === 1, 'the attempt');
    assert.equal(await first.stop(), 0);
    const second = await startService(t, { runtime, databaseDir, env, key: first.key });
    await change(second, 2);
    await until(() => receiver.messages().some(({ place }) => place === '3.0'), 'the next movement');
    const places = receiver.messages().map(({ place }) => place);
    assert.deepEqual(
      places.filter((place) => place.endsWith('.0')),
      ['2.0', '3.0'],
    );
  });
}
