import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeShopUsage, describeUsage } from '../../src/cli/accounts.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { USAGE_UNIT_MS } from '../../src/domain/management/usage.ts';
import { newCliShop } from '../support/command-line.ts';

const { hour: HOUR, day: DAY } = USAGE_UNIT_MS;
const BEGAN_MS = Date.UTC(2026, 6, 1, 7);

test('accounts usage shows each period with its requests, and JSON as over HTTP', async (t) => {
  const { store, cli } = await newCliShop(t);
  const limits = { perMinute: 60, perDay: 1_000 };
  const account = { id: 'acc_one', name: 'shop', plan: 'free', limits, createdAtMs: 0 } as const;
  await store.accounts.create(account, CLI_AUTHOR);
  const none = await cli('accounts', 'usage', 'shop');
  assert.match(none.stdout, /^Account shop: 0 requests from 20.* UTC to 20.* UTC\.\n$/);
  const range = ['--since', '2026-07-01T07:30:00Z', '--until', '2026-07-01T09:00:00Z'];
  const { stdout, code, stderr } = await cli('accounts', 'usage', 'shop', ...range, '--json');
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    unit: 'hour',
    since: '2026-07-01T07:00:00.000Z',
    until: '2026-07-01T09:00:00.000Z',
    requests: 0,
    periods: [],
  });
  const all = await cli('accounts', 'usage', ...range, '--json');
  assert.deepEqual(JSON.parse(all.stdout), { ...JSON.parse(stdout), accounts: [] });
  for (const [words, message] of [
    [['shpo'], /no account "shpo"/],
    [['shop', '--unit', 'minute', '--since', '2020-01-01'], /2880 minutes apart at most/],
    [['shop', '--since', '2026-02-02', '--until', '2026-02-01'], /since must be before until/],
  ] as const) {
    const refused = await cli('accounts', 'usage', ...words);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, message);
  }
});

test('on a terminal each period has a bar; numbers are aligned', () => {
  const query = { unit: 'hour', sinceMs: BEGAN_MS, untilMs: BEGAN_MS + 3 * HOUR } as const;
  const periods = [
    { beganAtMs: BEGAN_MS, requests: 1_500 },
    { beganAtMs: BEGAN_MS + HOUR, requests: 1 },
  ];
  const { text } = describeUsage({ name: 'shop' }, query, periods, true);
  assert.deepEqual(text.split('\n'), [
    'Account shop: 1,501 requests from 2026-07-01 07:00 UTC to 2026-07-01 10:00 UTC.',
    '',
    'HOUR                  REQUESTS',
    `2026-07-01 07:00 UTC     1,500  ${'#'.repeat(30)}`,
    '2026-07-01 08:00 UTC         1  #',
  ]);
  assert.doesNotMatch(describeUsage({ name: 'shop' }, query, periods, false).text, /#/);
  const days = describeUsage(
    { name: 'shop' },
    { ...query, unit: 'day' },
    [{ beganAtMs: DAY, requests: 2 }],
    false,
  );
  assert.match(days.text, /\n1970-01-02 {9}2$/);
});

test('the usage of all accounts is a table of the busiest, before that of the periods', () => {
  const query = { unit: 'day', sinceMs: 0, untilMs: DAY } as const;
  const accounts = [
    { id: 'acc_one', name: 'shop', requests: 1_500, fullPeriods: 1 },
    { id: 'acc_two', name: 'till', requests: 500, fullPeriods: 0 },
  ];
  const usage = { periods: [{ beganAtMs: 0, requests: 2_000 }], accounts };
  assert.deepEqual(describeShopUsage(query, usage, false).text.split('\n'), [
    'All accounts: 2,000 requests from 1970-01-01 00:00 UTC to 1970-01-02 00:00 UTC.',
    '',
    'ACCOUNT  REQUESTS  SHARE   DAYS AT LIMIT',
    'shop        1,500  75.0 %              1',
    'till          500  25.0 %              0',
    '',
    'DAY         REQUESTS',
    '1970-01-01     2,000',
  ]);
  const hours = describeShopUsage({ ...query, unit: 'hour' }, usage, false).text;
  assert.doesNotMatch(hours.split('\n\n')[1] ?? '', /LIMIT/);
});
