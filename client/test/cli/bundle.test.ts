import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { machineEnvironment } from '../../../server/test/support/machine-environment.ts';
import type { Context } from '../../cli/context.ts';
import { buildProgram } from '../../cli/program.ts';
import { bundleOf } from './support/bundle.ts';
import { isSkippedDaily, isSkippedOnBun } from '../../../server/test/support/long-test.ts';

const MAX_COMPRESSED_BYTES = 94_000;
const README = fileURLToPath(new URL('../../README.md', import.meta.url));

/** Types a command line, presses Tab, and prints what bash would offer. */
const PRESS_TAB = `
source <(petstore completion bash)
COMP_WORDS=("$@")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_petstore
printf '%s\\n' "\${COMPREPLY[@]}"
`;

test('the bundle is small and needs no package; bash completes with it, and runs nothing of the line', async (t) => {
  if (isSkippedOnBun(t, 'another zlib')) return;
  if (isSkippedDaily(t)) return;
  const { file, text } = await bundleOf(t);
  const size = gzipSync(text).length;
  t.diagnostic(`${text.length} bytes, ${size} compressed`);
  assert.ok(size < MAX_COMPRESSED_BYTES, `${size} bytes`);
  const imported = [...text.matchAll(/(?:from|import|import\(|require\()\s*[`"']([\w@][\w@/.:-]*)[`"']/g)];
  const foreign = imported.map(([, name = '']) => name.replace(/^node:/, ''));
  assert.ok(foreign.length > 5);
  assert.deepEqual(
    foreign.filter((name) => !builtinModules.includes(name)),
    [],
  );

  // The Node of the machine, which may be older than that of this test.
  const folder = dirname(file);
  writeFileSync(join(folder, 'petstore'), `#!/bin/sh\nexec node "${file}" "$@"\n`);
  chmodSync(join(folder, 'petstore'), 0o755);
  const env = { ...machineEnvironment(), PATH: `${folder}${delimiter}${process.env.PATH}` };
  const complete = (...words: string[]) =>
    execFileSync('bash', ['--norc', '-c', PRESS_TAB, 'bash', 'petstore', ...words], { env, encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  assert.deepEqual(complete('orders', 'c'), ['cancel']);
  assert.deepEqual(complete('adjust', '42', '--reason', '=', 's'), ['shrinkage', 'sold']);
  const trap = join(folder, 'trap');
  complete(`$(touch ${trap})`, '`', '');
  assert.throws(() => readFileSync(trap), 'what is typed is not run');
});

test('a command line without requests loads no network, no cryptography and no reader of files', async (t) => {
  if (isSkippedOnBun(t, 'a list of loaded modules')) return;
  if (isSkippedDaily(t)) return;
  const { file } = await bundleOf(t);
  const report = 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")))';
  for (const word of ['--version', '--help']) {
    const words = ['--import', `data:text/javascript,${encodeURIComponent(report)}`, file, word];
    const { status, stderr } = spawnSync(process.execPath, words, {
      env: machineEnvironment(),
      encoding: 'utf8',
    });
    const loaded = stderr.split('\n');
    assert.equal(status, 0, stderr);
    assert.ok(loaded.includes('NativeModule fs'));
    const slow = ['http', 'https', 'crypto', 'tls', 'zlib', 'internal/deps/undici/undici'];
    assert.deepEqual(
      slow.filter((name) => loaded.includes(`NativeModule ${name}`)),
      [],
    );
  }
});

function leavesOf(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

test('every command takes --json, its help shows examples of itself, and the README lists it', () => {
  const context = { stdout: process.stdout, stderr: process.stderr, env: {} } as unknown as Context;
  const leaves = leavesOf(buildProgram(context));
  assert.equal(leaves.length, 24);
  for (const [path, command] of leaves) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    assert.match(help, new RegExp(`\nExamples?:\n  petstore ${path}(?: |\n)`), path);
    assert.match(help, /--json /, path);
  }
  const readme = readFileSync(README, 'utf8');
  const table = readme.split('| command | what it does |\n|---|---|\n')[1]?.split('\n\n')[0] ?? '';
  const listed = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  assert.deepEqual(listed.toSorted(), leaves.map(([path]) => path).toSorted());
});
