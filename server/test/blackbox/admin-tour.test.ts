import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { request } from './api-request.ts';
import { makeAdminKey } from './operator.ts';
import type { Service } from './service.ts';
import { testTargets } from './targets.ts';

/** A petId that no double holds. */
const PET = '9007199254740993';
const FILE = `petId,name,category,quantity\n${PET},Rex the first,dogs,9\n7,Müsli,cats,3\n`;

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Sends requests to a service with one key. */
function sender(service: Service, key: string) {
  return async (method: string, path: string, body?: object | string): Promise<Sent> => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const answer = await request(service, {
      method,
      path,
      key,
      ...(text !== undefined && { body: text, headers: { 'Content-Type': type } }),
    });
    const sent = answer.body.toString();
    return { status: answer.status, text: sent, json: sent === '' ? {} : JSON.parse(sent) };
  };
}

for (const target of testTargets()) {
  test(`on ${target.name}, a shop is managed over HTTP`, async (t) => {
    const env = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8' };
    const service = await target.start(t, { pets: [{ petId: 7n, quantity: 3 }], env });
    const admin = sender(service, await makeAdminKey(service, 'administrator'));
    const receiver = await startReceiver(t);

    const account = await admin('POST', '/admin/v1/accounts', { name: 'corner shop', plan: 'pro' });
    assert.equal(account.status, 201, account.text);
    const accountId = String(account.json.id);
    const made = await admin('POST', '/admin/v1/keys', { accountId, name: 'till' });
    assert.equal(made.status, 201, made.text);
    const client = sender(service, String(made.json.key));

    const endpoint = { accountId, url: `${receiver.url}/hooks`, types: ['inventory.changed'] };
    const subscribed = await admin('POST', '/admin/v1/webhook-endpoints', endpoint);
    assert.equal(subscribed.status, 201, subscribed.text);

    await t.test('a file is imported as plan and apply, and its pets are found by their words', async () => {
      const { status, text, json } = await admin('POST', '/admin/v1/imports', FILE);
      assert.equal(status, 202, text);
      const path = `/admin/v1/imports/${json.id}`;
      const reaches = (state: string) => async () => (await admin('GET', path)).json.state === state;
      await until(reaches('planned'), 'the plan');
      assert.match((await admin('GET', `${path}/rows?effect=new`)).text, new RegExp(`"petId":${PET},`));
      assert.equal((await admin('POST', `${path}/apply`)).status, 202);
      await until(reaches('applied'), 'the new pets');
      for (const query of ['rex+fir', 'musli', PET]) {
        const found = await admin('GET', `/admin/v1/pets?q=${query}`);
        assert.equal(JSON.parse(found.text).length, 1, `${query}: ${found.text}`);
      }
    });

    await t.test('a pet is created, changed, archived and restored', async () => {
      const created = await admin('POST', '/admin/v1/pets', { petId: -12, name: 'Ada', quantity: 0 });
      assert.equal(created.status, 201, created.text);
      const changed = await admin('PATCH', '/admin/v1/pets/-12', {
        name: 'Bea',
        lowStockAt: 2,
        restockAt: 5,
      });
      assert.deepEqual([changed.status, changed.json.name], [200, 'Bea'], changed.text);
      assert.equal((await admin('POST', '/admin/v1/pets/-12/archive')).status, 200);
      assert.equal((await admin('GET', '/admin/v1/pets?q=bea')).text.trim(), '[]');
      assert.equal((await admin('POST', '/admin/v1/pets/-12/restore')).status, 200);
    });

    await t.test(
      'stock changes through both interfaces, and each change arrives at the receiver',
      async () => {
        assert.equal((await client('PATCH', `/v1/inventory/${PET}`, { quantity: 4 })).status, 200);
        assert.equal((await admin('PATCH', `/admin/v1/inventory/${PET}`, { quantity: 2 })).status, 200);
        const isArrived = (quantity: number) =>
          receiver
            .messages()
            .some(
              ({ body }) => body.includes(`"petId":${PET},`) && body.includes(`"quantityAfter":${quantity},`),
            );
        await until(() => isArrived(4) && isArrived(2), 'both messages');
        const ids = receiver.messages().map(({ id }) => Number(id.split('.')[0]));
        assert.deepEqual(
          ids,
          ids.toSorted((a, b) => a - b),
        );
      },
    );

    await t.test('usage counts the request of the client, and the activity log has each action', async () => {
      const usage = async () =>
        (await admin('GET', `/admin/v1/accounts/${accountId}/usage?unit=minute`)).json;
      await until(async () => (await usage()).requests === 1, 'one request');
      const { text } = await admin('GET', '/admin/v1/activity?limit=1000');
      const entries = JSON.parse(text) as { action: string; actor: string }[];
      const actions = new Set(entries.map(({ action }) => action));
      const expected = ['accounts.create', 'keys.create', 'webhooks.create', 'imports.apply', 'pets.create'];
      for (const action of expected) assert.ok(actions.has(action), `${action}: ${[...actions].join()}`);
    });

    await t.test('a revoked key is refused, and the ledger verifies', async () => {
      assert.equal((await admin('POST', `/admin/v1/keys/${made.json.id}/revoke`)).status, 200);
      await until(async () => (await client('GET', '/v1/rate-limit')).status === 401, 'the refusal');
      assert.deepEqual((await service.cli('verify')).faults, []);
    });
    assert.ok(service.isAlive(), service.logs());
  });
}
