import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseName } from '../../../src/cli/parse-name.ts';
import { startApp } from '../../support/harness.ts';
import { DOCUMENT, operationsIn, samplePath } from '../../support/openapi-document.ts';
import { petRow } from '../../support/pet-rows.ts';
import { bodySlots } from './body-slots.ts';

/** Text that a database cannot hold, or returns changed. */
const UNSTORABLE = ['\ud800', 'a\udc00', '\udfff\ud800', 'urn:x:\ud83d', 'a\0b', '\0', 'urn:x:\0'];

test('every member of every body refuses text that no database can hold', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5), petRow(7n, 14)] });
  let places = 0;
  for (const { method, path, operation } of operationsIn(DOCUMENT)) {
    const target = samplePath(path);
    for (const { place, isJson, withBody } of bodySlots(operation)) {
      if (isJson || place.startsWith('rows')) continue;
      places += 1;
      for (const text of UNSTORABLE) {
        const { status, code } = await app.request(method, target, { body: withBody(text) });
        const what = `${operation.operationId}, ${place}, ${JSON.stringify(text)}`;
        assert.deepEqual([status, code], [400, 'validation_failed'], what);
      }
    }
  }
  assert.ok(places > 30, `${places} places`);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('a name on the command line refuses text that no database can hold', () => {
  for (const text of UNSTORABLE) assert.throws(() => parseName(text), /Give 1 to 100 characters/);
});
