import type { TestContext } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import type { ImportFormat, ImportMode } from '@petstore-inventory/shared/words';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Import, ImportRow } from '../../src/domain/management/imports.ts';
import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import { newAdminStore } from '../support/command-line.ts';
import type { TestDatabase } from '../support/test-database.ts';

export const STAFF = { actor: 'key_staff', requestId: 'request-1' };

interface UploadOptions {
  readonly format?: ImportFormat;
  readonly mode?: ImportMode;
  readonly partBytes?: number;
  readonly reading?: Reading;
}

/** A database with imports, and a runner that works when the test calls it. */
export class ImportShop {
  readonly store: OpenedAdminStore;
  readonly database: TestDatabase;

  static async open(t: TestContext): Promise<ImportShop> {
    const { store, database } = await newAdminStore(t);
    return new ImportShop(store, database);
  }

  constructor(store: OpenedAdminStore, database: TestDatabase) {
    this.store = store;
    this.database = database;
  }

  /** Uploads a file in parts. */
  async upload(
    content: string | Uint8Array,
    { format = 'csv', mode = 'set', partBytes = 100_000, reading = {} }: UploadOptions = {},
  ): Promise<string> {
    const bytes = Buffer.from(content as string);
    const { imports } = this.store;
    const upload = { format, mode, reading, fileName: `pets.${format}`, actor: STAFF.actor };
    const id = await imports.begin(upload);
    for (let number = 0; number * partBytes < bytes.length; number += 1) {
      const start = number * partBytes;
      await imports.addPart(id, number, bytes.subarray(start, start + partBytes));
    }
    await imports.complete(id, STAFF);
    return id;
  }

  /** Works until no import needs it. */
  async runJobs(isStopping = () => false, maxQuantity = Number.MAX_SAFE_INTEGER): Promise<void> {
    const runner = new ImportRunner(this.store.importJobs, maxQuantity, isStopping);
    while (!isStopping() && (await runner.runNext()));
  }

  /** Uploads and checks a file. */
  async planned(
    content: string | Uint8Array,
    format: ImportFormat = 'csv',
    mode: ImportMode = 'set',
    reading: Reading = {},
  ): Promise<Import> {
    const id = await this.upload(content, { format, mode, reading });
    await this.runJobs();
    return this.find(id);
  }

  async apply(id: string, leavesOut = false): Promise<Import> {
    await this.store.imports.apply(id, STAFF, leavesOut);
    await this.runJobs();
    return this.find(id);
  }

  async find(id: string): Promise<Import> {
    const found = await this.store.imports.find(id);
    if (!found) throw new Error(`There is no import ${id}.`);
    return found;
  }

  rows(id: string, effect?: ImportRow['effect']): Promise<readonly ImportRow[]> {
    return this.store.imports.rows(id, { effect, limit: 10_000 });
  }

  importRows(rows: readonly PetRow[]): Promise<unknown> {
    return this.store.importPets(rows, CLI_AUTHOR.actor);
  }

  /** Ends all leases, as time does. */
  async endLeases(): Promise<void> {
    await this.database.run('UPDATE imports SET lease_until = 0');
  }

  async actions(): Promise<(readonly [action: string, actor: string])[]> {
    const lines = await this.store.activity.list({ limit: 100 });
    return lines.toReversed().map(({ action, actor }) => [action, actor]);
  }
}
