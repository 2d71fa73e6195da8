import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { SeededRandom } from '../../support/limit-clients.ts';
import {
  type Action,
  type History,
  type Operation,
  ORDER_KINDS,
  type Outcome,
  type Reported,
} from '../checker/history.ts';
import type { LedgerRow } from '../checker/ledger-invariants.ts';
import { type OwnMovement, type OwnUnits, someAction } from '../random-action.ts';
import { type Bug, SimulatedStore } from './simulated-store.ts';
import { VirtualTime } from './virtual-time.ts';

export interface RaceOptions {
  readonly seed: number;
  readonly clients: number;
  readonly operationsOfEach: number;
  readonly bug?: Bug;
}

/** The result of a race: the observations of the clients, and the content of the store. */
export interface Race {
  readonly history: History;
  readonly rows: readonly LedgerRow[];
  readonly quantity: number;
  readonly version: number;
}

/** What the answers of a race report: quantity and status as in `updateInventory`, also the version, or everything. */
const DETAILS = ['item', 'version', 'all'] as const;
const MAX_TRIES = 3;
const TIMEOUT_MS = 30;

/** Clients race for one pet of a simulated store, on connections that delay, break and lose answers, over crashes. */
export function simulateRace({ seed, clients, operationsOfEach, bug }: RaceOptions): Race {
  const random = new SeededRandom(seed);
  const time = new VirtualTime();
  const initial = {
    quantity: random.integer(0, 20),
    reserved: 0,
    status: random.pick(PET_STATUSES),
    version: 1,
  };
  const store = new SimulatedStore({ random, time, initial, bug });
  const detail = random.pick(DETAILS);
  const thinkMs = random.pick([0.5, 3, 20]);
  const brokenShare = random.pick([0, 0.02, 0.06]);
  const operations: Operation[] = [];
  const racers = Array.from({ length: clients }, (_, index) => {
    const parts = { random, time, store, detail, thinkMs, brokenShare, operations };
    return new Racer(`client ${index}`, parts);
  });
  for (const racer of racers) racer.start(operationsOfEach);
  const crashesMs = Array.from({ length: 3 }, () => random.next() * operationsOfEach * (thinkMs + 3));
  for (const atMs of crashesMs) time.after(atMs, () => store.crash());
  time.run();
  const { quantity, version } = store.register;
  return { history: { petId: store.petId, initial, operations }, rows: store.rows, quantity, version };
}

interface RacerParts {
  readonly random: SeededRandom;
  readonly time: VirtualTime;
  readonly store: SimulatedStore;
  readonly detail: (typeof DETAILS)[number];
  readonly thinkMs: number;
  readonly brokenShare: number;
  readonly operations: Operation[];
}

/**
 * One client with one operation at a time. It retries with the same key after a lost answer, and sometimes gives up.
 */
class Racer {
  readonly #name: string;
  readonly #parts: RacerParts;
  #left = 0;
  #made = 0;
  /** The last stock that it saw. */
  #seen: Reported = {};
  /** Its own movements, which it may revert. */
  readonly #movements: OwnMovement[] = [];
  /** The units of its orders. An answer that is lost leaves fewer than there are. */
  #units: OwnUnits = { reserved: 0, delivered: 0 };

  constructor(name: string, parts: RacerParts) {
    this.#name = name;
    this.#parts = parts;
  }

  start(operations: number): void {
    this.#left = operations;
    this.#think();
  }

  #think(): void {
    if (this.#left === 0) return;
    this.#left -= 1;
    const { random, time, thinkMs } = this.#parts;
    time.after(random.next() * thinkMs, () => this.#invoke());
  }

  #invoke(): void {
    this.#made += 1;
    const action = someAction(this.#parts.random, this.#seen, this.#movements, this.#units);
    this.#take(action);
    this.#try({ action, key: `${this.#name} ${this.#made}`, invokedAtMs: this.#parts.time.nowMs, tries: 1 });
  }

  #try(attempt: Attempt): void {
    const { random, time, store, brokenShare } = this.#parts;
    let isOpen = true;
    const isRequestLost = random.chance(brokenShare / 2);
    const isAnswerLost = random.chance(brokenShare);
    // A request that the network held back takes effect long after its client gave it up.
    const delayMs = random.chance(brokenShare / 2) ? 4 * TIMEOUT_MS * random.next() : 2 * random.next();
    const request = {
      action: attempt.action,
      client: this.#name,
      idempotencyKey: attempt.key,
      requestId: `${attempt.key} try ${attempt.tries}`,
    };
    const receive = (outcome: Outcome) => {
      if (!isOpen) return;
      isOpen = false;
      this.#finish(attempt, outcome);
    };
    if (!isRequestLost)
      time.after(delayMs, () =>
        store.perform(request, (outcome) => {
          if (!isAnswerLost) time.after(2 * random.next(), () => receive(outcome));
        }),
      );
    time.after(TIMEOUT_MS, () => {
      if (!isOpen) return;
      isOpen = false;
      const isTriedAgain = attempt.tries < MAX_TRIES && random.chance(0.6);
      if (isTriedAgain) this.#try({ ...attempt, tries: attempt.tries + 1 });
      else this.#finish(attempt, { result: 'unknown' });
    });
  }

  #finish({ action, key, invokedAtMs, tries }: Attempt, outcome: Outcome): void {
    const { time, operations, detail } = this.#parts;
    const reported = withDetail(outcome, detail);
    this.#learn(reported, action);
    // A try that failed with certainty does not decide an earlier try without an answer.
    const isUncertain = outcome.result === 'failed' && tries > 1;
    operations.push({
      client: this.#name,
      invokedAtMs,
      returnedAtMs: time.nowMs,
      action,
      outcome: isUncertain ? { result: 'unknown' } : reported,
      actor: this.#name,
      idempotencyKey: key,
    });
    this.#think();
  }

  /** Units that it may not use again, whatever the answer is. */
  #take(action: Action): void {
    if (action.kind === 'release' || action.kind === 'deliver') this.#add({ reserved: -action.units });
    if (action.kind === 'return') this.#add({ delivered: -action.units });
  }

  #add({ reserved = 0, delivered = 0 }: Partial<OwnUnits>): void {
    this.#units = { reserved: this.#units.reserved + reserved, delivered: this.#units.delivered + delivered };
  }

  #learn(outcome: Outcome, action: Action): void {
    if (outcome.result !== 'done') return;
    this.#seen = outcome;
    if (action.kind === 'reserve') this.#add({ reserved: action.units });
    if (action.kind === 'deliver') this.#add({ delivered: action.units });
    const { sequence, quantity, quantityBefore } = outcome;
    if (action.kind === 'batch' || isOrderStep(action) || typeof sequence !== 'number') return;
    if (quantity !== quantityBefore) this.#movements.push({ sequence, delta: quantity! - quantityBefore! });
  }
}

interface Attempt {
  readonly action: Action;
  readonly key: string;
  readonly invokedAtMs: number;
  readonly tries: number;
}

function isOrderStep({ kind }: Action): boolean {
  return ORDER_KINDS.some((one) => one === kind);
}

function withDetail(outcome: Outcome, detail: (typeof DETAILS)[number]): Outcome {
  if (outcome.result === 'unknown' || outcome.result === 'failed' || detail === 'all') return outcome;
  const { version, sequence: _, quantityBefore: __, ...item } = outcome;
  return detail === 'item' || version === undefined ? item : { ...item, version };
}
