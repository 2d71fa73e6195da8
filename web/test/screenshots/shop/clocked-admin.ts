import { prepareDatabase } from '../../../../server/src/cli/prepare-database.ts';
import { readConfig } from '../../../../server/src/config.ts';
import { SqlAdminStore } from '../../../../server/src/store/admin/admin-store.ts';
import { DEFAULT_RULES } from '../../../../server/src/store/open-admin.ts';
import type { OpenedAdminStore } from '../../../../server/src/store/schema/database-metadata.ts';
import { SqliteAdminEngine } from '../../../../server/src/store/sqlite/admin/engine.ts';
import { databaseFile, openDatabase } from '../../../../server/src/store/sqlite/open.ts';

export interface Clock {
  nowMs: number;
}

/** An engine whose time is an argument, so that weeks pass in seconds. */
class ClockedEngine extends SqliteAdminEngine {
  readonly #clock: Clock;

  constructor(file: string, clock: Clock) {
    super(openDatabase(file), file);
    this.#clock = clock;
  }

  override async now(): Promise<number> {
    return this.#clock.nowMs;
  }
}

export interface ClockedShop {
  readonly clock: Clock;
  readonly admin: OpenedAdminStore;
  readonly pepper: Uint8Array;
  readonly url: string;
}

/** Makes an empty database in a folder, and opens it for the operator at a time in the past. */
export async function newClockedShop(folder: string, nowMs: number): Promise<ClockedShop> {
  const url = `sqlite:${folder}/petstore.db`;
  const { pepper } = await prepareDatabase(readConfig({ PETSTORE_DATABASE: url }));
  const clock = { nowMs };
  const engine = new ClockedEngine(databaseFile(url), clock);
  const options = { rules: DEFAULT_RULES, pepper: () => pepper, acceptsOlder: false };
  return { clock, pepper, url, admin: await SqlAdminStore.open(engine, options) };
}
