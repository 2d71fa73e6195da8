import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bindingWindow,
  RateLimitCounters,
  retryAfterSeconds,
  WINDOW_MS,
  WindowCount,
  type WindowName,
  type WindowUsage,
} from '../../src/domain/access/rate-limit.ts';

const MINUTE = WINDOW_MS.minute;
const DAY = WINDOW_MS.day;
const NOON = Date.UTC(2026, 6, 1, 12);

test('a window lasts from one full UTC minute or day to the next', () => {
  const cases: readonly [WindowName, number, number][] = [
    ['minute', NOON, NOON + MINUTE],
    ['minute', NOON + 1, NOON + MINUTE],
    ['minute', NOON + MINUTE - 1, NOON + MINUTE],
    ['minute', NOON + MINUTE, NOON + 2 * MINUTE],
    ['day', NOON, NOON + DAY / 2],
    ['day', NOON + DAY / 2 - 1, NOON + DAY / 2],
    ['day', NOON + DAY / 2, NOON + DAY + DAY / 2],
    // A leap day, and the turn of a year.
    ['day', Date.UTC(2028, 1, 29, 23, 59, 59, 999), Date.UTC(2028, 2, 1)],
    ['day', Date.UTC(2026, 11, 31, 23, 59, 59, 999), Date.UTC(2027, 0, 1)],
    ['minute', Date.UTC(2026, 11, 31, 23, 59, 59, 999), Date.UTC(2027, 0, 1)],
  ];
  for (const [name, nowMs, resetAtMs] of cases) {
    const count = new WindowCount(name);
    count.turnTo(nowMs);
    assert.equal(count.resetAtMs, resetAtMs, `${name} at ${new Date(nowMs).toISOString()}`);
  }
});

/** Visits minutes in this order with some requests in each; the last line is the used count on arrival. */
const VISITS: readonly { title: string; visits: readonly (readonly [minute: number, takes: number])[] }[] = [
  {
    title: 'stays in a minute',
    visits: [
      [5, 3],
      [5, 3],
    ],
  },
  {
    title: 'continues to the next',
    visits: [
      [5, 3],
      [6, 0],
    ],
  },
  {
    title: 'jumps over many',
    visits: [
      [5, 3],
      [500, 0],
    ],
  },
  {
    title: 'steps back into a new minute',
    visits: [
      [5, 3],
      [4, 3],
    ],
  },
  {
    title: 'steps far back',
    visits: [
      [500, 7],
      [5, 7],
    ],
  },
  {
    title: 'continues after a step back',
    visits: [
      [5, 3],
      [4, 3],
      [6, 0],
    ],
  },
  {
    title: 'returns to the start of a step back',
    visits: [
      [5, 3],
      [4, 3],
      [5, 3],
    ],
  },
  {
    title: 'steps forward and back',
    visits: [
      [5, 3],
      [9, 0],
      [5, 3],
    ],
  },
  {
    title: 'steps forward, back and forward',
    visits: [
      [5, 3],
      [9, 2],
      [5, 3],
      [9, 2],
    ],
  },
  {
    title: 'steps back to an evicted minute',
    visits: [
      [5, 3],
      [6, 4],
      [7, 5],
      [5, 5],
    ],
  },
];

for (const { title, visits } of VISITS) {
  test(`a count is right when the clock ${title}`, () => {
    const count = new WindowCount('minute');
    for (const [i, [minute, amount]] of visits.entries()) {
      count.turnTo(minute * MINUTE + 1);
      if (i === visits.length - 1) assert.equal(count.used, amount);
      // A second visit still finds the requests of the first.
      count.used = Math.max(count.used, amount);
    }
  });
}

test('a saved count continues, in its own window only', () => {
  const written = () => new WindowCount('minute', 5, 42);
  const cases: readonly [number, number][] = [
    [5, 42],
    [6, 0],
    // The clock went back while the service was down.
    [4, 42],
  ];
  for (const [minute, used] of cases) {
    const count = written();
    count.turnTo(minute * MINUTE);
    assert.equal(count.used, used, `minute ${minute}`);
  }
});

test('the remaining requests of a window are never negative, also after the limit was lowered', () => {
  const count = new WindowCount('minute', 5, 42);
  for (const [limit, remaining] of [
    [100, 58],
    [42, 0],
    [41, 0],
    [1, 0],
  ] as const) {
    assert.deepEqual(count.usage(limit), { name: 'minute', limit, remaining, resetAtMs: 6 * MINUTE });
  }
});

test('a request takes one from both windows, or nothing from either', () => {
  const counts = new RateLimitCounters();
  const limits = { perMinute: 3, perDay: 5 };
  const expected: readonly [
    minute: number,
    refusedBy: WindowName | undefined,
    inMinute: number,
    inDay: number,
  ][] = [
    [0, undefined, 1, 1],
    [0, undefined, 2, 2],
    [0, undefined, 3, 3],
    [0, 'minute', 3, 3],
    [0, 'minute', 3, 3],
    [1, undefined, 1, 4],
    [1, undefined, 2, 5],
    [1, 'day', 2, 5],
    [2, 'day', 0, 5],
    [24 * 60, undefined, 1, 1],
  ];
  for (const [minute, refusedBy, inMinute, inDay] of expected) {
    assert.equal(counts.charge(limits, minute * MINUTE), refusedBy);
    assert.deepEqual([counts.minute.used, counts.day.used], [inMinute, inDay]);
  }
});

test('the exhausted window that resets last refuses', () => {
  const counts = new RateLimitCounters();
  const limits = { perMinute: 2, perDay: 2 };
  assert.equal(counts.charge(limits, 0), undefined);
  assert.equal(counts.charge(limits, 0), undefined);
  assert.equal(counts.charge(limits, 0), 'day');
});

function usage(name: WindowName, remaining: number, resetAtMs: number): WindowUsage {
  return { name, limit: 10, remaining, resetAtMs };
}

test('the headers describe the window with the least remaining, of two alike the later reset', () => {
  const cases: readonly [WindowUsage, WindowUsage, WindowName][] = [
    [usage('minute', 3, MINUTE), usage('day', 4, DAY), 'minute'],
    [usage('minute', 4, MINUTE), usage('day', 3, DAY), 'day'],
    [usage('minute', 3, MINUTE), usage('day', 3, DAY), 'day'],
    [usage('minute', 0, MINUTE), usage('day', 0, DAY), 'day'],
    [usage('minute', 0, MINUTE), usage('day', 1, DAY), 'minute'],
    [usage('minute', 1, MINUTE), usage('day', 0, DAY), 'day'],
  ];
  for (const [minute, day, expected] of cases) {
    assert.equal(bindingWindow([minute, day]).name, expected);
    assert.equal(bindingWindow([day, minute]).name, expected);
  }
  assert.equal(bindingWindow([usage('minute', 3, MINUTE)]).name, 'minute');
});

test('Retry-After is at least a second, and never ends early', () => {
  const cases: readonly [retryAtMs: number, nowMs: number, seconds: number][] = [
    [60_000, 0, 60],
    [60_000, 1, 60],
    [60_000, 999, 60],
    [60_000, 1_000, 59],
    [60_000, 1_001, 59],
    [60_000, 59_000, 1],
    [60_000, 59_001, 1],
    [60_000, 59_999, 1],
    [60_000, 60_000, 1],
    [60_000, 61_000, 1],
    [DAY, 0, 86_400],
  ];
  for (const [retryAtMs, nowMs, seconds] of cases) {
    assert.equal(retryAfterSeconds(retryAtMs, nowMs), seconds, `${retryAtMs} at ${nowMs}`);
  }
});
