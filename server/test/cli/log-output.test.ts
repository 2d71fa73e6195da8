import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { freePort } from '../postgres/support/free-port.ts';
import { MAIN } from '../support/bundle/service-program.ts';
import { commandLine, environmentOf, json, temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';

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
