import pg from 'pg';
import type { AuditSource } from '../audit/audit-rows.ts';
import type { RowReader, RowStatement } from '../sql-client.ts';
import type { Connection } from './connection.ts';

/** Internal errors, among them data and indexes that are corrupted, and those of the disk (SQLSTATE classes XX and 58). */
const DAMAGE_CODES = /^(?:XX|58)/;

/** Reads for an audit on the connection of a serving process. */
export function connectionAuditSource(connection: Connection): AuditSource {
  const read = (statement: RowStatement, values: readonly (string | number)[]): Promise<unknown> =>
    connection.read(statement, values);
  // The statement itself makes the rows arrays, and only its author knows the types of their values.
  return { read: read as RowReader['read'], damageOf };
}

/** A sentence about the damage, if damage is why a read failed. */
export function damageOf(error: unknown): string | undefined {
  // A RangeError is a number that no valid row has.
  const isDamage =
    error instanceof pg.DatabaseError ? DAMAGE_CODES.test(error.code ?? '') : error instanceof RangeError;
  return isDamage ? `The database is damaged and cannot be read on: ${(error as Error).message}.` : undefined;
}
