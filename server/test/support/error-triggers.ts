import { createApiKey } from '../../src/domain/access/api-key.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Answer, TestApp } from './harness.ts';
import { petRow } from './pet-rows.ts';

/** What the requests of the triggers are about. */
export const TRIGGER_PETS = [petRow(1n)];

async function patch({ request }: TestApp, body: string, type = 'application/json'): Promise<Answer> {
  return request('PATCH', '/v1/inventory/1', { body, headers: { 'Content-Type': type } });
}

/** Sends a number of requests with a key of an account with these limits; returns the last answer. */
async function requestAs(
  app: TestApp,
  limits: { perMinute: number; perDay: number },
  times: number,
): Promise<Answer> {
  const { key } = await app.makeKey({ accountId: await app.makeAccount(limits) });
  let answer = await app.request('GET', '/v1/inventory', { key });
  for (let i = 1; i < times; i += 1) {
    answer = await app.request('GET', '/v1/inventory', { key });
    app.clock.nowMs += 300;
  }
  return answer;
}

/** Takes the table of pets away from under the service, so that the database cannot be read. */
export async function dropPets({ database }: TestApp): Promise<void> {
  await database.unguard();
  await database.run('DROP TABLE pets');
}

/** Causes an unexpected failure of the runtime in the middle of a request. */
export async function meetUnforeseen({ request }: TestApp): Promise<Answer> {
  const { keys } = URLSearchParams.prototype;
  URLSearchParams.prototype.keys = () => {
    throw new Error('a secret of ours');
  };
  try {
    return await request('GET', '/v1/inventory?limit=1');
  } finally {
    URLSearchParams.prototype.keys = keys;
  }
}

/** Sets the stock of the pet under an `Idempotency-Key`. */
async function patchOnce({ request }: TestApp, key: string, quantity = 1): Promise<Answer> {
  const headers = { 'Idempotency-Key': key };
  return request('PATCH', '/v1/inventory/1', { body: `{"quantity":${quantity}}`, headers });
}

/** Sends a file to a service whose disk is full. */
async function uploadToFullDisk({ request, makeAdminKey }: TestApp): Promise<Answer> {
  const { key } = await makeAdminKey('staff');
  const headers = { 'Content-Type': 'text/csv' };
  return request('POST', '/admin/v1/imports', { key, body: 'petId,quantity\n1,1\n', headers });
}

/** A way to each code, in a shop with `TRIGGER_PETS` on a disk that is full. */
export const ERROR_TRIGGERS: Readonly<Record<ErrorCode, (app: TestApp) => Promise<Answer>>> = {
  malformed_request: ({ request }) => request('GET', '/v1/inventory/%zz'),
  malformed_json: (app) => patch(app, '{"quantity":'),
  validation_failed: (app) => patch(app, '{"quantity":-1}'),
  invalid_parameter: ({ request }) => request('GET', '/v1/inventory?limit=0'),
  missing_api_key: ({ request }) => request('GET', '/v1/inventory', { key: null }),
  invalid_api_key: ({ request }) => request('GET', '/v1/inventory', { key: createApiKey('production') }),
  expired_api_key: async ({ request, makeKey, clock }) =>
    request('GET', '/v1/inventory', { key: (await makeKey({ expiresAtMs: clock.nowMs })).key }),
  revoked_api_key: async ({ request, makeKey, admin, clock }) => {
    const { key, principal } = await makeKey();
    await admin.keys.revoke(principal.key.id, clock.nowMs, CLI_AUTHOR);
    return request('GET', '/v1/inventory', { key });
  },
  session_ended: ({ request }) =>
    request('GET', '/admin/v1/session', { key: null, headers: { Cookie: 'petstore_session=x' } }),
  cross_site_request: ({ request }) =>
    request('DELETE', '/admin/v1/session', { key: null, headers: { Cookie: 'petstore_session=x' } }),
  insecure_connection: ({ request }) =>
    request('POST', '/admin/v1/session', { key: null, headers: { Host: 'shop.example' } }),
  insufficient_scope: async ({ request, makeKey }) =>
    request('GET', '/v1/inventory', { key: (await makeKey({ scopes: ['pets:read'] })).key }),
  not_found: ({ request }) => request('PATCH', '/v1/inventory/99', { body: '{"quantity":1}' }),
  route_not_found: ({ request }) => request('GET', '/v1/orders'),
  method_not_allowed: ({ request }) => request('DELETE', '/v1/inventory'),
  not_acceptable: ({ request }) => request('GET', '/v1/inventory', { headers: { Accept: 'text/html' } }),
  request_timeout: ({ refuseUnparsed }) => refuseUnparsed('request_timeout', 'The request came too slowly.'),
  operation_sunset: async ({ request, clock, config }) => {
    clock.nowMs = config.sunsetAtMs;
    return request('GET', '/v1/pets/1');
  },
  conflict: (app) => patch(app, '{"quantity":1,"changeFromQuantity":4}'),
  code_in_use: async ({ request, makeAdminKey }) => {
    const { key } = await makeAdminKey('staff');
    await request('PATCH', '/admin/v1/pets/1', { key, body: '{"sku":"A"}' });
    return request('POST', '/admin/v1/pets', { key, body: '{"petId":2,"sku":"A"}' });
  },
  insufficient_stock: ({ request }) =>
    request('POST', '/v1/inventory/1/adjustments', { body: '{"delta":-9,"reason":"sold"}' }),
  invalid_transition: async ({ request }) => {
    await request('POST', '/v1/store/orders', { body: '{"lines":[{"petId":1,"quantity":1}]}' });
    return request('POST', '/v1/store/orders/1/deliver');
  },
  precondition_failed: ({ request }) =>
    request('PATCH', '/v1/inventory/1', { body: '{"quantity":1}', headers: { 'If-Match': '"x"' } }),
  invalid_idempotency_key: (app) => patchOnce(app, 'a b'),
  idempotency_in_progress: async (app) => {
    const first = patchOnce(app, 'k');
    const second = await patchOnce(app, 'k');
    await first;
    return second;
  },
  idempotency_key_reused: async (app) => {
    await patchOnce(app, 'k');
    return patchOnce(app, 'k', 2);
  },
  history_pruned: async (app) => {
    app.clock.nowMs += 1_000;
    await patch(app, '{"quantity":1}');
    await app.admin.pruneMovements(app.clock.nowMs, CLI_AUTHOR);
    return app.request('GET', '/v1/movements/1');
  },
  body_too_large: (app) => patch(app, `{"quantity":1,"extra":"${'x'.repeat(16_384)}"}`),
  unsupported_media_type: (app) => patch(app, 'quantity=1', 'application/x-www-form-urlencoded'),
  rate_limit_exceeded: (app) => requestAs(app, { perMinute: 1, perDay: 10 }, 2),
  daily_quota_exceeded: (app) => requestAs(app, { perMinute: 10, perDay: 1 }, 2),
  api_key_banned: (app) => requestAs(app, { perMinute: 1, perDay: 1 }, 40),
  headers_too_large: ({ refuseUnparsed }) =>
    refuseUnparsed('headers_too_large', 'The headers are too large.'),
  disk_full: uploadToFullDisk,
  internal_error: meetUnforeseen,
  service_unavailable: async (app) => {
    await dropPets(app);
    return app.request('GET', '/v1/pets/1');
  },
};
