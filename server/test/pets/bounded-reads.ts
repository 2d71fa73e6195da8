import assert from 'node:assert/strict';
import { type ExecutedNode, rowsRead } from '../support/executed-plan.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** As many pets as a part of an export. */
export const PORTION = 1_000;

/** A statement, its values in the last page, because PostgreSQL plans for values, and how SQLite enters each table. */
export type Read = readonly [sql: string, values: readonly (string | number)[], entries: readonly string[]];

async function checkOnPostgres(database: TestDatabase, [sql, values]: Read, title: string): Promise<void> {
  const literal = (_place: string, number: string) => `'${values[Number(number) - 1]}'`;
  const [row] = await database.rows(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql.replaceAll(/\$(\d+)/g, literal)}`);
  assert.ok(row);
  const [{ Plan }] = row[0] as unknown as [{ Plan: ExecutedNode }];
  const count = rowsRead(Plan);
  assert.ok(count <= 2 * PORTION, `${title} read ${count} rows: ${JSON.stringify(Plan)}`);
}

async function checkOnSqlite(database: TestDatabase, [sql, , entries]: Read, title: string): Promise<void> {
  const steps = (await database.rows(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row[3]));
  for (const entry of entries) assert.ok(steps.includes(entry), `${title}:\n${steps.join('\n')}`);
  assert.ok(!steps.some((step) => /^SCAN (?:pets|inventory|pet_words)/.test(step)), steps.join('\n'));
}

/** Asserts that a read is bounded: by its plan on SQLite, and on PostgreSQL by the rows that it reads. */
export function checkOf(database: TestDatabase): (read: Read, title: string) => Promise<void> {
  const check = database.url.startsWith('sqlite:') ? checkOnSqlite : checkOnPostgres;
  return (read, title) => check(database, read, title);
}
