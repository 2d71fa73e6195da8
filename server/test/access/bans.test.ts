import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAN_RULE, type Ban, StrikeCounter, toleratedStrikes } from '../../src/domain/access/bans.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PER_MINUTE = 60;
/** At 60 requests per minute, 20 strikes are tolerated. */
const TOLERATED = 20;

interface Refused {
  /** Of the first refusal. */
  readonly atMs: number;
  readonly retryAtMs: number;
}

/** Refuses a key once, and then repeats requests at an interval until it is banned, or `times` times. */
function hammer(counter: StrikeCounter, { atMs, retryAtMs }: Refused, everyMs: number, times = 1_000) {
  assert.equal(counter.refused('key_1', PER_MINUTE, atMs, retryAtMs), undefined);
  for (let strikes = 1; strikes <= times; strikes += 1) {
    const nowMs = atMs + BAN_RULE.graceMs + strikes * everyMs;
    const ban = counter.refused('key_1', PER_MINUTE, nowMs, retryAtMs);
    if (ban) return { ban, strikes, atMs: nowMs };
  }
  return undefined;
}

function bannedAt(counter: StrikeCounter, atMs: number): Ban {
  const banned = hammer(counter, { atMs, retryAtMs: atMs + HOUR }, 100);
  assert.ok(banned);
  return banned.ban;
}

test('20 strikes or 30 % of the minute are tolerated, whichever is more', () => {
  for (const [perMinute, tolerated] of [
    [1, 20],
    [60, 20],
    [66, 20],
    [67, 20],
    [69, 20],
    [70, 21],
    [300, 90],
    [1_000, 300],
    [1_000_000, 300_000],
  ] as const) {
    assert.equal(toleratedStrikes(perMinute), tolerated, `${perMinute} per minute`);
  }
});

test('one strike more than is tolerated bans for 5 minutes', () => {
  const counter = new StrikeCounter();
  const banned = hammer(counter, { atMs: 0, retryAtMs: HOUR }, 100);
  assert.equal(banned?.strikes, TOLERATED + 1);
  assert.deepEqual(banned?.ban, {
    keyId: 'key_1',
    level: 1,
    bannedAtMs: banned.atMs,
    endsAtMs: banned.atMs + 5 * MINUTE,
  });
  assert.equal(counter.isBanned(banned.atMs), true);
  assert.equal(counter.isBanned(banned.atMs + 5 * MINUTE - 1), true);
  assert.equal(counter.isBanned(banned.atMs + 5 * MINUTE), false);
});

test('a larger plan tolerates more strikes', () => {
  const counter = new StrikeCounter();
  counter.refused('key_1', 300, 0, MINUTE);
  for (let strike = 1; strike <= 90; strike += 1) {
    assert.equal(counter.refused('key_1', 300, 2 * SECOND + strike, MINUTE), undefined);
  }
  assert.ok(counter.refused('key_1', 300, 3 * SECOND, MINUTE));
});

test('a request within a second of a 429 is no strike, because it was sent before it', () => {
  const counter = new StrikeCounter();
  for (let request = 0; request < 500; request += 1) {
    assert.equal(counter.refused('key_1', PER_MINUTE, request * 2, MINUTE), undefined);
  }
  assert.equal(counter.refused('key_1', PER_MINUTE, BAN_RULE.graceMs, MINUTE), undefined);
  for (let strike = 1; strike <= TOLERATED; strike += 1) {
    assert.equal(counter.refused('key_1', PER_MINUTE, BAN_RULE.graceMs + strike, MINUTE), undefined);
  }
  assert.ok(counter.refused('key_1', PER_MINUTE, BAN_RULE.graceMs + TOLERATED + 1, MINUTE));
});

test('a key that obeys Retry-After makes no strike, even after many refusals', () => {
  const counter = new StrikeCounter();
  for (let minute = 0; minute < 1_000; minute += 1) {
    for (const inFlight of [0, 1, 2]) {
      const nowMs = minute * MINUTE + inFlight;
      assert.equal(counter.refused('key_1', PER_MINUTE, nowMs, (minute + 1) * MINUTE), undefined);
    }
  }
});

test('strikes older than a minute are forgotten', () => {
  // Every 3 s: never more than 20 within 60 s. Every 2.9 s: 21.
  assert.equal(hammer(new StrikeCounter(), { atMs: 0, retryAtMs: 10 * HOUR }, 3_000, 5_000), undefined);
  assert.equal(
    hammer(new StrikeCounter(), { atMs: 0, retryAtMs: 10 * HOUR }, 2_900, 5_000)?.strikes,
    TOLERATED + 1,
  );
});

test('each further ban lasts twice as long, up to 24 hours', () => {
  const counter = new StrikeCounter();
  const minutes: number[] = [];
  let nowMs = 0;
  for (let level = 1; level <= 12; level += 1) {
    const ban = bannedAt(counter, nowMs);
    assert.equal(ban.level, level);
    minutes.push((ban.endsAtMs - ban.bannedAtMs) / MINUTE);
    nowMs = ban.endsAtMs;
  }
  assert.deepEqual(minutes, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440, 1_440]);
});

test('no number of bans makes one longer than 24 hours', () => {
  for (const level of [11, 50, 1_000, 10_000]) {
    const counter = new StrikeCounter({ keyId: 'key_1', level, bannedAtMs: 0, endsAtMs: SECOND });
    const ban = bannedAt(counter, 2 * SECOND);
    assert.equal(ban.endsAtMs - ban.bannedAtMs, 24 * HOUR);
  }
});

test('after 24 hours without a ban the next one is a first one again', () => {
  const strikesTakeMs = BAN_RULE.graceMs + (TOLERATED + 1) * 100;
  for (const [quietMs, level] of [
    [24 * HOUR - 1, 5],
    [24 * HOUR, 1],
  ] as const) {
    const counter = new StrikeCounter({ keyId: 'key_1', level: 4, bannedAtMs: 0, endsAtMs: HOUR });
    assert.equal(bannedAt(counter, HOUR + quietMs - strikesTakeMs).level, level);
  }
});

test('a lifted ban holds no more, and the next one is a first one', () => {
  const counter = new StrikeCounter();
  const first = bannedAt(counter, 0);
  bannedAt(counter, first.endsAtMs);
  counter.ban = undefined;
  assert.equal(counter.isBanned(first.endsAtMs + MINUTE), false);
  assert.equal(bannedAt(counter, first.endsAtMs + MINUTE).level, 1);
});

test('a ban that was written down holds and counts for the next one', () => {
  const written = bannedAt(new StrikeCounter(), 0);
  const counter = new StrikeCounter(written);
  assert.equal(counter.isBanned(written.endsAtMs - 1), true);
  assert.equal(bannedAt(counter, written.endsAtMs).level, 2);
});
