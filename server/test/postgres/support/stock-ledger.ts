import assert from 'node:assert/strict';
import type { Cluster } from './cluster.ts';
import type { StockLoad } from './stock-load.ts';

interface MovementRow {
  readonly sequence: number;
  readonly petId: bigint;
  readonly value: number;
  readonly recordedAtMs: number;
}

/** Reads the ledger incrementally from the database, and compares it with the responses to the writers of a load. */
export class StockLedger {
  acknowledged = 0;
  /** Changes that could not be confirmed, and turned out to be there. */
  unconfirmed = 0;
  readonly #cluster: Cluster;
  readonly #load: StockLoad;
  #sequence: number;
  #recordedAtMs = 0;
  /** The newest value of each pet that was read. */
  readonly #read = new Map<bigint, number>();

  /** @param sequence the head of the ledger before the load began */
  constructor(cluster: Cluster, load: StockLoad, sequence: number) {
    this.#cluster = cluster;
    this.#load = load;
    this.#sequence = sequence;
  }

  /**
   * Asserts that every acknowledged change is in the ledger once and in order, that no refused or unsent change is,
   * that the sequence has no gap, and that time never goes back.
   */
  async check(what: string): Promise<void> {
    for (const { sequence, petId, value, recordedAtMs } of await this.#readOn()) {
      assert.equal(sequence, this.#sequence + 1, `${what}: the sequence has no gap`);
      assert.ok(recordedAtMs >= this.#recordedAtMs, `${what}: time goes back at movement ${sequence}`);
      this.#sequence = sequence;
      this.#recordedAtMs = recordedAtMs;
      const writer = this.#load.ownerOf(petId);
      const outcome = writer?.outcomes.get(value);
      assert.ok(outcome, `${what}: no writer set pet ${petId} to ${value}`);
      assert.equal(writer?.petOf(value), petId, `${what}: ${value} was meant for another pet`);
      assert.notEqual(
        outcome,
        'refused',
        `${what}: pet ${petId} was set to ${value}, although its writer received a refusal`,
      );
      // So no value is there twice either.
      const before = this.#read.get(petId) ?? 0;
      assert.ok(value > before, `${what}: pet ${petId} was set to ${value} after ${before}`);
      this.#read.set(petId, value);
      if (outcome === 'acknowledged') this.acknowledged += 1;
      else this.unconfirmed += 1;
    }
    let reported = 0;
    for (const { outcomes } of this.#load.writers) {
      for (const outcome of outcomes.values()) if (outcome === 'acknowledged') reported += 1;
    }
    // Each of them was met at most once, so if their number is right, all are there.
    assert.equal(this.acknowledged, reported, `${what}: changes that were acknowledged are lost`);
  }

  async #readOn(): Promise<MovementRow[]> {
    const rows = await this.#cluster.postgres.query(
      `SELECT sequence, pet_id, quantity_after, recorded_at FROM movements WHERE sequence > ${this.#sequence} ORDER BY sequence`,
      new URL(this.#cluster.databaseUrl).pathname.slice(1),
    );
    return rows.map((row) => ({
      sequence: Number(row.sequence),
      petId: BigInt(String(row.pet_id)),
      value: Number(row.quantity_after),
      recordedAtMs: Number(row.recorded_at),
    }));
  }
}
