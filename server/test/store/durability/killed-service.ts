import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RawSocket } from '../../blackbox/raw-socket.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { Progress } from '../../support/progress.ts';
import { until } from '../../support/until.ts';

const WRITERS = 8;
const PETS_PER_WRITER = 3;
const VERIFY_INTERVAL_ROUNDS = 10;

export interface KillOptions {
  readonly rounds: number;
  /** How long the load runs on before the process is killed. */
  readonly minMs: number;
  readonly maxMs: number;
}

/** Sets the pets that are its own to values that only grow, one change after the other. */
class Writer {
  readonly petIds: readonly bigint[];
  /** Every change that was answered 200, since the last check. */
  acknowledged: { petId: bigint; value: number }[] = [];
  lastSent = 0;

  constructor(number: number) {
    this.petIds = Array.from({ length: PETS_PER_WRITER }, (_, i) => BigInt(number * 100 + i));
  }

  /** Writes until the connection breaks. */
  async writeUntilCut({ port, key }: Service): Promise<void> {
    const socket = await RawSocket.open(port);
    try {
      for (;;) {
        this.lastSent += 1;
        const petId = this.petIds[this.lastSent % PETS_PER_WRITER] as bigint;
        socket.send(patch(petId, this.lastSent, key));
        const answer = await socket.next().catch(() => undefined);
        if (!answer) return;
        assert.equal(answer.status, 200, answer.body.toString());
        this.acknowledged.push({ petId, value: this.lastSent });
      }
    } finally {
      socket.destroy();
    }
  }
}

function patch(petId: bigint, quantity: number, key: string): string {
  const body = `{"quantity":${quantity}}`;
  return [
    `PATCH /v1/inventory/${petId} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/**
 * Kills the service repeatedly under writes and restarts it on the same file. Asserts that every acknowledged change is
 * stored, that no unsent change is, and that the ledger is intact.
 */
export async function survivesKills(t: TestContext, options: KillOptions): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const random = new SeededRandom(seed);
  const databaseDir = temporaryFolder(t);
  const writers = Array.from({ length: WRITERS }, (_, i) => new Writer(i + 1));
  const pets = writers.flatMap(({ petIds }) => petIds.map((petId) => ({ petId, quantity: 0 })));
  let service = await startService(t, { databaseDir, pets });
  const { key } = service;
  const ledger = new LedgerCheck(join(databaseDir, 'petstore.db'), pets.length);
  const progress = new Progress('kills', options.rounds);
  for (let round = 1; round <= options.rounds; round += 1) {
    const working = Promise.all(writers.map((writer) => writer.writeUntilCut(service)));
    const isLoaded = () => writers.every(({ acknowledged }) => acknowledged.length > 1);
    await Promise.race([working, until(isLoaded, 'each writer has acknowledged changes')]);
    await delay(random.integer(options.minMs, options.maxMs));
    await service.kill9();
    await working;
    service = await startService(t, { databaseDir, key });
    ledger.check(writers, `seed ${seed}, round ${round}`);
    progress.step();
    if (round % VERIFY_INTERVAL_ROUNDS === 0) {
      const { faults } = await service.cli('verify');
      assert.deepEqual(faults, [], `seed ${seed}, round ${round}`);
    }
  }
  assert.equal(await service.stop(), 0);
  t.diagnostic(
    `seed ${seed}: ${ledger.acknowledged} acknowledged changes, ${ledger.unconfirmed} unconfirmed`,
  );
  assert.ok(ledger.acknowledged > options.rounds * WRITERS, 'the service was killed under load');
}

interface MovementRow {
  sequence: number;
  petId: bigint;
  value: number;
}

/** Reads the ledger on, from where it was read the last time. */
class LedgerCheck {
  acknowledged = 0;
  /** Changes without an answer at the kill that are on disk. */
  unconfirmed = 0;
  readonly #file: string;
  #sequence: number;

  constructor(file: string, sequence: number) {
    this.#file = file;
    this.#sequence = sequence;
  }

  check(writers: readonly Writer[], what: string): void {
    const { movements, stock } = this.#read();
    for (const { sequence } of movements) {
      this.#sequence += 1;
      assert.equal(sequence, this.#sequence, `${what}: the sequence has no gaps`);
    }
    let expected = 0;
    for (const writer of writers) {
      const own = movements.filter(({ petId }) => writer.petIds.includes(petId));
      const stored = new Map(own.map(({ petId, value }) => [value, petId]));
      assert.equal(stored.size, own.length, `${what}: no change is recorded twice`);
      for (const { petId, value } of writer.acknowledged) {
        assert.equal(
          stored.get(value),
          petId,
          `${what}: pet ${petId} has lost its acknowledged value ${value}`,
        );
      }
      for (const value of stored.keys())
        assert.ok(value <= writer.lastSent, `${what}: ${value} was never sent`);
      this.unconfirmed += own.length - writer.acknowledged.length;
      assert.ok(own.length - writer.acknowledged.length <= 1, `${what}: at most one change was unanswered`);
      expected += own.length;
      for (const petId of writer.petIds) {
        const newest = own.findLast((movement) => movement.petId === petId);
        if (newest) assert.equal(stock.get(petId), newest.value, `${what}: stock of pet ${petId}`);
      }
      this.acknowledged += writer.acknowledged.length;
      writer.acknowledged = [];
    }
    assert.equal(movements.length, expected, `${what}: every movement is some writer's`);
  }

  #read(): { movements: MovementRow[]; stock: Map<bigint, number> } {
    const database = new DatabaseSync(this.#file, { readOnly: true, readBigInts: true });
    try {
      const movements = database
        .prepare(
          'SELECT sequence, pet_id, quantity_after FROM movements WHERE sequence > ? ORDER BY sequence',
        )
        .all(this.#sequence)
        .map((row) => ({
          sequence: Number(row.sequence),
          petId: row.pet_id as bigint,
          value: Number(row.quantity_after),
        }));
      const items = database.prepare('SELECT pet_id, quantity FROM inventory').all();
      return { movements, stock: new Map(items.map((row) => [row.pet_id as bigint, Number(row.quantity)])) };
    } finally {
      database.close();
    }
  }
}
