import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findAccount } from '../../src/cli/accounts.ts';
import { createApiKey, isWellFormedKey, SCOPES, type Scope } from '../../src/domain/access/api-key.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { CLIENT_REQUESTS, type SampleRequest, sampleOf } from '../support/sample-requests.ts';
import { errorOf, request } from './api-request.ts';
import { makeAdminKey, makeKey } from './operator.ts';
import type { RawResponse } from './raw-socket.ts';
import type { Service } from './service.ts';
import { testTargets } from './targets.ts';

const CHALLENGE = 'Bearer realm="petstore"';
/** On a busy machine, the first of these can be over before the request is processed. */
const KEY_LIVES_MS = [1_500, 5_000, 15_000];
const EXPIRED_TIMEOUT_MS = 60_000;

interface Operation extends Omit<SampleRequest, 'method'> {
  readonly title: string;
  readonly method: string;
}

const DOCUMENTED = operationsIn(DOCUMENT).map(({ method, operation }) => ({
  method,
  id: operation.operationId,
  operation,
}));

/** Each documented operation, and requests that reach none. */
const OPERATIONS: readonly Operation[] = [
  ...DOCUMENTED.map(({ method, id }) => ({ title: id, method, ...sampleOf(CLIENT_REQUESTS, id) })),
  { title: 'listInventory without its body', ...sampleOf(CLIENT_REQUESTS, 'listInventory'), method: 'HEAD' },
  { title: 'a missing path', method: 'GET', path: '/nowhere', status: 404 },
  { title: 'a missing method', method: 'DELETE', path: '/inventory', status: 405 },
];

test('every row of CLIENT_REQUESTS has its operation, with this scope', () => {
  const ids = DOCUMENTED.map(({ id }) => id);
  assert.deepEqual(Object.keys(CLIENT_REQUESTS).toSorted(), ids.toSorted());
  for (const { id, operation } of DOCUMENTED) {
    assert.equal(CLIENT_REQUESTS[id]?.scope, operation['x-scope'], id);
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
    // No rule depends on the runtime; what Bun reads is compared daily in `http-edges.test.ts`.
    if (target.runtime === 'bun' && isSkippedDaily(t)) return;
    const service = await target.start(t, { pets: [{ petId: 1n, quantity: 5 }] });
    const call = ({ method, path, body }: Operation, key: string | undefined) =>
      request(service, {
        method,
        path: `/v1${path}`,
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
    const unscoped = new Map<Scope, string>();
    for (const scope of SCOPES) {
      scoped.set(scope, (await makeKey(service, { scopes: [scope] })).key);
      const scopes = SCOPES.filter((other) => other !== scope);
      unscoped.set(scope, (await makeKey(service, { scopes })).key);
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
      await t.test(`${operation.title}, a key of all other scopes`, async () => {
        const response = await call(operation, unscoped.get(operation.scope ?? 'inventory:read'));
        if (operation.scope === undefined) return assertAdmitted(response, operation.status);
        const challenge = `${CHALLENGE}, error="insufficient_scope"`;
        assertRefused(response, operation.method, { status: 403, code: 'insufficient_scope', challenge });
      });
      await t.test(`${operation.title}, a key of just its scope, and one of all scopes`, async () => {
        assertAdmitted(await call(operation, scoped.get(operation.scope ?? 'pets:read')), operation.status);
        assertAdmitted(await call(operation, service.key), operation.status);
      });
    }

    for (const key of [service.key, wrongChecksum, unknown, ...scoped.values(), ...unscoped.values()]) {
      assert.ok(!service.logs().includes(key.slice(0, -4)), 'the logs contain a key');
    }
  });
}
