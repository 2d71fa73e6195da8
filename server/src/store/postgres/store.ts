import type { Environment, KeyHolder } from '../../domain/api-key.ts';
import { andThen, type Eventually } from '../../domain/eventually.ts';
import { type InventoryItem, type Pet, type PetStatus, petNotFound } from '../../domain/inventory.ts';
import type { LedgerHead, QuantityChange } from '../../domain/ledger.ts';
import type { Admission, InventoryList, InventoryPage, Standing, Store } from '../../domain/store.ts';
import { BatchQueue } from '../batch-queue.ts';
import { type KeyRow, toKeyHolder } from '../key-row.ts';
import { KeyUses } from '../key-uses.ts';
import { listTag } from '../list-cache.ts';
import { unreadable } from '../refusals.ts';
import type { StoreOptions } from '../store-options.ts';
import { unreachable } from './admin-client.ts';
import { ConnectionLost } from './connection.ts';
import { Connections } from './connections.ts';
import { DatabaseClock } from './database-clock.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { SharedLimits } from './limits.ts';
import { type ChunkText, chunkParameters, ListReader } from './list-reader.ts';
import { SharedBans } from './shared-bans.ts';
import { READ, WRITE } from './statements.ts';

/** How often a process looks what others have changed: keys, plans and bans. */
const LOOK_EVERY_MS = 1_000;
const HEALTHY_WITHIN_MS = 2_000;

export interface PostgresStoreOptions extends StoreOptions {
  readonly url: string;
  /** The time that windows and bans follow, in place of the database's clock; for tests. */
  readonly clock?: () => number;
}

interface State {
  readonly nowMs: number;
  readonly accessVersion: number;
}

/** The store of one serving process of many on one PostgreSQL database. */
export class PostgresStore implements Store {
  readonly environment: Environment;
  readonly #options: PostgresStoreOptions;
  readonly #clock: DatabaseClock;
  readonly #connections: Connections;
  readonly #limits: SharedLimits;
  readonly #ledger: LedgerWriter;
  readonly #list: ListReader;
  /** Lists that arrive together share one question; none takes an answer to one asked before it arrived. */
  readonly #heads = new BatchQueue<undefined, LedgerHead>(
    async (askers) => {
      const head = await this.#askHead();
      return askers.map(() => head);
    },
    { batchSize: 10_000, waiting: 10_000 },
  );
  readonly #keyUses = new KeyUses();
  readonly #bans: SharedBans;
  #lookTimer: NodeJS.Timeout | undefined;
  #accessVersion = -1;
  #isReachable = true;
  #isClosing = false;

  /** Connects for serving, with the list warm. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    try {
      await store.#connections.open();
      await store.#look();
      await store.listInventory();
      store.#lookAgainLater();
      return store;
    } catch (error) {
      await store.close();
      throw error instanceof ConnectionLost ? unreachable(options.url, error.cause) : error;
    }
  }

  private constructor(options: PostgresStoreOptions) {
    const { url, onListRebuild, onCommit, statusPolicy } = options;
    this.#options = options;
    this.environment = options.environment;
    this.#clock = new DatabaseClock(options.clock);
    this.#connections = new Connections(url, {
      onListingLost: () => this.#list.forget(),
      // The server may be another one now, with other keys under the same version.
      onReadingLost: () => this.#noteAccessVersion(-1),
    });
    const { charging, writing, listing, reading } = this.#connections;
    this.#bans = new SharedBans(charging, reading, {
      onBans: (bans) => this.#limits.setBans(bans),
      onTrouble: options.onTrouble,
    });
    this.#limits = new SharedLimits(charging, this.#clock, {
      onBan: (ban) => this.#bans.unsaved.save(ban),
      onAccessVersion: (version) => this.#noteAccessVersion(version),
    });
    this.#ledger = new LedgerWriter(writing, statusPolicy, onCommit);
    this.#list = new ListReader(listing, onListRebuild);
  }

  inventoryTag(head?: LedgerHead): Eventually<string> {
    return head ? listTag(head) : this.#heads.submit(undefined).then(listTag, unreadable);
  }

  listInventory(head?: LedgerHead): Eventually<InventoryList> {
    const list = andThen(head ?? this.#heads.submit(undefined), (newest) => this.#list.list(newest));
    return list instanceof Promise ? list.catch(unreadable) : list;
  }

  async listInventoryPage(after: bigint | undefined, limit: number): Promise<InventoryPage> {
    const values = chunkParameters({ after, last: undefined }, limit + 1, limit);
    const rows = await this.#connections.reading
      .read<LedgerHead & { [Name in keyof ChunkText]: ChunkText[Name] | null }>(READ.page, values)
      .catch(unreadable);
    const [page, more] = rows;
    const tag = listTag(page as LedgerHead);
    if (!page?.json) return { tag, json: '[]', nextAfter: undefined };
    return {
      tag,
      json: `[${page.json.slice(1)}]`,
      nextAfter: more ? BigInt(page.lastPetId as string) : undefined,
    };
  }

  async findPet(petId: bigint): Promise<Pet | undefined> {
    const [row] = await this.#connections.reading
      .read<Omit<Pet, 'petId'> & { status: PetStatus }>(READ.pet, [String(petId)])
      .catch(unreadable);
    return row && { petId, ...row };
  }

  async setQuantity(change: QuantityChange): Promise<InventoryItem> {
    const status = await this.#ledger.setQuantity(change);
    if (status === null) throw petNotFound(change.petId);
    return { petId: change.petId, quantity: change.quantity, status };
  }

  admit(holder: KeyHolder): Eventually<Admission> {
    return andThen(this.#limits.admit(holder), (admission) =>
      this.#bans.unsaved.tell(holder.key.id, admission),
    );
  }

  standing(holder: KeyHolder): Promise<Standing> {
    return this.#limits.standing(holder).catch(unreadable);
  }

  accessVersion(): number {
    return this.#accessVersion;
  }

  async findKey(hash: Uint8Array): Promise<KeyHolder | undefined> {
    const [row] = await this.#connections.reading.read<KeyRow>(READ.key, [hash]).catch(unreadable);
    return row && toKeyHolder(row);
  }

  noteKeyUse(keyId: string, nowMs: number): void {
    this.#keyUses.note(keyId, nowMs);
  }

  async checkHealth(): Promise<void> {
    const tooLate = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error(`The database did not answer within ${HEALTHY_WITHIN_MS} ms.`));
      setTimeout(fail, HEALTHY_WITHIN_MS).unref();
    });
    const [health] = await Promise.race([
      this.#connections.reading.read<{ isWritable: boolean }>(READ.health),
      tooLate,
    ]);
    if (!health?.isWritable) throw new Error('The database can only be read: it may be a replica now.');
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#lookTimer);
    await this.#connections.close(async () => {
      await Promise.all([this.#limits.drain(), this.#ledger.drain(), this.#heads.drain()]);
      await this.#writeDown().catch((cause: unknown) => {
        this.#options.onTrouble('Key uses could not be written down; they are lost.', cause);
      });
      await this.#bans.unsaved.drain();
    });
  }

  async #askHead(): Promise<LedgerHead> {
    const [head] = await this.#connections.reading.read<LedgerHead & Record<string, unknown>>(READ.head);
    return head as LedgerHead;
  }

  #lookAgainLater(): void {
    this.#lookTimer = setTimeout(() => void this.#lookAndWriteDown(), LOOK_EVERY_MS);
    this.#lookTimer.unref();
  }

  async #lookAndWriteDown(): Promise<void> {
    this.#connections.probe();
    try {
      await this.#look();
      await this.#writeDown();
      this.#isReachable = true;
    } catch (cause) {
      if (this.#isReachable && !this.#isClosing) {
        this.#options.onTrouble('The database cannot be reached.', cause);
      }
      this.#isReachable = false;
    }
    if (!this.#isClosing) this.#lookAgainLater();
  }

  /** Looks what time it is in the database, and whether anybody has changed accounts, keys or bans. */
  async #look(): Promise<void> {
    const sentAtMs = performance.now();
    const [state] = await this.#connections.reading.read<State & Record<string, unknown>>(READ.state, [
      this.#clock.override,
    ]);
    if (!state) return;
    this.#clock.note(state.nowMs, sentAtMs);
    this.#accessVersion = state.accessVersion;
    // Also when an attempt after a charge has failed: nothing would ask for these bans again.
    await this.#bans.follow(state.accessVersion);
  }

  /** From the next request on, keys are looked up again. Bans follow when they were read. */
  #noteAccessVersion(version: number): void {
    if (version === this.#accessVersion) return;
    this.#accessVersion = version;
    if (version >= 0) this.#bans.follow(version).catch(() => undefined);
  }

  /** Writes down key uses and bans; what cannot be written now is kept for the next time. */
  async #writeDown(): Promise<void> {
    this.#bans.unsaved.retry();
    const uses = this.#keyUses.take();
    if (uses.length === 0) return;
    try {
      await this.#connections.reading.write(WRITE.saveKeyUses, [
        uses.map(({ keyId }) => keyId),
        uses.map(({ usedAtMs }) => usedAtMs),
      ]);
    } catch (cause) {
      this.#keyUses.giveBack(uses);
      throw cause;
    }
  }
}
