import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../postgres/support/postgres-server.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { assertReleaseWorks } from './released.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUILD = join(ROOT, 'server/scripts/build-executable.ts');
/** Bun alone is 100 MB. */
const MAX_BYTES = 130_000_000;

test('the single-file executable runs the whole service in an empty folder, leaves only data there, and serves PostgreSQL too', async (t) => {
  const built = temporaryFolder(t);
  const binary = join(built, 'petstore-server');
  execFileSync(process.execPath, [BUILD, '--outfile', binary], { cwd: ROOT, stdio: 'pipe' });
  assert.deepEqual(readdirSync(built), ['petstore-server']);
  const { size } = statSync(binary);
  t.diagnostic(`${Math.round(size / 1e6)} MB`);
  assert.ok(size < MAX_BYTES, `${size} bytes`);

  const folder = join(temporaryFolder(t), 'empty');
  mkdirSync(folder);
  await assertReleaseWorks(t, { binary, words: [], folder });
  const data = /^(?:copy\.db|pets\.csv|petstore\.db(?:-serving|-shm|-wal|\.pepper)?)$/;
  assert.deepEqual(
    readdirSync(folder).filter((name) => !data.test(name)),
    [],
  );

  const postgres = await startPostgres(t);
  const database = await postgres.createDatabase();
  await assertReleaseWorks(t, { binary, words: [], folder: temporaryFolder(t), database });
});
