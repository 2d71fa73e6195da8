import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { TEST_PEPPER, temporaryFolder } from '../support/command-line.ts';

const PART_BYTES = 1_000_000;
const PARTS = 80;
/** A statement keeps what was bound to it until its object is collected, which small objects seldom are. */
const MAX_GROWTH_BYTES = 30_000_000;

test('parts of a file do not stay in memory with their statements', async (t) => {
  const file = join(temporaryFolder(t), 'petstore.db');
  const url = `sqlite:${file}`;
  await prepareStore(url, [], () => ({ environment: 'production', pepperCheck: 'of this test' }));
  await (await openAdmin(url, { pepper: () => TEST_PEPPER })).close();
  const engine = SqliteAdminEngine.open(file);
  t.after(() => engine.close());
  const part = Buffer.alloc(PART_BYTES, 'x');
  // Writes nothing: the table is empty.
  const store = () => engine.run('DELETE FROM import_parts WHERE content = $1', [part]);
  await store();
  const before = process.memoryUsage.rss();
  for (let i = 0; i < PARTS; i += 1) await store();
  const grown = process.memoryUsage.rss() - before;
  t.diagnostic(`${Math.round(grown / 1e6)} MB more after ${PARTS} MB`);
  assert.ok(grown < MAX_GROWTH_BYTES, `${grown} bytes more`);
});
