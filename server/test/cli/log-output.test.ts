import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { LogOutput } from '../../src/cli/log-output.ts';
import { freePort } from '../postgres/support/free-port.ts';
import { MAIN } from '../support/bundle/service-program.ts';
import { commandLine, environmentOf, json, temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const FULL = '/dev/full';
const skip = !existsSync(FULL) && 'this machine has no full disk';

/** Starts a command whose standard output is a full disk. */
async function onFullDisk(t: TestContext, words: readonly string[], port = 0) {
  const folder = temporaryFolder(t);
  await json(commandLine(folder), 'migrate');
  const full = openSync(FULL, 'w');
  const env = environmentOf(folder, { PORT: String(port), PETSTORE_LOG_LEVEL: 'debug' });
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  t.after(() => child.kill('SIGKILL'));
  assert.ok(child.stderr);
  return { child, stderr: text(child.stderr), ended: once(child, 'exit') };
}

test('a service whose log cannot be written serves, and stops on a signal', { skip }, async (t) => {
  if (isSkippedDaily(t)) return;
  const port = await freePort();
  const { child, stderr, ended } = await onFullDisk(t, ['serve'], port);
  const isReady = async () => {
    assert.equal(child.exitCode, null);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status === 200;
  };
  await until(isReady, 'the service');
  // After its line in the log.
  assert.ok(await isReady());
  child.kill('SIGTERM');
  assert.deepEqual([await ended, await stderr], [[0, null], '']);
});

test('a command whose output cannot be written fails with a sentence', { skip }, async (t) => {
  const { stderr, ended } = await onFullDisk(t, ['openapi']);
  assert.deepEqual(await ended, [1, null]);
  assert.match(await stderr, /^error: Standard output cannot be written \(ENOSPC: [^\n]+\)\.\n$/);
});

/** A pipe that does not block, with a reader that reads when it is asked. */
function openPipe(t: TestContext) {
  const path = join(temporaryFolder(t), 'pipe');
  execFileSync('mkfifo', [path]);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const reader = openReader();
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => closeSync(writer));
  const buffer = Buffer.alloc(1_000_000);
  const read = (descriptor: number) => {
    try {
      return buffer.toString('latin1', 0, readSync(descriptor, buffer));
    } catch {
      return '';
    }
  };
  return { reader, writer, openReader, read };
}

test('lines wait for a slow reader, up to a limit, and stay whole', { skip }, async (t) => {
  const { reader, writer, read } = openPipe(t);
  t.after(() => closeSync(reader));
  const output = new LogOutput(writer);
  const line = (i: number) => `${String(i).padStart(6, '0')}${'x'.repeat(993)}\n`;
  let count = 0;
  for (; count < 3_000; count += 1) output.write(line(count));
  let all = read(reader);
  // The pipe takes the begin of the lines that waited.
  await until(() => {
    const piece = read(reader);
    all += piece;
    return piece !== '';
  }, 'the next attempt');
  for (; count < 9_000; count += 1) output.write(line(count));
  const readTo = (isEnough: () => boolean, what: string) =>
    until(() => {
      all += read(reader);
      return isEnough();
    }, what);
  await readTo(() => all.length > 2_000_000, 'lines that waited');
  output.write('last\n');
  await readTo(() => all.endsWith('last\n'), 'the last line');
  const kept = (all.length - 'last\n'.length) / 1_000;
  assert.ok(kept > 3_990 && kept < 4_400, `${kept} lines`);
  const lines = Array.from({ length: kept }, (_, i) => line(i)).join('');
  assert.ok(all === `${lines}last\n`, 'whole lines in their order');
  output.write('next\n');
  assert.equal(read(reader), 'next\n', 'it is written immediately again');
});

test('a line whose end was lost does not join the next one', { skip }, async (t) => {
  const { reader, writer, openReader, read } = openPipe(t);
  const output = new LogOutput(writer);
  output.write(`${'x'.repeat(100_000)}\n`);
  closeSync(reader);
  // It takes lines again when it has found that nobody reads.
  let text = '';
  await until(() => {
    const next = openReader();
    output.write('next\n');
    text += read(next);
    closeSync(next);
    return text.includes('next');
  }, 'the next line');
  assert.match(text, /^x+\nnext\n/);
});
