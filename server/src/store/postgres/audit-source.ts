import pg from 'pg';
import type { AuditSource } from '../audit/audit-rows.ts';
import type { RowReader, RowStatement } from '../row-reader.ts';
import type { Connection } from './connection.ts';

/** Internal errors, among them data and indexes that are corrupted, and those of the disk (SQLSTATE classes XX and 58). */
const DAMAGE_CODES = /^(?:XX|58)/;

/** What an audit reads on the connection of a serving process. */
export function connectionAuditSource(connection: Connection): AuditSource {
  return auditSource((statement, values) => connection.read(statement, values));
}

/** What an audit reads on the client of a command. */
export function clientAuditSource(client: pg.Client): AuditSource {
  return auditSource(
    async (statement, values) => (await client.query({ ...statement, values: [...values] })).rows,
  );
}

type Read = (statement: RowStatement, values: readonly (string | number)[]) => Promise<readonly unknown[]>;

function auditSource(read: Read): AuditSource {
  // The statement itself makes the rows arrays; what is in them only who wrote it knows.
  return { read: read as RowReader['read'], damageOf };
}

function damageOf(error: unknown): string | undefined {
  // A RangeError is a number that no row of ours holds.
  const isDamage =
    error instanceof pg.DatabaseError ? DAMAGE_CODES.test(error.code ?? '') : error instanceof RangeError;
  return isDamage ? `The database is damaged and cannot be read on: ${(error as Error).message}.` : undefined;
}
