import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS } from '../../src/domain/errors.ts';
import { errorOf, listedQuantities, request } from './api-request.ts';
import { HOSTILE_BODIES, type HostileBody, hostileOrders } from './hostile-bodies.ts';
import type { Service } from './service.ts';
import { testTargets } from './targets.ts';

const QUANTITY_BEFORE = 77;
/** One pet per row, so that no row can hide the effect of another. */
const PETS = HOSTILE_BODIES.map((_, index) => ({ petId: BigInt(index + 1), quantity: QUANTITY_BEFORE }));

async function patch(service: Service, petId: bigint, row: HostileBody) {
  return await request(service, {
    method: 'PATCH',
    path: `/v1/inventory/${petId}`,
    key: service.key,
    body: row.body,
    headers: {
      ...(row.contentType === null ? {} : { 'Content-Type': row.contentType }),
      ...(row.contentEncoding === undefined ? {} : { 'Content-Encoding': row.contentEncoding }),
    },
  });
}

for (const target of testTargets()) {
  test(`on ${target.name}, a body sets exactly its quantity, or is refused and changes nothing`, async (t) => {
    const service = await target.start(t, { pets: PETS });
    for (const [index, row] of HOSTILE_BODIES.entries()) {
      const petId = BigInt(index + 1);
      await t.test(row.title, async () => {
        const response = await patch(service, petId, row);
        const text = response.body.toString();
        if (typeof row.outcome === 'number') {
          assert.equal(response.status, 200, text);
          assert.equal(text, `{"petId":${petId},"quantity":${row.outcome},"status":"available"}`);
        } else {
          assert.equal(response.status, ERROR_STATUS[row.outcome], text);
          assert.equal(errorOf(response).code, row.outcome, text);
        }
        const quantityAfter = typeof row.outcome === 'number' ? row.outcome : QUANTITY_BEFORE;
        assert.equal((await listedQuantities(service)).get(String(petId)), String(quantityAfter));
      });
    }
    assert.ok(service.isAlive(), service.logs());
  });

  test(`on ${target.name}, a line of an order reserves exactly its quantity, or is refused`, async (t) => {
    const rows = hostileOrders(1n);
    const pets = rows.map((_, index) => ({ petId: BigInt(index + 1), quantity: Number.MAX_SAFE_INTEGER }));
    const service = await target.start(t, { pets });
    for (const [index, { title, outcome }] of rows.entries()) {
      const petId = BigInt(index + 1);
      await t.test(title, async () => {
        const body = hostileOrders(petId)[index]?.body ?? '';
        const headers = { 'Content-Type': 'application/json' };
        const path = '/v1/store/orders';
        const response = await request(service, { method: 'POST', path, key: service.key, headers, body });
        const text = response.body.toString();
        if (typeof outcome === 'number') {
          assert.ok(text.includes(`"lines":[{"petId":${petId},"quantity":${outcome},`), text);
        } else assert.equal(errorOf(response).code, outcome, text);
        const item = await request(service, { path: `/v1/inventory/${petId}`, key: service.key });
        const reserved = typeof outcome === 'number' ? outcome : 0;
        assert.ok(item.body.toString().includes(`"reserved":${reserved},`), item.body.toString());
      });
    }
    assert.ok(service.isAlive(), service.logs());
  });
}
