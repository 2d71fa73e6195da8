import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { readConfig } from '../../src/config.ts';
import { adminDocument } from '../../src/http/admin/document.ts';
import { defineAdminOperations } from '../../src/http/admin/operations.ts';
import { openApiDocument } from '../../src/http/openapi/client-document.ts';
import { eventRoutes } from '../../src/http/webhooks/event-documents.ts';
import { documentText } from '../../src/http/openapi/document-text.ts';
import { defineOperations } from '../../src/http/operations.ts';
import {
  ADMIN_DOCUMENT,
  committedText,
  DOCUMENT,
  DOCUMENTS,
  type OperationObject,
  operationsIn,
  resolved,
} from '../support/openapi-document.ts';

const config = readConfig(parseEnv(readFileSync(new URL('../../openapi.env', import.meta.url), 'utf8')));
const SERVERS = { production: config.baseUrl, staging: config.stagingBaseUrl };
const GENERATED: Readonly<Record<string, object>> = {
  'openapi.json': openApiDocument(defineOperations(config), SERVERS, eventRoutes()),
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
    ['getInventoryItem', 'GET /inventory/{petId}', 'stable', false],
    ['adjustInventory', 'POST /inventory/{petId}/adjustments', 'stable', false],
    ['setInventoryStatus', 'PUT /inventory/{petId}/status', 'stable', false],
    ['batchInventory', 'POST /inventory/batch', 'stable', false],
    ['listItemMovements', 'GET /inventory/{petId}/movements', 'stable', false],
    ['listMovements', 'GET /movements', 'stable', false],
    ['getMovement', 'GET /movements/{sequence}', 'stable', false],
    ['revertMovement', 'POST /movements/{sequence}/revert', 'stable', false],
    ['streamMovements', 'GET /movements/stream', 'stable', false],
    ['auditLedger', 'GET /ledger/audit', 'stable', false],
    ['listOrders', 'GET /store/orders', 'stable', false],
    ['placeOrder', 'POST /store/orders', 'stable', false],
    ['getOrder', 'GET /store/orders/{orderId}', 'stable', false],
    ['approveOrder', 'POST /store/orders/{orderId}/approve', 'stable', false],
    ['deliverOrder', 'POST /store/orders/{orderId}/deliver', 'stable', false],
    ['cancelOrder', 'POST /store/orders/{orderId}/cancel', 'stable', false],
    ['returnOrder', 'POST /store/orders/{orderId}/return', 'stable', false],
    ['listWebhookEndpoints', 'GET /webhook-endpoints', 'stable', false],
    ['createWebhookEndpoint', 'POST /webhook-endpoints', 'stable', false],
    ['getWebhookEndpoint', 'GET /webhook-endpoints/{endpointId}', 'stable', false],
    ['updateWebhookEndpoint', 'PATCH /webhook-endpoints/{endpointId}', 'stable', false],
    ['deleteWebhookEndpoint', 'DELETE /webhook-endpoints/{endpointId}', 'stable', false],
    ['rotateWebhookSecret', 'POST /webhook-endpoints/{endpointId}/rotate', 'stable', false],
    ['pauseWebhookEndpoint', 'POST /webhook-endpoints/{endpointId}/pause', 'stable', false],
    ['resumeWebhookEndpoint', 'POST /webhook-endpoints/{endpointId}/resume', 'stable', false],
    ['testWebhookEndpoint', 'POST /webhook-endpoints/{endpointId}/test', 'stable', false],
    ['replayWebhookEvents', 'POST /webhook-endpoints/{endpointId}/replay', 'stable', false],
    ['listWebhookDeliveries', 'GET /webhook-endpoints/{endpointId}/deliveries', 'stable', false],
    ['listCatalog', 'GET /catalog', 'beta', false],
    ['getCatalogPet', 'GET /catalog/{petId}', 'beta', false],
    ['getStoreInventory', 'GET /store/inventory', 'stable', false],
    ['getPet', 'GET /pets/{petId}', 'stable', true],
    ['getRateLimit', 'GET /rate-limit', 'stable', false],
  ]);
  const getPet = DOCUMENT.paths['/pets/{petId}']?.get as unknown as { 'x-sunset': string };
  assert.match(getPet['x-sunset'], /^\d{4}-\d\d-\d\d$/);
});

const ALL = DOCUMENTS.flatMap(({ base, document }) =>
  operationsIn(document).map((documented) => ({ ...documented, base })),
);

/**
 * Actions of the operator and changes of webhook endpoints have no `Idempotency-Key`: they are not in the ledger. The
 * steps of orders and the counts of stock-takes are, also those that only the operator makes.
 */
function isAction(operation: OperationObject, path: string): boolean {
  const isStep = path.startsWith('/store/orders/') || operation.operationId === 'countPet';
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
    const credentials = base === '/v1' ? [{ apiKey: [] }] : [{ apiKey: [] }, { sessionCookie: [] }];
    assert.deepEqual(operation.security, isSignIn ? [] : credentials);
    const isWrite = method !== 'GET' && !isAction(operation, path);
    const parameters = operation.parameters?.map(({ name }) => name) ?? [];
    assert.equal(
      parameters.includes('Idempotency-Key'),
      isWrite,
      'every write of the ledger takes an Idempotency-Key',
    );
    // 400: any request may be malformed, for instance by two credentials.
    for (const status of ['400', '401', '429', '500', '503']) {
      assert.ok(operation.responses[status], status);
    }
    const success = (method === 'DELETE' ? ['204'] : ['200', '201', '202']).find(
      (status) => operation.responses[status],
    );
    assert.ok(success, 'its response');
    // The query chooses among several media types, whatever `Accept` says.
    const mediaTypes = Object.keys(operation.responses[success]?.content ?? {});
    assert.equal(operation.responses['406'] !== undefined, mediaTypes.length <= 1, '406');
    for (const [status, { headers = {}, content }] of Object.entries(operation.responses)) {
      for (const name of [
        'X-Request-Id',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'RateLimit',
        'RateLimit-Policy',
        'Petstore-Version',
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

test('a document has the error codes and the states that its operations can return, and no others', () => {
  const codes = (document: object) =>
    Object.keys((document as { readonly 'x-error-codes': object })['x-error-codes']);
  const managed = codes(ADMIN_DOCUMENT).filter((code) => !codes(DOCUMENT).includes(code));
  // Only the pets of the management API have codes, and only it has sessions.
  assert.deepEqual(managed, ['session_ended', 'cross_site_request', 'insecure_connection', 'code_in_use']);
  const { properties } = ADMIN_DOCUMENT.components.schemas.VarianceReportRow ?? {};
  // The report leaves out what was cancelled.
  assert.deepEqual(properties?.state?.enum, ['running', 'closed', 'undone']);
});

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
