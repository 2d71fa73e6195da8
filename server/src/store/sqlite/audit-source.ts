import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import type { AuditSource } from '../audit/audit-rows.ts';
import type { RowStatement } from '../sql-client.ts';
import { isDamaged, isDiskError } from './file/busy.ts';
import { positional } from './statements.ts';

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
      statement = this.#database.prepare(positional(text));
      statement.setReturnArrays(true);
      this.#statements.set(text, statement);
    }
    try {
      return statement.all(...values) as unknown as Row[];
    } catch (error) {
      throw unreadDisk(error) ?? error;
    }
  }

  damageOf(error: unknown): string | undefined {
    return fileDamage(error);
  }
}

/** Advice for an error of the disk, which is not a fault of the database: a restored backup would lose changes. */
export function unreadDisk(error: unknown): OperatorError | undefined {
  if (!isDiskError(error)) return undefined;
  const message = `The disk could not read the database (${(error as Error).message}), which says nothing about its content; check the disk, and try again.`;
  return new OperatorError(message, { code: 'service_unavailable', cause: error });
}

/** A sentence about the damage, if damage is why a read failed. */
export function fileDamage(error: unknown): string | undefined {
  const { code, message } = error as { code?: string; message?: string };
  // A number that no valid row has.
  const isNonsense = code === 'ERR_OUT_OF_RANGE';
  if (!isNonsense && !isDamaged(error)) return undefined;
  return `The database file is damaged and cannot be read on: ${message}.`;
}
