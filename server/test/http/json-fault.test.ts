import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonFault } from '../../src/http/request/json-fault.ts';
import { startApp } from '../support/harness.ts';

for (const [text, fault] of [
  ["{'quantity': 5}", 'there must be a name in double quotes or } at line 1, column 2'],
  ['{"quantity": 5,}', 'there must be a name in double quotes at line 1, column 16'],
  ['{"quantity":', 'there must be a value at line 1, column 13'],
  ['{"quantity" 5}', 'there must be a colon at line 1, column 13'],
  ['{\r\n  "quantity": 5\r\n  "dryRun": true\r\n}', 'there must be a comma or } at line 3, column 3'],
  ['{"quantity": 5', 'there must be a comma or } at line 1, column 15'],
  ['[', 'there must be a value or ] at line 1, column 2'],
  ['[1,]', 'there must be a value at line 1, column 4'],
  ['[1 2]', 'there must be a comma or ] at line 1, column 4'],
  ['{"quantity": 05}', 'there must be a comma or } at line 1, column 15'],
  ['{"quantity": None}', 'there must be a value at line 1, column 14'],
  ['{"note": "two\nlines"}', 'there must be an escape such as \\n at line 1, column 14'],
  ['{"note": "\\x41"}', 'there must be an escape such as \\n at line 1, column 11'],
  ['{"note": "open}', 'there must be a double quote at line 1, column 16'],
  ['{"quantity": 5}}', 'there must be the end of the body at line 1, column 16'],
  ['\u00a05', 'there must be a value at line 1, column 1'],
] as const) {
  test(`${JSON.stringify(text)}: ${fault}`, () => assert.equal(jsonFault(text), fault));
}

const part = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '"a"', '\\', '\\"', '\\u00e9', '\\u00g9', '\u0000', '\u{1f415}'],
  ...[
    '0',
    '-',
    '-1',
    '.5',
    '1.5e',
    '+3',
    'e-7',
    'true',
    'nul',
    'null',
    ' ',
    '\t',
    '\n',
    '\r',
    '\f',
    '\ufeff',
  ],
);
const nearlyJson = fc
  .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(2), fc.array(part, { maxLength: 2 }))
  .map(([text, place, removed, parts]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + parts.join('') + text.slice(at + removed);
  });
const texts = fc.oneof(
  nearlyJson,
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('a text has a fault if JSON.parse refuses it', () => {
  fc.assert(
    fc.property(texts, (text) => assert.equal(jsonFault(text) === undefined, isJson(text))),
    { numRuns: 5_000 },
  );
});

test('the place of a fault is where it is, or where its word or escape begins', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (text, place) => {
      const at = place % text.length;
      const fault = jsonFault(`${text.slice(0, at)}\u0000${text.slice(at)}`);
      const column = Number(/ at line 1, column (\d+)$/.exec(String(fault))?.[1]);
      assert.match(text.slice(column - 1, at), /^(?:[-+.\w]*|\\\w*)$/);
    }),
    { numRuns: 1_000 },
  );
});

test('a body that is not JSON is refused with the place of its fault, without its text', async (t) => {
  const app = await startApp(t);
  const answer = await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity": secret}' });
  assert.deepEqual(
    [answer.status, answer.code, answer.json],
    [
      400,
      'malformed_json',
      {
        code: 'malformed_json',
        message: 'The body is not valid JSON: there must be a value at line 1, column 14.',
        status: 400,
      },
    ],
  );
});
