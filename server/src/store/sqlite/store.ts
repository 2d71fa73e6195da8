import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { petIdAfter } from '@petstore-inventory/shared/pet-id';
import type { NewestBackup } from '../../domain/newest-backup.ts';
import type { Environment } from '../../domain/access/api-key.ts';
import type { Ban } from '../../domain/access/bans.ts';
import type { Principal, SessionOwner } from '../../domain/access/principal.ts';
import { notReadyForFullDisk } from '../../domain/disk.ts';
import type { NotReady } from '../../domain/errors.ts';
import { inBackground } from '../../process/in-background.ts';
import type { Pet } from '../../domain/inventory.ts';
import { dayOf, SALES_DAYS } from '../../domain/ledger/sales.ts';
import type { StockItem } from '../../domain/ledger-store.ts';
import { type CatalogPage, EMPTY_CATALOG_PAGE } from '../../domain/management/catalog.ts';
import { IMPORT_KEPT_MS } from '../../domain/management/imports.ts';
import type { CodeKey } from '../../domain/management/pet-codes.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Admission, InventoryList, InventoryPage, LimitStatus, Store } from '../../domain/store.ts';
import { machineTimeMs } from '../../domain/timestamps.ts';
import type { WriteOutcome, WriteRequest } from '../../domain/write-command.ts';
import { PendingBans } from '../access/bans.ts';
import {
  type KeyRow,
  SESSION_CALLERS,
  type SessionRow,
  toPrincipal,
  toSessionOwner,
} from '../access/key-row.ts';
import { notReadyForWrongClock, notWritten, unusable, wrongClock } from '../errors.ts';
import type { LedgerReader } from '../history/ledger-reader.ts';
import { decodeOutcome, type StoredOutcome } from '../idempotency/records.ts';
import { READ_NEWEST_BACKUP } from '../schema/newest-backup.ts';
import { IMPORT_WORK } from '../imports/import-jobs.ts';
import { type ClockGuard, findWrongStart, newClockGuard } from '../ledger/clock-guard.ts';
import { Listeners } from '../listeners.ts';
import { OrderReader } from '../orders/order-reader.ts';
import { type OrderStatementName, SQLITE_ORDERS } from '../orders/order-sql.ts';
import { type CatalogRow, SQLITE_PAGE, toCatalogPage } from '../pets/catalog-sql.ts';
import { READ_PETS, type StoredPet, toManagedPet } from '../pets/pet-sql.ts';
import type { Parameter } from '../sql-client.ts';
import type { StoreOptions } from '../store-options.ts';
import { ENDPOINT_MEMORY } from '../webhooks/sender-statements.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { findExposure } from './file/private-file.ts';
import { freeBytesOf, OverwrittenFile, servedBytes } from './file/served-files.ts';
import { ServingLock } from './file/serving-lock.ts';
import { WalIndex } from './file/wal-index.ts';
import { sqliteLedger } from './ledger-reader.ts';
import { ListReader } from './list-reader.ts';
import { MemoryLimits } from './memory-limits.ts';
import { type Head, NewestHead } from './newest-head.ts';
import { openReader } from './open.ts';
import { SoundReads } from './sound-reads.ts';
import { prepare, READ } from './statements.ts';
import type { SavedCount } from './writer-messages.ts';
import { WriterThread } from './writer-thread.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** The longest delay until listeners are called after a commit of another process, such as an import. */
const POLL_INTERVAL_MS = 250;
export interface SqliteStoreOptions extends StoreOptions {
  readonly file: string;
}

interface Foundation {
  readonly lock: ServingLock;
  readonly writer: WriterThread;
  readonly listeners: Listeners;
}

/** The store of one serving process on one SQLite file. */
export class SqliteStore implements Store {
  readonly environment: Environment;
  readonly now: () => number;
  readonly ledger: LedgerReader;
  readonly orders: OrderReader;
  readonly #options: SqliteStoreOptions;
  readonly #lock: ServingLock;
  readonly #writer: WriterThread;
  readonly #reads: SoundReads;
  readonly #database: DatabaseSync;
  readonly #statements: Record<
    | 'head'
    | 'pet'
    | 'item'
    | 'catalogPage'
    | 'managedPet'
    | 'petWithCode'
    | 'key'
    | 'session'
    | 'bans'
    | 'webhookMemory'
    | 'importWork'
    | 'newestBackup',
    StatementSync
  >;
  readonly #clockGuard: ClockGuard;
  readonly #walIndex: WalIndex;
  readonly #head: NewestHead;
  readonly #list: ListReader;
  readonly #limits: MemoryLimits;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #pendingBans: PendingBans;
  readonly #deferred: DeferredWrites;
  readonly #listeners: Listeners;
  #watchedSequence = -1;
  #loggedFault: string | undefined;
  #isClosed = false;

  /** Opens the database for serving, as the only process. The first call of `listInventory` loads the list. */
  static async open(options: SqliteStoreOptions): Promise<SqliteStore> {
    const lock = ServingLock.acquire(options.file);
    try {
      const listeners = new Listeners();
      const writer = await WriterThread.start(options, (...commit) => {
        options.onCommit(...commit);
        listeners.wake();
      });
      const store = new SqliteStore(options, { lock, writer, listeners });
      const { recordedAtMs } = store.#head.known;
      const warnings = [findExposure(options.file), findWrongStart(recordedAtMs, store.now())];
      for (const warning of warnings) if (warning !== undefined) options.onError(warning, undefined);
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private constructor(options: SqliteStoreOptions, { lock, writer, listeners }: Foundation) {
    this.#options = options;
    this.now = options.clock ?? machineTimeMs;
    this.#lock = lock;
    this.#writer = writer;
    this.#reads = new SoundReads(writer);
    this.#listeners = listeners;
    const database = openReader(options.file);
    this.#database = database;
    this.#statements = prepare(database, {
      head: READ.head,
      pet: READ.pet,
      item: READ.item,
      catalogPage: SQLITE_PAGE,
      managedPet: READ_PETS.pet,
      petWithCode: READ_PETS.petWithCode,
      key: `${READ.key} WHERE hash = ?`,
      session: `${SESSION_CALLERS} WHERE sessions.hash = ?`,
      bans: READ.bans,
      webhookMemory: ENDPOINT_MEMORY,
      importWork: IMPORT_WORK,
      newestBackup: READ_NEWEST_BACKUP,
    });
    this.ledger = sqliteLedger(database, () => this.#reads.require(unusable), this.#reads.onFailure);
    const orderStatements = prepare<OrderStatementName>(database, SQLITE_ORDERS);
    this.orders = new OrderReader(
      <Row>(name: OrderStatementName, values: readonly Parameter[]) =>
        this.#reads.read(() => orderStatements[name].all(...values) as unknown as Row[]),
      () => this.now(),
    );
    this.environment = options.environment;
    this.#pendingBans = new PendingBans(async (ban) => {
      await writer.submit({ kind: 'saveBan', ban });
    }, options.onError);
    this.#clockGuard = newClockGuard(this.now(), options);
    this.#walIndex = new WalIndex(options.file);
    const overwritten = new OverwrittenFile(options.file, this.#walIndex);
    this.#head = new NewestHead(
      this.#walIndex,
      () => this.#reads.read(() => this.#statements.head.get() as unknown as Head),
      () => this.#readBans(),
    );
    writer.onHead = (head) => this.#head.note(head);
    writer.newestSequence = () => this.#head.known.sequence;
    writer.findOverwrite = () => (this.#isClosed ? undefined : overwritten.findFault());
    this.#list = new ListReader(options.file, options.onListRebuild);
    this.#limits = new MemoryLimits(
      {
        counts: database.prepare(READ.usage).all() as unknown as SavedCount[],
        ...(database.prepare(READ.finishedMinutes).get() as { finished: number }),
      },
      (ban) => this.#pendingBans.save(ban),
    );
    this.#deferred = new DeferredWrites(writer, this.#limits, options.onError);
    this.#head.current();
    const every = (ms: number, work: () => MaybePromise<void>) => {
      const report = (cause: unknown) => options.onError('A regular task of the database failed.', cause);
      return setInterval(() => inBackground(work, report), ms).unref();
    };
    this.#timers = [
      every(FLUSH_INTERVAL_MS, () => this.#flush()),
      every(FLUSH_INTERVAL_MS, () => this.#purgeUsage()),
      every(POLL_INTERVAL_MS, () => this.#poll()),
    ];
  }

  inventoryTag(): string {
    return this.#head.tag();
  }

  listInventory(): MaybePromise<InventoryList> {
    const head = this.#head.current();
    return this.#reads.read(() => this.#list.list(head));
  }

  listInventoryPage(after: bigint | undefined, limit: number): MaybePromise<InventoryPage> {
    return this.#reads.read(() => this.#list.page(after, limit));
  }

  findPet(petId: bigint): Pet | undefined {
    const row = this.#reads.read(() => this.#statements.pet.get({ petId }));
    return row && ({ petId, ...row } as unknown as Pet);
  }

  catalogPage(after: bigint | undefined, limit: number): CatalogPage {
    const first = petIdAfter(after);
    if (first === undefined) return EMPTY_CATALOG_PAGE;
    const row = this.#reads.read(() =>
      this.#statements.catalogPage.get(first, limit),
    ) as unknown as CatalogRow;
    return toCatalogPage(row, limit);
  }

  findManagedPet(by: bigint | CodeKey): ManagedPet | undefined {
    const row = this.#reads.read(() =>
      typeof by === 'bigint'
        ? this.#statements.managedPet.get(by)
        : this.#statements.petWithCode.get(by.kind, by.code),
    );
    return row && toManagedPet(row as unknown as StoredPet);
  }

  findItem(petId: bigint, nowMs: number): StockItem | undefined {
    const before = dayOf(nowMs) - SALES_DAYS;
    const row = this.#reads.read(() => this.#statements.item.get({ petId, before }));
    return row && ({ petId, ...row } as unknown as StockItem);
  }

  async write(request: WriteRequest): Promise<WriteOutcome> {
    this.#reads.require(notWritten);
    const fault = this.#clockGuard.findFault(request.author.atMs);
    if (fault !== undefined) throw wrongClock(new Error(fault));
    const outcome = await this.#writer.submit({ kind: 'changeStock', request });
    return decodeOutcome(outcome as StoredOutcome);
  }

  onMovements(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  admit(principal: Principal, nowMs: number): MaybePromise<Admission> {
    const fault = this.#reads.findFault();
    if (fault !== undefined) {
      const { windows, atMs } = this.#limits.limitStatus(principal, nowMs);
      return { windows, refusal: undefined, failure: unusable(fault), atMs };
    }
    return this.#pendingBans.whenSaved(principal.key.id, this.#limits.admit(principal, nowMs));
  }

  limitStatus(principal: Principal, nowMs: number): LimitStatus {
    return this.#limits.limitStatus(principal, nowMs);
  }

  accessVersion(): number {
    return this.#head.current().accessVersion;
  }

  findKey(hash: Uint8Array): Principal | undefined {
    const row = this.#reads.read(() => this.#statements.key.get(hash)) as unknown as KeyRow | undefined;
    return row && toPrincipal(row);
  }

  noteKeyUse(keyId: string, nowMs: number): void {
    this.#deferred.keyUses.note(keyId, nowMs);
  }

  findSession(hash: Uint8Array): SessionOwner | undefined {
    const row = this.#reads.read(() => this.#statements.session.get(hash)) as unknown as
      | SessionRow
      | undefined;
    return row && toSessionOwner(row);
  }

  noteSessionUse(sessionId: string, nowMs: number): void {
    this.#deferred.sessionUses.note(sessionId, nowMs);
  }

  async checkHealth(): Promise<void> {
    this.#reads.require((fault) => fault as NotReady);
    this.#reads.read(() => this.#statements.head.get());
    if (this.isDiskFull()) throw notReadyForFullDisk();
    const fault = this.clockFault();
    if (fault !== undefined) throw notReadyForWrongClock(fault);
  }

  webhookMemory(): number | undefined {
    const row = this.#reads.read(() => this.#statements.webhookMemory.get()) as { bytes: number } | undefined;
    return row && Number(row.bytes);
  }

  hasImportWork(): boolean {
    const sinceMs = this.now() - IMPORT_KEPT_MS;
    return this.#reads.read(() => this.#statements.importWork.get(sinceMs)) !== undefined;
  }

  clockFault(): string | undefined {
    return this.#clockGuard.findFault(this.now());
  }

  fileFault(): NotReady | undefined {
    this.#writer.checkFiles();
    return this.#reads.findFault();
  }

  newestBackup(): NewestBackup | undefined {
    const row = this.#reads.read(() => this.#statements.newestBackup.get()) as
      | Record<keyof NewestBackup, number | bigint>
      | undefined;
    return (
      row && { madeAtMs: Number(row.madeAtMs), sequence: Number(row.sequence), bytes: Number(row.bytes) }
    );
  }

  databaseBytes(): number {
    return this.#reads.read(() => servedBytes(this.#options.file));
  }

  freeBytes(): Promise<number> {
    return this.#reads.read(() => freeBytesOf(this.#options.file));
  }

  isDiskFull(): boolean {
    return this.#writer.isFull;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#flush();
    await this.#writer.close();
    await this.#list.close();
    await this.ledger.close();
    this.#isClosed = true;
    this.#head.close();
    this.#database.close();
    // Last: closing any descriptor of a file releases all POSIX locks of this process on it.
    this.#walIndex.close();
    this.#lock.release();
  }

  /** Checks that the files are still there, and wakes listeners after a commit of another process. */
  #poll(): void {
    this.#writer.checkFiles();
    const fault = this.#reads.findFault()?.message;
    if (fault !== undefined && fault !== this.#loggedFault) this.#options.onError(fault, undefined);
    this.#loggedFault = fault;
    if (!this.#listeners.hasAny) return;
    let sequence: number;
    try {
      ({ sequence } = this.#head.current());
    } catch {
      // The next reader gets this error.
      return;
    }
    // A request may have read the head since the last poll, without a call of the listeners.
    if (sequence !== this.#watchedSequence) this.#listeners.wake();
    this.#watchedSequence = sequence;
  }

  #readBans(): void {
    const saved = this.#reads.read(() => this.#statements.bans.all()) as unknown as Ban[];
    for (const ban of this.#limits.setBans(this.#pendingBans.mergeWith(saved)))
      this.#options.onBanLifted?.(ban);
  }

  #purgeUsage(): void {
    const nowMs = this.now();
    if (this.#clockGuard.findFault(nowMs) === undefined) this.#deferred.purgeUsage(nowMs);
  }

  async #flush(): Promise<void> {
    if (this.#writer.loss !== undefined) return;
    this.#pendingBans.retry();
    await this.#deferred.write();
  }
}
