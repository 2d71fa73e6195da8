import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from './support/command-line.ts';
import { globalSetup, globalTeardown } from './support/global-setup.ts';
import { RUN_LONG_TESTS } from './support/long-test.ts';
import { ROOT } from './support/runner/test-folders.ts';

const BUN = join(ROOT, 'node_modules/.bin/bun');
const TEST_TIMEOUT_MS = 240_000;
/** Beginnings of paths. */
const CHOSEN = process.argv.slice(2);
/** Except those of pages and of the tests themselves. */
const FILES = globSync('{server/test,client/test,test}/**/*.test.ts', { cwd: ROOT })
  .filter((file) => !/^server\/test\/(?:mutate|support)\//.test(file))
  .filter((file) => CHOSEN.length === 0 || CHOSEN.some((path) => file.startsWith(path)))
  .toSorted();

before(globalSetup);
after(globalTeardown);

/** Each file has its own process, because some choose an engine for theirs. They start the service on Bun, too. */
for (const file of FILES) {
  test(`${file} on Bun`, async (t) => {
    const words = ['test', '--timeout', String(TEST_TIMEOUT_MS), `./${file}`];
    const { code, stdout, stderr } = await run(BUN, words, ROOT, { ...process.env, [RUN_LONG_TESTS]: '1' });
    assert.equal(code, 0, stdout + stderr);
    const [passed = 0, skipped = 0] = ['pass', 'skip'].map((word) =>
      Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(stderr)?.[1] ?? 0),
    );
    assert.ok(passed + skipped > 0, stderr);
    t.diagnostic(`${passed} passed, ${skipped} skipped`);
  });
}
