import assert from 'node:assert/strict';
import type { Limits } from '../../src/domain/access/plans.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import {
  backingOffClient,
  type Client,
  hammeringClient,
  obedientClient,
  SeededRandom,
  type Sending,
} from '../support/limit-clients.ts';
import { LimitModel } from './limit-model.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SOME_DAY_MS = Date.UTC(2026, 6, 1);

/** One request for the service to judge. */
export interface SimulatedRequest {
  readonly keyIndex: number;
  readonly nowMs: number;
  /** The account's limits from this request on. */
  readonly limits: Limits;
}

/** The limits that the service reported. */
export interface ReportedLimits {
  readonly code: ErrorCode | undefined;
  /** 0 when it was admitted. */
  readonly retryAfterSeconds: number;
  readonly minuteRemaining: number;
  readonly dayRemaining: number;
}

/** Counts of events in a simulation, so that a test can assert that it was not idle. */
export interface Tally {
  admitted: number;
  bans: number;
  readonly refusals: Map<string, number>;
}

type Manner = 'obedient' | 'backing off' | 'hammering';

interface Participant {
  readonly manner: Manner;
  readonly client: Client;
  next: Sending;
  /** The windows, by name and label, that refused it already. */
  readonly refusedIn: Set<string>;
}

export interface SimulationOptions {
  readonly maxRequests: number;
  readonly maxKeys: number;
}

/**
 * Clients with different behaviours share one account on a virtual clock. Every decision is compared with the model. A
 * client that obeys Retry-After, or backs off exponentially, must not be refused twice for one window, make a strike or
 * be banned.
 */
export function* simulate(
  seed: number,
  options: SimulationOptions,
): Generator<SimulatedRequest, Tally, ReportedLimits> {
  const random = new SeededRandom(seed);
  const startMs = startOf(random);
  let limits = someLimits(random);
  const changesPlan = random.chance(0.2);
  const participants = gather(random, startMs, options.maxKeys);
  const model = new LimitModel();
  const tally: Tally = { admitted: 0, bans: 0, refusals: new Map() };

  for (let request = 0; request < options.maxRequests; request += 1) {
    const participant = earliest(participants);
    const keyIndex = participants.indexOf(participant);
    const { atMs: nowMs, isInFlight } = participant.next;
    if (changesPlan && random.chance(0.02)) limits = someLimits(random);
    const reported = yield { keyIndex, nowMs, limits };
    const keyId = `key ${keyIndex}`;
    const expected = model.judge(keyId, limits, nowMs);
    const what = `seed ${seed}, request ${request} of a key ${participant.manner} at ${nowMs}`;
    assert.deepEqual(
      { ...reported, retryAfterSeconds: 0 },
      {
        code: expected.code,
        minuteRemaining: expected.minuteRemaining,
        dayRemaining: expected.dayRemaining,
        retryAfterSeconds: 0,
      },
      what,
    );
    if (reported.code === undefined) tally.admitted += 1;
    else {
      assertTruthful(reported.retryAfterSeconds, expected.retryAtMs, nowMs, what);
      assertLaw(participant, reported.code, nowMs, isInFlight, what);
      tally.refusals.set(reported.code, (tally.refusals.get(reported.code) ?? 0) + 1);
    }
    if (participant.manner === 'obedient') assert.equal(model.strikesOf(keyId), 0, what);
    participant.next = participant.client.next(reported).value;
  }
  tally.bans = model.banCount;
  return tally;
}

/** The reported wait must not end early, nor a whole second late. */
function assertTruthful(retryAfterSeconds: number, retryAtMs: number, nowMs: number, what: string): void {
  assert.ok(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1, what);
  const lateMs = nowMs + retryAfterSeconds * 1_000 - retryAtMs;
  assert.ok(lateMs >= 0 && lateMs < 1_000, `${what}: Retry-After is ${lateMs} ms off`);
}

function assertLaw(
  { manner, refusedIn }: Participant,
  code: ErrorCode,
  nowMs: number,
  isInFlight: boolean,
  what: string,
): void {
  if (manner === 'hammering') return;
  assert.notEqual(code, 'api_key_banned', what);
  if (manner !== 'obedient') return;
  const windowMs = code === 'daily_quota_exceeded' ? DAY_MS : MINUTE_MS;
  const label = `${code} ${Math.floor(nowMs / windowMs)}`;
  assert.ok(isInFlight || !refusedIn.has(label), `${what}: refused twice for ${label}`);
  refusedIn.add(label);
}

/** Often shortly before the end of a minute or a day. */
function startOf(random: SeededRandom): number {
  const dayMs = SOME_DAY_MS + random.integer(0, 400) * DAY_MS;
  if (random.chance(0.5)) return dayMs - random.integer(0, 10 * MINUTE_MS);
  return dayMs + random.integer(0, DAY_MS - 1);
}

function someLimits(random: SeededRandom): Limits {
  const perMinute = random.chance(0.2) ? random.integer(1, 3) : random.integer(1, 120);
  return { perMinute, perDay: random.chance(0.5) ? random.integer(1, 3 * perMinute) : 1_000_000 };
}

function gather(random: SeededRandom, startMs: number, maxKeys: number): Participant[] {
  const count = random.integer(1, maxKeys);
  return Array.from({ length: count }, (_, i) => {
    const manner: Manner =
      i === 0 ? 'obedient' : random.pick(['obedient', 'backing off', 'hammering'] as const);
    const beginsMs = startMs + random.integer(0, 30_000);
    const thinkMs = random.pick([5, 100, 1_000, 10_000]);
    const client = {
      obedient: () => obedientClient(random, beginsMs, thinkMs),
      'backing off': () => backingOffClient(random, beginsMs, thinkMs),
      hammering: () => hammeringClient(random, beginsMs),
    }[manner]();
    // A generator's first `next` takes nothing: it only brings the first request.
    const first = client.next({ code: undefined, retryAfterSeconds: 0 }).value;
    return { manner, client, next: first, refusedIn: new Set<string>() };
  });
}

function earliest(participants: readonly Participant[]): Participant {
  return participants.reduce((first, other) => (other.next.atMs < first.next.atMs ? other : first));
}

/** Sums over several simulations. */
export class Totals {
  admitted = 0;
  bans = 0;
  readonly refusals = new Map<string, number>();

  add({ admitted, bans, refusals }: Tally): void {
    this.admitted += admitted;
    this.bans += bans;
    for (const [code, count] of refusals) this.refusals.set(code, (this.refusals.get(code) ?? 0) + count);
  }

  /** A simulation in which nothing happened would prove nothing. */
  assertLively(atLeast: number): void {
    for (const code of ['rate_limit_exceeded', 'daily_quota_exceeded', 'api_key_banned']) {
      assert.ok((this.refusals.get(code) ?? 0) >= atLeast, `${code}: ${this.refusals.get(code)}`);
    }
    assert.ok(this.admitted >= atLeast);
  }

  toString(): string {
    return `${this.admitted} admitted, ${this.bans} bans, refused: ${JSON.stringify([...this.refusals])}`;
  }
}
