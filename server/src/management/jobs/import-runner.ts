import { setImmediate } from 'node:timers/promises';
import type { FileFault } from '@petstore-inventory/shared/pet-file/faults';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import { type DiskLimits, isDiskFull } from '../../domain/disk.ts';
import type { ImportJobs, ImportTask } from '../../domain/import-jobs.ts';
import { MAX_IMPORT_FAULTS } from '../../domain/management/imports.ts';
import { codeKeysOf } from '../../domain/management/row-matcher.ts';
import { ImportCheck } from './import-check.ts';

/** Bytes that are parsed between two looks at the lease. */
const BYTES_PER_READ = 262_144;
/** A file can have nothing to plan for longer than a lease lasts, such as a sheet without rows. */
const RENEWAL_MS = 3_000;
/** Before messages to this thread arrive: reads of SQLite alone give them no turn. */
const TURN_MS = 100;
/** Before another try of an import whose database failed. */
const RETRY_DELAY_MS = 5_000;

/** A batch of rows in the plan, without the text of those with errors, with its copy in the log of the database. */
const BATCH_ROOM_BYTES = 2_000_000;
/** A movement, its indexes and its pet, with their copies in the log of the database. */
const CHANGE_ROOM_BYTES = 1_000;

/** Thrown before work that would take the room that changes need. */
class NoRoom extends Error {}

/** Checks and applies imports, one after the other. Any number of runners may work on one database. */
export class ImportRunner {
  readonly #jobs: ImportJobs;
  readonly #maxQuantity: number;
  readonly #isStopping: () => boolean;
  readonly #disk: DiskLimits | undefined;
  readonly #elapsedMs: () => number;
  #renewedAtMs = 0;
  #turnedAtMs = 0;

  /** @param elapsedMs Milliseconds of a clock that is never set. */
  constructor(
    jobs: ImportJobs,
    maxQuantity: number,
    isStopping: () => boolean,
    disk?: DiskLimits,
    elapsedMs = () => performance.now(),
  ) {
    this.#jobs = jobs;
    this.#maxQuantity = maxQuantity;
    this.#isStopping = isStopping;
    this.#disk = disk;
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Works on the oldest import that needs it. Returns whether there was one.
   * @throws Error of the database. The import is tried again after a delay.
   */
  async runNext(): Promise<boolean> {
    const task = await this.#jobs.claim();
    if (task === undefined) return false;
    try {
      await (task.state === 'checking' ? this.#check(task) : this.#apply(task));
    } catch (error) {
      // Tried again it would only fill the disk again.
      if (error instanceof NoRoom || isDiskFull(error)) return this.#giveUp(task);
      // A lost connection cannot release it; then it waits for the end of the lease.
      await this.#jobs.release(task, RETRY_DELAY_MS).catch(() => undefined);
      throw error;
    }
    return true;
  }

  async #giveUp(task: ImportTask): Promise<true> {
    await this.#jobs.clearRows(task);
    await this.#jobs.fail(task, 'disk_full');
    return true;
  }

  async #apply(task: ImportTask): Promise<void> {
    await this.#requireRoom(task.changes * CHANGE_ROOM_BYTES);
    await this.#jobs.apply(task);
  }

  async #requireRoom(bytes: number): Promise<void> {
    if (this.#disk === undefined) return;
    const free = await this.#jobs.freeBytes(this.#disk);
    if (free !== undefined && free < this.#disk.reserveBytes + bytes) throw new NoRoom();
  }

  async #check(task: ImportTask): Promise<void> {
    if (task.undoes !== null) return this.#planUndo(task);
    let { reading } = task;
    let check = await this.#read(task, reading);
    const decimal = check?.decimalOfFile;
    if (decimal !== undefined) {
      reading = { ...reading, decimal };
      check = await this.#read(task, reading);
    }
    const newAfter = check?.retryAfter;
    if (newAfter !== undefined) check = await this.#read(task, reading, newAfter);
    if (check === undefined) return;
    if (check.isStopped && !(await this.#jobs.clearRows(task))) return;
    await this.#jobs.finishCheck(task, check.finished());
  }

  async #planUndo(task: ImportTask): Promise<void> {
    if (!(await this.#jobs.clearRows(task))) return;
    const faults: FileFault[] = [];
    let faultCount = 0;
    let after: bigint | undefined;
    do {
      await this.#turn();
      if (this.#isStopping()) return this.#jobs.release(task, 0);
      await this.#requireRoom(BATCH_ROOM_BYTES);
      const page = await this.#jobs.addUndo(task, after, this.#maxQuantity);
      if (page === undefined) return;
      if (page === 'gone') {
        await this.#jobs.clearRows(task);
        return this.#jobs.fail(task, 'nothing_to_undo');
      }
      faults.push(...page.faults.slice(0, MAX_IMPORT_FAULTS - faults.length));
      faultCount += page.faults.length;
      after = page.last;
    } while (after !== undefined);
    const badRowCount = faultCount;
    await this.#jobs.finishCheck(task, {
      faults,
      faultCount,
      badRowCount,
      fileHash: undefined,
      facts: undefined,
    });
  }

  /** Reads the file, and plans its rows. Returns `undefined` if the lease is lost, or the runner stops. */
  async #read(task: ImportTask, reading: Reading, newAfter?: bigint): Promise<ImportCheck | undefined> {
    if (!(await this.#jobs.clearRows(task))) return undefined;
    this.#renewedAtMs = this.#elapsedMs();
    const check = new ImportCheck({ ...task, reading, newAfter }, this.#maxQuantity);
    for (let number = 0; !check.isStopped; number += 1) {
      const part = await this.#jobs.readPart(task, number);
      if (part === undefined) break;
      for (let start = 0; start < part.length; start += BYTES_PER_READ) {
        check.read(part.subarray(start, start + BYTES_PER_READ));
        if (!(await this.#addRows(task, check, false))) return undefined;
      }
    }
    for (const _ of check.finish()) if (!(await this.#addRows(task, check, false))) return undefined;
    return (await this.#addRows(task, check, true)) ? check : undefined;
  }

  /** Returns whether to continue: the lease still holds, and the runner does not stop. */
  async #addRows(task: ImportTask, check: ImportCheck, isLast: boolean): Promise<boolean> {
    for (;;) {
      await this.#turn();
      if (this.#isStopping()) {
        await this.#jobs.release(task, 0);
        return false;
      }
      const rows = check.take(isLast);
      const isEnd = isLast && rows.length === 0;
      const badRows = isEnd ? check.endBadRows() : check.takeBadRows(false);
      const isRenewed = this.#elapsedMs() < this.#renewedAtMs + RENEWAL_MS;
      if (rows.length === 0 && badRows === '' && (isEnd || isRenewed)) return true;
      await this.#requireRoom(BATCH_ROOM_BYTES + 2 * Buffer.byteLength(badRows));
      const facts = await this.#jobs.findCodes(codeKeysOf(rows));
      const refused = await this.#jobs.addRows(task, check.match(rows, facts), {
        readBytes: check.readBytes,
        maxQuantity: this.#maxQuantity,
        badRows,
      });
      if (refused === undefined) return false;
      this.#renewedAtMs = this.#elapsedMs();
      for (const row of refused) check.noteRefused(row);
      if (isEnd) return true;
    }
  }

  async #turn(): Promise<void> {
    if (this.#elapsedMs() < this.#turnedAtMs + TURN_MS) return;
    await setImmediate();
    this.#turnedAtMs = this.#elapsedMs();
  }
}
