import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CommandLine, commandLine, temporaryFolder } from '../support/command-line.ts';

const BEFORE = 'of the run before\n';

/** A shop with a pet, and a file of one good and one bad row. */
async function shopWithFile(t: TestContext): Promise<{ folder: string; cli: CommandLine }> {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  assert.equal((await cli('migrate')).code, 0);
  writeFileSync(join(folder, 'pets.csv'), 'petId,quantity\n1,2\nx,3\n');
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
