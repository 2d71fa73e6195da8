import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { bigintAsDigits } from '../../src/domain/bigint-json.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { UnloggedAttempt } from '../../src/domain/webhooks/webhook-endpoint.ts';
import type { LeasedEndpoint } from '../../src/domain/webhooks/webhook-store.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import {
  type EndpointRow,
  SELECT_ENDPOINTS,
  signingSecrets,
  toEndpoint,
} from '../../src/store/webhooks/endpoint-row.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { AUTHOR, everything, LIMIT, makeConcurrently, newEndpointShop, progressOf } from './endpoint-shop.ts';

const once = testOnceIn();

const FILTER = {
  types: ['inventory.low', 'order.placed'],
  petIds: [MIN_INT64, -1n, MAX_INT64],
  statuses: ['available', 'sold'],
} as const;

const ATTEMPT: UnloggedAttempt = {
  ...{ eventId: '1.0', eventType: 'inventory.changed', attempt: 1, attemptedAtMs: 5, durationMs: 6 },
  ...{ statusCode: 200, error: null, errorCode: null, errorDetail: null, response: '' },
};

once('an endpoint is stored as created, and starts after the newest event', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  const { endpoint, secret } = await newEndpoint({ ...FILTER, description: 'tills, ünïcode' });
  assert.match(endpoint.id, /^whe_[0-9A-Za-z]{16}$/);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(endpoint.cursor, { sequence: 1, number: 1 });
  assert.deepEqual(endpoint.petIds, FILTER.petIds);
  assert.deepEqual(await store.webhooks.find(endpoint.id), endpoint);
  assert.deepEqual(await store.webhooks.find(endpoint.id, 'acc_shop'), endpoint);
  assert.equal(endpoint.version, 1);
  assert.equal(endpoint.pausedAtMs, null);
});

test('the secret before a rotation signs until its last moment, and not in it', async (t) => {
  const { store, database, newEndpoint } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  await store.webhooks.rotateSecret(id, 60_000, AUTHOR);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const [row] = await engine.all<EndpointRow>(SELECT_ENDPOINTS);
  assert.ok(row?.previousSecretExpiresAtMs);
  const endMs = row.previousSecretExpiresAtMs;
  const box = { open: (_: string, sealed: Uint8Array) => Buffer.from(sealed).toString('hex') };
  assert.equal(signingSecrets(row, box, endMs - 1).length, 2);
  assert.equal(signingSecrets(row, box, endMs).length, 1);
  assert.deepEqual(
    [endMs - 1, endMs].map((nowMs) => toEndpoint(row, nowMs).previousSecretExpiresAtMs),
    [endMs, null],
  );
});

test('an endpoint starts after the events that were recorded after the newest movement', async (t) => {
  const { database, newEndpoint } = await newEndpointShop(t);
  await database.run(
    `INSERT INTO events VALUES (1, 2, 'order.placed', NULL, '{}', 1), (1, 3, 'order.placed', NULL, '{}', 1)`,
  );
  assert.deepEqual((await newEndpoint()).endpoint.cursor, { sequence: 1, number: 3 });
});

test('the database contains no secret as text, and two endpoints have two secrets', async (t) => {
  const { database, newEndpoint } = await newEndpointShop(t);
  const [one, other] = [await newEndpoint(), await newEndpoint()];
  assert.notEqual(one.secret, other.secret);
  const rows = (await database.rows('SELECT secret FROM webhook_endpoints')).flat() as Uint8Array[];
  for (const { secret } of [one, other]) {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    for (const row of rows) {
      assert.ok(!Buffer.from(row).includes(bytes));
      assert.ok(!Buffer.from(row).includes(secret));
    }
  }
});

test('an account sees its own endpoints only', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { webhooks } = store;
  const notFound = {
    name: 'OperatorError',
    code: 'not_found',
    message: `There is no webhook endpoint ${id}.`,
  };
  const other = 'acc_other';
  await assert.rejects(webhooks.find(id, other), notFound);
  await assert.rejects(webhooks.update(id, { url: 'https://evil.example' }, AUTHOR, other), notFound);
  await assert.rejects(webhooks.delete(id, AUTHOR, other), notFound);
  await assert.rejects(webhooks.rotateSecret(id, 0, AUTHOR, other), notFound);
  await assert.rejects(webhooks.pause(id, AUTHOR, other), notFound);
  await assert.rejects(webhooks.resume(id, AUTHOR, other), notFound);
  await assert.rejects(webhooks.replay(id, { sequence: 0, number: 0 }, AUTHOR, other), notFound);
  await assert.rejects(webhooks.attempts(id, other), notFound);
  await assert.rejects(webhooks.logAttempt(id, 'resend', ATTEMPT, AUTHOR, other), notFound);
  await assert.rejects(webhooks.findWithSecrets(id, other), notFound);
  assert.deepEqual(await webhooks.list({ accountId: other }), []);
  assert.equal((await webhooks.list({ accountId: 'acc_shop' })).length, 1);
  assert.equal((await webhooks.list()).length, 1);
  assert.equal((await webhooks.find(id)).version, 1);
});

test('an account has at most its maximum of endpoints, also when many are made concurrently', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  const results = await makeConcurrently([store], { count: 12, limit: 5 });
  assert.deepEqual(results.toSorted(), [...Array(7).fill('conflict'), ...Array(5).fill('made')]);
  const { endpoint } = await newEndpoint({ accountId: 'acc_other' });
  const ids = (await store.webhooks.list()).map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
  assert.ok(ids.includes(endpoint.id));
  await assert.rejects(newEndpoint({ accountId: 'acc_none' }), { code: 'not_found' });
});

once('an update changes the given members only', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  const { endpoint } = await newEndpoint(FILTER);
  const { id } = endpoint;
  const changed = await store.webhooks.update(id, { petIds: null, description: 'x' }, AUTHOR);
  const { version, updatedAtMs } = changed;
  assert.deepEqual(changed, { ...endpoint, petIds: null, description: 'x', version, updatedAtMs });
  assert.equal(version, 2);
  assert.ok(updatedAtMs >= endpoint.updatedAtMs);
  assert.deepEqual(await store.webhooks.find(id), changed);
});

once('a new URL ends the failures, and no report of the old one is written', async (t) => {
  const { store, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { sender } = await newSender();
  const [leased] = (await sender.lease('one', 60_000)).endpoints;
  assert.ok(leased);
  const failing = progressOf(leased, { failingSinceMs: 5, failures: 3, retryAtMs: 99 });
  assert.deepEqual(await sender.report([failing]), []);
  assert.equal((await store.webhooks.find(id)).failures, 3);
  const moved = await store.webhooks.update(id, { url: 'https://example.org/' }, AUTHOR);
  assert.deepEqual([moved.failures, moved.failingSinceMs, moved.retryAtMs], [0, null, null]);
  assert.deepEqual(await sender.report([failing]), [id]);
  assert.equal((await store.webhooks.find(id)).failures, 0);
  assert.deepEqual((await sender.lease('one', 60_000)).endpoints[0]?.endpoint, moved);
});

once('pause and resume', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  const { endpoint } = await newEndpoint();
  const paused = await store.webhooks.pause(endpoint.id, AUTHOR);
  assert.equal(paused.pauseReason, 'requested');
  assert.ok(paused.pausedAtMs !== null && paused.pausedAtMs >= endpoint.createdAtMs);
  assert.deepEqual(await store.webhooks.pause(endpoint.id, AUTHOR), paused, 'a second time changes nothing');
  const resumed = await store.webhooks.resume(endpoint.id, AUTHOR);
  assert.deepEqual([resumed.pausedAtMs, resumed.pauseReason, resumed.version], [null, null, 3]);
  assert.deepEqual(
    await store.webhooks.resume(endpoint.id, AUTHOR),
    resumed,
    'a second time changes nothing',
  );
});

test('a rotated secret signs with the old one until the overlap has passed', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const { endpoint, secret } = await newEndpoint();
  const rotated = await store.webhooks.rotateSecret(endpoint.id, 3_600_000, AUTHOR);
  assert.notEqual(rotated.secret, secret);
  const { updatedAtMs, previousSecretExpiresAtMs } = rotated.endpoint;
  assert.equal(previousSecretExpiresAtMs, updatedAtMs + 3_600_000);
  const { sender } = await newSender();
  assert.deepEqual((await sender.lease('one', 60_000)).endpoints[0]?.secrets, [rotated.secret, secret]);
  await database.run('UPDATE webhook_endpoints SET previous_secret_expires_at = 1');
  assert.deepEqual((await sender.lease('one', 60_000)).endpoints[0]?.secrets, [rotated.secret]);
  assert.equal((await store.webhooks.find(endpoint.id)).previousSecretExpiresAtMs, null);
  const last = await store.webhooks.rotateSecret(endpoint.id, 0, AUTHOR);
  assert.deepEqual((await sender.lease('one', 60_000)).endpoints[0]?.secrets, [last.secret]);
});

once(
  'a second rotation within the overlap is refused, so that the secret of the receiver stays valid',
  async (t) => {
    const { store, newEndpoint, newSender } = await newEndpointShop(t);
    const { endpoint, secret } = await newEndpoint();
    const rotate = (overlapMs: number) => store.webhooks.rotateSecret(endpoint.id, overlapMs, AUTHOR);
    const rotated = await rotate(3_600_000);
    await assert.rejects(rotate(3_600_000), { code: 'conflict', message: /rotated already/ });
    const { sender } = await newSender();
    const secrets = async () => (await sender.lease('one', 60_000)).endpoints[0]?.secrets;
    assert.deepEqual(await secrets(), [rotated.secret, secret]);
    const ended = await rotate(0);
    assert.deepEqual(await secrets(), [ended.secret], 'a leaked secret can be ended');
    assert.deepEqual(await secrets(), [ended.secret]);
    assert.equal((await rotate(1_000)).endpoint.version, 4);
  },
);

test('another pepper does not open a secret, and neither does the id of another endpoint', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const [one, other] = [(await newEndpoint()).endpoint, (await newEndpoint()).endpoint];
  const { sender: stranger } = await newSender(Buffer.alloc(32, 'another'));
  const foreign = await stranger.lease('one', 60_000);
  const idsOf = (leases: readonly Pick<LeasedEndpoint, 'endpoint'>[]) =>
    leases.map(({ endpoint }) => endpoint.id);
  assert.deepEqual(foreign.endpoints, []);
  assert.deepEqual(idsOf(foreign.unopened), [one.id, other.id].toSorted());
  await stranger.release('one');
  const { sender } = await newSender();
  assert.equal((await sender.lease('two', 60_000)).endpoints.length, 2);
  await database.run(`UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints AS source
WHERE source.id = '${one.id}') WHERE id = '${other.id}'`);
  const { endpoints, unopened } = await sender.lease('two', 60_000);
  assert.deepEqual([idsOf(endpoints), idsOf(unopened)], [[one.id], [other.id]]);
  await assert.rejects(store.webhooks.findWithSecrets(other.id), {
    name: 'OperatorError',
    message: /was not sealed under the pepper .* restore the right pepper/,
  });
});

once('a replay sets the position, and refuses one in the future or before the retention start', async (t) => {
  const { store, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { sender } = await newSender();
  const [leased] = (await sender.lease('one', 60_000)).endpoints;
  assert.ok(leased);
  const { webhooks } = store;
  const replayed = await webhooks.replay(id, { sequence: 0, number: 0 }, AUTHOR);
  assert.deepEqual(replayed.cursor, { sequence: 0, number: 0 });
  assert.deepEqual(await sender.report([progressOf(leased)]), [id], 'no report from before is written');
  for (const after of [
    { sequence: 2, number: 0 },
    { sequence: 1, number: 2 },
  ]) {
    await assert.rejects(webhooks.replay(id, after, AUTHOR), {
      code: 'validation_failed',
      message: /^after: /,
    });
  }
  await webhooks.replay(id, { sequence: 1, number: 1 }, AUTHOR);
  await store.importPets([petRow(1, { quantity: 2 })], 'test');
  await store.importPets([petRow(1, { quantity: 3 })], 'test');
  const beforeMs = (await store.now()) + 1;
  const preview = await store.previewPrune(beforeMs);
  assert.deepEqual([preview.movements > 0, preview.endpointsBehind], [true, 1]);
  const { start } = await store.pruneMovements(beforeMs, CLI_AUTHOR);
  assert.ok(start.sequence > 1);
  assert.equal((await store.previewPrune(beforeMs)).endpointsBehind, 0, 'nothing more would be deleted');
  const pruned = { code: 'history_pruned', message: /pruned/ };
  await assert.rejects(webhooks.replay(id, { sequence: 1, number: 1 }, AUTHOR), pruned);
  await assert.rejects(webhooks.replay(id, { sequence: start.sequence, number: 0 }, AUTHOR), pruned);
  await webhooks.replay(id, { sequence: start.sequence, number: 1 }, AUTHOR);
});

once('a deleted endpoint is gone with its attempts, and a report of it changes nothing', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { sender } = await newSender();
  const [leased] = (await sender.lease('one', 60_000)).endpoints;
  assert.ok(leased);
  await sender.report([progressOf(leased, { attempts: [ATTEMPT] })]);
  assert.deepEqual(await database.rows('SELECT count(*) FROM webhook_attempts'), [[1]]);
  await store.webhooks.delete(id, AUTHOR);
  await assert.rejects(store.webhooks.delete(id, AUTHOR), { code: 'not_found' });
  assert.deepEqual(await sender.report([progressOf(leased)]), [id]);
  assert.deepEqual(await database.rows('SELECT count(*) FROM webhook_attempts'), [[0]]);
});

test('an account that has more endpoints than a lowered limit is told how many to delete', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  for (let i = 0; i < 3; i += 1) await newEndpoint();
  await assert.rejects(store.webhooks.create(everything('acc_shop'), 2, AUTHOR), {
    code: 'conflict',
    message: 'The account has 3 webhook endpoints, and may have 2; delete 2 first.',
  });
  // There is no fourth one to delete.
  await assert.rejects(store.webhooks.create(everything('acc_shop'), 0, AUTHOR), {
    code: 'conflict',
    message: 'No account may have another webhook endpoint: PETSTORE_MAX_WEBHOOK_ENDPOINTS is 0.',
  });
});

test('each change is in the activity log with its author, and without secrets', async (t) => {
  const { store, newEndpoint } = await newEndpointShop(t);
  const url = 'https://example.com/hook?token=abc&x';
  const { endpoint, secret } = await newEndpoint({ petIds: [7n], url });
  const { id } = endpoint;
  await store.webhooks.update(id, { petIds: [8n, MAX_INT64], url: 'https://example.org/?abc=' }, AUTHOR);
  const rotated = await store.webhooks.rotateSecret(id, 60_000, AUTHOR);
  await store.webhooks.pause(id, AUTHOR);
  await store.webhooks.pause(id, AUTHOR);
  await store.webhooks.resume(id, AUTHOR);
  await store.webhooks.replay(id, { sequence: 0, number: 0 }, AUTHOR);
  await store.webhooks.delete(id, AUTHOR);
  await assert.rejects(store.webhooks.create(everything('acc_shop'), 0, AUTHOR), { code: 'conflict' });
  const entries = (await store.activity.list({ target: id, limit: LIMIT })).toReversed();
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details]),
    [
      [
        'webhooks.create',
        {
          accountId: 'acc_shop',
          url: 'https://example.com/hook?token=***&***',
          description: null,
          types: null,
          petIds: [7],
          statuses: null,
        },
      ],
      ['webhooks.update', { petIds: [8, MAX_INT64], url: 'https://example.org/?abc=***' }],
      ['webhooks.rotate', { overlapSeconds: 60 }],
      ['webhooks.pause', {}],
      ['webhooks.resume', {}],
      ['webhooks.replay', { after: '0.0' }],
      ['webhooks.delete', { url: 'https://example.org/?abc=***' }],
    ],
  );
  for (const { actor, requestId } of entries) assert.deepEqual({ actor, requestId }, AUTHOR);
  const text = JSON.stringify(await store.activity.list({ limit: 100 }), bigintAsDigits);
  for (const part of [secret, rotated.secret]) assert.ok(!text.includes(part.slice('whsec_'.length)));
});
