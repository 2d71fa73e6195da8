import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limitRefusal } from '../../src/http/request/json-limits.ts';
import { cpuMsOf } from '../fuzz/hostile/cpu-time.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const BATCH = '/v1/inventory/batch';
const ROWS_RULE = 'changes must be an array of 1 to 1000 changes.';
const VALUES_RULE = 'The body has more than 11005 values.';

function changes(rows: number, row: string): string {
  return `{"changes":[${Array<string>(rows).fill(row).join()}]}`;
}

/** The largest batch that is valid, by rows and by bytes. */
const VALID = changes(
  1_000,
  `{"petId":1,"delta":1,"reason":"other","note":"${'x'.repeat(850)}","referenceId":"a","referenceDocumentUri":"urn:x:y","occurredAt":"2026-07-01T12:00:00Z","ifMatch":"*"}`,
);

/** Bodies of nearly 1 MiB that no batch can be, and the rule that each breaks. */
const TOO_MUCH: readonly (readonly [string, string, string])[] = [
  ['349,000 empty rows', changes(349_000, '{}'), ROWS_RULE],
  ['1,001 rows', changes(1_001, '{"petId":1,"quantity":1}'), ROWS_RULE],
  ['half a million numbers', changes(500_000, '1'), ROWS_RULE],
  ['a nesting of 500,000 arrays', `{"changes":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, VALUES_RULE],
  ['a nesting that is never closed', `{"changes":${'['.repeat(1_000_000)}`, VALUES_RULE],
  ['a row of 170,000 members', changes(1, `{${Array(170_000).fill('"a":1').join()}}`), VALUES_RULE],
  ['a body of 170,000 members', `{${Array(170_000).fill('"a":1').join()}}`, VALUES_RULE],
];

test('a body that can be no batch is refused for less than a valid batch of its size costs', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: [petRow(1n)] });
  const send = (body: string) => app.request('POST', BATCH, { body });
  const valid = await cpuMsOf(async () => assert.equal((await send(VALID)).status, 200), 4);
  for (const [name, body, rule] of TOO_MUCH) {
    const refused = async () => {
      const { status, code, text } = await send(body);
      assert.deepEqual([status, code], [400, 'validation_failed'], name);
      assert.ok(text.includes(rule), `${name}: ${text}`);
    };
    // It takes a tenth of it; the collector of a process with other files takes more now and then.
    let cpuMs = await cpuMsOf(refused);
    for (let i = 0; i < 20 && cpuMs > valid; i += 1) cpuMs = await cpuMsOf(refused, 1);
    assert.ok(cpuMs <= valid, `${name}: ${cpuMs} ms of CPU, a valid batch ${valid} ms`);
  }
});

test('a batch of 1,000 rows with every member is within the limits, and quotes hide no structure', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const note = `"${'[{,'.repeat(250)}\\"\\\\"`;
  const row = `{"petId":1,"delta":1,"reason":"other","note":${note},"referenceId":"a","referenceDocumentUri":null,"occurredAt":null,"ifMatch":"*"}`;
  const { status, text } = await app.request('POST', BATCH, { body: changes(1_000, row) });
  assert.equal(status, 200, text.slice(0, 200));
});

test('counts of values and elements are those of the value that the text means', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (json, isMember) => {
      const text = isMember ? `{"a":${json}}` : json;
      const value: unknown = JSON.parse(text);
      const values = countOf(value);
      const elements = Math.max(1, ...membersOf(value).map((one) => (Array.isArray(one) ? one.length : 0)));
      const limits = { values, elements, elementsRule: 'too many elements' };
      assert.equal(limitRefusal(text, limits), undefined, text);
      if (elements > 1) {
        assert.equal(limitRefusal(text, { ...limits, elements: elements - 1 }), 'too many elements', text);
      }
      const fewer = { ...limits, values: values - 1 };
      assert.equal(limitRefusal(text, fewer), `The body has more than ${values - 1} values.`, text);
    }),
  );
});

function membersOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** All values in a value; an empty container counts as if something were in it. */
function countOf(value: unknown): number {
  return 1 + membersOf(value).reduce((sum: number, one) => sum + countOf(one), 0) + (isEmpty(value) ? 1 : 0);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && membersOf(value).length === 0;
}
