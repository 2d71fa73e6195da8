import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/harness.ts';
import {
  DOCUMENTS,
  type DocumentedOperation,
  operationsIn,
  samplePath,
  validatorIn,
} from '../../support/openapi-document.ts';
import { petRow } from '../../support/pet-rows.ts';
import { bodySlots, exampleBody, maxBodyBytes } from './body-slots.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** Time passes, because management keys have limits per minute. */
const STEP_MS = 1_001;
const DEEP = 1_000;

/** JSON values in place of any member or of the body. None is a number that a double changes. */
const VALUES = [
  ...[
    'null',
    'true',
    '""',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '{"":""}',
    '-1',
    '0',
    '0.5',
    '1e21',
    '-9007199254740991',
  ],
  ...['"__proto__"', '{"__proto__":{"url":"x"}}', '"2026-02-30T00:00:00Z"', '"-0"', '[1,1]', '["x","x"]'],
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  `"${'x'.repeat(5_000)}"`,
];
/** Numbers that no member may have, although a double of one may fit. */
const NEVER = ['1e400', '-1e400', '0.99999999999999999999', '1e-400', '99999999999999999999', '1e999999999'];

/** No schema leaves its rule to the defaults of the library. */
const WORDS_OF_ZOD = /"message":"[^"]*(?:Invalid |expected |Unrecognized |Too (?:big|small)|another form)/;

function validatorOfBody({ document, method, path, operation }: DocumentedOperation) {
  const [type = ''] = Object.keys(operation.requestBody?.content ?? {});
  return validatorIn(document, 'paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema');
}

/** The example of a body, each member also before it with a value that no member has. */
function withDuplicates(example: object): string {
  const members = Object.entries(example).map(([name, value]) => [
    JSON.stringify(name),
    JSON.stringify(value),
  ]);
  return `{${[...members.map(([name]) => `${name}:{"x":[0.5]}`), ...members.map((one) => one.join(':'))].join()}}`;
}

for (const { name, base, document } of DOCUMENTS) {
  test(`each member of each body of ${name} has a value of its schema, or is refused`, async (t) => {
    if (isSkippedDaily(t)) return;
    const app = await startApp(t, { pets: [petRow(1n, 5), petRow(7n, 14)] });
    const { key } = base === '/v1' ? app : await app.makeAdminKey('administrator');
    // The rows of an import are not the schema's to judge.
    const operations = operationsIn(document).filter(
      ({ operation }) => operation.requestBody && operation.operationId !== 'createImport',
    );
    assert.ok(operations.length > 10, `${operations.length} operations`);
    for (const documented of operations) {
      const { method, path, operation } = documented;
      const validate = validatorOfBody(documented);
      const send = async (body: string) => {
        app.clock.nowMs += STEP_MS;
        const answer = await app.request(method, samplePath(path, base), { key, body });
        const what = `${operation.operationId} ${body.slice(0, 300)}: ${answer.text.slice(0, 300)}`;
        assert.doesNotMatch(answer.text, WORDS_OF_ZOD, what);
        return { ...answer, what };
      };
      const example: Readonly<Record<string, unknown>> = { ...exampleBody(documented) };
      for (const member of Object.keys(example)) {
        await send(JSON.stringify({ ...example, [member]: undefined }));
        for (const value of [[{}], [1], [[1]]]) await send(JSON.stringify({ ...example, [member]: value }));
      }
      for (const { place, isJson, withBody } of bodySlots(documented)) {
        if (!isJson || place.startsWith('rows')) continue;
        for (const value of [...VALUES, ...NEVER]) {
          const body = withBody(value);
          const { status, code, what } = await send(body);
          const isValid = !NEVER.includes(value) && validate(JSON.parse(body));
          if (isValid) assert.ok(status < 500 && code !== 'malformed_json', what);
          else assert.deepEqual([status, code], [400, 'validation_failed'], what);
        }
      }
      const [plain, doubled] = [
        JSON.stringify(exampleBody(documented)),
        withDuplicates(exampleBody(documented)),
      ];
      const first = await send(plain);
      assert.notEqual(first.code, 'validation_failed', first.what);
      const second = await send(doubled);
      assert.notEqual(second.code, 'validation_failed', `the last member counts: ${second.what}`);
      const large = await send(`{"x":"${'x'.repeat(maxBodyBytes(operation))}"}`);
      assert.equal(large.status, 413, large.what);
      const truncated = await send(plain.slice(0, -1));
      assert.equal(truncated.code, 'malformed_json', truncated.what);
    }
    assert.deepEqual((await app.admin.verify()).faults, []);
  });
}
