import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type OpenApiDocument, operationsOf } from '../../web/src/docs/document.ts';
import { referenceOf } from '../../web/src/docs/reference/reference.ts';
import type { ResponseSamples } from '../../web/src/docs/reference/response-samples.ts';
import { ROOT } from './pages.ts';
import { executedSamples, RESPONSE_SAMPLES } from './response-samples/run.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const SAMPLES = JSON.parse(read(RESPONSE_SAMPLES)) as ResponseSamples;
const INTERFACES = [
  ['openapi.json', 'v1'],
  ['admin-openapi.json', 'admin'],
] as const;

test('the samples of responses are what the service responds', async () => {
  assert.equal(read(RESPONSE_SAMPLES), await executedSamples(), 'npm run openapi writes them');
});

test('each operation has a sample that its document describes, and each error code one', () => {
  for (const [file, part] of INTERFACES) {
    const document = JSON.parse(read(file)) as OpenApiDocument;
    for (const { operation } of operationsOf(document)) {
      const sample =
        SAMPLES[part][operation.operationId] ??
        assert.fail(`${operation.operationId}: response-samples/sample-responses.ts has no request of it`);
      assert.ok(operation.responses[sample.status], `${operation.operationId}: ${sample.status}`);
    }
    for (const [code, { status }] of Object.entries(document['x-error-codes'])) {
      const body = SAMPLES.errors[code] as Record<string, unknown>;
      assert.deepEqual([body?.code, body?.status], [code, status]);
      assert.deepEqual(Object.keys(body), ['code', 'message', 'status']);
    }
  }
});

test('the samples show no secret, and nothing of the machine that made them', () => {
  assert.doesNotMatch(
    read(RESPONSE_SAMPLES),
    /\b(?:ps[ak]_(?:live|test)_|whsec_)\w{5}|127\.0\.0\.1|\/home\/|\/tmp\//,
  );
});

test('the reference shows the sample of each response, and of each error code that a response can have', () => {
  for (const [file, part] of INTERFACES) {
    const made = referenceOf(JSON.parse(read(file)) as OpenApiDocument, {
      serverUrl: '',
      hasSamples: part === 'v1',
      introduction: '',
      errorAddress: String,
      responses: { operations: SAMPLES[part], errors: SAMPLES.errors },
    });
    for (const { operation } of operationsOf(made)) {
      const { status, type, body } = SAMPLES[part][operation.operationId] ?? assert.fail();
      const content = operation.responses[status]?.content;
      if (type !== undefined) assert.deepEqual(content?.[type]?.example, body, operation.operationId);
    }
    const adjust = operationsOf(made).find(({ operation }) => operation.operationId === 'adjustInventory');
    const refused = adjust?.operation.responses['409']?.content?.['application/json']?.examples ?? {};
    assert.deepEqual(Object.keys(refused), ['conflict', 'insufficient_stock', 'idempotency_in_progress']);
    assert.deepEqual(refused.insufficient_stock?.value, SAMPLES.errors.insufficient_stock);
  }
});
