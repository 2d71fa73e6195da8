import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { errorOf, listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import type { ServiceProcess } from '../../blackbox/service-process.ts';
import { startCluster } from '../support/cluster.ts';

/** The documented delay of changes that do not apply immediately. */
const SEEN_TIMEOUT_MS = 5_000;
const DEADLINE_MS = 30_000;
/** More than one statement of an import adds. */
const IMPORTED_PETS = 11_000;

const whole = { after: after as TestContext['after'] };
const pets = [1n, 2n].map((petId) => ({ petId, quantity: 5 }));
const cluster = await startCluster(whole, { instances: 2, pets });
const { cli, key, instances } = cluster;

function list(instance: ServiceProcess, clientKey: string): Promise<RawResponse> {
  return request(instance, { path: '/v1/inventory', key: clientKey });
}

/** The code of the error, or the status of another answer. */
async function codeFor(instance: ServiceProcess, clientKey: string): Promise<string> {
  const answer = await list(instance, clientKey);
  return answer.status < 400 ? String(answer.status) : errorOf(answer).code;
}

/** Waits until every instance sees a change, each on its own. */
async function seenEverywhere(what: string, isSeen: (instance: ServiceProcess) => Promise<boolean>) {
  const deadline = performance.now() + SEEN_TIMEOUT_MS;
  for (const instance of instances) {
    while (!(await isSeen(instance))) {
      assert.ok(performance.now() < deadline, `within ${SEEN_TIMEOUT_MS} ms ${what}`);
      await delay(20);
    }
  }
}

async function makeAccount(...plan: readonly string[]) {
  const account = `account-${randomUUID()}`;
  await cli('accounts', 'create', account, '--plan', ...plan);
  const { id, key: secret } = await cli('keys', 'create', '--account', account);
  return { account, keyId: String(id), key: String(secret) };
}

function policyOf(answer: RawResponse): string | undefined {
  return answer.headers.get('ratelimit-policy');
}

async function importFile(rows: readonly string[]): Promise<unknown> {
  const file = join(cluster.databaseDir, `${randomUUID()}.csv`);
  await writeFile(file, `petId,quantity\n${rows.join('\n')}\n`);
  return cli('pets', 'import', file);
}

test('a new key works immediately through every instance, and a revoked one through none within 5 s', async () => {
  const { account, keyId, key: revoked } = await makeAccount('business');
  for (const instance of instances) assert.equal(await codeFor(instance, revoked), '200');
  const other = await cli('keys', 'create', '--account', account);
  for (const instance of instances) assert.equal(await codeFor(instance, String(other.key)), '200');
  await cli('keys', 'revoke', '--yes', keyId);
  await seenEverywhere('the key is revoked', async (instance) => {
    return (await codeFor(instance, revoked)) === 'revoked_api_key';
  });
  for (const instance of instances) assert.equal(await codeFor(instance, String(other.key)), '200');
});

test('after a rotation without overlap the new key works immediately, and the old one ends within 5 s', async () => {
  const old = await makeAccount('business');
  for (const instance of instances) assert.equal(await codeFor(instance, old.key), '200');
  const rotated = await cli('keys', 'rotate', old.keyId, '--overlap', '0');
  for (const instance of instances) assert.equal(await codeFor(instance, String(rotated.key)), '200');
  await seenEverywhere('the old key has expired', async (instance) => {
    return (await codeFor(instance, old.key)) === 'expired_api_key';
  });
});

test('a changed plan applies to every instance within 5 s, and keeps the used requests', async () => {
  const { account, key: clientKey } = await makeAccount('free');
  for (const instance of instances) {
    assert.equal(policyOf(await list(instance, clientKey)), '"minute";q=60;w=60, "day";q=1000;w=86400');
  }
  await cli('accounts', 'set-plan', account, '--plan', 'pro');
  let sent = instances.length;
  await seenEverywhere('the plan is another one', async (instance) => {
    sent += 1;
    const answer = await list(instance, clientKey);
    if (policyOf(answer) !== '"minute";q=300;w=60, "day";q=10000;w=86400') return false;
    const remaining = Number(/"day";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    assert.equal(remaining, 10_000 - sent);
    return true;
  });
});

test('a ban holds through every instance, and is over everywhere within 5 s of being lifted', async () => {
  const { keyId, key: clientKey } = await makeAccount('enterprise', '--per-minute', '1', '--per-day', '1000');
  const [first] = instances as [ServiceProcess];
  const deadline = performance.now() + DEADLINE_MS;
  while ((await codeFor(first, clientKey)) !== 'api_key_banned') {
    assert.ok(performance.now() < deadline, 'a client that continues is banned');
  }
  await seenEverywhere('the key is banned', async (instance) => {
    return (await codeFor(instance, clientKey)) === 'api_key_banned';
  });
  const banned = (await cli('bans', 'list')) as unknown as readonly { keyId: string }[];
  assert.deepEqual(
    banned.map((ban) => ban.keyId),
    [keyId],
  );
  assert.equal((await cli('bans', 'lift', keyId)).lifted, true);
  await seenEverywhere('the ban is lifted', async (instance) => {
    return (await codeFor(instance, clientKey)) !== 'api_key_banned';
  });
});

test('an import under load is in the next list of every instance, and disturbs no client', async () => {
  let isOver = false;
  const working = instances.map(async (instance, index) => {
    const petId = BigInt(index + 1);
    let quantity = 100;
    for (; !isOver; quantity += 1) {
      const set = () => setQuantity({ port: instance.port, key }, petId, quantity);
      let answer = await set();
      // On a machine that is busy for seconds, a change waits too long for the ledger, and the client repeats it.
      while (answer.status === 503 && errorOf(answer).message === 'The database is busy.')
        answer = await set();
      assert.equal(answer.status, 200, answer.body.toString());
      assert.equal((await list(instance, key)).status, 200);
    }
    return [String(petId), String(quantity - 1)];
  });
  const rows = Array.from({ length: IMPORTED_PETS }, (_, i) => `${i + 1_000},${i % 90}`);
  const importing = importFile(rows).finally(() => {
    isOver = true;
  });
  const [imported, ...newest] = await Promise.all([importing, ...working]);
  assert.deepEqual(imported, { created: IMPORTED_PETS, changed: 0, unchanged: 0 });
  assert.deepEqual(await importFile(['1000,7777', '5,1']), { created: 1, changed: 1, unchanged: 0 });
  for (const { port } of instances) {
    const quantities = await listedQuantities({ port, key });
    assert.equal(quantities.size, IMPORTED_PETS + 3);
    assert.deepEqual([quantities.get('1000'), quantities.get('5')], ['7777', '1']);
    for (const [petId, quantity] of newest as [string, string][]) {
      assert.equal(quantities.get(petId), quantity);
    }
  }
});

test('orders and thresholds are the same for the command line and every instance', async () => {
  await importFile(['2000,10', '2001,10']);
  const [first, second] = instances as [ServiceProcess, ServiceProcess];
  const send = (instance: ServiceProcess, method: string, path: string, body?: unknown) =>
    request(instance, {
      method,
      path,
      key,
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const placed = await send(first, 'POST', '/v1/store/orders', {
    lines: [2000, 2001].map((petId) => ({ petId, quantity: 8 })),
    expiresAt: null,
  });
  assert.equal(placed.status, 201, placed.body.toString());
  const { orderId } = JSON.parse(placed.body.toString()) as { orderId: number };
  assert.deepEqual(await cli('orders', 'show', `${orderId}`), JSON.parse(placed.body.toString()));

  const { changed } = await cli('pets', 'thresholds', '2000', '--low', '4', '--restock', '20');
  assert.equal(changed, 1);
  assert.equal((await cli('orders', 'expire', '--yes', `${orderId}`)).status, 'expired');
  assert.deepEqual(await cli('orders', 'list', '--status', 'placed'), []);
  for (const instance of [first, second]) {
    const item = await send(instance, 'GET', '/v1/inventory/2000');
    const { reserved, available, alertLevel } = JSON.parse(item.body.toString()) as Record<string, unknown>;
    assert.deepEqual([reserved, available, alertLevel], [0, 10, 'low']);
    const approved = await send(instance, 'POST', `/v1/store/orders/${orderId}/approve`);
    assert.equal(errorOf(approved).code, 'invalid_transition');
  }
  const { movements: levels } = await cli('pets', 'thresholds', '--default', '--low', '10');
  assert.ok(Number(levels) > 0);
  for (const instance of [first, second]) {
    const low = await send(instance, 'GET', '/v1/inventory?alert=low&petId=2000,2001');
    assert.deepEqual(
      (JSON.parse(low.body.toString()) as { petId: number }[]).map(({ petId }) => petId),
      [2000, 2001],
    );
  }
  await cli('pets', 'thresholds', '--default', '--none');
});

test('the other commands work while instances serve, and verify finds nothing', async () => {
  assert.deepEqual((await cli('migrate')).migrations, []);
  const accounts = (await cli('accounts', 'list')) as unknown as readonly { name: string }[];
  assert.ok(accounts.some(({ name }) => name === cluster.account));
  const keys = (await cli('keys', 'list', '--account', cluster.account)) as unknown as readonly unknown[];
  assert.equal(keys.length, 1);
  const { password } = new URL(cluster.databaseUrl);
  const { pets: counted, faults } = await cli('verify');
  assert.deepEqual({ counted, faults }, { counted: IMPORTED_PETS + 3, faults: [] });
  assert.ok(cluster.isAlive());
  assert.equal(await cluster.stop(), 0);
  assert.ok(!cluster.logs().includes(password));
});

test('doctor examines the server, its ledger and the services', async () => {
  const { findings } = (await cli('doctor')) as unknown as {
    readonly findings: readonly {
      readonly check: string;
      readonly state: string;
      readonly message: string;
    }[];
  };
  const of = (name: string) => findings.filter(({ check }) => check === name);
  assert.match(String(of('versions')[1]?.message), /^PostgreSQL \d+\./);
  assert.deepEqual([of('database')[0]?.state, of('ledger')[0]?.state], ['ok', 'ok']);
  // The clock of the machine is two hours ahead in the daily tests, and right on Bun.
  const clock = process.versions.bun ? /^The clock fits/ : /differs from that of the database by 7\d{3} s/;
  assert.match(String(of('clock')[0]?.message), clock);
  assert.match(String(of('disk')[0]?.message), /does not report its disk/);
});
