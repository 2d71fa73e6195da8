import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startApps, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { adjust, type RequestHeaders } from '../support/stock-requests.ts';
import { until } from '../support/until.ts';

const MINUTE_MS = 60_000;
const SOLD = { delta: -1 };
/** More than the strikes that are tolerated of this plan. */
const HAMMERED = 60;

async function stockOf(app: TestApp, key: string): Promise<number> {
  const { json } = await app.request('GET', '/admin/v1/inventory/7', { key });
  return (json as { quantity: number }).quantity;
}

/**
 * A client repeats a write under its `Idempotency-Key` through everything that can refuse it meanwhile: the limit, a ban and
 * a change of the plan. Each refusal takes nothing from the key, and the write is executed one time.
 * @param instances Requests go to each in turn.
 */
export async function repeatThroughRefusals(t: TestContext, instances: number): Promise<void> {
  const apps = await startApps(t, instances, {
    pets: [petRow(7n, 10)],
    limits: { perMinute: 1_000, perDay: 3 },
    nowMs: 'now',
  });
  const [first, last] = [apps[0], apps.at(-1)] as [TestApp, TestApp];
  const { key: adminKey } = await first.makeAdminKey('administrator');
  const sell = (app: TestApp, name: string, body: object = SOLD) =>
    adjust(app, 7, body, { 'Idempotency-Key': name } satisfies RequestHeaders);
  const wait = (ms: number) => {
    first.clock.nowMs += ms;
  };

  assert.equal((await sell(first, 'a')).status, 201);
  assert.equal((await sell(last, 'a')).headers.get('Idempotency-Replayed'), 'true');
  assert.equal((await sell(last, 'a', { delta: -2 })).code, 'idempotency_key_reused');
  // A repetition counts, and so does one with another body: the quota is used up, also for a new key. A minute would end in between.
  const refused = await sell(first, 'b');
  assert.equal(refused.code, 'daily_quota_exceeded');
  assert.equal((await sell(last, 'a')).code, 'daily_quota_exceeded');
  assert.equal((await sell(last, 'a', { delta: -2 })).code, 'daily_quota_exceeded');
  assert.equal(await stockOf(first, adminKey), 9);

  // Repetitions without a pause are strikes, whatever their keys are.
  const codes = new Set<string | undefined>();
  await until(async () => {
    wait(100);
    for (let i = 0; i < HAMMERED; i += 1) codes.add((await sell(first, 'b')).code);
    return codes.has('api_key_banned');
  }, 'a ban');
  await until(async () => (await sell(last, 'a')).code === 'api_key_banned', 'the ban on each instance');
  assert.equal(await stockOf(last, adminKey), 9);
  const { principal } = first;
  const lifted = await first.request('POST', `/admin/v1/keys/${principal.key.id}/lift-ban`, {
    key: adminKey,
  });
  assert.equal(lifted.status, 200, lifted.text);
  const plan = { plan: 'enterprise', perMinute: 1_000, perDay: 100_000 };
  const path = `/admin/v1/accounts/${principal.account.id}`;
  const changed = await last.request('PATCH', path, {
    key: adminKey,
    body: JSON.stringify(plan),
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(changed.status, 200, changed.text);
  await until(async () => {
    const answers = [await sell(first, 'a'), await sell(last, 'a')];
    return answers.every(({ status, headers }) => status === 201 && headers.has('Idempotency-Replayed'));
  }, 'the first response again');
  assert.equal((await sell(last, 'a', { delta: -2 })).code, 'idempotency_key_reused');
  // The refused one was never executed, and its key is free for any body.
  assert.equal((await sell(last, 'b', { delta: -3 })).status, 201);
  assert.equal((await sell(first, 'b', { delta: -3 })).headers.get('Idempotency-Replayed'), 'true');
  assert.equal(await stockOf(first, adminKey), 6);
  wait(MINUTE_MS);
  assert.equal((await sell(last, 'a')).headers.get('Idempotency-Replayed'), 'true');
  assert.equal(await stockOf(last, adminKey), 6);
}
