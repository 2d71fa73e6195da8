import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Role } from '@petstore-inventory/shared/words';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/command-line.ts';
import type { Answer } from '../support/harness.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const STOCKTAKES = '/admin/v1/stocktakes';

async function shop(t: TestContext, role: Role = 'administrator') {
  const made = await adminShop(t, role, {
    nowMs: 'now',
    pets: [1, 2, 3].map((petId) => petRow(petId, { name: `Pet ${petId}`, category: 'Dogs', quantity: 10 })),
  });
  const { send } = made;
  const read = async (path: string) => JSON.parse((await send('GET', `${STOCKTAKES}${path}`)).text);
  const start = async (body: object = {}) => {
    const answer = await send('POST', STOCKTAKES, { name: 'Autumn', ...body });
    assert.equal(answer.status, 201, answer.text);
    return (JSON.parse(answer.text) as { readonly id: string }).id;
  };
  const count = (id: string, body: object, headers = {}) =>
    send('POST', `${STOCKTAKES}/${id}/counts`, body, headers);
  return { ...made, read, start, count };
}

test('a stock-take is started, counted, reported, closed and undone', async (t) => {
  const { send, read, start, count } = await shop(t);
  const created = await send('POST', STOCKTAKES, {
    name: ' Autumn ',
    scope: { category: 'Dogs', q: null },
    posting: 'at_close',
  });
  assert.equal(created.status, 201, created.text);
  const { id, name, state, scope } = JSON.parse(created.text);
  assert.deepEqual([name, state, scope.category, scope.q], ['Autumn', 'running', 'Dogs', null]);
  assert.ok(created.headers.get('Location')?.endsWith(`/stocktakes/${id}`));
  const counted = await count(
    id,
    { petId: 1, counted: 8, note: 'Two were sick.' },
    { 'Idempotency-Key': 'k1' },
  );
  assert.equal(counted.status, 201, counted.text);
  assert.deepEqual(JSON.parse(counted.text).quantity, 10);
  const again = await count(
    id,
    { petId: 1, counted: 8, note: 'Two were sick.' },
    { 'Idempotency-Key': 'k1' },
  );
  assert.equal(again.text, counted.text);
  assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
  assert.equal(
    (await count(id, { petId: 1, counted: 9 }, { 'Idempotency-Key': 'k1' })).code,
    'idempotency_key_reused',
  );
  const tag = counted.headers.get('ETag') ?? '';
  assert.equal((await count(id, { petId: 1, counted: 7 }, { 'If-Match': tag })).status, 201);
  assert.equal((await count(id, { petId: 1, counted: 6 }, { 'If-Match': tag })).status, 412);
  await count(id, { petId: 2, counted: 10 });
  const movement = JSON.parse((await send('GET', '/admin/v1/inventory/1/movements?limit=10')).text).at(-1);
  assert.deepEqual(
    [movement.kind, movement.reason, movement.referenceId, movement.delta],
    ['set', 'cycle_count', id, 0],
  );
  assert.equal((await read(`/${id}/report?differs=true`)).length, 1);
  assert.deepEqual(
    (await read(`/${id}/uncounted`)).map((pet: { petId: number }) => pet.petId),
    [3],
  );
  const closed = await send('POST', `${STOCKTAKES}/${id}/close`);
  assert.equal(JSON.parse(closed.text).state, 'closed', closed.text);
  assert.equal((await count(id, { petId: 3, counted: 1 })).code, 'conflict');
  const { sequence: _, ...totals } = await read(`/${id}/totals`);
  assert.deepEqual(totals, {
    counted: 2,
    uncounted: 1,
    differences: 1,
    surplus: 0,
    shortage: 3,
    unposted: 0,
  });
  assert.equal(JSON.parse((await send('POST', `${STOCKTAKES}/${id}/undo`)).text).state, 'undone');
  assert.equal(JSON.parse((await send('GET', '/admin/v1/inventory/1')).text).quantity, 10);
  const other = await start();
  assert.deepEqual(
    (await read('')).map((one: { id: string }) => one.id),
    [other, id],
  );
  const third = await start();
  await send('POST', `${STOCKTAKES}/${third}/close`);
  for (const [state, ids] of [
    ['running', [other]],
    ['closed', [third]],
    ['undone', [id]],
  ] as const) {
    const found = (await read(`?state=${state}`)) as { id: string }[];
    assert.deepEqual(
      found.map((one) => one.id),
      ids,
      state,
    );
  }
  const first = await send('GET', `${STOCKTAKES}?limit=1`);
  const [, next = ''] = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(first.headers.get('Link') ?? '') ?? [];
  assert.equal(JSON.parse((await send('GET', next)).text)[0].id, other);
});

test('a count keeps its note and its time, and a filter of the start is that of the stock-take', async (t) => {
  const { send, read, start, count } = await shop(t);
  const scope = { q: 'Pet', category: 'Dogs', status: 'available', alert: ['low', 'out'] };
  const filtered = await start({ scope });
  assert.deepEqual((await read(`/${filtered}`)).scope, scope);
  const id = await start();
  const occurredAt = '2026-01-01T00:00:00.000Z';
  await count(id, { petId: 1, counted: 8, note: 'Two were sick.', occurredAt });
  await count(id, { petId: 2, counted: 10 });
  const movement = JSON.parse((await send('GET', '/admin/v1/inventory/1/movements?limit=10')).text).at(-1);
  assert.deepEqual([movement.note, movement.occurredAt], ['Two were sick.', occurredAt]);
  for (const [differs, petId] of [
    [true, 1],
    [false, 2],
  ]) {
    const lines: readonly { readonly petId: number }[] = await read(`/${id}/report?differs=${differs}`);
    assert.deepEqual(
      lines.map((line) => line.petId),
      [petId],
    );
  }
});

test('a stock-take that was started by mistake is cancelled', async (t) => {
  const { send, read, start, count } = await shop(t);
  const id = await start();
  await count(id, { petId: 1, counted: 12 });
  await count(id, { petId: 2, counted: 3 });
  await send('POST', '/admin/v1/inventory/1/adjustments', { delta: -11, reason: 'sold' });
  const refused = await send('POST', `${STOCKTAKES}/${id}/cancel`);
  assert.equal(refused.code, 'insufficient_stock', refused.text);
  assert.match(
    refused.text,
    /The stock-take was not cancelled: pet 1 has 1 unit and would have -1\. Correct its stock first\./,
  );
  assert.deepEqual(
    [refused.headers.get('Inventory-Pets'), refused.headers.get('Inventory-Pet-Count')],
    ['1;quantity=1;result=-1', '1'],
  );
  assert.equal((await read(`/${id}`)).state, 'running');
  await send('POST', '/admin/v1/inventory/1/adjustments', { delta: 1, reason: 'returned' });
  const cancelled = await send('POST', `${STOCKTAKES}/${id}/cancel`);
  assert.equal(cancelled.status, 200, cancelled.text);
  const { state, closedAt, closedBy, undoneAt, undoneBy, cancelledAt, cancelledBy } = JSON.parse(
    cancelled.text,
  );
  assert.deepEqual([state, closedAt, closedBy, undoneAt, undoneBy], ['cancelled', null, null, null, null]);
  assert.ok(Date.parse(cancelledAt) > 0);
  assert.ok(cancelledBy.name);
  const list = JSON.parse((await send('GET', '/admin/v1/inventory')).text) as { quantity: number }[];
  assert.deepEqual(
    list.map(({ quantity }) => quantity),
    [0, 10, 10],
  );
  assert.deepEqual(
    (await read(`/${id}/report`)).map((line: { variance: number; posted: number }) => [
      line.variance,
      line.posted,
    ]),
    [
      [2, 0],
      [-7, 0],
    ],
  );
  assert.equal((await count(id, { petId: 3, counted: 1 })).code, 'conflict');
  assert.deepEqual(
    (await read('?state=cancelled')).map((one: { id: string }) => one.id),
    [id],
  );
  assert.deepEqual(await read('?state=undone'), []);
  const { rows } = JSON.parse((await send('GET', '/admin/v1/reports/variance')).text);
  assert.deepEqual(rows, []);
});

once('staff counts, and only an administrator starts, closes, cancels and undoes', async (t) => {
  const { app, start } = await shop(t);
  const id = await start();
  for (const role of ['viewer', 'staff'] as const) {
    const { key } = await app.makeAdminKey(role);
    const post = async (path: string, body?: object) =>
      (await app.request('POST', STOCKTAKES + path, { key, ...(body && { body: JSON.stringify(body) }) }))
        .status;
    assert.equal(await post('', { name: 'x' }), 403);
    assert.equal(await post(`/${id}/counts`, { petId: 1, counted: 1 }), role === 'staff' ? 201 : 403);
    assert.equal(await post(`/${id}/close`), 403);
    assert.equal(await post(`/${id}/undo`), 403);
    assert.equal(await post(`/${id}/cancel`), 403);
    assert.equal((await app.request('GET', `${STOCKTAKES}/${id}/report`, { key })).status, 200);
  }
});

once('hostile bodies, ids and cursors are refused with a sentence', async (t) => {
  const { send, start, count } = await shop(t);
  const id = await start();
  const refused = async (work: Promise<Answer>, code: string) => {
    const answer = await work;
    assert.equal(answer.code, code, answer.text);
  };
  const bodies: readonly unknown[] = [
    {},
    { name: '' },
    { name: 'a\nb' },
    { name: 'x'.repeat(101) },
    { name: 'x', posting: 'later' },
    { name: 'x', scope: { q: '' } },
    { name: 'x', scope: { q: 'x'.repeat(10_000) } },
    { name: 'x', scope: { category: '' } },
    { name: 'x', scope: { status: 'gone' } },
    { name: 'x', scope: { alert: [] } },
    { name: 'x', scope: { alert: ['low', 'low'] } },
    { name: 'x', scope: { other: 1 } },
    { name: 'x', other: 1 },
    [],
  ];
  for (const body of bodies) {
    await refused(send('POST', STOCKTAKES, body as object), 'validation_failed');
  }
  for (const body of [
    {},
    { petId: 1 },
    { petId: 1, counted: -1 },
    { petId: 1, counted: 1.5 },
    { petId: 1, counted: 2 ** 53 },
    { petId: 1, counted: '1' },
    { petId: 1, counted: 1, note: '\0' },
    { petId: 1, counted: 1, reason: 'sold' },
  ]) {
    await refused(count(id, body), 'validation_failed');
  }
  await refused(count(id, { petId: 99, counted: 1 }), 'not_found');
  for (const wrong of ['stk_0', "'", '%00', 'x'.repeat(500), '__proto__']) {
    await refused(send('GET', `${STOCKTAKES}/${wrong}`), 'not_found');
    await refused(send('POST', `${STOCKTAKES}/${wrong}/close`), 'not_found');
  }
  await refused(send('GET', `${STOCKTAKES}/${id}/report?cursor=x`), 'invalid_parameter');
  await refused(send('GET', `${STOCKTAKES}/${id}/report?differs=yes`), 'invalid_parameter');
  await refused(send('GET', `${STOCKTAKES}?state=open`), 'invalid_parameter');
});

test('several people who count one pet while it is closed leave an exact report', async (t) => {
  const { send, read, start, count } = await shop(t);
  const stock = async () => JSON.parse((await send('GET', '/admin/v1/inventory/3')).text).quantity as number;
  for (let round = 0; round < 4; round += 1) {
    const id = await start();
    const before = await stock();
    const work = [20, 25, 30].map((counted) => count(id, { petId: 3, counted: counted + round }));
    const sale = send('POST', '/admin/v1/inventory/3/adjustments', { delta: -1, reason: 'sold' });
    const closed = await send('POST', `${STOCKTAKES}/${id}/close`);
    assert.equal(closed.status, 200, closed.text);
    const late = send('PATCH', '/admin/v1/inventory/3', {
      quantity: 50,
      reason: 'cycle_count',
      referenceId: id,
    });
    const statuses = (await Promise.all(work)).map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 201 || status === 409),
      statuses.join(),
    );
    assert.equal((await sale).status, 201);
    assert.equal((await late).status, 200);
    const [line] = await read(`/${id}/report`);
    const counts = statuses.filter((status) => status === 201).length;
    assert.equal(line?.counts ?? 0, counts);
    if (line) {
      assert.ok([before, before - 1].includes(line.expected), `${line.expected} of ${before}`);
      assert.equal(line.posted, line.variance);
    }
    const beforeUndo = await stock();
    assert.equal((await send('POST', `${STOCKTAKES}/${id}/undo`)).status, 200);
    assert.equal(await stock(), beforeUndo - (line?.variance ?? 0));
  }
});
