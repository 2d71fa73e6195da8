import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sameContents } from '../src/process/release-files.ts';
import { temporaryFolder } from './support/command-line.ts';

const REPLACED = { code: 'service_unavailable', message: /replaced by another release; restart it/ };

test('a file that another release has replaced or removed is found, and its return too', (t) => {
  const file = join(temporaryFolder(t), 'main.js');
  writeFileSync(file, 'import "./part-1.js";');
  const check = sameContents(pathToFileURL(file));
  check();
  writeFileSync(file, 'import "./part-2.js";');
  assert.throws(check, REPLACED);
  rmSync(file);
  assert.throws(check, REPLACED);
  writeFileSync(file, 'import "./part-1.js";');
  check();
});

test('without a file at the start, as in a checkout, nothing is checked', (t) => {
  const file = join(temporaryFolder(t), 'main.js');
  const check = sameContents(pathToFileURL(file));
  writeFileSync(file, 'import "./part-1.js";');
  assert.doesNotThrow(check);
});
