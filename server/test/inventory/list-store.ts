import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { LedgerHead } from '../../src/domain/ledger/ledger.ts';
import type { InventoryList, ListContent } from '../../src/domain/store.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import { listJson } from '../support/pet-rows.ts';
import { type TestDatabase, type TestListReader, testEngine } from '../support/test-database.ts';

/** The expected list: the pets written so far. */
export type ListModel = ReadonlyMap<bigint, PetRow>;

/** A list reader on a real database, with a second connection that writes and a model of the stored state. */
export class ListStore {
  readonly database: TestDatabase;
  readonly reader: TestListReader;
  /** How many chunks were made again so far. */
  rebuiltChunks = 0;
  /** The current head of the ledger. */
  head: LedgerHead = { sequence: 0, recordedAtMs: 0 };
  readonly #writer: OpenedAdminStore;
  /** The model at each sequence at which a write ended. */
  readonly #models = new Map<number, ListModel>([[0, new Map()]]);
  #writtenAtMs = 0;
  #isClosed = false;

  static async open(t: Pick<TestContext, 'after'>): Promise<ListStore> {
    const database = await testEngine().newDatabase();
    await prepareStore(database.url, [], () => ({ environment: 'production', pepperCheck: 'for tests' }));
    const lists = new ListStore(await openAdmin(database.url), database);
    t.after(() => lists.close());
    return lists;
  }

  private constructor(writer: OpenedAdminStore, database: TestDatabase) {
    this.#writer = writer;
    this.database = database;
    this.reader = database.openListReader((chunks) => {
      this.rebuiltChunks += chunks;
    });
  }

  get model(): ListModel {
    return this.modelAt(this.head.sequence);
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
    const { created, changed } = await this.#writer.importPets(rows, 'cli', this.#writtenAtMs);
    if (created + changed === 0) return;
    const sequence = this.head.sequence + created + changed;
    this.#models.set(sequence, new Map([...model, ...rows.map((row) => [row.petId, row] as const)]));
    this.head = { sequence, recordedAtMs: this.#writtenAtMs };
  }

  async list(): Promise<InventoryList> {
    return await this.reader.list(this.head);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.reader.close();
    await this.#writer.close();
    await this.database.remove();
  }
}

/** The sequence of the ledger of a list. */
export function sequenceOf({ tag }: InventoryList): number {
  return Number.parseInt(tag, 36);
}

/** The bytes of a list, from any form of its body. */
export function bytesOf(content: ListContent): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'latin1');
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.concat([...content]);
}

/** Asserts that a list agrees with the model, in plain and in gzip, and in its size. */
export function assertList(list: InventoryList, model: ListModel): void {
  const expected = listJson(model.values());
  const json = bytesOf(list.json());
  // Compared as a whole first: a difference of long texts is slow to print.
  if (json.toString() !== expected) assert.deepEqual(JSON.parse(json.toString()), JSON.parse(expected));
  assert.equal(list.itemCount, model.size);
  assert.equal(list.byteLength, json.length);
  assert.ok(gunzipSync(bytesOf(list.gzip())).equals(json), 'gzip holds the same bytes');
}
