import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type OpenApiDocument, type Operation, operationsOf } from '../../web/src/docs/document.ts';
import { referenceOf } from '../../web/src/docs/reference/reference.ts';
import { ROOT } from './pages.ts';

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as OpenApiDocument;

function reference(name: string, hasSamples = true): OpenApiDocument {
  return referenceOf(read(name), {
    serverUrl: 'https://stock.example/v1',
    hasSamples,
    introduction: '# Guide',
    errorAddress: (code) => `#errors/${code}`,
  });
}

function operation(document: OpenApiDocument, name: string): Operation {
  const found = operationsOf(document).find((one) => one.operation.operationId === name);
  return found?.operation ?? assert.fail(`no operation ${name}`);
}

test('the reference is about this server, begins with the guides, and leaves the document as it was', () => {
  const made = reference('openapi.json');
  assert.deepEqual(made.servers, [{ url: 'https://stock.example/v1' }]);
  assert.equal(made.info.description, '# Guide');
  const before = read('openapi.json');
  referenceOf(before, { serverUrl: '', hasSamples: true, introduction: '', errorAddress: String });
  assert.deepEqual(before, read('openapi.json'));
});

test('an operation shows its scope or role, its stability, and its errors with links', () => {
  const { description, 'x-badges': badges } = operation(reference('openapi.json'), 'adjustInventory');
  assert.match(description, /\n\nScope of the key: `inventory:adjust`\.\n/);
  assert.equal(badges, undefined, 'a stable operation has no mark');
  const { 'x-badges': marks } = operation(reference('openapi.json'), 'updateInventory');
  assert.deepEqual(marks, [{ name: 'experimental' }]);
  const statuses = [...description.matchAll(/^\| (\w+) \|/gm)].map(([, status]) => status);
  assert.deepEqual(statuses.slice(0, 2), ['Status', '400']);
  assert.match(description, /\n\| 409 \| .*\[insufficient_stock\]\(#errors\/insufficient_stock\).* \|\n/);
  assert.match(description, /\n\| any \| .*\[rate_limit_exceeded\]\(#errors\/rate_limit_exceeded\).* \|$/);
  assert.equal(
    description.match(/\[rate_limit_exceeded\]/g)?.length,
    1,
    'what each can return is named one time',
  );
  const managed = operation(reference('admin-openapi.json', false), 'createPet');
  assert.match(managed.description, /\n\nRole: `\w+`\.\n/);
  assert.equal(managed['x-codeSamples'], undefined);
});

test('each operation has a sample for curl, TypeScript and Python', () => {
  for (const { operation: one } of operationsOf(reference('openapi.json'))) {
    const languages = one['x-codeSamples']?.map(({ lang }) => lang) ?? [];
    for (const language of ['shell', 'typescript', 'python']) {
      assert.ok(languages.includes(language), `${one.operationId}: ${languages.join()}`);
    }
  }
});

test('the form for trying an operation is filled only where a value is required', () => {
  for (const name of ['openapi.json', 'admin-openapi.json']) {
    for (const { operation: one } of operationsOf(reference(name, name === 'openapi.json'))) {
      for (const parameter of one.parameters ?? []) {
        const { required, example, schema } = parameter;
        const isFilled = [example, schema?.example, schema?.examples, schema?.default].some(
          (value) => value !== undefined,
        );
        assert.ok(
          required ? isFilled || schema?.$ref : !isFilled && !schema?.$ref,
          `${one.operationId} ${parameter.name}`,
        );
      }
    }
  }
});

test('the limits of the plans are a table', () => {
  const limits = reference('openapi.json').tags.find(({ name }) => name === 'Limits');
  assert.match(limits?.description ?? '', /\n\| `pro` \| 300 \| 10,000 \|\n/);
  assert.match(limits?.description ?? '', /\n\| `enterprise` \| as agreed \| as agreed \|/);
});
