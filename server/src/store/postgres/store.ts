import type { PetStatus } from '@petstore-inventory/shared/words';
import { petIdAfter } from '@petstore-inventory/shared/pet-id';
import type pg from 'pg';
import type { Environment } from '../../domain/access/api-key.ts';
import type { Principal, SessionOwner } from '../../domain/access/principal.ts';
import { isDiskFull, notReadyForFullDisk } from '../../domain/disk.ts';
import type { Pet } from '../../domain/inventory.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import { dayOf, SALES_DAYS } from '../../domain/ledger/sales.ts';
import type { StockItem } from '../../domain/ledger-store.ts';
import { type CatalogPage, EMPTY_CATALOG_PAGE } from '../../domain/management/catalog.ts';
import { IMPORT_KEPT_MS } from '../../domain/management/imports.ts';
import type { CodeKey } from '../../domain/management/pet-codes.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { NewestBackup } from '../../domain/newest-backup.ts';
import type { Admission, InventoryList, InventoryPage, LimitStatus, Store } from '../../domain/store.ts';
import type { WriteOutcome, WriteRequest } from '../../domain/write-command.ts';
import { type KeyRow, type SessionRow, toPrincipal, toSessionOwner } from '../access/key-row.ts';
import { notReadyForWrongClock, unreadable, wrongClock } from '../errors.ts';
import type { LedgerReader } from '../history/ledger-reader.ts';
import { type ClockGuard, findWrongStart, newClockGuard } from '../ledger/clock-guard.ts';
import { listTag } from '../list/list-cache.ts';
import { Listeners } from '../listeners.ts';
import { OrderReader } from '../orders/order-reader.ts';
import { type OrderStatementName, POSTGRES_ORDERS } from '../orders/order-sql.ts';
import { COMMON_LIMIT, type CatalogRow, toCatalogPage } from '../pets/catalog-sql.ts';
import { type StoredPet, toManagedPet } from '../pets/pet-sql.ts';
import type { Parameter } from '../sql-client.ts';
import type { StoreOptions } from '../store-options.ts';
import { AccountEvents } from './account-events.ts';
import { unreachable } from './address.ts';
import { ConnectionLost, named } from './connection.ts';
import { Connections } from './connections.ts';
import { DatabaseClock } from './database-clock.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { postgresLedger } from './ledger-reader.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { type ChunkText, chunkParameters, ListReader } from './list-reader.ts';
import { HealthCheck } from './server/health.ts';
import { SharedBans } from './shared-bans.ts';
import { SharedLimits } from './shared-limits.ts';
import { HashReader, NewestHead } from './shared-reads.ts';
import { READ } from './statements.ts';

/** The interval at which a process reads what others changed: keys, plans and bans. */
const POLL_INTERVAL_MS = 1_000;

const ORDER_STATEMENTS = named(POSTGRES_ORDERS);

/** A change that was refused for a full disk counts for so long: nothing reports that there is room again. */
const FULL_MS = 30_000;

export interface PostgresStoreOptions extends StoreOptions {
  readonly url: string;
  /** The address of a replica, for the history. */
  readonly readUrl?: string | undefined;
}

interface State {
  readonly nowMs: number;
  readonly accessVersion: number;
}

/** The store of a serving process; many share one PostgreSQL database. */
export class PostgresStore implements Store {
  readonly environment: Environment;
  readonly ledger: LedgerReader;
  readonly orders: OrderReader;
  readonly #options: PostgresStoreOptions;
  readonly #clock: DatabaseClock;
  readonly #connections: Connections;
  readonly #limits: SharedLimits;
  readonly #writer: LedgerWriter;
  readonly #list: ListReader;
  readonly #head: NewestHead;
  readonly #keys: HashReader<KeyRow, Principal>;
  readonly #sessions: HashReader<SessionRow, SessionOwner>;
  readonly #health: HealthCheck;
  readonly #listeners = new Listeners();
  readonly #deferred: DeferredWrites;
  readonly #bans: SharedBans;
  readonly #accountEvents: AccountEvents;
  #clockGuard: ClockGuard | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #accessVersion = -1;
  #fullUntilMs = 0;
  #isReachable = true;
  #isClosing = false;

  /** Connects for serving, and loads the list. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    try {
      await store.#connections.open();
      await store.#poll();
      await store.listInventory();
      const { recordedAtMs } = await store.#head.read();
      const warning = findWrongStart(recordedAtMs, store.#clock.latestMs());
      if (warning !== undefined) options.onError(warning, undefined);
      store.#schedulePoll();
      return store;
    } catch (error) {
      await store.close();
      throw error instanceof ConnectionLost ? unreachable(options.url, error.cause) : error;
    }
  }

  private constructor(options: PostgresStoreOptions) {
    const { url, readUrl, rules, acceptedUnsafe = [], onCommit, onListRebuild } = options;
    const onMovements = () => this.#listeners.wake();
    this.#options = options;
    this.environment = options.environment;
    this.#clock = new DatabaseClock(options.clock);
    this.#connections = new Connections({
      url,
      readUrl,
      acceptedUnsafe,
      onMovements,
      onEndpoints: () => options.onEndpoints?.(),
      onOtherServer: () => options.onOtherServer?.(),
      onListingLost: () => this.#list.forget(),
      // The server may be another one now, with other keys under the same version.
      onReadingLost: () => this.#noteAccessVersion(-1),
    });
    const { charging, writing, listing, reading, history, replica } = this.#connections;
    this.#bans = new SharedBans(charging, reading, {
      onBans: (bans) => {
        for (const ban of this.#limits.setBans(bans)) options.onBanLifted?.(ban);
      },
      onSaved: () => this.#accountEvents.noteBan(),
      onError: options.onError,
    });
    this.#accountEvents = new AccountEvents(reading, history, this.#clock);
    this.#limits = new SharedLimits(charging, this.#clock, {
      onBan: (ban) => this.#bans.pending.save(ban),
      onAccessVersion: (version) => this.#noteAccessVersion(version),
      onCharge: (usage) => this.#accountEvents.noteUsage(usage),
    });
    this.#writer = new LedgerWriter(writing, { rules, acceptedUnsafe, onCommit, onMovements });
    this.#head = new NewestHead(reading);
    this.#keys = new HashReader(reading, READ.key, toPrincipal);
    this.#sessions = new HashReader(reading, READ.session, toSessionOwner);
    this.#deferred = new DeferredWrites(reading, this.#clock);
    this.#health = new HealthCheck(() => Promise.all([this.#writer.checkHealth(), reading.read(READ.probe)]));
    this.#list = new ListReader(listing, onListRebuild);
    this.ledger = postgresLedger({ fresh: history, replica });
    this.orders = new OrderReader(
      <Row>(name: OrderStatementName, values: readonly Parameter[]) =>
        // A page reads up to a thousand orders; the other statements read few, and one of them each second.
        (name === 'order' || name === 'approval' || name === 'dueOrders' ? reading : history)
          .read<Row & pg.QueryResultRow>(ORDER_STATEMENTS[name], values)
          .catch(unreadable),
      () => this.now(),
    );
  }

  now(): number {
    return this.#clock.earliestMs();
  }

  inventoryTag(head?: LedgerHead): MaybePromise<string> {
    return head ? listTag(head) : this.#head.read().then(listTag, unreadable);
  }

  listInventory(head?: LedgerHead): MaybePromise<InventoryList> {
    const list = andThen(head ?? this.#head.read(), (newest) => this.#list.list(newest));
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

  async catalogPage(after: bigint | undefined, limit: number): Promise<CatalogPage> {
    const first = petIdAfter(after);
    if (first === undefined) return EMPTY_CATALOG_PAGE;
    const { reading } = this.#connections;
    const [row] = await (
      limit === COMMON_LIMIT
        ? reading.read<CatalogRow & Record<string, unknown>>(READ.commonCatalogPage, [String(first)])
        : reading.read<CatalogRow & Record<string, unknown>>(READ.catalogPage, [String(first), limit])
    ).catch(unreadable);
    return toCatalogPage(row, limit);
  }

  async findManagedPet(by: bigint | CodeKey): Promise<ManagedPet | undefined> {
    const { reading } = this.#connections;
    const [row] = await (
      typeof by === 'bigint'
        ? reading.read<StoredPet & Record<string, unknown>>(READ.managedPet, [String(by)])
        : reading.read<StoredPet & Record<string, unknown>>(READ.petWithCode, [by.kind, by.code])
    ).catch(unreadable);
    return row && toManagedPet(row);
  }

  async findItem(petId: bigint, nowMs: number): Promise<StockItem | undefined> {
    const values = [String(petId), dayOf(nowMs) - SALES_DAYS];
    const [row] = await this.#connections.reading
      .read<Omit<StockItem, 'petId'> & Record<string, unknown>>(READ.item, values)
      .catch(unreadable);
    return row && { petId, ...row };
  }

  async write(request: WriteRequest): Promise<WriteOutcome> {
    const fault = this.#clockGuard?.findFault(request.author.atMs);
    if (fault !== undefined) throw wrongClock(new Error(fault));
    return this.#writer.write(request).catch((error: unknown) => {
      if (isDiskFull(error)) this.#fullUntilMs = performance.now() + FULL_MS;
      throw error;
    });
  }

  onMovements(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  admit(principal: Principal): MaybePromise<Admission> {
    return andThen(this.#limits.admit(principal), (admission) =>
      this.#bans.pending.whenSaved(principal.key.id, admission),
    );
  }

  limitStatus(principal: Principal): MaybePromise<LimitStatus> {
    const limitStatus = this.#limits.limitStatus(principal);
    return limitStatus instanceof Promise ? limitStatus.catch(unreadable) : limitStatus;
  }

  accessVersion(): number {
    return this.#accessVersion;
  }

  findKey(hash: Uint8Array, isGuess = false): Promise<Principal | undefined> {
    return this.#keys.find(hash, isGuess).catch(unreadable);
  }

  noteKeyUse(keyId: string, nowMs: number): void {
    this.#deferred.noteKeyUse(keyId, nowMs);
  }

  findSession(hash: Uint8Array, isGuess = false): Promise<SessionOwner | undefined> {
    return this.#sessions.find(hash, isGuess).catch(unreadable);
  }

  noteSessionUse(sessionId: string, nowMs: number): void {
    this.#deferred.noteSessionUse(sessionId, nowMs);
  }

  async checkHealth(): Promise<void> {
    await this.#health.check();
    if (this.isDiskFull()) throw notReadyForFullDisk();
    const fault = this.clockFault();
    if (fault !== undefined) throw notReadyForWrongClock(fault);
  }

  async webhookMemory(): Promise<number | undefined> {
    const { reading } = this.#connections;
    const [row] = await reading.read<{ bytes: number }>(READ.webhookMemory).catch(unreadable);
    return row?.bytes;
  }

  async hasImportWork(): Promise<boolean> {
    const rows = await this.#connections.reading
      .read(READ.importWork, [this.now() - IMPORT_KEPT_MS])
      .catch(unreadable);
    return rows.length > 0;
  }

  clockFault(): string | undefined {
    return this.#clockGuard?.findFault(this.now());
  }

  /** The server has the files. */
  fileFault(): undefined {}

  async newestBackup(): Promise<NewestBackup | undefined> {
    const [backup] = await this.#connections.reading
      .read<NewestBackup & Record<string, number>>(READ.newestBackup)
      .catch(unreadable);
    return backup;
  }

  async databaseBytes(): Promise<number> {
    const [size] = await this.#connections.reading.read<{ bytes: number }>(READ.size).catch(unreadable);
    return size?.bytes ?? 0;
  }

  async freeBytes(): Promise<number | undefined> {
    const { capacityBytes } = this.#options;
    return capacityBytes === undefined ? undefined : capacityBytes - (await this.databaseBytes());
  }

  isDiskFull(): boolean {
    return performance.now() < this.#fullUntilMs;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#pollTimer);
    await this.#connections.close(async () => {
      // A poll on a closed connection would be reported as a fault.
      await this.#polling;
      await Promise.all([this.#limits.drain(), this.#writer.drain(), this.#head.drain()]);
      await this.#flush().catch((cause: unknown) => {
        this.#options.onError('Uses of keys and sessions could not be written; they are lost.', cause);
      });
      await this.#bans.pending.drain();
      await this.#accountEvents.tryRecord(this.#options.onError);
    });
  }

  #schedulePoll(): void {
    this.#pollTimer = setTimeout(() => {
      this.#polling = this.#pollAndFlush();
    }, POLL_INTERVAL_MS);
    this.#pollTimer.unref();
  }

  async #pollAndFlush(): Promise<void> {
    try {
      this.#connections.probe();
      // In case a notification was lost with its connection, or the session cannot listen.
      this.#listeners.wake();
      await this.#poll();
      await this.#flush();
      // By a clock that is a year ahead everything would be old.
      if (this.clockFault() === undefined) await this.#deferred.deleteOld();
      await this.#accountEvents.tryRecord(this.#options.onError);
      this.#isReachable = true;
    } catch (cause) {
      if (this.#isReachable && !this.#isClosing) {
        this.#options.onError('The database cannot be reached.', cause);
      }
      this.#isReachable = false;
    }
    if (!this.#isClosing) this.#schedulePoll();
  }

  /** Reads the database's clock, and whether any process has changed accounts, keys or bans. */
  async #poll(): Promise<void> {
    const sentAtMs = performance.now();
    const [state] = await this.#connections.reading.read<State & Record<string, unknown>>(READ.state, [
      this.#clock.override,
    ]);
    if (!state) return;
    this.#clock.note(state.nowMs, sentAtMs);
    this.#clockGuard ??= newClockGuard(state.nowMs, this.#options);
    this.#accessVersion = state.accessVersion;
    // Repeats a read of bans that failed after a charge: nothing else would repeat it.
    await this.#bans.follow(state.accessVersion);
  }

  /** From the next request on, keys are looked up again. Bans apply after they are read. */
  #noteAccessVersion(version: number): void {
    if (version === this.#accessVersion) return;
    this.#accessVersion = version;
    if (version >= 0) this.#bans.follow(version).catch(() => undefined);
  }

  /** Writes bans, and uses of keys and sessions. Those that cannot be written now are kept for the next time. */
  async #flush(): Promise<void> {
    this.#bans.pending.retry();
    await this.#deferred.writeUses();
  }
}
