import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON, startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { getItem, outcome, wholeLedger } from '../support/stock-requests.ts';
import { getOrder, linesOf, messageOf, orderOf, place, take } from './order-requests.ts';

const LARGE = 9_007_199_254_740_993n;
const PETS = [petRow(1n, 10), petRow(2n, 5), petRow(LARGE, 3), petRow(-(2n ** 63n), 1)];

test('201: an order reserves all lines, and each is a movement', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const body = {
    ...linesOf([2, 2], [LARGE, 3]),
    referenceId: 'cart-815',
    note: 'Zoë 🐕',
    reason: 'promotion',
  };
  const answer = await place(app, body);
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.json, {
    orderId: 1,
    status: 'placed',
    version: 1,
    lines: [
      { petId: 2, quantity: 2, delivered: 0, returned: 0, reserved: 2 },
      { petId: LARGE, quantity: 3, delivered: 0, returned: 0, reserved: 3 },
    ],
    referenceId: 'cart-815',
    note: 'Zoë 🐕',
    expiresAt: new Date(NOON + 1_800_000).toISOString(),
    createdAt: new Date(NOON).toISOString(),
    updatedAt: new Date(NOON).toISOString(),
    actor: { keyId: app.principal.key.id, name: 'test' },
  });
  assert.equal(answer.headers.get('Location'), `${app.config.baseUrl}/store/orders/1`);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  const read = await getOrder(app, 1);
  assert.deepEqual([read.text, read.headers.get('ETag')], [answer.text, answer.headers.get('ETag')]);
  const steps = (await wholeLedger(app)).slice(PETS.length);
  assert.deepEqual(
    steps.map(({ petId, kind, delta, reservedAfter, orderId, reason, referenceId, version }) => {
      return [petId, kind, delta, reservedAfter, orderId, reason, referenceId, version];
    }),
    [
      [2, 'reserve', 0, 2, 1, 'promotion', 'cart-815', 2],
      [LARGE, 'reserve', 0, 3, 1, 'promotion', 'cart-815', 2],
    ],
  );
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('all lines are reserved, or none: the refusal names the line and has the stock of its pet', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([2, 3]));
  const before = (await wholeLedger(app)).length;
  const short = await place(app, linesOf([1, 1], [2, 3], [LARGE, 9]));
  assert.deepEqual(outcome(short), [409, 'insufficient_stock']);
  assert.equal(
    messageOf(short),
    'lines[1] (petId 2): The stock is not enough for 3 units: petId 2 has quantity 5, of which 3 are reserved, and status available at version 2. At most 2 can be ordered now. Nothing was changed.',
  );
  assert.equal(short.headers.get('ETag'), (await getItem(app, 2)).headers.get('ETag'));
  assert.equal(short.headers.get('Inventory-Version'), '2');
  const unknown = await place(app, linesOf([1, 1], [9, 1]));
  assert.deepEqual(outcome(unknown), [404, 'not_found']);
  assert.equal(messageOf(unknown), 'lines[1] (petId 9): There is no pet with petId 9. Nothing was changed.');
  await place(app, linesOf([2, 2]));
  assert.match(messageOf(await place(app, linesOf([2, 1]))), /None can be ordered now\./);
  assert.equal((await wholeLedger(app)).length, before + 1);
  // A refused order takes no orderId.
  assert.equal(orderOf(await place(app, linesOf([1, 1]))).orderId, 3);
});

test('the refusal of the last unit of a pet counts in the singular', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 1)] });
  await place(app, linesOf([1, 1]));
  const message = messageOf(await place(app, linesOf([1, 1])));
  assert.match(
    message,
    /is not enough for 1 unit: petId 1 has quantity 1, of which 1 is reserved, and status/,
  );
});

test('a petId in a line names exactly one pet, over the whole of int64', async (t) => {
  const app = await startApp(t, { pets: [...PETS, petRow(LARGE - 1n, 3)] });
  for (const petId of [LARGE, LARGE - 1n, -(2n ** 63n)]) {
    const { status, text } = await place(app, linesOf([petId, 1]));
    assert.equal(status, 201, text);
    assert.ok(text.includes(`"lines":[{"petId":${petId},`), text);
    assert.equal(((await getItem(app, petId)).json as { reserved: number }).reserved, 1);
  }
  for (const petId of [
    '9223372036854775808',
    '-9223372036854775809',
    '1.5',
    '1e400',
    '"1"',
    'null',
    'true',
  ]) {
    const answer = await place(app, `{"lines":[{"petId":${petId},"quantity":1}]}`);
    const rule =
      /^lines\[0\]\.petId (?:must be a 64-bit integer\.|is the text "1"; send 1 without quotes\.$)/;
    assert.match(String(messageOf(answer)), rule, petId);
  }
  const byValue = await place(app, '{"lines":[{"petId":1.0e0,"quantity":20e-1}]}');
  assert.equal(byValue.status, 201);
});

test('the largest valid order fits into the body, and a larger body is 413', async (t) => {
  const petIds = Array.from({ length: 100 }, (_, i) => 2n ** 63n - 1n - BigInt(i));
  const app = await startApp(t, { pets: petIds.map((petId) => petRow(petId, Number.MAX_SAFE_INTEGER)) });
  const escaped = (text: string, count: number) => {
    const units = [...Array(text.length).keys()].map((i) => text.charCodeAt(i).toString(16).padStart(4, '0'));
    return `"${units
      .map((unit) => `\\u${unit}`)
      .join('')
      .repeat(count)}"`;
  };
  const lines = petIds.map(
    (petId) => `    {\r\n      "petId": ${petId},\r\n      "quantity": 9007199254740991\r\n    }`,
  );
  const body = `{\r\n  "lines": [\r\n${lines.join(',\r\n')}\r\n  ],\r\n  "note": ${escaped('🐕', 1_000)},\r\n  "referenceId": ${escaped('🐕', 200)},\r\n  "referenceDocumentUri": "https://a.example/${'ü'.repeat(1_982)}",\r\n  "reason": "promotion",\r\n  "occurredAt": "2026-07-01T12:00:00.000+00:00",\r\n  "expiresAt": "9999-12-31T23:59:59.9999Z"\r\n}`;
  assert.ok(body.length > 16 * 1024, `${body.length} bytes`);
  const { status, text } = await place(app, body);
  assert.equal(status, 201, text.slice(0, 300));
  assert.equal((await take(app, 'approve', 1)).status, 200);
  assert.equal((await take(app, 'deliver', 1, body.replace(/,\s*"expiresAt": "[^"]*"/, ''))).status, 200);
  const tooLarge = await place(app, `${body}${' '.repeat(65_537 - Buffer.byteLength(body))}`);
  assert.deepEqual(outcome(tooLarge), [413, 'body_too_large']);
});

test('expiresAt: its own moment, never, or the hold time of the shop', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_ORDER_HOLD: '60' } });
  const expiry = async (expiresAt?: string | null) =>
    orderOf(await place(app, { ...linesOf([1, 1]), expiresAt })).expiresAt;
  assert.equal(await expiry(), '2026-07-01T12:01:30.000Z');
  assert.equal(await expiry(null), null);
  assert.equal(await expiry('2026-07-01T14:00:30.0019+02:00'), '2026-07-01T12:00:30.001Z');
  assert.equal(await expiry('9999-12-31T23:59:59.9999Z'), '9999-12-31T23:59:59.999Z');
});

test('PETSTORE_ORDER_HOLD of 0: an order without expiresAt never expires', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_ORDER_HOLD: '0' } });
  assert.equal(orderOf(await place(app, linesOf([1, 1]))).expiresAt, null);
});

test('follow-orders: a pet is pending while all units are reserved, and sold at zero', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_STATUS_POLICY: 'follow-orders' } });
  const statusOf = async () => ((await getItem(app, 2)).json as { status: string }).status;
  await place(app, linesOf([2, 4]));
  assert.equal(await statusOf(), 'available');
  await place(app, linesOf([2, 1]));
  assert.equal(await statusOf(), 'pending');
  await take(app, 'cancel', 2);
  assert.equal(await statusOf(), 'available');
  await place(app, linesOf([2, 1]));
  for (const orderId of [1, 3]) {
    await take(app, 'approve', orderId);
    await take(app, 'deliver', orderId);
  }
  assert.equal(await statusOf(), 'sold');
  await take(app, 'return', 3);
  assert.equal(await statusOf(), 'available');
});

test('GET: 304 when the client has the order, 412 when it has another, 404 and 400', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const tag = (await place(app, linesOf([1, 1]))).headers.get('ETag') as string;
  for (const ifNoneMatch of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
    const answer = await getOrder(app, 1, { 'If-None-Match': ifNoneMatch });
    assert.deepEqual([answer.status, answer.headers.get('ETag')], [304, tag], ifNoneMatch);
  }
  assert.equal((await getOrder(app, 1, { 'If-Match': '"x"' })).status, 412);
  assert.equal((await getOrder(app, 1, { 'If-Match': tag })).status, 200);
  await take(app, 'cancel', 1);
  assert.equal((await getOrder(app, 1, { 'If-None-Match': tag })).status, 200);
  for (const orderId of [2, Number.MAX_SAFE_INTEGER]) {
    const missing = await getOrder(app, orderId);
    assert.equal(messageOf(missing), `There is no order with orderId ${orderId}.`);
  }
  assert.deepEqual(outcome(await getOrder(app, '0')), [400, 'invalid_parameter']);
  assert.equal((await app.request('HEAD', '/v1/store/orders/1')).status, 200);
});
