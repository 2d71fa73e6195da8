import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditSource } from '../audit/audit-rows.ts';
import type { RowStatement } from '../sql-client.ts';
import { numbered } from './statements.ts';

/** SQLITE_IOERR, SQLITE_CORRUPT and SQLITE_NOTADB, the low byte of an extended code (sqlite.org/rescode.html). */
const DAMAGE_CODES: readonly number[] = [10, 11, 26];

/** Reads a SQLite file for an audit, each statement in another turn of the event loop. */
export class SqliteAuditSource implements AuditSource {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async read<Row extends readonly unknown[]>(
    { text }: RowStatement,
    values: readonly (string | number)[],
  ): Promise<readonly Row[]> {
    await new Promise((resolve) => setImmediate(resolve));
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.#database.prepare(text);
      statement.setReturnArrays(true);
      this.#statements.set(text, statement);
    }
    return statement.all(numbered(values)) as unknown as Row[];
  }

  damageOf(error: unknown): string | undefined {
    return fileDamage(error);
  }
}

/** A sentence about the damage, if damage is why a read failed. */
export function fileDamage(error: unknown): string | undefined {
  const { errcode = 0, code, message } = error as { errcode?: number; code?: string; message?: string };
  // A number that no valid row has.
  const isNonsense = code === 'ERR_OUT_OF_RANGE';
  if (!isNonsense && !DAMAGE_CODES.includes(errcode % 256)) return undefined;
  return `The database file is damaged and cannot be read on: ${message}.`;
}
