import { createHash } from 'node:crypto';
import { SeededRandom } from '../support/limit-clients.ts';

/** Something that runs and can end at any moment, with everything that it would still do. */
export class Life {
  readonly #parent: Life | undefined;
  #isEnded = false;
  #frozenUntilMs = 0;

  constructor(parent?: Life) {
    this.#parent = parent;
  }

  /** Nothing of it happens before this moment, as after SIGSTOP. */
  get frozenUntilMs(): number {
    return Math.max(this.#frozenUntilMs, this.#parent?.frozenUntilMs ?? 0);
  }

  freeze(untilMs: number): void {
    this.#frozenUntilMs = untilMs;
  }

  get isAlive(): boolean {
    return !this.#isEnded && (this.#parent?.isAlive ?? true);
  }

  end(): void {
    this.#isEnded = true;
  }
}

interface Event {
  atMs: number;
  /** Decides between events of the same moment. */
  readonly rank: number;
  readonly label: string;
  readonly life: Life;
  /** `undefined` after it was cancelled. */
  happen: (() => void) | undefined;
}

/** Entries of the trace that are hashed together. */
const TRACED_TOGETHER = 256;
/** A turn of the event loop takes longer than a callback in it. */
const TURNS_TOGETHER = 16;
/** Ten minutes. */
const MAX_WAIT_MS = 600_000;
/** Any moment at which no window of a limit begins. */
export const START_MS = Date.UTC(2026, 5, 1, 10, 0, 17, 123);

/** Virtual time. One event happens at a time; the seed decides about the order of those of the same moment. */
export class Scheduler {
  readonly random: SeededRandom;
  nowMs = START_MS;
  /** How many events have happened. */
  happened = 0;
  readonly #heap: Event[] = [];
  readonly #hash = createHash('sha256');
  #entries: string[] = [];

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  /** Has something happen later. Returns the function that cancels it. */
  after(delayMs: number, label: string, life: Life, happen: () => void): () => void {
    const event: Event = { atMs: this.nowMs + delayMs, rank: this.random.next(), label, life, happen };
    this.#push(event);
    return () => {
      event.happen = undefined;
    };
  }

  /** Resolves after a time, or when a signal aborts; never after the end of the life. */
  wait(ms: number, label: string, life: Life, signals: readonly AbortSignal[] = []): Promise<void> {
    return new Promise((resolve) => {
      if (signals.some(({ aborted }) => aborted)) return resolve();
      const end = () => {
        cancel();
        for (const signal of signals) signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.after(ms, label, life, end);
      for (const signal of signals) signal.addEventListener('abort', end);
    });
  }

  /** Lets a time pass, and everything happen in it. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.#happen(untilMs, () => false);
    this.nowMs = untilMs;
  }

  /** Lets time pass until work has ended. */
  async until<T>(work: Promise<T>): Promise<T> {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    work.then(end, end);
    await this.#happen(this.nowMs + MAX_WAIT_MS, () => hasEnded);
    if (!hasEnded) throw new Error('Work never ended.');
    return work;
  }

  /** Has one event after the other happen, and before each everything that follows from the one before without time. */
  #happen(untilMs: number, isEnough: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const turn = () => {
        if (isOver) return;
        try {
          isOver = isEnough() || !this.#happenNext(untilMs);
          if (isOver) resolve();
        } catch (error) {
          isOver = true;
          reject(error as Error);
        }
      };
      // Promises settle between two callbacks of one turn of the event loop, as they do between two turns.
      const turns = () => {
        for (let left = TURNS_TOGETHER; left > 0; left -= 1) setImmediate(turn);
        setImmediate(() => isOver || turns());
      };
      turns();
    });
  }

  /** Returns whether something happened. */
  #happenNext(untilMs: number): boolean {
    for (let next = this.#heap[0]; next && next.atMs <= untilMs; next = this.#heap[0]) {
      this.#pop();
      const { happen, life, atMs, label } = next;
      if (!happen || !life.isAlive) continue;
      if (life.frozenUntilMs > atMs) {
        next.atMs = life.frozenUntilMs;
        this.#push(next);
        continue;
      }
      this.nowMs = Math.max(this.nowMs, atMs);
      this.happened += 1;
      this.note(label);
      happen();
      return true;
    }
    return false;
  }

  /** Adds a fact to the trace. */
  note(fact: string): void {
    this.#entries.push(`${this.nowMs - START_MS} ${fact}`);
    if (this.#entries.length >= TRACED_TOGETHER) this.#hashEntries();
  }

  /** A name of everything that has happened. */
  traceHash(): string {
    this.#hashEntries();
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  #hashEntries(): void {
    this.#hash.update(`${this.#entries.join('\n')}\n`);
    this.#entries = [];
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[place] = heap[parent] as Event;
      place = parent;
    }
    heap[place] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Event)) child += 1;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[place] = heap[child] as Event;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs === b.atMs ? a.rank < b.rank : a.atMs < b.atMs;
}
