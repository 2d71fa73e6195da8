import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeWholeFile } from '@petstore-inventory/shared/terminal/whole-file';
import { MAIN } from '../support/bundle/service-program.ts';
import { type CommandLine, commandLine, environmentOf, temporaryFolder } from '../support/command-line.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

const FILE = 'petId,quantity\n1,2\nx,3\n';
const BEFORE = 'of the run before\n';

/** A shop with a pet, and a file of one good and one bad row. */
async function shopWithFile(t: TestContext): Promise<{ folder: string; cli: CommandLine }> {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  assert.equal((await cli('migrate')).code, 0);
  writeFileSync(join(folder, 'pets.csv'), FILE);
  return { folder, cli };
}

/** Commands that write a file, each to the same name. */
const WRITERS: readonly (readonly string[])[] = [
  ['openapi', '--output', 'target'],
  ['pets', 'import', 'pets.csv', '--good-rows', '--bad-rows', 'target'],
  ['pets', 'export', 'target'],
  ['report', 'stock', 'target'],
];

test('a written file replaces the one before only when it is complete', async (t) => {
  const { folder, cli } = await shopWithFile(t);
  const target = join(folder, 'target');
  for (const [i, words] of WRITERS.entries()) {
    const kept = join(folder, `kept-${i}`);
    writeFileSync(kept, BEFORE);
    const { code, stderr } = await cli(...words.map((word) => (word === 'target' ? `new-${i}` : word)));
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    // A second name of the file shows whether its content was overwritten in its place.
    linkSync(kept, target);
    assert.equal((await cli(...words)).code, 0);
    assert.equal(readFileSync(kept, 'utf8'), BEFORE, words.join(' '));
    assert.equal(readFileSync(target, 'utf8').length, readFileSync(join(folder, `new-${i}`), 'utf8').length);
    const mode = words[0] === 'openapi' ? 0o666 & ~process.umask() : 0o600;
    assert.equal(statSync(target).mode & 0o777, mode, words.join(' '));
    rmSync(target);
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('a written file removes what killed processes left of it, and nothing else', (t) => {
  const folder = temporaryFolder(t);
  const target = join(folder, 'pets.csv');
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  assert.ok(ended);
  const leave = (name: string, minutes: number): string => {
    const path = join(folder, name);
    writeFileSync(path, 'a part');
    const at = new Date(statSync(path).mtimeMs - minutes * 60_000);
    utimesSync(path, at, at);
    return name;
  };
  leave(`pets.csv.petstore-${ended}.part`, 11);
  const kept = [
    // Of a process that may run on another machine, of one that runs here, of another file, and of a person.
    leave(`pets.csv.petstore-0${ended}.part`, 9),
    leave(`pets.csv.petstore-${ended + 1}.part`, 9),
    leave(`pets.csv.petstore-${process.ppid}.part`, 11),
    leave(`pets.csv.zip.petstore-${ended}.part`, 11),
    leave(`pets.csv.${ended}.part`, 11),
  ];
  const inTheWay = join(folder, `pets.csv.petstore-${2 ** 30}.part`);
  mkdirSync(inTheWay);
  utimesSync(inTheWay, new Date(0), new Date(0));
  writeWholeFile(target, [FILE]);
  assert.equal(readFileSync(target, 'utf8'), FILE);
  assert.deepEqual(
    readdirSync(folder).toSorted(),
    ['pets.csv', `pets.csv.petstore-${2 ** 30}.part`, ...kept].toSorted(),
  );
});

test('no written file replaces a database, a backup, a pepper, or the file that is imported', async (t) => {
  const { folder, cli } = await shopWithFile(t);
  writeFileSync(join(folder, 'shop.dump'), 'PGDMP and more');
  for (const name of ['petstore.db', 'petstore.db.pepper', 'shop.dump']) {
    const before = readFileSync(join(folder, name));
    for (const words of WRITERS) {
      const { code, stderr } = await cli(...words.map((word) => (word === 'target' ? name : word)));
      assert.deepEqual(
        [code, stderr],
        [1, `error: ${name} holds a shop; name another file.\n`],
        words.join(' '),
      );
      assert.deepEqual(readFileSync(join(folder, name)), before);
    }
  }
  const own = await cli('pets', 'import', 'pets.csv', '--good-rows', '--bad-rows', join(folder, 'pets.csv'));
  assert.equal(
    own.stderr,
    'error: --bad-rows names pets.csv itself; name another file. Nothing was imported.\n',
  );
  assert.equal(readFileSync(join(folder, 'pets.csv'), 'utf8'), FILE);
  assert.match((await cli('pets', 'list')).stdout, /no pets|No pets/);
});

test('the document of the interface goes to standard output too', async (t) => {
  const { folder, cli } = await shopWithFile(t);
  const { code, stdout } = await cli('openapi', '--output', '-');
  assert.deepEqual([code, Object.keys(JSON.parse(stdout))[0]], [0, 'openapi']);
  assert.ok(!readdirSync(folder).includes('-'));
});

test('a link stays a link, and a pipe a pipe', async (t) => {
  const { folder, cli } = await shopWithFile(t);
  const [link, linked, pipe] = ['link', 'linked', 'pipe'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(linked, BEFORE);
  symlinkSync(linked, link);
  assert.equal((await cli('pets', 'export', link)).code, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.match(readFileSync(linked, 'utf8'), /^petId,/);

  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => reader.kill());
  let received = '';
  reader.stdout.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const closed = once(reader, 'close');
  assert.equal((await cli('pets', 'export', pipe)).code, 0);
  assert.ok(lstatSync(pipe).isFIFO());
  await closed;
  assert.match(received, /^petId,/);
});

test(
  'a signal ends an export without a trace, and leaves the file of the run before',
  { skip: process.platform === 'win32' },
  async (t) => {
    if (isSkippedOnBun(t, 'calls of the file system are replaced before the start')) return;
    const folder = temporaryFolder(t);
    const cli = commandLine(folder);
    assert.equal((await cli('migrate')).code, 0);
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i},1`);
    writeFileSync(join(folder, 'pets.csv'), `petId,quantity\n${rows.join('\n')}\n`);
    assert.equal((await cli('pets', 'import', 'pets.csv')).code, 0);
    for (const words of [
      ['pets', 'export', 'target'],
      ['report', 'stock', '--by', 'pet', 'target'],
    ]) {
      writeFileSync(join(folder, 'target'), BEFORE);
      // A machine of any speed is in the middle of the export then.
      const preload = join(folder, 'signalled.cjs');
      writeFileSync(
        preload,
        `const fs = require('node:fs');
const { writeFileSync } = fs;
fs.writeFileSync = (file, ...rest) => {
  writeFileSync(file, ...rest);
  if (typeof file === 'number' && file > 2) {
    process.kill(process.pid, 'SIGTERM');
    // Until the next turn of the event loop is due.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  }
};
require('node:module').syncBuiltinESMExports();
`,
      );
      const child = spawn(process.execPath, ['--require', preload, MAIN, ...words], {
        cwd: folder,
        env: environmentOf(folder),
        stdio: 'ignore',
      });
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGTERM', words.join(' '));
      assert.equal(readFileSync(join(folder, 'target'), 'utf8'), BEFORE);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.endsWith('.part')),
        [],
      );
    }
  },
);

test('the name of a written file is durable: the folder is flushed after the rename', (t) => {
  if (isSkippedOnBun(t, 'calls of the file system are replaced') || process.platform === 'win32') return;
  const calls: string[] = [];
  const { fsyncSync, renameSync } = fs;
  t.after(() => {
    Object.assign(fs, { fsyncSync, renameSync });
    syncBuiltinESMExports();
  });
  fs.fsyncSync = (descriptor) => {
    calls.push(fstatSync(descriptor).isDirectory() ? 'flush of the folder' : 'flush of the file');
    fsyncSync(descriptor);
  };
  fs.renameSync = (...paths) => {
    calls.push('rename');
    renameSync(...paths);
  };
  syncBuiltinESMExports();
  writeWholeFile(join(temporaryFolder(t), 'pets.bad.csv'), ['petId\n']);
  assert.deepEqual(calls, ['flush of the file', 'rename', 'flush of the folder']);
});
