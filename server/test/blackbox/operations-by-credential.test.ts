import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findAccount } from '../../src/cli/accounts.ts';
import { createApiKey, isWellFormedKey, SCOPES, type Scope } from '../../src/domain/access/api-key.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { DOCUMENT, findOperation, operationsIn } from '../support/openapi-document.ts';
import { errorOf, request } from './api-request.ts';
import { makeAdminKey, makeKey } from './operator.ts';
import type { RawResponse } from './raw-socket.ts';
import type { Service } from './service.ts';
import { testTargets } from './targets.ts';

const CHALLENGE = 'Bearer realm="petstore"';
/** On a busy machine, the first of these can be over before the request is processed. */
const KEY_LIVES_MS = [1_500, 5_000, 15_000];
const EXPIRED_TIMEOUT_MS = 20_000;

interface Operation {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** `undefined`: any key will do. */
  readonly scope: Scope | undefined;
  /** A scope that does not help here. */
  readonly otherScope: Scope;
  readonly status: number;
}

const OPERATIONS: readonly Operation[] = [
  {
    title: 'listInventory',
    method: 'GET',
    path: '/v1/inventory',
    scope: 'inventory:read',
    otherScope: 'inventory:write',
    status: 200,
  },
  {
    title: 'listInventory without its body',
    method: 'HEAD',
    path: '/v1/inventory',
    scope: 'inventory:read',
    otherScope: 'inventory:write',
    status: 200,
  },
  {
    title: 'updateInventory',
    method: 'PATCH',
    path: '/v1/inventory/1',
    body: '{"quantity":5}',
    scope: 'inventory:write',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'getInventoryItem',
    method: 'GET',
    path: '/v1/inventory/1',
    scope: 'inventory:read',
    otherScope: 'pets:read',
    status: 200,
  },
  {
    title: 'adjustInventory',
    method: 'POST',
    path: '/v1/inventory/1/adjustments',
    body: '{"delta":1,"reason":"received"}',
    scope: 'inventory:adjust',
    otherScope: 'inventory:write',
    status: 201,
  },
  {
    title: 'setInventoryStatus',
    method: 'PUT',
    path: '/v1/inventory/1/status',
    body: '{"status":"pending"}',
    scope: 'inventory:status',
    otherScope: 'inventory:write',
    status: 200,
  },
  {
    title: 'batchInventory',
    method: 'POST',
    path: '/v1/inventory/batch',
    body: '{"changes":[{"petId":1,"delta":1,"reason":"received"}]}',
    scope: 'inventory:batch',
    otherScope: 'inventory:adjust',
    status: 200,
  },
  {
    title: 'listItemMovements',
    method: 'GET',
    path: '/v1/inventory/1/movements',
    scope: 'movements:read',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'listMovements',
    method: 'GET',
    path: '/v1/movements?limit=1',
    scope: 'movements:read',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'getMovement',
    method: 'GET',
    path: '/v1/movements/1',
    scope: 'movements:read',
    otherScope: 'movements:revert',
    status: 200,
  },
  {
    title: 'revertMovement, of a missing movement',
    method: 'POST',
    path: '/v1/movements/999999/revert',
    scope: 'movements:revert',
    otherScope: 'inventory:write',
    status: 404,
  },
  {
    title: 'streamMovements without its body, which never ends',
    method: 'HEAD',
    path: '/v1/movements/stream',
    scope: 'movements:read',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'auditLedger',
    method: 'GET',
    path: '/v1/ledger/audit',
    scope: 'ledger:audit',
    otherScope: 'movements:read',
    status: 200,
  },
  {
    title: 'placeOrder',
    method: 'POST',
    path: '/v1/store/orders',
    body: '{"lines":[{"petId":1,"quantity":1}]}',
    scope: 'orders:place',
    otherScope: 'orders:read',
    status: 201,
  },
  {
    title: 'listOrders',
    method: 'GET',
    path: '/v1/store/orders?limit=1',
    scope: 'orders:read',
    otherScope: 'orders:place',
    status: 200,
  },
  {
    title: 'getOrder',
    method: 'GET',
    path: '/v1/store/orders/1',
    scope: 'orders:read',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'approveOrder, of a missing order',
    method: 'POST',
    path: '/v1/store/orders/999999/approve',
    scope: 'orders:approve',
    otherScope: 'orders:place',
    status: 404,
  },
  {
    title: 'deliverOrder, of a missing order',
    method: 'POST',
    path: '/v1/store/orders/999999/deliver',
    scope: 'orders:deliver',
    otherScope: 'orders:approve',
    status: 404,
  },
  {
    title: 'cancelOrder, of a missing order',
    method: 'POST',
    path: '/v1/store/orders/999999/cancel',
    scope: 'orders:cancel',
    otherScope: 'orders:place',
    status: 404,
  },
  {
    title: 'returnOrder, of a missing order',
    method: 'POST',
    path: '/v1/store/orders/999999/return',
    scope: 'orders:return',
    otherScope: 'orders:deliver',
    status: 404,
  },
  {
    title: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook-endpoints',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'createWebhookEndpoint, with a private address',
    method: 'POST',
    path: '/v1/webhook-endpoints',
    body: '{"url":"https://10.0.0.1/"}',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 400,
  },
  {
    title: 'getWebhookEndpoint, of a missing endpoint',
    method: 'GET',
    path: '/v1/webhook-endpoints/whe_0000000000000000',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'updateWebhookEndpoint, of a missing endpoint',
    method: 'PATCH',
    path: '/v1/webhook-endpoints/whe_0000000000000000',
    body: '{"types":["inventory.low"]}',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'deleteWebhookEndpoint, of a missing endpoint',
    method: 'DELETE',
    path: '/v1/webhook-endpoints/whe_0000000000000000',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'rotateWebhookSecret, of a missing endpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/whe_0000000000000000/rotate',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'pauseWebhookEndpoint, of a missing endpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/whe_0000000000000000/pause',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'resumeWebhookEndpoint, of a missing endpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/whe_0000000000000000/resume',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'testWebhookEndpoint, of a missing endpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/whe_0000000000000000/test',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'replayWebhookEvents, of a missing endpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/whe_0000000000000000/replay?after=0.0',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'listWebhookDeliveries, of a missing endpoint',
    method: 'GET',
    path: '/v1/webhook-endpoints/whe_0000000000000000/deliveries',
    scope: 'webhooks:manage',
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'getStoreInventory',
    method: 'GET',
    path: '/v1/store/inventory',
    scope: 'inventory:read',
    otherScope: 'ledger:audit',
    status: 200,
  },
  {
    title: 'the look-up of a pet',
    method: 'GET',
    path: '/v1/pets/1',
    scope: 'pets:read',
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'the look-up of limits',
    method: 'GET',
    path: '/v1/rate-limit',
    scope: undefined,
    otherScope: 'inventory:read',
    status: 200,
  },
  {
    title: 'a missing path',
    method: 'GET',
    path: '/v1/nowhere',
    scope: undefined,
    otherScope: 'inventory:read',
    status: 404,
  },
  {
    title: 'a missing method',
    method: 'DELETE',
    path: '/v1/inventory',
    scope: undefined,
    otherScope: 'inventory:read',
    status: 405,
  },
];

test('every documented operation has its row', () => {
  const places = OPERATIONS.map(({ method, path }) => {
    return findOperation(method, path.split('?')[0] as string)?.operation;
  });
  for (const { operation } of operationsIn(DOCUMENT)) {
    assert.ok(places.includes(operation), operation.operationId);
    const row = OPERATIONS[places.indexOf(operation)];
    assert.equal(row?.scope, operation['x-scope'], operation.operationId);
  }
});

interface Credential {
  readonly title: string;
  readonly key: string | undefined;
  readonly refusal: { readonly status: number; readonly code: ErrorCode; readonly challenge: string };
}

function unauthorized(title: string, key: string | undefined, code: ErrorCode): Credential {
  const challenge = key === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`;
  return { title, key, refusal: { status: 401, code, challenge } };
}

/** A key as the service could have made it, but with one character of its secret exchanged. */
function withWrongChecksum(key: string): string {
  const at = key.length - 10;
  return `${key.slice(0, at)}${key[at] === 'A' ? 'B' : 'A'}${key.slice(at + 1)}`;
}

async function revokedKey(service: Service): Promise<string> {
  const { id, key } = await makeKey(service);
  await service.withAdmin(async (admin) => admin.keys.revoke(id, await admin.now(), CLI_AUTHOR));
  await untilCode(service, key, 'revoked_api_key');
  return key;
}

async function expiredKey(service: Service): Promise<string> {
  const admin = await makeAdminKey(service, 'administrator');
  const create = (fields: object) =>
    request(service, {
      method: 'POST',
      path: '/admin/v1/keys',
      key: admin,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
  const accountId = await service.withAdmin(
    async (store) => findAccount(await store.accounts.list(), service.account).id,
  );
  const key = await shortLivedKey(accountId, create);
  await untilCode(service, key, 'expired_api_key');
  return key;
}

async function shortLivedKey(
  accountId: string,
  create: (fields: object) => ReturnType<typeof request>,
): Promise<string> {
  for (const lifeMs of KEY_LIVES_MS) {
    // By the clock of the service, which is not always that of this process.
    const { createdAt } = created(await create({ accountId }));
    const expiresAt = new Date(Date.parse(createdAt) + lifeMs).toISOString();
    const response = await create({ accountId, expiresAt });
    if (response.status !== 400) return created(response).key;
  }
  throw new Error(`no key was created within ${KEY_LIVES_MS.at(-1)} ms`);
}

function created({ status, body }: Awaited<ReturnType<typeof request>>): { key: string; createdAt: string } {
  assert.equal(status, 201, body.toString());
  return JSON.parse(body.toString()) as { key: string; createdAt: string };
}

/** Waits until every process refuses a key for this reason; until then it must be good. */
async function untilCode(service: Service, key: string, code: ErrorCode): Promise<void> {
  await Promise.all(service.ports.map((port) => untilCodeOf(port, key, code)));
}

async function untilCodeOf(port: number, key: string, code: ErrorCode): Promise<void> {
  const deadline = Date.now() + EXPIRED_TIMEOUT_MS;
  for (;;) {
    const response = await request({ port }, { path: '/v1/rate-limit', key });
    if (response.status !== 200) return assert.equal(errorOf(response).code, code);
    assert.ok(Date.now() < deadline, `${code} was never answered`);
    await delay(20);
  }
}

function assertRefused(response: RawResponse, method: string, refusal: Credential['refusal']): void {
  assert.equal(response.status, refusal.status, response.body.toString());
  assert.ok(response.headers.get('www-authenticate')?.startsWith(refusal.challenge), 'WWW-Authenticate');
  if (refusal.code === 'missing_api_key') assert.equal(response.headers.get('www-authenticate'), CHALLENGE);
  if (method !== 'HEAD') assert.equal(errorOf(response).code, refusal.code);
}

function assertAdmitted(response: RawResponse, status: number): void {
  assert.equal(response.status, status, response.body.toString());
  assert.equal(response.headers.get('www-authenticate'), undefined);
}

for (const target of testTargets()) {
  test(`on ${target.name}, every operation answers every kind of credential as it should`, async (t) => {
    const service = await target.start(t, { pets: [{ petId: 1n, quantity: 5 }] });
    const call = ({ method, path, body }: Operation, key: string | undefined) =>
      request(service, {
        method,
        path,
        ...(key === undefined ? {} : { key }),
        ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
      });

    const unknown = createApiKey('production');
    const wrongChecksum = withWrongChecksum(service.key);
    assert.ok(isWellFormedKey(unknown, 'production') && !isWellFormedKey(wrongChecksum, 'production'));
    const indistinguishable = [
      unauthorized('a malformed key', 'not-a-key', 'invalid_api_key'),
      unauthorized('a key with a wrong checksum', wrongChecksum, 'invalid_api_key'),
      unauthorized('an unknown key', unknown, 'invalid_api_key'),
      unauthorized('a key of the other environment', createApiKey('staging'), 'invalid_api_key'),
    ];
    const refused = [
      unauthorized('no key', undefined, 'missing_api_key'),
      ...indistinguishable,
      unauthorized('a revoked key', await revokedKey(service), 'revoked_api_key'),
      unauthorized('an expired key', await expiredKey(service), 'expired_api_key'),
    ];
    const scoped = new Map<Scope, string>();
    for (const scope of SCOPES) {
      scoped.set(scope, (await makeKey(service, { scopes: [scope] })).key);
    }

    for (const operation of OPERATIONS) {
      for (const { title, key, refusal } of refused) {
        await t.test(`${operation.title}, ${title}: ${refusal.code}`, async () => {
          assertRefused(await call(operation, key), operation.method, refusal);
        });
      }
      await t.test(`${operation.title}: all kinds of invalid keys get the same answer`, async () => {
        const bodies = new Set<string>();
        for (const { key } of indistinguishable) bodies.add((await call(operation, key)).body.toString());
        assert.equal(bodies.size, 1, [...bodies].join('\n'));
      });
      await t.test(`${operation.title}, a key of another scope`, async () => {
        const response = await call(operation, scoped.get(operation.otherScope));
        if (operation.scope === undefined) return assertAdmitted(response, operation.status);
        const challenge = `${CHALLENGE}, error="insufficient_scope"`;
        assertRefused(response, operation.method, { status: 403, code: 'insufficient_scope', challenge });
      });
      await t.test(`${operation.title}, a key of just its scope, and one of all scopes`, async () => {
        assertAdmitted(await call(operation, scoped.get(operation.scope ?? 'pets:read')), operation.status);
        assertAdmitted(await call(operation, service.key), operation.status);
      });
    }

    for (const key of [service.key, wrongChecksum, unknown, ...scoped.values()]) {
      assert.ok(!service.logs().includes(key.slice(0, -4)), 'the logs contain a key');
    }
  });
}
