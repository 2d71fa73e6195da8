import type { TestContext } from 'node:test';
import type { Movement } from '../../src/domain/ledger/ledger.ts';
import type { Stock } from '../../src/domain/ledger/stock.ts';
import type { Ledger } from '../../src/domain/ledger-store.ts';
import { MOVEMENT_COLUMN_NAMES, MOVEMENT_COLUMNS } from '../../src/store/ledger/movement-columns.ts';
import { prepareStore } from '../../src/store/open-admin.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { postgresLedger } from '../../src/store/postgres/ledger-reader.ts';
import { sqliteLedger } from '../../src/store/sqlite/ledger-reader.ts';
import { databaseFile, openReader } from '../../src/store/sqlite/open.ts';
import { newDatabase, type TestDatabase } from '../support/test-database.ts';
import type { ModelLedger } from './random-ledger.ts';

/** A database of the chosen engine into which a test writes any ledger, past the service. */
export class LedgerDatabase {
  readonly database: TestDatabase;
  readonly isSqlite: boolean;
  readonly #closing: (() => Promise<void> | void)[] = [];
  #open: (() => Ledger) | undefined;

  static async create(t: Pick<TestContext, 'after'>): Promise<LedgerDatabase> {
    const ledger = new LedgerDatabase(await newDatabase(t));
    t.after(async () => {
      for (const close of ledger.#closing) await close();
    });
    await prepareStore(ledger.database.url, [], () => ({
      environment: 'production',
      pepperCheck: 'for tests',
    }));
    await ledger.database.unguard();
    await ledger.database.run(`INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
VALUES ('account', 'Shop', 'free', 60, 1000, 0)`);
    await ledger.database.run(`INSERT INTO api_keys (id, account_id, name, hash, hint, created_at)
VALUES ('key-1', 'account', 'The till''s', ${ledger.#bytes('00')}, '', 0)`);
    return ledger;
  }

  private constructor(database: TestDatabase) {
    this.database = database;
    this.isSqlite = database.url.startsWith('sqlite:');
  }

  /** A reader that remembers nothing yet, on a connection that readers of this database share. */
  reader(): Ledger {
    this.#open ??= this.#connect();
    return this.#open();
  }

  /** Replaces the ledger. */
  async write({ kept, stock, start }: ModelLedger): Promise<void> {
    const statements = ['BEGIN', 'DELETE FROM movements', 'DELETE FROM inventory', 'DELETE FROM pets'];
    statements.push(
      `UPDATE ledger_start SET sequence = ${start.sequence}, recorded_at = ${start.recordedAtMs}`,
    );
    if (kept.length > 0) {
      const pets = [...stock.keys()].map((petId) => `(${petId})`);
      const items = [...stock].map(([petId, one]) => `(${petId}, ${stockValues(one).join()}, 0)`);
      statements.push(
        `INSERT INTO pets (pet_id) VALUES ${pets.join()}`,
        `INSERT INTO inventory (pet_id, ${STOCK_COLUMNS}, created_at) VALUES ${items.join()}`,
        `INSERT INTO movements (${MOVEMENT_COLUMN_NAMES}) VALUES ${kept.map((movement) => this.#row(movement)).join()}`,
      );
    }
    await this.database.run(`${statements.join(';\n')};\nCOMMIT`);
  }

  /**
   * Replaces the ledger with movements of several pets in turn. Sequences are `gap` apart; the movements between are
   * deleted.
   */
  async fill(movements: number, pets: number, gap = 1): Promise<void> {
    await this.write({ movements: [], kept: [], stock: new Map(), start: { sequence: 0, recordedAtMs: 0 } });
    await this.database.run(`BEGIN;
INSERT INTO movements (${MOVEMENT_COLUMN_NAMES}) WITH RECURSIVE turns (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM turns WHERE i < ${movements})
SELECT i * ${gap}, CASE WHEN i > ${pets} THEN (i - ${pets}) * ${gap} END, (i - 1) % ${pets} + 1, (i - 1) / ${pets} + 1, 'adjust',
i % 9, i % 9 + 1, CASE WHEN i > ${pets} THEN 'sold' END, 'sold', 0, 0, NULL, NULL, NULL, 'received', NULL, NULL, NULL, NULL, 'cli', NULL, i, NULL,
${this.#bytes('00'.repeat(32))} FROM turns;
INSERT INTO pets (pet_id) SELECT pet_id FROM movements WHERE version = 1;
INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at, 0, 0 FROM movements WHERE sequence > ${(movements - pets) * gap};
UPDATE ledger_start SET sequence = ${gap > 1 ? movements * gap : 0};
COMMIT`);
  }

  #connect(): () => Ledger {
    const { url } = this.database;
    if (this.isSqlite) {
      const reader = openReader(databaseFile(url));
      this.#closing.push(() => reader.close());
      return () => sqliteLedger(reader);
    }
    const fresh = new Connection(url);
    this.#closing.push(() => fresh.close());
    return () => postgresLedger({ fresh });
  }

  #row(movement: Movement): string {
    const values = MOVEMENT_COLUMNS.map(({ field, type }) => {
      const value = movement[field];
      if (type === 'bytea') return this.#bytes(String(value));
      return type === 'text' ? text(value as string | null) : value;
    });
    return `(${values.map((value) => value ?? 'NULL').join()})`;
  }

  #bytes(hexadecimal: string): string {
    return this.isSqlite ? `x'${hexadecimal}'` : `'\\x${hexadecimal}'::bytea`;
  }
}

const STOCK_COLUMNS =
  'quantity, status, version, last_sequence, updated_at, reserved, alert_level, low_stock_at, restock_at';

function stockValues(stock: Stock): readonly unknown[] {
  const { quantity, status, version, lastSequence, updatedAtMs } = stock;
  const { reserved, alertLevel, lowStockAt, restockAt } = stock;
  const values = [quantity, text(status), version, lastSequence, updatedAtMs];
  return [...values, reserved, text(alertLevel), lowStockAt, restockAt].map((value) => value ?? 'NULL');
}

function text(value: string | null): string | null {
  return value === null ? null : `'${value.replaceAll("'", "''")}'`;
}
