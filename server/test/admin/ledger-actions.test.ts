import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRows } from '../support/pet-rows.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const DAY_MS = 86_400_000;
const OTHER_HASH = '0'.repeat(64);

interface PruneJson {
  readonly number: number;
  readonly afterSequence: number;
  readonly actor: { readonly keyId: string | null };
  readonly hash: string;
}
interface PrunedJson {
  readonly dryRun?: true;
  readonly movements: number;
  readonly start: { readonly sequence: number; readonly recordedAt: string | null };
  readonly prune?: PruneJson | null;
}
interface ReportJson {
  readonly movements: number;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly faults: readonly string[];
  readonly findings: readonly { readonly code: string; readonly count: number }[];
}

/** Three pets, whose movements 1 to 5 were recorded 40 days ago, and movement 6 now. */
async function startOldShop(t: TestContext, { isIdle = false } = {}) {
  const nowMs = Date.now() - (isIdle ? 367 * DAY_MS : 0);
  const app = await startApp(t, { pets: petRows(3), nowMs: nowMs - 40 * DAY_MS });
  const receive = async (petId: number) => {
    const body = '{"delta":1,"reason":"received"}';
    assert.equal((await app.request('POST', `/v1/inventory/${petId}/adjustments`, { body })).status, 201);
  };
  await receive(1);
  await receive(1);
  app.clock.nowMs = nowMs;
  await receive(2);
  const { key, principal } = await app.makeAdminKey('administrator');
  const post = (target: string, body?: object) =>
    app.request('POST', `/admin/v1${target}`, { key, ...(body && { body: JSON.stringify(body) }) });
  const prune = async (body: object) => (await post('/ledger/prune', body)).json as unknown as PrunedJson;
  const verify = async (body?: object) => (await post('/ledger/verify', body)).json as unknown as ReportJson;
  return { app, keyId: principal.key.id, post, prune, verify };
}

function prunesIn({ admin }: TestApp) {
  return admin.activity.list({ action: 'movements.prune', limit: 10 });
}

test('a prune deletes what its dry run counts, and names the key in the ledger and in the activity log', async (t) => {
  if (isSkippedDaily(t)) return;
  const { app, keyId, prune } = await startOldShop(t);
  const counted = await prune({ keepDays: 30, dryRun: true });
  assert.deepEqual([counted.dryRun, counted.movements, counted.start.sequence], [true, 3, 5]);
  assert.ok(!('prune' in counted));
  assert.deepEqual(await prunesIn(app), []);
  const pruned = await prune({ keepDays: 30 });
  assert.deepEqual([pruned.movements, pruned.start], [3, counted.start]);
  assert.ok(!('dryRun' in pruned));
  assert.deepEqual([pruned.prune?.number, pruned.prune?.actor], [1, { keyId }]);
  const audit = (await app.request('GET', '/v1/ledger/audit')).json as unknown as {
    isIntact: boolean;
    prunes: object[];
  };
  assert.deepEqual([audit.isIntact, audit.prunes], [true, [pruned.prune]]);
  const again = await prune({ before: new Date(Date.now() - 30 * DAY_MS).toISOString() });
  assert.deepEqual(again, { movements: 0, start: counted.start, prune: null });
  const lines = await prunesIn(app);
  assert.equal(lines.length, 1, 'a prune without an effect is no action');
  const { actor, requestId, target, details } = lines[0] ?? assert.fail();
  assert.deepEqual([actor, target], [keyId, null]);
  assert.ok(requestId);
  assert.partialDeepStrictEqual(details, { number: 1, start: counted.start, deleted: 3 });
});

test('a prune of the command line has the author cli', async (t) => {
  const { app } = await startOldShop(t);
  const { prune } = await app.admin.pruneMovements(Date.now() - 30 * DAY_MS, CLI_AUTHOR);
  assert.equal(prune?.actor, 'cli');
  const [line] = await prunesIn(app);
  assert.deepEqual([line?.actor, line?.requestId], ['cli', null]);
});

test('a prune needs one bound, which is not in the future', async (t) => {
  const { app, post } = await startOldShop(t);
  const past = '2020-01-01T00:00:00Z';
  for (const [body, message] of [
    [{}, 'The body must have one of before and keepDays.'],
    [{ before: past, keepDays: 3 }, 'The body must have one of before and keepDays.'],
    [{ keepDays: 0 }, 'keepDays must be a whole number from 1 to 36500. It is 0.'],
    [{ keepDays: 1.5 }, 'keepDays must be a whole number from 1 to 36500. It is 1.5.'],
    [{ keepDays: 3, dryRun: 'yes' }, 'dryRun must be true or false. It is "yes".'],
    [
      { before: '2020-01-01' },
      'before must be a date and time with offset, such as 2027-12-31T23:59:59Z (RFC 3339). It is "2020-01-01".',
    ],
  ] as const) {
    const { status, json } = await post('/ledger/prune', body);
    assert.equal(status, 400);
    assert.partialDeepStrictEqual(json, { code: 'validation_failed', message });
  }
  const before = new Date(Date.now() + DAY_MS).toISOString();
  const { json } = await post('/ledger/prune', { before });
  const { message } = json as { message: string };
  assert.ok(message.startsWith(`before must not be in the future. It is ${before}, and the database has 20`));
  assert.deepEqual(await prunesIn(app), []);
});

test('a prune of a ledger without a movement for 366 days needs an accepted clock', async (t) => {
  const { app, post, prune } = await startOldShop(t, { isIdle: true });
  for (const body of [{ keepDays: 30 }, { keepDays: 30, dryRun: true }, { before: '2020-01-01T00:00:00Z' }]) {
    const refused = await post('/ledger/prune', body);
    assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
    assert.match(refused.text, /is the clock right\? Nothing was changed\. .*add \\"acceptClock\\": true if/);
  }
  assert.deepEqual(await prunesIn(app), []);
  assert.equal((await prune({ keepDays: 30, dryRun: true, acceptClock: true })).movements, 3);
  assert.equal((await prune({ keepDays: 30, acceptClock: true })).movements, 3);
});

test('an instance runs one verification at a time', async (t) => {
  const { post, verify } = await startOldShop(t);
  const answers = await Promise.all([post('/ledger/verify'), post('/ledger/verify'), post('/ledger/verify')]);
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.match(refused?.text ?? '', /A verification is running; wait until it has ended\./);
  assert.deepEqual((await verify()).faults, [], 'the next one runs');
});

test('a verification is an audit in the metrics', async (t) => {
  const { app, verify } = await startOldShop(t);
  await verify();
  assert.match((await app.request('GET', '/metrics')).text, /^petstore_ledger_audit_faults 0$/m);
});

test('a verification compares the ledger with noted hashes', async (t) => {
  const { prune, verify } = await startOldShop(t);
  const { head, faults } = await verify();
  assert.deepEqual([head.sequence, faults], [6, []]);
  assert.deepEqual((await verify({ expect: [head] })).faults, []);
  const [fault, ...others] = (await verify({ expect: [{ ...head, hash: OTHER_HASH }] })).faults;
  assert.match(fault ?? '', /movement 6/);
  assert.deepEqual(others, []);
  const { prune: made } = await prune({ keepDays: 30 });
  assert.ok(made);
  assert.equal((await verify({ expect: [head] })).faults.length, 1, 'the prune is not confirmed');
  const confirmed = { sequence: made.afterSequence, hash: made.hash };
  const { faults: none, movements } = await verify({ expect: [head, confirmed] });
  assert.deepEqual([none, movements], [[], 3]);
});

test('a verification reports what was changed past the service', async (t) => {
  const { app, post, verify } = await startOldShop(t);
  await app.database.unguard();
  await app.database.run('UPDATE movements SET quantity_after = quantity_after + 1 WHERE sequence = 5');
  const { faults, findings } = await verify();
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['hash', 'balance'],
  );
  assert.equal(
    findings.reduce((sum, { count }) => sum + count, 0),
    faults.length,
  );
  const refused = await post('/ledger/prune', { keepDays: 30 });
  assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
  assert.match(refused.text, /[Nn]othing was pruned/);
  assert.deepEqual(await prunesIn(app), []);
});
