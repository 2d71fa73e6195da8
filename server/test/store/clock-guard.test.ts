import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWrongStart } from '../../src/store/ledger/clock-guard.ts';
import { petRow } from '../support/command-line.ts';
import { NOON, startApp } from '../support/harness.ts';

const HOUR = 3_600_000;
const YEAR_2300 = Date.UTC(2300, 0, 1);

/** A service with a clock that the test sets, and two monotonic clocks. */
async function startWithClocks(t: Parameters<typeof startApp>[0]) {
  const passed = { awakeMs: 0, suspendedMs: 0 };
  const app = await startApp(t, {
    pets: [petRow(1)],
    elapsed: [() => passed.awakeMs, () => passed.awakeMs + passed.suspendedMs],
  });
  const set = (quantity: number) =>
    app.request('PATCH', '/v1/inventory/1', { body: JSON.stringify({ quantity }) });
  const newest = async () => {
    const { json } = await app.request('GET', '/v1/movements?order=desc&limit=1');
    const [movement] = json as unknown as { recordedAt: string }[];
    return Date.parse(movement?.recordedAt ?? '');
  };
  return { app, passed, set, newest };
}

test('one wrong reading of the clock does not reach the ledger', async (t) => {
  const { app, passed, set, newest } = await startWithClocks(t);
  app.clock.nowMs = YEAR_2300;
  passed.awakeMs = 1_000;
  const refused = await set(7);
  assert.equal(refused.code, 'service_unavailable');
  assert.match(refused.text, /clock of the service is wrong; nothing was changed/);
  const logged = app.logs.find(({ code }) => code === 'service_unavailable');
  assert.match(JSON.stringify(logged), /shows 2300-01-01.*restart the service if the time is right/);
  const ready = () => app.request('GET', '/readyz', { key: null });
  assert.equal((await ready()).status, 503);
  assert.match((await ready()).text, /clock of the service is wrong: changes are refused/);
  app.clock.nowMs = NOON + 2_000;
  assert.equal((await ready()).status, 200);
  assert.equal((await set(7)).status, 200);
  assert.equal(await newest(), NOON + 2_000);
});

test('a clock that is corrected by hours, or goes back, keeps the service writing', async (t) => {
  const { app, passed, set } = await startWithClocks(t);
  for (const [awakeMs, nowMs] of [
    [1, NOON + 23 * HOUR],
    [2, NOON - 1_000 * HOUR],
    [30 * HOUR, NOON + 53 * HOUR],
  ] as const) {
    passed.awakeMs = awakeMs;
    app.clock.nowMs = nowMs;
    assert.equal((await set(Math.floor(awakeMs % 1_000))).status, 200, `${nowMs - NOON}`);
  }
});

test('a clock that creeps ahead in small steps is not followed indefinitely', async (t) => {
  const { app, passed, set } = await startWithClocks(t);
  passed.awakeMs = 1;
  app.clock.nowMs = NOON + 20 * HOUR;
  assert.equal((await set(1)).status, 200);
  app.clock.nowMs = NOON + 40 * HOUR;
  assert.equal((await set(2)).status, 503);
});

test('a machine that was suspended for days writes on', async (t) => {
  const { app, passed, set, newest } = await startWithClocks(t);
  passed.suspendedMs = 72 * HOUR;
  app.clock.nowMs = NOON + 72 * HOUR;
  assert.equal((await set(9)).status, 200);
  assert.equal(await newest(), NOON + 72 * HOUR);
});

test('a ledger that is ahead of the clock is reported with a remedy', () => {
  assert.equal(findWrongStart(NOON + 5 * 60_000, NOON), undefined);
  assert.match(
    findWrongStart(YEAR_2300, NOON) ?? '',
    /recorded at 2300-01-01T.*now it is 2026-07-01T.*see "A wrong clock" in docs\/ledger\.md/,
  );
});

test('a clock that is more than 366 days after the newest movement is reported at the start', () => {
  assert.equal(findWrongStart(NOON, NOON + 366 * 24 * HOUR), undefined);
  assert.equal(findWrongStart(0, NOON), undefined, 'an empty ledger');
  assert.match(
    findWrongStart(NOON, YEAR_2300) ?? '',
    /recorded at 2026-07-01T.*now it is 2300-01-01T.*is the clock right\? If not, stop the service/,
  );
});
