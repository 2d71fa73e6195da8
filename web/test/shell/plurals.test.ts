import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { de } from '../../src/texts/de.ts';
import { en } from '../../src/texts/en.ts';
import { createFormat } from '../../src/texts/format.ts';

test('a text that counts has the plural and the number of its language', () => {
  const inEnglish = createFormat('en-GB', 'now');
  assert.equal(en.shared.pets(inEnglish.count(1)), '1 pet');
  assert.equal(en.shared.pets(inEnglish.count(0)), '0 pets');
  assert.equal(en.shared.pets(inEnglish.count(1_204)), '1,204 pets');
  assert.equal(de.shared.pets(createFormat('de', 'jetzt').count(1_204)), '1.204 Tiere');
  // French counts zero as one.
  assert.equal(createFormat('fr', 'maintenant').count(0).isOne, true);
});

test('no page decides about a plural', () => {
  const pages = new URL('../../src/pages/', import.meta.url);
  const deciding = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      /quantity\([^;]*?\), [\w.]+ === 1\)/.test(readFileSync(new URL(name, pages), 'utf8')),
  );
  assert.deepEqual(deciding, []);
});
