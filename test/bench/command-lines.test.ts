import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../server/test/support/command-line.ts';
import { isSkippedOnBun } from '../../server/test/support/long-test.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAIRS = 'bench/src/pairs/main.ts';
const MUTATE = 'server/test/mutate/main.ts';
const TESTS = 'server/test/support/runner/main.ts';

/** Command lines that would do nothing and end with 0, or would leave rows out of a page. */
const REFUSED: readonly (readonly [words: string, message: RegExp])[] = [
  [`${PAIRS} --engine sqlite`, /^--engine takes SQLite or PostgreSQL\.$/m],
  [`${PAIRS} --rounds 0`, /^--rounds takes a number of 1 or more\.$/m],
  [`${PAIRS} --seconds two`, /^--seconds takes a number from 0\.2 to 60\.$/m],
  [`${PAIRS} --write --only imports`, /^--write replaces all tables of the page/m],
  ['web/test/screenshots/main.ts stokc', /No page is called "stokc"; give one of .*stock/],
  [`${MUTATE} --jobs two --only limits`, /--jobs is a number of 1 or more\./],
  [`${TESTS} web/tests`, /^There are no tests in web\/tests\. Paths begin at the root/],
  [`${MUTATE} --jobs 0 --only limits`, /--jobs is a number of 1 or more\./],
];

test('a tool refuses to measure, to break or to show nothing', async (t) => {
  if (isSkippedOnBun(t, 'tools of the repository run on Node')) return;
  const runs = REFUSED.map(async ([words, message]) => {
    const { code, stdout, stderr } = await run(
      process.execPath,
      words.split(' '),
      ROOT,
      machineEnvironment(),
    );
    assert.deepEqual([code === 0, stdout], [false, ''], words);
    assert.match(stderr, message, words);
  });
  await Promise.all(runs);
});

test('bench/README.md has each measurement', async () => {
  const { stdout } = await run(process.execPath, ['bench/src/main.ts', '--help'], ROOT, machineEnvironment());
  const [, names = ''] = /--only NAME .*?: (.*);$/m.exec(stdout) ?? [];
  const page = readFileSync(`${ROOT}bench/README.md`, 'utf8');
  assert.match(names, /^list, .* postgres-size$/);
  assert.deepEqual(
    names.split(', ').filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});
