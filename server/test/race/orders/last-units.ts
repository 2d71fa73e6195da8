import assert from 'node:assert/strict';
import { errorOf, request } from '../../blackbox/api-request.ts';
import { parsePetIds, readLedger } from '../checker/movement-pages.ts';
import { answerOf, openAll } from '../raw-clients.ts';
import type { ItemJson } from '../requests.ts';
import type { Stage } from '../stage.ts';
import { readOrders } from './read-orders.ts';

export interface LastUnitsOptions {
  readonly orders: number;
  /** Of which as many units are in stock as can be ordered. */
  readonly petId: bigint;
  readonly units: number;
}

/**
 * Many clients, each on its own connection, order the last units of a pet concurrently, one each. Asserts that exactly
 * as many orders as there are units are placed, and that every other one gets 409.
 */
export async function orderLastUnits(
  { keys, ports }: Stage,
  { orders, petId, units }: LastUnitsOptions,
): Promise<void> {
  const { key } = keys[0]!;
  const service = { port: ports()[0]!, key };
  const look = async () => {
    const { body } = await request(service, { path: `/v1/inventory/${petId}`, key });
    return parsePetIds(String(body)) as ItemJson & { readonly available: number };
  };
  const { quantity, reserved, available } = await look();
  assert.deepEqual([quantity, reserved, available], [units, 0, units]);
  const sockets = await openAll(orders, ports());
  const body = `{"lines":[{"petId":${petId},"quantity":1}],"expiresAt":null}`;
  for (const socket of sockets) {
    socket.send(
      `POST /v1/store/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  const answers = await Promise.all(sockets.map(answerOf));
  for (const socket of sockets) socket.destroy();
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(answers.length - refused.length, units, `orders placed of ${orders}`);
  for (const answer of refused) {
    assert.equal(answer.status, 409, String(answer.body));
    assert.equal(errorOf(answer).code, 'insufficient_stock');
  }
  const after = await look();
  assert.deepEqual([after.quantity, after.reserved, after.available], [units, units, 0]);
  const placed = await readOrders(service, `?order=asc&limit=100&petId=${petId}`);
  assert.equal(placed.length, units, 'orders');
  const reserves = (await readLedger(service)).filter(
    (movement) => movement.petId === petId && movement.kind === 'reserve',
  );
  assert.deepEqual(
    reserves.map(({ reservedAfter }) => reservedAfter),
    Array.from({ length: units }, (_, i) => i + 1),
    'each movement reserves one unit more',
  );
}
