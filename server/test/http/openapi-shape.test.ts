import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { documentedBatchSchema, inventoryBatchSchema } from '../../src/http/writes/batch-inventory-schema.ts';
import { startApp } from '../support/harness.ts';
import {
  ADMIN_DOCUMENT,
  committedText,
  DOCUMENT,
  DOCUMENTS,
  operationsIn,
  resolved,
  type Schema,
} from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { update } from '../support/stock-requests.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Each of the eleven operations on webhook endpoints takes less than half of the average of the 24 others. */
const MAX_BYTES = 213_000;
/** The document of the management API takes no more per operation than that of clients may. */
const MAX_BYTES_PER_OPERATION = MAX_BYTES / operationsIn(DOCUMENT).length;

/** Strings that nothing limits, each with its reason. */
const FREE_STRINGS: readonly RegExp[] = [
  // Written by the audit, and partly by the database.
  /(?:LedgerAudit|VerificationReport)\/properties\/faults\/items$/,
  // The file of an import, in pieces.
  /^#\/paths\/~1imports\/post\/requestBody\//,
  // A stream does not end.
  /movements~1stream.*event-stream\/schema$/,
];

for (const { name: file, document } of DOCUMENTS) {
  test(`${file} stays small, and describes no component twice`, () => {
    const text = committedText(file);

    const bytes = Buffer.byteLength(text);
    const count = operationsIn(document).length + Object.keys(document.webhooks ?? {}).length;
    assert.ok(bytes <= MAX_BYTES_PER_OPERATION * count, `${bytes} bytes`);
    const { schemas, headers = {}, parameters = {}, responses = {} } = document.components;
    const kinds: Record<string, Record<string, object>> = { schemas, headers, parameters, responses };
    const described = new Map<string, string>();
    for (const [kind, parts] of Object.entries(kinds)) {
      for (const [name, part] of Object.entries(parts)) {
        const $ref = `#/components/${kind}/${name}`;
        const other = described.get(JSON.stringify(part));
        assert.equal(other, undefined, `${$ref} repeats ${other}`);
        described.set(JSON.stringify(part), $ref);
      }
    }
    for (const { place, value } of valuesIn(document)) {
      const $ref = described.get(JSON.stringify(value));
      assert.ok($ref === undefined || $ref === place, `${place} repeats ${$ref}`);
    }
  });

  test(`${file}: an operation is 406 for its media type, unless the query chooses that`, () => {
    for (const { operation } of operationsIn(document)) {
      const { operationId, responses } = operation;
      const [success] = Object.entries(responses).filter(([status]) => status < '300');
      const types = Object.keys(resolved(document, success?.[1] ?? {}).content ?? {});
      const documented = responses['406'];
      if (types.length > 1) {
        assert.equal(documented, undefined, operationId);
        continue;
      }
      const { description } = resolved(document, documented ?? {});
      const [type = 'application/json'] = types;
      assert.equal(description, `The client does not accept \`${type}\`.`, operationId);
    }
  });

  test(`${file}: no schema has the name that the Go generator gives to the constructor of another one`, () => {
    const names = new Set(Object.keys(document.components.schemas));
    for (const name of names) assert.ok(!names.has(`New${name}`), `New${name} is the constructor of ${name}`);
  });

  test(`${file}: no schema, parameter, response and security scheme share a name, because generators make a type of each and of the enum of a member`, () => {
    const { schemas, parameters = {}, responses = {}, securitySchemes = {} } = document.components;
    const enums = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { enum: values }]) => values !== undefined)
        .map(([member]) => `${name}${member}`.toLowerCase()),
    );
    const names = [schemas, parameters, responses, securitySchemes].flatMap((parts) =>
      Object.keys(parts).map((name) => name.toLowerCase()),
    );
    names.push(...enums);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
  });

  test(`${file}: a 304 has the headers of its 200 but that of the content (RFC 9110 section 15.4.5)`, () => {
    for (const { operation } of operationsIn(document)) {
      const { 200: found, 304: unchanged } = operation.responses;
      if (found === undefined || unchanged === undefined) continue;
      const known = ['Content-Disposition', ...Object.keys(unchanged.headers ?? {})];
      const missing = Object.keys(found.headers ?? {}).filter((name) => !known.includes(name));
      assert.deepEqual(missing, [], operation.operationId);
    }
  });

  test(`${file}: each text of a union is a component, because a client in Java reads a number as any other text`, () => {
    for (const { place, value } of valuesIn(document)) {
      for (const { enum: values } of (value as Schema).oneOf ?? []) assert.equal(values, undefined, place);
    }
  });

  test(`${file}: every integer has a format that it fits, and every string a limit`, () => {
    const LIMITS = ['format', 'pattern', 'enum', 'const', 'maxLength'];
    let count = 0;
    for (const { place, value } of valuesIn(document)) {
      const schema = value as Schema;
      const types = [schema.type ?? []].flat();
      if (types.includes('integer')) {
        count += 1;
        const { minimum = -Infinity, maximum = Infinity } = schema;
        assert.ok(schema.format === 'int64' || schema.format === 'int32', place);
        if (schema.format === 'int32') assert.ok(minimum >= -(2 ** 31) && maximum < 2 ** 31, place);
      }
      if (types.includes('string') && !FREE_STRINGS.some((one) => one.test(place))) {
        count += 1;
        assert.ok(
          LIMITS.some((keyword) => keyword in schema),
          `${place} has no limit`,
        );
      }
    }
    assert.ok(count > 60, `${count} values`);
  });
}

/** All objects of a document except examples, with their places as JSON pointers. */
function* valuesIn(value: unknown, place = '#'): Generator<{ place: string; value: object }> {
  if (typeof value !== 'object' || value === null) return;
  yield { place, value };
  for (const [key, one] of Object.entries(value)) {
    if (key === 'example') continue;
    yield* valuesIn(one, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

test('headers are described as strictly as they are read', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  const visible = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i));
  const keys = [
    ...visible.map((one) => `k${one}`),
    ...visible,
    'x'.repeat(255),
    'x'.repeat(256),
    'a b',
    'é',
    '""',
  ];
  keys.push(
    ...visible.map((one) => `"${one}"`),
    '"\\""',
    `"${'\\"'.repeat(255)}"`,
    `"${'x'.repeat(256)}"`,
    '"a b"',
    '"a',
    '"\\x"',
  );
  const tags = [
    '*',
    '"a"',
    'W/"a"',
    '"a", W/"b"',
    '"a" ,\t"b"',
    '',
    '""',
    'a',
    '"a"b',
    '"a b"',
    '*, "a"',
    'w/"a"',
    '"a";"b"',
  ];
  const headers: [string, readonly string[], (code: string | undefined) => boolean][] = [
    ['IdempotencyKey', keys, (code) => code === 'invalid_idempotency_key'],
    ['WriteIfMatch', tags, (code) => code === 'invalid_parameter'],
    ['WriteIfNoneMatch', tags, (code) => code === 'invalid_parameter'],
  ];
  for (const [component, values, isRefusal] of headers) {
    const parameter: unknown = DOCUMENT.components.parameters?.[component];
    const { name, schema } = parameter as { name: string; schema: Schema };
    const { pattern: text = '' } =
      '$ref' in schema ? (DOCUMENT.components.schemas.EntityTags as Schema) : schema;
    const pattern = new RegExp(text);
    for (const value of values) {
      const { code } = await update(app, 7, { quantity: 10 }, { [name]: value });
      assert.equal(pattern.test(value), !isRefusal(code), `${name}: ${value}`);
    }
  }
});

test('error codes and actions are open: a new one breaks no generated client', () => {
  const { ErrorCode, BatchRow } = DOCUMENT.components.schemas;
  for (const schema of [ErrorCode, BatchRow?.properties?.code]) {
    assert.equal(schema?.enum, undefined);
    assert.match('a_new_code', new RegExp(schema?.pattern ?? ''));
  }
  assert.equal(ADMIN_DOCUMENT.components.schemas.ActivityAction?.enum, undefined);
  for (const { name } of DOCUMENTS) assert.doesNotMatch(committedText(name), /"(?:allOf|anyOf)"/);
});

test('the rows of a batch are complete schemas, one per kind of change', () => {
  const { BatchChange, BatchQuantity, BatchAdjustment, BatchRevert } = DOCUMENT.components.schemas;
  assert.deepEqual(
    BatchChange?.oneOf?.map(({ $ref }) => $ref),
    ['BatchQuantity', 'BatchAdjustment', 'BatchRevert'].map((name) => `#/components/schemas/${name}`),
  );
  assert.deepEqual(BatchQuantity?.required, ['petId', 'quantity']);
  assert.deepEqual(BatchAdjustment?.required, ['petId', 'delta', 'reason']);
  assert.deepEqual(BatchRevert?.required, ['petId', 'revert']);
  for (const schema of [BatchQuantity, BatchAdjustment, BatchRevert])
    assert.equal(schema?.additionalProperties, false);
  assert.equal(BatchQuantity?.properties?.delta, undefined);
  assert.equal(BatchAdjustment?.properties?.quantity, undefined);
});

test('rows are parsed as they are described', (t) => {
  if (isSkippedDaily(t)) return;
  const parser = inventoryBatchSchema(MAX_QUANTITY);
  const described = documentedBatchSchema(MAX_QUANTITY);
  const values = [undefined, null, 0, 1, -1, 'sold', 'no reason', '"x"'];
  const members = [
    'quantity',
    'delta',
    'revert',
    'reason',
    'changeFromQuantity',
    'ifMatch',
    'note',
    'colour',
  ];
  const rows = members.flatMap((first) =>
    members.flatMap((second) =>
      values.flatMap((a) =>
        values.map((b) => ({ petId: 7n, delta: 1, reason: 'sold', [first]: a, [second]: b })),
      ),
    ),
  );
  for (const { delta, reason, ...others } of rows) {
    for (const row of [
      { delta, reason, ...others },
      { quantity: 1, ...others },
      { revert: 1, ...others },
      others,
    ]) {
      const given = Object.entries(row).filter(([, value]) => value !== undefined);
      const body = { changes: [Object.fromEntries(given)] };
      const isValid = parser.safeParse(body).success;
      assert.equal(described.safeParse(body).success, isValid, inspect(row));
    }
  }
});
