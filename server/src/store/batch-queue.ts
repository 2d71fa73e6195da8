import { setTimeout as delay } from 'node:timers/promises';
import { serviceUnavailable } from '../domain/errors.ts';
import { DatabaseBusy } from './errors.ts';

/**
 * Turns of the event loop before a batch begins. In them, callers of the previous batch get their results, and their
 * next items join this batch: half as many commits, and a fifth less work per change (DECISIONS.md). A caller that was alone
 * in the previous batch waits for one turn.
 */
const GATHERING_TURNS = 3;

/**
 * The longest expected wait of an accepted item. With the turns before and after the queue, a client of an overloaded
 * service has its response within 2.5 seconds (docs/growing.md).
 */
export const MAX_EXPECTED_WAIT_MS = 1_500;

interface Waiting<T, R> {
  readonly item: T;
  readonly weight: number;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

export interface BatchQueueLimits {
  /** The largest weight of a batch. A single heavier item is a batch of its own. */
  readonly batchSize: number;
  /** The largest waiting weight. Further items are rejected immediately, so that a slow database cannot fill the memory. */
  readonly waiting: number;
  /** The time between two batches; by default none. */
  readonly pauseMs?: number;
  /** By default `performance.now`. */
  readonly clock?: (() => number) | undefined;
}

/** Calls back after all other work that is ready has had a turn; by default one of the event loop. */
export type Turn = (next: () => void) => unknown;

export const USUAL_LIMITS: BatchQueueLimits = { batchSize: 1_000, waiting: 10_000 };
const oneEach = (): number => 1;

/**
 * Runs one batch at a time. Items that arrive during a batch form the next one: a group commit if a batch is a
 * transaction, a shared round trip if the database is on the network. Each item's promise settles with its batch; a
 * failed batch rejects all its items. One that found the database busy rejects those behind it too: they have waited about
 * as long, and would wait as long again.
 */
export class BatchQueue<T, R> {
  readonly #execute: (items: T[]) => Promise<readonly R[]>;
  readonly #limits: BatchQueueLimits;
  readonly #weightOf: (item: T) => number;
  readonly #turn: Turn;
  #waiting: Waiting<T, R>[] = [];
  #waitingWeight = 0;
  #isScheduled = false;
  #underWay: Promise<void> | undefined;
  readonly #clock: () => number;
  /** How many items the last batch had. */
  #lastCount = 0;
  /** When the running batch began. */
  #beganAtMs: number | undefined;
  /** How long the last batch took. */
  #lastMs = 0;

  /** @param weightOf The work of an item; by default 1. */
  constructor(
    execute: (items: T[]) => Promise<readonly R[]>,
    limits = USUAL_LIMITS,
    weightOf: (item: T) => number = oneEach,
    turn: Turn = setImmediate,
  ) {
    this.#execute = execute;
    this.#limits = limits;
    this.#weightOf = weightOf;
    this.#turn = turn;
    this.#clock = limits.clock ?? (() => performance.now());
  }

  /** Rejects immediately when too much waits, or for too long: an accepted item is never dropped. */
  submit(item: T): Promise<R> {
    if (this.#waitingWeight >= this.#limits.waiting || this.expectedWaitMs() > MAX_EXPECTED_WAIT_MS) {
      return Promise.reject(serviceUnavailable('Too much is waiting for the database.', undefined, 1));
    }
    return this.submitAlways(item);
  }

  /** For items of the service itself. They are few, and no client waits for them. */
  submitAlways(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      const weight = this.#weightOf(item);
      this.#waitingWeight += weight;
      this.#waiting.push({ item, weight, resolve, reject });
      this.#schedule();
    });
  }

  /**
   * How long a new item is expected to wait for its batch: the batches before it take as long as the last one. The age
   * of the running batch counts whole, because one that hangs says nothing about its end.
   */
  expectedWaitMs(): number {
    const batchesAhead = this.#waitingWeight / this.#limits.batchSize;
    const runningMs = this.#beganAtMs === undefined ? 0 : this.#clock() - this.#beganAtMs;
    return runningMs + batchesAhead * this.#lastMs;
  }

  /** Resolves when no item waits and no batch runs. */
  async drain(): Promise<void> {
    while (this.#underWay || this.#waiting.length > 0) {
      this.#schedule();
      await (this.#underWay ?? new Promise<void>((resolve) => this.#turn(resolve)));
    }
  }

  #schedule(turns = this.#lastCount > 1 ? GATHERING_TURNS : 1): void {
    if (this.#underWay || this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#afterTurns(turns, () => {
      this.#isScheduled = false;
      this.#underWay = this.#executeNext()
        .then(() => this.#pause())
        .finally(() => {
          this.#underWay = undefined;
          this.#schedule(GATHERING_TURNS);
        });
    });
  }

  #afterTurns(turns: number, next: () => void): void {
    this.#turn(() => (turns > 1 ? this.#afterTurns(turns - 1, next) : next()));
  }

  #pause(): Promise<void> | undefined {
    const { pauseMs } = this.#limits;
    return pauseMs === undefined ? undefined : delay(pauseMs, undefined, { ref: false });
  }

  async #executeNext(): Promise<void> {
    const batch = this.#takeNext();
    this.#lastCount = batch.length;
    const beganAtMs = this.#clock();
    this.#beganAtMs = beganAtMs;
    try {
      const results = await this.#execute(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as R);
    } catch (error) {
      const behind = error instanceof DatabaseBusy ? this.#waiting.splice(0) : [];
      for (const { weight } of behind) this.#waitingWeight -= weight;
      for (const { reject } of [...batch, ...behind]) reject(error);
    } finally {
      this.#lastMs = this.#clock() - beganAtMs;
      this.#beganAtMs = undefined;
    }
  }

  #takeNext(): Waiting<T, R>[] {
    let [count, weight] = [0, 0];
    for (const waiting of this.#waiting) {
      if (count > 0 && weight + waiting.weight > this.#limits.batchSize) break;
      count += 1;
      weight += waiting.weight;
    }
    this.#waitingWeight -= weight;
    return this.#waiting.splice(0, count);
  }
}
