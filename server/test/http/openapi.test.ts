import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { documentText } from '../../src/http/openapi/document-text.ts';
import { defineOperations } from '../../src/http/operations.ts';
import { DOCUMENT, type OpenApiDocument, operationsIn, resolved } from '../support/openapi-document.ts';
import { breakingChanges } from './openapi-compatibility.ts';

const COMMITTED_TEXT = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
const RELEASED = JSON.parse(
  readFileSync(new URL('../fixtures/openapi-1.0.0.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

test('the committed document equals the generated one; npm run openapi writes it', () => {
  const config = readConfig(parseEnv(readFileSync(new URL('../../openapi.env', import.meta.url), 'utf8')));
  const operations = defineOperations(config);
  const made = openApiDocument(operations, { production: config.baseUrl, staging: config.stagingBaseUrl });
  assert.deepEqual(DOCUMENT, JSON.parse(JSON.stringify(made)));
  assert.ok(COMMITTED_TEXT === `${documentText(made)}\n`, 'the committed text is the printed one');
});

test('it describes version 1.0.0 on two servers, each ending in /v1', () => {
  assert.equal(DOCUMENT.openapi, '3.1.1');
  assert.equal(DOCUMENT.info.version, '1.0.0');
  assert.equal(DOCUMENT.servers.length, 2);
  for (const { url } of DOCUMENT.servers) assert.ok(url.endsWith('/v1'), url);
});

test('the operations are there under their names, the specified ones too, with the stability that they have', () => {
  const found = operationsIn(DOCUMENT).map(({ method, path, operation }) => {
    return [
      operation.operationId,
      `${method} ${path}`,
      operation['x-stability'] ?? 'stable',
      operation.deprecated === true,
    ];
  });
  assert.deepEqual(found, [
    ['listInventory', 'GET /inventory', 'stable', false],
    ['updateInventory', 'PATCH /inventory/{petId}', 'experimental', false],
    ['getInventoryItem', 'GET /inventory/{petId}', 'beta', false],
    ['adjustInventory', 'POST /inventory/{petId}/adjustments', 'beta', false],
    ['setInventoryStatus', 'PUT /inventory/{petId}/status', 'beta', false],
    ['batchInventory', 'POST /inventory/batch', 'beta', false],
    ['listItemMovements', 'GET /inventory/{petId}/movements', 'beta', false],
    ['listMovements', 'GET /movements', 'beta', false],
    ['getMovement', 'GET /movements/{sequence}', 'beta', false],
    ['revertMovement', 'POST /movements/{sequence}/revert', 'beta', false],
    ['streamMovements', 'GET /movements/stream', 'beta', false],
    ['auditLedger', 'GET /ledger/audit', 'beta', false],
    ['listOrders', 'GET /store/orders', 'beta', false],
    ['placeOrder', 'POST /store/orders', 'beta', false],
    ['getOrder', 'GET /store/orders/{orderId}', 'beta', false],
    ['approveOrder', 'POST /store/orders/{orderId}/approve', 'beta', false],
    ['deliverOrder', 'POST /store/orders/{orderId}/deliver', 'beta', false],
    ['cancelOrder', 'POST /store/orders/{orderId}/cancel', 'beta', false],
    ['returnOrder', 'POST /store/orders/{orderId}/return', 'beta', false],
    ['getStoreInventory', 'GET /store/inventory', 'beta', false],
    ['getPet', 'GET /pets/{petId}', 'stable', true],
    ['getRateLimit', 'GET /rate-limit', 'beta', false],
  ]);
  const getPet = DOCUMENT.paths['/pets/{petId}']?.get as unknown as { 'x-sunset': string };
  assert.match(getPet['x-sunset'], /^\d{4}-\d\d-\d\d$/);
});

for (const { operation, method } of operationsIn(DOCUMENT)) {
  test(`${operation.operationId} requires the key, and documents its refusals and the limit headers`, () => {
    assert.deepEqual(operation.security, [{ apiKey: [] }]);
    const isWrite = method !== 'GET';
    const parameters = operation.parameters?.map(({ name }) => name) ?? [];
    assert.equal(parameters.includes('Idempotency-Key'), isWrite, 'every write takes an Idempotency-Key');
    // 400: any request may be malformed, for instance by two credentials.
    for (const status of ['400', '401', '406', '429', '500', '503']) {
      assert.ok(operation.responses[status], status);
    }
    assert.ok(operation.responses['200'] ?? operation.responses['201'], 'its response');
    for (const [status, { headers = {}, content }] of Object.entries(operation.responses)) {
      for (const name of [
        'X-Request-Id',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'RateLimit',
        'RateLimit-Policy',
      ]) {
        assert.equal(headers[name]?.required, true, `${name} of ${status}`);
      }
      assert.equal(headers['Retry-After']?.required ?? false, status === '429' || status === '503', status);
      assert.equal(
        headers['WWW-Authenticate']?.required ?? false,
        status === '401' || status === '403',
        status,
      );
      const isError = Number(status) >= 400;
      const { $ref } = content?.['application/json']?.schema ?? {};
      if (status === '404' || status === '409' || status === '412') {
        assert.equal('Idempotency-Replayed' in headers, isWrite, status);
      }
      if (isError) assert.equal($ref, '#/components/schemas/Error', status);
      else assert.equal(content === undefined, status === '304', status);
    }
  });
}

test('the shapes are the specified ones, and each reference leads somewhere', () => {
  const { InventoryItem, InventoryUpdate, PetStatus, Error: ErrorShape } = DOCUMENT.components.schemas;
  assert.deepEqual(Object.keys(InventoryItem?.properties ?? {}), ['petId', 'quantity', 'status']);
  assert.deepEqual(InventoryItem?.required, ['petId', 'quantity', 'status']);
  const petId = resolved(DOCUMENT, InventoryItem?.properties?.petId ?? {});
  assert.deepEqual([petId.type, petId.format], ['integer', 'int64']);
  assert.deepEqual(InventoryUpdate?.required, ['quantity']);
  assert.deepEqual(PetStatus?.enum, ['available', 'pending', 'sold']);
  assert.deepEqual(ErrorShape?.required, ['code', 'message', 'status']);
  for (const [, $ref] of JSON.stringify(DOCUMENT).matchAll(/"(#\/[^"]+)"/g)) {
    assert.ok(resolved(DOCUMENT, { $ref }));
  }
});

test('nothing in the document breaks a client written for 1.0.0', () => {
  assert.deepEqual(breakingChanges(RELEASED, DOCUMENT), []);
});

/** The released document with one thing changed; `any` JSON is reached by its steps. */
function changed(
  steps: string,
  change: (parent: Record<string, unknown>, last: string) => void,
): OpenApiDocument {
  const document = structuredClone(RELEASED);
  const path = steps.split(' ');
  const last = path.pop() as string;
  const parent = path.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
  assert.ok(parent && typeof parent === 'object', `${steps} leads nowhere`);
  change(parent as Record<string, unknown>, last);
  return document;
}

const removed = (steps: string) =>
  changed(steps, (parent, last) => {
    assert.ok(last in parent, `${steps} is not there`);
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
  });
const replaced = (steps: string, value: unknown) =>
  changed(steps, (parent, last) => {
    parent[last] = value;
  });

const LIST = 'paths /inventory get';
const UPDATE = 'paths /inventory/{petId} patch';
const ITEM = 'components schemas InventoryItem';
const INPUT = 'components schemas InventoryUpdate';
const LIMIT = 'components parameters Limit schema';
const PET_ID = 'components schemas PetId';
/** The place after the last parameter of the list. */
const NEXT = `${LIST} parameters ${RELEASED.paths['/inventory']?.get?.parameters?.length}`;
const note = { name: 'note', in: 'query', schema: { type: 'string' } };

const BREAKS: readonly [string, OpenApiDocument][] = [
  ['PATCH /inventory/{petId} is gone', removed(UPDATE)],
  ['GET /inventory is called getStock now', replaced(`${LIST} operationId`, 'getStock')],
  ['GET /inventory no longer takes apiKey', replaced(`${LIST} security`, [{ basic: [] }])],
  ['GET /inventory 304 is gone', removed(`${LIST} responses 304`)],
  ['GET /inventory 200: application/json is gone', removed(`${LIST} responses 200 content application/json`)],
  ['GET /inventory 200: the header ETag is gone', removed(`${LIST} responses 200 headers ETag`)],
  [
    'GET /inventory 200: the header X-Request-Id may be missing',
    replaced(`${LIST} responses 200 headers X-Request-Id required`, false),
  ],
  ['GET /inventory 200[].status is gone', removed(`${ITEM} properties status`)],
  ['GET /inventory 200[].status may be missing now', removed(`${ITEM} required 2`)],
  [
    'GET /inventory 200[].quantity may be integer or null now',
    replaced(`${ITEM} properties quantity type`, ['integer', 'null']),
  ],
  ['GET /inventory 200[].petId has the format int32 now', replaced(`${PET_ID} format`, 'int32')],
  ['GET /inventory: query parameter limit is gone', removed(`${LIST} parameters 0`)],
  ['GET /inventory: query parameter limit is required now', replaced(`${LIST} parameters 0 required`, true)],
  ['GET /inventory: query parameter limit has a lower maximum', replaced(`${LIMIT} maximum`, 100)],
  ['GET /inventory: query parameter note is required now', replaced(NEXT, { ...note, required: true })],
  [
    'PATCH /inventory/{petId}: a body of application/json is no longer taken',
    removed(`${UPDATE} requestBody content application/json`),
  ],
  ['PATCH /inventory/{petId}: body.quantity is gone', removed(`${INPUT} properties quantity`)],
  ['PATCH /inventory/{petId}: body.reason is required now', replaced(`${INPUT} required 1`, 'reason')],
  [
    'PATCH /inventory/{petId}: body.quantity may no longer be integer',
    replaced(`${INPUT} properties quantity type`, 'string'),
  ],
  [
    'PATCH /inventory/{petId}: body.quantity has a higher minimum',
    replaced(`${INPUT} properties quantity minimum`, 1),
  ],
  [
    'PATCH /inventory/{petId}: body.quantity may no longer be any value',
    replaced(`${INPUT} properties quantity enum`, [1, 2]),
  ],
  ['server 0 is no longer at /v1', replaced('servers 0 url', 'http://localhost:8080/v2')],
  [
    'the security scheme apiKey is another one now',
    replaced(`components securitySchemes apiKey scheme`, 'basic'),
  ],
  ['GET /inventory no longer takes apiKey', replaced(`${LIST} security`, [{ apiKey: [], signature: [] }])],
  ['GET /inventory 401.code is gone', removed('components schemas Error properties code')],
  [
    'GET /inventory 200[].status may be reserved now',
    replaced('components schemas PetStatus enum 3', 'reserved'),
  ],
  ['GET /inventory 200[].status may be any value now', removed('components schemas PetStatus enum')],
  [
    'PATCH /inventory/{petId}: path parameter petId has the format "int32" now',
    replaced(`${PET_ID} format`, 'int32'),
  ],
  [
    'PATCH /inventory/{petId}: body has the additionalProperties false now',
    replaced(`${INPUT} additionalProperties`, false),
  ],
];

for (const [sentence, document] of BREAKS) {
  test(`a break is found: ${sentence}`, () => {
    const found = breakingChanges(RELEASED, document);
    assert.ok(found.includes(sentence), found.join('\n') || 'nothing was found');
  });
}

test('additions that a client may ignore are compatible', () => {
  const additions = [
    replaced('paths /store/orders', {
      get: { ...RELEASED.paths['/inventory']?.get, operationId: 'listOrders' },
    }),
    replaced(NEXT, note),
    replaced(`${LIST} responses 418`, { description: 'A teapot.' }),
    replaced(`${ITEM} properties name`, { type: 'string' }),
    replaced(`${INPUT} properties colour`, { type: 'string' }),
    replaced(`${INPUT} properties quantity maximum`, 1e300),
    replaced(`${UPDATE} x-stability`, 'stable'),
    replaced(`${LIST} description`, 'Other words.'),
    removed(`${LIST} responses 406`),
    replaced('x-error-codes', { a_new_code: { status: 418 } }),
    replaced('components securitySchemes apiKey description', 'Other words.'),
    replaced('servers 0 url', 'https://api.shop.example/v1'),
  ];
  for (const document of additions) assert.deepEqual(breakingChanges(RELEASED, document), []);
});
