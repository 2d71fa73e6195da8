import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { LedgerHead } from '../src/domain/ledger.ts';
import type { InventoryList, ListContent, PetRow } from '../src/domain/store.ts';
import { SqliteAdminStore } from '../src/store/sqlite/admin.ts';
import { prepareSqlite } from '../src/store/sqlite/identity.ts';
import { ListReader } from '../src/store/sqlite/list-reader.ts';
import { openReader } from '../src/store/sqlite/open.ts';
import { READ } from '../src/store/sqlite/statements.ts';
import { listJson } from './pet-rows.ts';

/** What the list should be: the pets written so far. */
export type ListModel = ReadonlyMap<bigint, PetRow>;

/** A list reader on a real file, with a second connection that writes and a model that says what is there. */
export class ListStore {
  readonly reader: ListReader;
  /** How many chunks were made again so far. */
  rebuiltChunks = 0;
  readonly #writer: SqliteAdminStore;
  readonly #head: DatabaseSync;
  /** The model as it was at each sequence that a write ended with. */
  readonly #models = new Map<number, ListModel>([[0, new Map()]]);
  #writtenAtMs = 0;

  static async open(t: Pick<TestContext, 'after'>): Promise<ListStore> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-list-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'petstore.db');
    prepareSqlite(file, () => ({ environment: 'production', pepperCheck: 'for tests' }));
    return new ListStore(file);
  }

  private constructor(file: string) {
    this.#writer = SqliteAdminStore.open(file);
    this.#head = openReader(file);
    this.reader = new ListReader(file, (chunks) => {
      this.rebuiltChunks += chunks;
    });
  }

  get model(): ListModel {
    return this.modelAt(this.head().sequence);
  }

  modelAt(sequence: number): ListModel {
    const model = this.#models.get(sequence);
    assert.ok(model, `no write ended at ${sequence}`);
    return model;
  }

  /** Creates and changes these pets in one commit of the other connection. */
  async write(rows: readonly PetRow[]): Promise<void> {
    const { model } = this;
    this.#writtenAtMs += 1;
    await this.#writer.importPets(rows, 'test', this.#writtenAtMs);
    this.#models.set(
      this.head().sequence,
      new Map([...model, ...rows.map((row) => [row.petId, row] as const)]),
    );
  }

  /** Where the ledger stands now. */
  head(): LedgerHead {
    return this.#head.prepare(READ.head).get() as unknown as LedgerHead;
  }

  async list(): Promise<InventoryList> {
    return await this.reader.list(this.head());
  }

  async close(): Promise<void> {
    await this.reader.close();
    this.#head.close();
    await this.#writer.close();
  }
}

/** The sequence of the ledger at which a list stood. */
export function sequenceOf({ tag }: InventoryList): number {
  return Number.parseInt(tag, 36);
}

/** The bytes of a list, however it hands them over. */
export function bytesOf(content: ListContent): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'latin1');
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.concat([...content]);
}

/** Asserts that a list says what the model does, in plain and in gzip, and of how much. */
export function assertList(list: InventoryList, model: ListModel): void {
  const expected = listJson(model.values());
  const json = bytesOf(list.json());
  // Compared as a whole first: a difference of long texts is slow to print.
  if (json.toString() !== expected) assert.deepEqual(JSON.parse(json.toString()), JSON.parse(expected));
  assert.equal(list.itemCount, model.size);
  assert.equal(list.byteLength, json.length);
  assert.ok(gunzipSync(bytesOf(list.gzip())).equals(json), 'gzip holds the same bytes');
}
