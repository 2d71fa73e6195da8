import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReceiverFailures, retryAfterMs, retryDelayMs } from '../../src/webhooks/queues/receiver-failures.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 6, 1);
const NOT_FAILING = { failingSinceMs: null, failures: 0, retryAtMs: null };

function newFailures(now = { wallMs: NOW_MS }, failing = NOT_FAILING): ReceiverFailures {
  const clocks = { wallMs: () => now.wallMs, elapsedMs: () => 0 };
  return new ReceiverFailures(failing, { clocks, random: () => 0.5 });
}

test('the first pauses are short, the others double from 5 s to an hour, each up to a fifth shorter or longer', () => {
  const delays = Array.from({ length: 14 }, (_, i) => retryDelayMs(i + 1, 0, 0.5));
  const doubled = [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560].map((seconds) => seconds * 1_000);
  assert.deepEqual(delays, [200, 1_000, ...doubled, HOUR_MS, HOUR_MS]);
  assert.equal(retryDelayMs(3, 0, 0), 4_000);
  assert.equal(retryDelayMs(3, 0, 1), 6_000);
});

test('a receiver that fails one delivery in a hundred gets more than half of the events per second that it could take', () => {
  const deliveryMs = 1_000 / 445;
  const perSecond = 100_000 / (100 * deliveryMs + retryDelayMs(1, 0, 0.5));
  assert.ok(perSecond > 445 / 2, `${perSecond} events/s`);
});

test('Retry-After makes a pause longer, up to an hour, and never shorter', () => {
  assert.equal(retryDelayMs(1, 60_000, 0.5), 60_000);
  assert.equal(retryDelayMs(3, 1_000, 0.5), 5_000);
  assert.equal(retryDelayMs(1, 100 * HOUR_MS, 0.5), HOUR_MS);
  assert.equal(retryAfterMs('120', NOW_MS), 120_000);
  assert.equal(retryAfterMs(new Date(NOW_MS + 30_000).toUTCString(), NOW_MS), 30_000);
  assert.equal(retryAfterMs(new Date(NOW_MS - 30_000).toUTCString(), NOW_MS), 0);
  assert.equal(retryAfterMs('Wed Jul  1 00:00:30 2026', NOW_MS), 30_000, 'the form of asctime');
  assert.equal(retryAfterMs('Wednesday, 01-Jul-26 00:00:30 GMT', NOW_MS), 30_000, 'the form of RFC 850');
  assert.equal(retryAfterMs('00120', NOW_MS), 120_000);
  const absurd = ['99999999999', '999999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'];
  for (const value of absurd) {
    assert.equal(retryDelayMs(1, retryAfterMs(value, NOW_MS), 0.5), HOUR_MS, value);
  }
  const invalid = [
    undefined,
    '',
    '-1',
    '-999999',
    '+5',
    '1.5',
    '1e9',
    '0x10',
    'soon',
    '2099-01-01',

    'Sun, never',
    '120, 5',
  ];
  for (const value of [...invalid, 'Fri, 99 Dec 9999 23:59:59 GMT', 'Fri, 31 Dec 999999 23:59:59 GMT']) {
    assert.equal(retryAfterMs(value, NOW_MS), 0, String(value));
  }
});

test('failures are counted until a success, and the next attempt waits by the wall clock', () => {
  const now = { wallMs: NOW_MS };
  const failures = newFailures(now);
  assert.equal(failures.delayMs(), undefined);
  failures.fail(503, '60');
  failures.fail(null, undefined);
  failures.fail(null, undefined);
  assert.deepEqual(failures.progress, { failingSinceMs: NOW_MS, failures: 3, retryAtMs: NOW_MS + 5_000 });
  now.wallMs += 4_000;
  assert.equal(failures.delayMs(), 1_000);
  now.wallMs += HOUR_MS;
  assert.equal(failures.delayMs(), 0);
  failures.succeed();
  assert.deepEqual(failures.progress, NOT_FAILING);
});

test('a wall clock that was set back by a year delays an attempt by no more than the schedule', () => {
  const now = { wallMs: NOW_MS };
  const failures = newFailures(now);
  failures.fail(500, undefined);
  now.wallMs -= 365 * 24 * HOUR_MS;
  assert.ok((failures.delayMs() ?? 0) <= HOUR_MS);
});

test('410 pauses immediately; other failures pause after 3 days and 48 attempts, not before', () => {
  const gone = newFailures();
  gone.fail(410, undefined);
  assert.deepEqual(gone.pause, { reason: 'gone', atMs: NOW_MS });
  const now = { wallMs: NOW_MS };
  const failing = newFailures(now);
  for (let i = 0; i < 47; i += 1) failing.fail(404, undefined);
  now.wallMs += 3 * 24 * HOUR_MS - 1;
  failing.fail(404, undefined);
  assert.equal(failing.pause, undefined);
  now.wallMs += 1;
  failing.fail(404, undefined);
  assert.deepEqual(failing.pause, { reason: 'failing', atMs: now.wallMs });
  const jumped = { wallMs: NOW_MS };
  const few = newFailures(jumped);
  few.fail(500, undefined);
  jumped.wallMs += 365 * 24 * HOUR_MS;
  few.fail(500, undefined);
  assert.equal(few.pause, undefined, 'a clock that was set forward');
});
