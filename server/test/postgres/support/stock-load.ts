import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { assertContract } from '../../blackbox/api-request.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import type { SeededRandom } from '../../support/limit-clients.ts';
import type { Cluster } from './cluster.ts';
import { FIRST_PET, PETS_PER_WRITER, StockReader, WriteExecutor } from './stock-clients.ts';

const WRITERS = 6;
const READERS = 3;
/** One for each instance. */
const PROBERS = 3;
const MAX_PAUSE_MS = 40;
const WORKS_TIMEOUT_MS = 60_000;
const ITEM = /\{"petId":(\d+),"quantity":(\d+),"status":"available"\}/g;

/**
 * Writers and readers on all instances of a cluster, in this one process, which therefore knows the order of events.
 */
export class StockLoad {
  readonly key: string;
  readonly random: SeededRandom;
  readonly writers: readonly WriteExecutor[];
  /** The newest value of each pet that was acknowledged. */
  readonly floor = new Map<bigint, number>();
  /** Ports of instances that the test has killed: only their connections may break. */
  readonly mayBreak = new Set<number>();
  isRunning = false;
  /** Answers by status since the start, and how many connections broke. */
  counts = new Map<string, number>();
  slowestMs = 0;
  /** Each writes only on a call of `write`, through its own instance. */
  readonly #probers: readonly WriteExecutor[];
  readonly #cluster: Cluster;
  readonly #readers: readonly StockReader[];
  readonly #owners = new Map<bigint, WriteExecutor>();
  #acknowledged = 0;
  #working: Promise<PromiseSettledResult<void>[]> = Promise.resolve([]);

  constructor(cluster: Cluster, random: SeededRandom) {
    this.key = cluster.key;
    this.random = random;
    this.#cluster = cluster;
    this.writers = Array.from({ length: WRITERS + PROBERS }, (_, i) => new WriteExecutor(this, i));
    this.#probers = this.writers.slice(WRITERS);
    this.#readers = Array.from({ length: READERS }, () => new StockReader(this));
    for (const writer of this.writers) {
      for (const petId of writer.petIds) this.#owners.set(petId, writer);
    }
  }

  /** The pets to import before. */
  static pets(): { petId: bigint; quantity: number }[] {
    const count = (WRITERS + PROBERS) * PETS_PER_WRITER;
    return Array.from({ length: count }, (_, i) => ({ petId: FIRST_PET + BigInt(i), quantity: 0 }));
  }

  anyPort(): number {
    return this.random.pick(this.#cluster.ports);
  }

  start(): void {
    this.isRunning = true;
    this.counts = new Map();
    this.slowestMs = 0;
    this.#working = Promise.allSettled([
      ...this.writers.slice(0, WRITERS).map((writer) => writer.writeUntilStopped()),
      ...this.#readers.map((reader) => reader.readUntilStopped()),
    ]);
  }

  /** Resolves after the last answer. @throws AssertionError of the first client that received a wrong answer. */
  async stop(): Promise<void> {
    this.isRunning = false;
    for (const result of await this.#working) {
      if (result.status === 'rejected') throw result.reason;
    }
    for (const prober of this.#probers) prober.close();
  }

  /** Works on until as many more changes were acknowledged, by whichever writer. */
  async untilAcknowledged(count: number): Promise<void> {
    const enough = this.#acknowledged + count;
    const deadline = performance.now() + WORKS_TIMEOUT_MS;
    while (this.#acknowledged < enough) {
      assert.ok(performance.now() < deadline, 'changes are acknowledged');
      await this.pause();
    }
  }

  pause(): Promise<void> {
    return delay(this.random.integer(1, MAX_PAUSE_MS));
  }

  acknowledge(petId: bigint, value: number): void {
    this.#acknowledged += 1;
    this.floor.set(petId, value);
  }

  ownerOf(petId: bigint): WriteExecutor | undefined {
    return this.#owners.get(petId);
  }

  /** Changes stock through one instance; returns whether that was acknowledged. */
  write(port: number): Promise<boolean> {
    const prober = this.#probers[this.#cluster.ports.indexOf(port)];
    assert.ok(prober, `an instance uses port ${port}`);
    return prober.write(port);
  }

  /** A list through one instance, on a new connection. */
  async read(port: number): Promise<boolean> {
    const reader = new StockReader(this);
    try {
      return await reader.read(port);
    } finally {
      reader.close();
    }
  }

  /** Checks that each answer keeps the contract, and that an error is the one that a database fault may cause. */
  note(port: number, answer: RawResponse | undefined, tookMs: number): void {
    this.slowestMs = Math.max(this.slowestMs, tookMs);
    const name = answer ? String(answer.status) : 'broken';
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    assert.ok(answer || this.mayBreak.has(port), `a connection to port ${port} broke`);
    if (!answer) return;
    assertContract(answer);
    if (answer.status < 400) return;
    assert.equal(answer.status, 503, answer.body.toString());
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }

  assertFresh(list: string, floor: ReadonlyMap<bigint, number>, what: string): void {
    const quantities = new Map([...list.matchAll(ITEM)].map(([, id, value]) => [BigInt(id ?? ''), value]));
    assert.equal(quantities.size, this.#owners.size, `${what}: ${list}`);
    for (const [petId, value] of quantities) {
      const quantity = Number(value);
      const least = floor.get(petId) ?? 0;
      assert.ok(
        quantity >= least,
        `${what}: pet ${petId} is at ${quantity}, though ${least} was acknowledged`,
      );
      const writer = this.ownerOf(petId);
      assert.ok(
        quantity <= (writer?.lastSent ?? 0),
        `${what}: pet ${petId} is at ${quantity}, which no writer sent`,
      );
    }
  }
}
