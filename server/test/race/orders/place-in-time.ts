import assert from 'node:assert/strict';
import { request } from '../../blackbox/api-request.ts';
import { until } from '../../support/until.ts';
import { parsePetIds } from '../checker/movement-pages.ts';
import { Connections, type RaceRequest } from '../connections.ts';
import type { ItemJson } from '../requests.ts';
import type { Stage } from '../stage.ts';
import { requestOrder } from './order-requests.ts';

const WORKERS = 40;
const MAX_HELD_MS = 240_000;
const LATE = 'expiresAt must be in the future';

export interface ExpiryOptions {
  readonly seed: number;
  readonly orders: number;
  /** From the start of the placements to the expiry of all; longer where the machine is too busy. */
  readonly holdMs: number;
  /** Of which there is a unit for each order. */
  readonly petId: bigint;
  /** A pet that others change meanwhile. */
  readonly writtenPetId: bigint;
}

/** Places the orders before they expire, with twice the time again where the machine is too busy for it. */
export async function placeInTime(
  stage: Stage,
  { seed, orders, holdMs, petId }: ExpiryOptions,
): Promise<{ prefix: string; expiresAtMs: number }> {
  for (let heldMs = holdMs; heldMs <= MAX_HELD_MS; heldMs *= 2) {
    const prefix = `expiry-${seed}-${heldMs}`;
    const expiresAtMs = Date.now() + heldMs;
    const expiresAt = new Date(expiresAtMs).toISOString();
    const arePlaced = await placeAll(stage, orders, (index) => {
      const { request: one } = requestOrder([{ petId, quantity: 1 }], prefix, expiresAt);
      return { ...one, headers: { 'Idempotency-Key': `${prefix}-${index}` } };
    });
    if (arePlaced && Date.now() < expiresAtMs) return { prefix, expiresAtMs };
    await until(async () => (await reservedUnits(stage, petId)) === 0, 'those that were placed expire');
  }
  assert.fail(`${orders} orders are not placed within ${MAX_HELD_MS} ms`);
}

/** Returns whether each order was placed, and none came after its end. */
async function placeAll(
  stage: Stage,
  count: number,
  requestOf: (index: number) => RaceRequest,
): Promise<boolean> {
  let next = 0;
  let isLate = false;
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    const connections = new Connections(stage.keys[worker % stage.keys.length]!.key);
    for (let index = next++; index < count; index = next++) {
      const ports = stage.ports();
      const exchange = await connections.send(ports[index % ports.length]!, requestOf(index));
      assert.ok(exchange.kind === 'answered');
      const { status, body } = exchange.answer;
      if (status === 400 && String(body).includes(LATE)) isLate = true;
      else assert.equal(status, 201, String(body));
    }
    connections.close();
  });
  await Promise.all(workers);
  return !isLate;
}

/** The reserved units of a pet, from any instance that answers. */
export async function reservedUnits({ keys, ports }: Stage, petId: bigint): Promise<number | undefined> {
  for (const port of ports()) {
    try {
      const { status, body } = await request({ port }, { path: `/v1/inventory/${petId}`, key: keys[0]!.key });
      if (status === 200) return (parsePetIds(String(body)) as ItemJson).reserved;
    } catch {
      // The instance is the one that was killed.
    }
  }
  return undefined;
}
