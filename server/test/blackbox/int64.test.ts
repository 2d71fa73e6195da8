import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, listedQuantities, request } from './api-request.ts';
import { makeAdminKey } from './operator.ts';
import type { Service } from './service.ts';
import { testTargets } from './targets.ts';

/** Adjacent integers that are equal as doubles. */
const STORED = [
  ...[
    '-9223372036854775808',
    '-9223372036854775807',
    '-9007199254740993',
    '-9007199254740992',
    '-1',
    '0',
    '1',
  ],
  ...['10', '16', '100', '2147483647', '2147483648', '9007199254740991', '9007199254740992'],
  ...['9007199254740993', '9223372036854775806', '9223372036854775807'],
];

/** Canonical identifiers of no pet, next to pets that there are. */
const UNKNOWN = ['2', '-2', '2147483649', '-9007199254740991', '9007199254740994', '9223372036854775805'];

const NO_IDENTIFIER = [
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
    '0x10',
    '1e2',
    '1E2',
    '+1',
    '01',
  ],
  ...['-01', '00', '-0', '1.0', '1.', '.1', '--1', '-', '1_0', '1,0', '%201', '1%20', '%091', '1%00', '%2B1'],
  ...['%D9%A1', '1%0A', 'NaN', 'null', '1n', '9'.repeat(100), `1${'0'.repeat(4_000)}`, `0${'0'.repeat(20)}1`],
];

const QUANTITY_BEFORE = 7;

function send(service: Service, method: string, path: string, body: object) {
  const headers = { 'Content-Type': 'application/json' };
  return request(service, {
    method,
    path: `/v1${path}`,
    key: service.key,
    headers,
    body: JSON.stringify(body),
  });
}

function sendText(service: Service, path: string, body: string) {
  const headers = { 'Content-Type': 'application/json' };
  return request(service, { method: 'POST', path: `/v1${path}`, key: service.key, headers, body });
}

function get(service: Service, path: string) {
  return request(service, { path: `/v1${path}`, key: service.key });
}

function update(service: Service, petId: string, quantity: number) {
  return send(service, 'PATCH', `/inventory/${petId}`, { quantity });
}

/** A batch of one row, with the petId unchanged in the text. */
function updateInBatch(service: Service, petId: string, quantity: number) {
  return sendText(service, '/inventory/batch', `{"changes":[{"petId":${petId},"quantity":${quantity}}]}`);
}

/** An order of one unit, with the petId unchanged in the text. */
function orderOne(service: Service, petId: string) {
  return sendText(service, '/store/orders', `{"lines":[{"petId":${petId},"quantity":1}]}`);
}

/** Every operation with a petId in its path. */
function requestAll(service: Service, petId: string) {
  return [
    update(service, petId, 5),
    get(service, `/pets/${petId}`),
    get(service, `/inventory/${petId}`),
    send(service, 'POST', `/inventory/${petId}/adjustments`, { delta: 1, reason: 'other' }),
    send(service, 'PUT', `/inventory/${petId}/status`, { status: 'available' }),
    get(service, `/inventory/${petId}/movements`),
  ];
}

/** Every operation of the management API with a petId in its path. */
function requestManaged(service: Service, key: string, petId: string) {
  const send = (method: string, path: string, body?: string) =>
    request(service, {
      method,
      path: `/admin/v1${path}`,
      key,
      ...(body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }),
    });
  return [
    send('GET', `/pets/${petId}`),
    send('PATCH', `/pets/${petId}`, '{"category":"birds"}'),
    send('POST', `/pets/${petId}/archive`),
    send('POST', `/pets/${petId}/restore`),
    send('GET', `/inventory/${petId}`),
  ];
}

/** Places an order of the pet, approves it, and delivers it; each response has the petId, and so has the list. */
async function orderAndDeliver(service: Service, petId: string): Promise<void> {
  const placed = await orderOne(service, petId);
  assert.deepEqual([placed.status, petIdsIn(placed.body.toString())], [201, [petId]]);
  const path = `/store/orders/${/"orderId":(\d+)/.exec(placed.body.toString())?.[1]}`;
  for (const [step, body] of [
    ['approve', '{}'],
    ['deliver', `{"lines":[{"petId":${petId}}]}`],
  ] as const) {
    const answer = await sendText(service, `${path}/${step}`, body);
    assert.deepEqual([answer.status, petIdsIn(answer.body.toString())], [200, [petId]], step);
  }
  for (const read of [path, `/store/orders?petId=${petId}`]) {
    const found = await get(service, read);
    assert.deepEqual([found.status, petIdsIn(found.body.toString())], [200, [petId]], read);
  }
}

function petIdsIn(text: string): string[] {
  return [...text.matchAll(/"petId":([^,}]+)/g)].map(([, petId = '']) => petId);
}

for (const target of testTargets()) {
  test(`on ${target.name}, a petId names exactly one pet, over the whole of int64`, async (t) => {
    const pets = STORED.map((petId) => ({ petId: BigInt(petId), quantity: QUANTITY_BEFORE }));
    const service = await target.start(t, { pets });
    const adminKey = await makeAdminKey(service, 'staff');
    const expected = new Map(STORED.map((petId) => [petId, String(QUANTITY_BEFORE)]));

    await t.test('the list prints every digit, ascending', async () => {
      assert.deepEqual([...(await listedQuantities(service))], [...expected]);
    });

    for (const [index, petId] of STORED.entries()) {
      await t.test(`${petId} is that row and no other`, async () => {
        const quantity = 1_000 + index;
        const updated = await update(service, petId, quantity);
        const item = `{"petId":${petId},"quantity":${quantity},"status":"available"}`;
        assert.deepEqual([updated.status, updated.body.toString()], [200, item]);
        expected.set(petId, String(quantity));
        assert.deepEqual(await listedQuantities(service), expected);

        for (const path of [`/pets/${petId}`, `/inventory/${petId}`, `/inventory?petId=${petId}`]) {
          const found = await get(service, path);
          assert.deepEqual([found.status, petIdsIn(found.body.toString())], [200, [petId]], path);
        }
        const adjusted = await send(service, 'POST', `/inventory/${petId}/adjustments`, {
          delta: 1,
          reason: 'other',
        });
        assert.deepEqual([adjusted.status, petIdsIn(adjusted.body.toString())], [201, [petId]]);
        const inBatch = await updateInBatch(service, petId, quantity + 2);
        assert.deepEqual([inBatch.status, petIdsIn(inBatch.body.toString())], [200, [petId]]);
        const status = await send(service, 'PUT', `/inventory/${petId}/status`, { status: 'available' });
        assert.equal(
          status.body.toString(),
          `{"petId":${petId},"quantity":${quantity + 2},"status":"available"}`,
        );
        for (const path of [`/inventory/${petId}/movements`, `/movements?petId=${petId}`]) {
          const movements = await get(service, path);
          assert.deepEqual(petIdsIn(movements.body.toString()), Array(4).fill(petId), path);
        }
        const managed = await request(service, { path: `/admin/v1/pets/${petId}`, key: adminKey });
        assert.deepEqual([managed.status, petIdsIn(managed.body.toString())], [200, [petId]]);
        await orderAndDeliver(service, petId);
        expected.set(petId, String(quantity + 1));
        assert.deepEqual(await listedQuantities(service), expected);
      });
    }

    for (const petId of UNKNOWN) {
      await t.test(`${petId} is not a pet`, async () => {
        const managed = requestManaged(service, adminKey, petId);
        for (const response of await Promise.all([...requestAll(service, petId), ...managed])) {
          assert.deepEqual([response.status, errorOf(response).code], [404, 'not_found']);
        }
        for (const answer of [await updateInBatch(service, petId, 5), await orderOne(service, petId)]) {
          assert.deepEqual([answer.status, errorOf(answer).code], [404, 'not_found']);
        }
      });
    }

    for (const petId of NO_IDENTIFIER) {
      await t.test(`${petId.slice(0, 30)} (${petId.length} characters) is not an identifier`, async () => {
        const lists = ['/inventory', '/movements', '/store/orders'];
        const filtered = lists.map((path) => get(service, `${path}?petId=${petId}`));
        // A plus is a space in a query, and a comma separates two identifiers.
        const managed = requestManaged(service, adminKey, petId);
        const requests = [
          ...requestAll(service, petId),
          ...managed,
          ...(petId.includes(',') ? [] : filtered),
        ];
        for (const response of await Promise.all(requests)) {
          assert.deepEqual([response.status, errorOf(response).code], [400, 'invalid_parameter']);
        }
      });
    }

    await t.test('an empty identifier is a missing path', async () => {
      for (const response of [await update(service, '', 5), await get(service, '/pets/')]) {
        assert.deepEqual([response.status, errorOf(response).code], [404, 'route_not_found']);
      }
    });

    for (const petId of ['9223372036854775808', '-9223372036854775809', '1.5', '1e30', '"1"', 'null']) {
      await t.test(`${petId} is not an identifier in a body`, async () => {
        for (const response of [await updateInBatch(service, petId, 5), await orderOne(service, petId)]) {
          assert.deepEqual([response.status, errorOf(response).code], [400, 'validation_failed']);
        }
      });
    }

    await t.test('no refused identifier has changed a row', async () => {
      assert.deepEqual(await listedQuantities(service), expected);
    });
  });
}
