import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseName } from '../../../src/cli/options.ts';
import { startApp } from '../../support/harness.ts';
import { DOCUMENTS, operationsIn, samplePath } from '../../support/openapi-document.ts';
import { petRow } from '../../support/pet-rows.ts';
import { bodySlots } from './body-slots.ts';

/** Text that a database cannot hold, or returns changed. */
const UNSTORABLE = ['\ud800', 'a\udc00', '\udfff\ud800', 'urn:x:\ud83d', 'a\0b', '\0', 'urn:x:\0'];
/** Time passes, because management keys have limits per minute: 60 for requests that read much. */
const STEP_MS = 1_000;

for (const { name, base, document } of DOCUMENTS) {
  test(`every member of every body of ${name} refuses text that no database can hold`, async (t) => {
    const app = await startApp(t, { pets: [petRow(1n, 5), petRow(7n, 14)] });
    const { key } = base === '/v1' ? app : await app.makeAdminKey('administrator');
    let places = 0;
    for (const documented of operationsIn(document)) {
      const { method, path, operation } = documented;
      for (const { place, isJson, withBody } of bodySlots(documented)) {
        if (isJson || place.startsWith('rows')) continue;
        places += 1;
        for (const text of UNSTORABLE) {
          app.clock.nowMs += STEP_MS;
          const answer = await app.request(method, samplePath(path, base), { key, body: withBody(text) });
          const what = `${operation.operationId}, ${place}, ${JSON.stringify(text)}: ${answer.text}`;
          assert.deepEqual([answer.status, answer.code], [400, 'validation_failed'], what);
        }
      }
    }
    assert.ok(places > 30, `${places} places`);
    assert.deepEqual((await app.admin.verify()).faults, []);
  });
}

test('a name on the command line refuses text that no database can hold', () => {
  for (const text of UNSTORABLE)
    assert.throws(() => parseName(text), /It has (?:the control|half a) character /);
});
