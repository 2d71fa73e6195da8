import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tables from '../../src/store/sqlite/statements.ts';

/** A named or numbered parameter, and nothing else. */
const PARAMETER_ALONE = /LIMIT\s+(?:\$\w+|\?\d*)\s*(?:\)|$|OFFSET)/;

test('SQLite plans a statement of the service once: no LIMIT is a parameter alone', () => {
  const statements = Object.values(tables).flatMap((table) =>
    Object.entries<unknown>(table as Readonly<Record<string, unknown>>),
  );
  const found = statements.filter(([, sql]) => typeof sql === 'string' && PARAMETER_ALONE.test(sql));
  assert.deepEqual(
    found.map(([name]) => name),
    [],
  );
  assert.ok(statements.some(([name, sql]) => name === 'purgeBatch' && String(sql).includes('LIMIT')));
});
