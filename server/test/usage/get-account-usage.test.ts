import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { startManaged } from './managed-app.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const MINUTE_MS = 60_000;
/** Range, unit and times that must be refused. */
const HOSTILE_QUERIES = [
  'unit=week',
  'unit=',
  'unit=hour&unit=day',
  'since=yesterday',
  'until=2026-13-01T00:00:00Z',
  'since=2026-07-02T00:00:00Z&until=2026-07-01T00:00:00Z',
  'unit=minute&since=2020-01-01T00:00:00Z',
  'unit=hour&since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z',
  'limit=5',
];

test('the figures of an account are the requests that it made', async (t) => {
  const { app, get } = await startManaged(t);
  const { id } = app.principal.account;
  const path = `/admin/v1/accounts/${id}/usage?unit=minute`;
  const minute = () => new Date(Math.floor(app.clock.nowMs / MINUTE_MS) * MINUTE_MS).toISOString();
  const began = minute();
  for (let i = 0; i < 3; i += 1) await app.request('GET', '/v1/inventory');
  app.clock.nowMs += MINUTE_MS;
  for (let i = 0; i < 2; i += 1) await app.request('GET', '/v1/inventory');
  const usage = async () => (await get(path)).json as { requests: number; periods: object[] };
  await until(async () => (await usage()).requests === 5, 'the counts are saved');
  assert.deepEqual((await usage()).periods, [
    { beganAt: began, requests: 3 },
    { beganAt: minute(), requests: 2 },
  ]);
  const hours = (await get(`/admin/v1/accounts/${id}/usage`)).json as { unit: string; requests: number };
  assert.deepEqual([hours.unit, hours.requests], ['hour', 5]);
});

test('the hours of all accounts end with the running one by the clock of the service', async (t) => {
  const { app, get } = await startManaged(t);
  app.clock.nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  const { until: end } = (await get('/admin/v1/usage')).json as { until: string };
  assert.match(end, /^2026-01-02T03:/);
});

test('the usage of all accounts names each with its requests, and refuses hostile values', async (t) => {
  if (isSkippedDaily(t)) return;
  const { app, get } = await startManaged(t);
  const { account } = app.principal;
  for (let i = 0; i < 3; i += 1) await app.request('GET', '/v1/inventory');
  const usage = async () =>
    (await get('/admin/v1/usage?unit=day')).json as { requests: number; accounts: object[] };
  await until(async () => (await usage()).requests === 3, 'the counts are saved');
  assert.deepEqual((await usage()).accounts, [
    { id: account.id, name: account.name, requests: 3, fullPeriods: 0 },
  ]);
  for (const query of HOSTILE_QUERIES) {
    const answer = await get(`/admin/v1/usage?${query}`);
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_parameter'], query);
  }
});

test('an unknown account, and hostile values of the query, are refused by name', async (t) => {
  const { app, get } = await startManaged(t);
  for (const id of ['acc_0000000000000000', "acc_' OR 1=1", '%00', 'acc_%E2%80%AE']) {
    const { status } = await get(`/admin/v1/accounts/${encodeURI(id)}/usage`);
    assert.equal(status, 404, id);
  }
  for (const query of HOSTILE_QUERIES) {
    const answer = await get(`/admin/v1/accounts/${app.principal.account.id}/usage?${query}`);
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_parameter'], query);
  }
});
