import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../server/test/postgres/support/postgres-server.ts';
import { run, temporaryFolder } from '../../server/test/support/command-line.ts';
import { startUntil } from '../../server/test/support/launched-process.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { assertReleaseWorks, idleMegabytes } from './released.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD = join(ROOT, 'server/scripts/build-executable.ts');
/** Bun alone is 100 MB. */
const MAX_BYTES = 130_000_000;
/** 15 % more than what was measured. */
const MAX_IDLE_MEGABYTES = 102;
/** What Bun reads in the folder where it starts: a module to run first, and variables. */
const FILES_OF_OTHERS = {
  'bunfig.toml': 'preload = ["./other.js"]',
  'other.js': 'process.stdout.write("code of another program");',
  '.env': 'PETSTORE_UNKNOWN=refused',
};

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
  for (const [name, text] of Object.entries(FILES_OF_OTHERS)) writeFileSync(join(folder, name), text);
  await assertReleaseWorks(t, { binary, words: [], folder });
  const data = /^(?:copy\.db|pets\.csv|petstore\.db(?:-reserve|-serving|-shm|-wal|\.pepper)?)$/;
  assert.deepEqual(
    readdirSync(folder).filter((name) => !data.test(name)),
    Object.keys(FILES_OF_OTHERS).toSorted(),
  );
  const idle = await idleMegabytes(t, { binary, words: [], folder });
  t.diagnostic(`${idle} MB of memory when idle`);
  assert.ok((idle ?? 0) < MAX_IDLE_MEGABYTES, `${idle} MB`);
  await assertCommandWorks(t, binary, folder);

  const postgres = await startPostgres(t);
  const database = await postgres.createDatabase();
  await assertReleaseWorks(t, { binary, words: [], folder: temporaryFolder(t), database });
});

test('Ctrl-C in a build leaves nothing of it', async (t) => {
  const [folder, temporary] = [temporaryFolder(t), temporaryFolder(t)];
  const build = spawn(process.execPath, [BUILD, '--outfile', join(folder, 'petstore-server')], {
    cwd: folder,
    env: { ...machineEnvironment(), TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends the signal to the whole group.
    detached: true,
  });
  let output = '';
  const compiles = new Promise<void>((resolve) => {
    for (const stream of [build.stdout, build.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('modules')) resolve();
      });
  });
  const exited = once(build, 'exit');
  await Promise.race([compiles, exited]);
  process.kill(-(build.pid as number), 'SIGINT');
  const [code] = await exited;
  assert.notEqual(code, 0, output);
  assert.deepEqual([readdirSync(folder), readdirSync(temporary)], [[], []]);
});

/** A start on a database with keys prints a command for another key: of this program, because npx has none. */
async function assertCommandWorks(t: TestContext, binary: string, folder: string): Promise<void> {
  const isOpen = (text: string) => text.includes('Ctrl-C');
  const { text, stop } = await startUntil(t, folder, ['start'], isOpen, {}, [binary]);
  const [, command] = /^ {2}(PETSTORE_DATABASE=.* keys create --account shop)$/m.exec(text) ?? [];
  assert.ok(command, text);
  const { code, stdout, stderr } = await run('sh', ['-c', command], temporaryFolder(t), machineEnvironment());
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /psk_live_\w{38}/);
  assert.equal(await stop(), 0);
}
