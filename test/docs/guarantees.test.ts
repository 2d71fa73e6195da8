import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/guarantees.md', ROOT), 'utf8');
const TEST_FILE = /`((?:server|client|web|test)\/[\w./-]+\.ts)`/g;

/** The rows of promises and of runs, in all tables. */
const PROMISES = PAGE.split('\n').filter((line) => /^\| (?!promise|test|---)/.test(line));

test('every promise names a test, and every named test exists', () => {
  assert.ok(PROMISES.length > 30);
  for (const promise of PROMISES) assert.match(promise, /\.(?:test|long)\.ts` /);
  const files = [...PAGE.matchAll(TEST_FILE)].map(([, file]) => file as string);
  const missing = files.filter((file) => !existsSync(new URL(file, ROOT)));
  assert.deepEqual(missing, []);
});
