import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { readConfig } from '../../src/config.ts';
import { adminDocument } from '../../src/http/admin/document.ts';
import { defineAdminOperations } from '../../src/http/admin/operations.ts';
import { openApiDocument } from '../../src/http/openapi/client-document.ts';
import { documentText } from '../../src/http/openapi/document-text.ts';
import { defineOperations } from '../../src/http/operations.ts';
import {
  ADMIN_DOCUMENT,
  committedText,
  DOCUMENT,
  DOCUMENTS,
  type OpenApiDocument,
  type OperationObject,
  operationsIn,
  resolved,
} from '../support/openapi-document.ts';
import { breakingChanges } from './openapi-compatibility.ts';

function fixture(name: string): OpenApiDocument {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')) as OpenApiDocument;
}

/** The released document of clients, and that of the management API without its errors and descriptions. */
const RELEASED = fixture('openapi-1.0.0.json');
const RELEASED_ADMIN = fixture('admin-openapi-1.0.0.json');

const config = readConfig(parseEnv(readFileSync(new URL('../../openapi.env', import.meta.url), 'utf8')));
const SERVERS = { production: config.baseUrl, staging: config.stagingBaseUrl };
const GENERATED: Readonly<Record<string, object>> = {
  'openapi.json': openApiDocument(defineOperations(config), SERVERS),
  'admin-openapi.json': adminDocument(defineAdminOperations(config), SERVERS),
};

for (const { name, base, document } of DOCUMENTS) {
  test(`the committed ${name} equals the generated one; npm run openapi writes it`, () => {
    const made = GENERATED[name] as object;
    assert.deepEqual(document, JSON.parse(JSON.stringify(made)));
    assert.ok(committedText(name) === `${documentText(made)}\n`, 'the committed text is the printed one');
  });

  test(`${name} describes version 1.0.0 on two servers, each ending in ${base}`, () => {
    assert.equal(document.openapi, '3.1.1');
    assert.equal(document.info.version, '1.0.0');
    assert.equal(document.servers.length, 2);
    for (const { url } of document.servers) assert.ok(url.endsWith(base), url);
  });
}

test('each operation of the management API but the sign-in has a role, and those of clients have none', () => {
  for (const { operation } of operationsIn(ADMIN_DOCUMENT)) {
    const isSignIn = operation.operationId === 'createSession';
    assert.equal(ROLES.includes(operation['x-role'] as Role), !isSignIn, operation.operationId);
    if (isSignIn) assert.deepEqual(operation.security, []);
    assert.equal(operation['x-scope'], undefined);
  }
  for (const { operation } of operationsIn(DOCUMENT)) assert.equal(operation['x-role'], undefined);
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
    ['listWebhookEndpoints', 'GET /webhook-endpoints', 'beta', false],
    ['createWebhookEndpoint', 'POST /webhook-endpoints', 'beta', false],
    ['getWebhookEndpoint', 'GET /webhook-endpoints/{endpointId}', 'beta', false],
    ['updateWebhookEndpoint', 'PATCH /webhook-endpoints/{endpointId}', 'beta', false],
    ['deleteWebhookEndpoint', 'DELETE /webhook-endpoints/{endpointId}', 'beta', false],
    ['rotateWebhookSecret', 'POST /webhook-endpoints/{endpointId}/rotate', 'beta', false],
    ['pauseWebhookEndpoint', 'POST /webhook-endpoints/{endpointId}/pause', 'beta', false],
    ['resumeWebhookEndpoint', 'POST /webhook-endpoints/{endpointId}/resume', 'beta', false],
    ['testWebhookEndpoint', 'POST /webhook-endpoints/{endpointId}/test', 'beta', false],
    ['replayWebhookEvents', 'POST /webhook-endpoints/{endpointId}/replay', 'beta', false],
    ['listWebhookDeliveries', 'GET /webhook-endpoints/{endpointId}/deliveries', 'beta', false],
    ['getStoreInventory', 'GET /store/inventory', 'beta', false],
    ['getPet', 'GET /pets/{petId}', 'stable', true],
    ['getRateLimit', 'GET /rate-limit', 'beta', false],
  ]);
  const getPet = DOCUMENT.paths['/pets/{petId}']?.get as unknown as { 'x-sunset': string };
  assert.match(getPet['x-sunset'], /^\d{4}-\d\d-\d\d$/);
});

const ALL = DOCUMENTS.flatMap(({ base, document }) =>
  operationsIn(document).map((documented) => ({ ...documented, base })),
);

/**
 * Actions of the operator and changes of webhook endpoints have no `Idempotency-Key`: they are not in the ledger. The
 * steps of orders are, also one that only the operator takes.
 */
function isAction(operation: OperationObject, path: string): boolean {
  const isStep = path.startsWith('/store/orders/');
  const isOperators =
    operation['x-role'] !== undefined && !(operation.operationId in CLIENT_OPERATIONS) && !isStep;
  return isOperators || path === '/session' || path.startsWith('/webhook-endpoints');
}

const CLIENT_OPERATIONS: Readonly<Record<string, true>> = Object.fromEntries(
  operationsIn(DOCUMENT).map(({ operation }) => [operation.operationId, true as const]),
);

for (const { base, operation, method, path } of ALL) {
  test(`${base}: ${operation.operationId} requires the key, and documents its refusals and the limit headers`, () => {
    const isSignIn = operation.operationId === 'createSession';
    const credentials = base === '/v1' ? [{ apiKey: [] }] : [{ apiKey: [] }, { session: [] }];
    assert.deepEqual(operation.security, isSignIn ? [] : credentials);
    const isWrite = method !== 'GET' && !isAction(operation, path);
    const parameters = operation.parameters?.map(({ name }) => name) ?? [];
    assert.equal(
      parameters.includes('Idempotency-Key'),
      isWrite,
      'every write of the ledger takes an Idempotency-Key',
    );
    // 400: any request may be malformed, for instance by two credentials.
    for (const status of ['400', '401', '406', '429', '500', '503']) {
      assert.ok(operation.responses[status], status);
    }
    const success = method === 'DELETE' ? ['204'] : ['200', '201', '202'];
    assert.ok(
      success.some((status) => operation.responses[status]),
      'its response',
    );
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
      else assert.equal(content === undefined, status === '304' || status === '204', status);
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

/** Rules that the service always had, and that the documents state since. openapi-shape.test.ts compares both. */
const STATED_SINCE = / header parameter (?:If-Match|If-None-Match|Idempotency-Key) has the pattern /;

test('nothing in the documents breaks a client written for 1.0.0', () => {
  for (const breaks of [
    breakingChanges(RELEASED, DOCUMENT),
    breakingChanges(RELEASED_ADMIN, ADMIN_DOCUMENT),
  ]) {
    assert.deepEqual(
      breaks.filter((sentence) => !STATED_SINCE.test(sentence)),
      [],
    );
  }
});

test('the released document of the management API has operations of each tag, with their fields', () => {
  const { paths, components } = RELEASED_ADMIN;
  assert.ok(operationsIn(RELEASED_ADMIN).length > 60, 'no operation is left out');
  for (const path of ['/accounts', '/keys', '/imports', '/pets', '/webhook-endpoints', '/inventory'])
    assert.ok(paths[path]?.get, path);
  const withoutName = structuredClone(ADMIN_DOCUMENT) as { components: typeof components };
  delete (withoutName.components.schemas.Account?.properties as Record<string, unknown> | undefined)?.name;
  const breaks = breakingChanges(RELEASED_ADMIN, withoutName as OpenApiDocument);
  assert.ok(breaks.includes('GET /accounts 200[].name is gone'), breaks.join('\n'));
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
