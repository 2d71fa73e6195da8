import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../support/command-line.ts';
import { RUN_LONG_TESTS } from '../support/long-test.ts';

const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
const SERVER = fileURLToPath(new URL('../..', import.meta.url));

/** Each folder or file has its own process; the files of PostgreSQL choose the engine of theirs. */
const TESTS = [
  ...['activity', 'admin', 'imports', 'management', 'pets', 'usage', 'webhook-endpoints'],
  ...['postgres/imports', 'postgres/pets', 'postgres/usage', 'postgres/webhooks'],
];

/** Sees an option of V8. */
const NODE_ONLY = '**/thread-memory.test.ts';

test('the tests of the management API and of webhook endpoints pass on Bun, on both engines', async (t) => {
  for (const path of TESTS) {
    const words = ['test', '--timeout', '240000', '--path-ignore-patterns', NODE_ONLY, `./test/${path}/`];
    const { code, stderr } = await run(BUN, words, SERVER, { ...process.env, [RUN_LONG_TESTS]: '1' });
    assert.equal(code, 0, `${path}:\n${stderr}`);
    const [, passed] = /(\d+) pass/.exec(stderr) ?? [];
    assert.ok(Number(passed) > 0, stderr);
    t.diagnostic(`${path}: ${passed} passed`);
  }
});
