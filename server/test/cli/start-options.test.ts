import assert from 'node:assert/strict';
import { test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts';
import { run, environmentOf, temporaryFolder } from '../support/command-line.ts';
import { LAUNCHER, startUntil } from '../support/launched-process.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

/** Writes the options of V8 that a process sets to its output. */
const SHOWN_OPTIONS = `data:text/javascript,${encodeURIComponent(
  "import v8 from 'node:v8'; const set = v8.setFlagsFromString; v8.setFlagsFromString = (flag) => { console.log(flag); set(flag); };",
)}`;
const WORDS = ['--import', SHOWN_OPTIONS, LAUNCHER] as const;

test('until the service listens the young generation of the heap stays small, and no code is optimized', async (t) => {
  if (isSkippedOnBun(t, 'options of V8')) return;
  const folder = temporaryFolder(t);
  const isOpen = (text: string) => text.includes('"msg":"listening"');
  const extra = { PETSTORE_LOG_LEVEL: 'info' };
  const { text } = await startUntil(t, folder, ['serve'], isOpen, extra, [process.execPath, ...WORDS]);
  assert.deepEqual(text.match(/^--\S+|"msg":"listening"/gm), [
    ...['--semi-space-growth-factor=1', '--no-opt', '--no-maglev', '--no-sparkplug'],
    ...['--opt', '--maglev', '--sparkplug'],
    '"msg":"listening"',
  ]);
});

test('a start logs its release, and once what it changed of the schema', async (t) => {
  const folder = temporaryFolder(t);
  const linesOf = async () => {
    const isOpen = (output: string) => /"listening".*\n$/.test(output);
    const { text, stop } = await startUntil(t, folder, ['serve'], isOpen, { PETSTORE_LOG_LEVEL: 'info' });
    assert.equal(await stop(), 0);
    const lines = text.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as { msg: string; version?: string; migrations?: string[] });
  };
  const [changed, listening] = await linesOf();
  assert.deepEqual([changed?.msg, changed?.version], ['schema changed', packageJson.version]);
  assert.deepEqual(
    changed?.migrations,
    MIGRATIONS.map(({ name }) => name),
  );
  assert.deepEqual([listening?.msg, listening?.version], ['listening', packageJson.version]);
  const [again] = await linesOf();
  assert.equal(again?.msg, 'listening');
});

test('a command takes the memory that makes it fast', async (t) => {
  const folder = temporaryFolder(t);
  const { code, stdout } = await run(
    process.execPath,
    [...WORDS, '--version'],
    folder,
    environmentOf(folder),
  );
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /--/);
});
