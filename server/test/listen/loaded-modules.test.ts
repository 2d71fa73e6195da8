import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, temporaryFolder } from '../support/command-line.ts';
import { machineEnvironment } from '../support/machine-environment.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

const SOURCE = new URL('../../src/', import.meta.url).href;
/** Node's own modules for `fetch` and for TLS. */
const UNUSED = /undici|_tls_wrap/;

test('the listener and the delivery of webhooks load neither fetch nor TLS, which take 60 ms of a start', async (t) => {
  if (isSkippedOnBun(t, 'a list of loaded modules')) return;
  const program = `await import('${SOURCE}listen/node.ts');
await import('${SOURCE}webhooks/delivery/http-delivery.ts');
process.stdout.write(JSON.stringify(process.moduleLoadList));`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await run(process.execPath, words, temporaryFolder(t), machineEnvironment());
  const loaded = JSON.parse(stdout) as string[];
  assert.ok(loaded.some((name) => name.endsWith('_http_server')));
  assert.deepEqual(
    loaded.filter((name) => UNUSED.test(name)),
    [],
  );
});
