import assert from 'node:assert/strict';
import type { ExactJson } from '../support/exact-json.ts';
import { type Answer, NOON } from '../support/harness.ts';
import { listJson } from '../support/pet-rows.ts';
import { type KnownMovement, knownMovement } from './known-movement.ts';
import type { StockModel } from './model.ts';
import { type KnownOrder, knownOrder, type ShopModel } from './order-model.ts';
import { orderOfCursor } from './queries.ts';
import type { FuzzRequest, Surroundings } from './requests.ts';

type Query = FuzzRequest['query'];
const DEFAULT_PAGE_ITEMS = 100;
const CUT_PARAMETERS = [
  'asOf',
  'atSequence',
  'status',
  'quantityLte',
  'quantityGte',
  'availableLte',
  'alert',
  'updatedSince',
  'petId',
];

/** Whether a query requests a list other than the cached one. */
export function isCut(query: Query): boolean {
  return CUT_PARAMETERS.some((name) => name in query);
}

/** Whether a valid query for the list names a future state. */
export function isAhead({ asOf, atSequence }: Query, model: StockModel): boolean {
  if (atSequence !== undefined) return Number(atSequence) > model.head;
  return asOf !== undefined && Date.parse(asOf) > NOON;
}

type AssertRead = (
  request: FuzzRequest,
  answer: Answer,
  model: ShopModel,
  surroundings: Surroundings,
) => void;

/** Asserts that the answer 200 to a read agrees with the model, by operation. */
export const READS: Readonly<Record<string, AssertRead>> = {
  listInventory: ({ query }, answer, model, surroundings) => assertList(query, answer, model, surroundings),
  getInventoryItem: ({ parameter }, answer, model) => assertItem(BigInt(parameter ?? ''), answer, model),
  listCatalog: ({ query }, answer, model) => assertCatalog(query, answer, model),
  getCatalogPet: ({ parameter }, answer, model) =>
    assertCatalogPet(answer.json as Record<string, ExactJson>, model, BigInt(parameter ?? '')),
  getPet: ({ parameter }, { text }) => assert.ok(text.startsWith(`{"petId":${parameter},`), 'it is that pet'),
  getMovement: ({ parameter }, { json }, model) =>
    assert.deepEqual(knownMovement(json), model.movement(Number(parameter))),
  listMovements: ({ query }, answer, model) => assertMovements(query, answer, model, query.petId),
  listItemMovements: ({ query, parameter }, answer, model) =>
    assertMovements(query, answer, model, parameter),
  getOrder: ({ parameter }, { json }, model) =>
    assert.deepEqual(knownOrder(json), model.orders[Number(parameter) - 1]),
  listOrders: ({ query }, answer, model) => assertOrders(query, answer, model),
  getStoreInventory: (_request, answer, model) => assertTotals(answer, model),
  auditLedger: (_request, { json }, model) => {
    const { isIntact, movements } = json as Record<string, ExactJson>;
    assert.deepEqual([isIntact, movements], [true, model.head]);
  },
};

function assertItem(petId: bigint, { json, headers }: Answer, model: StockModel): void {
  const item = model.items.get(petId);
  assert.ok(item);
  const daysOfStock = model.daysOfStock(petId);
  const { quantity, status, version, reserved, alertLevel } = item;
  const facts = { petId, quantity, status, version, reserved, available: quantity - reserved, alertLevel };
  const found = { ...(json as Record<string, ExactJson>), petId };
  assert.deepEqual({ ...found, ...facts, daysOfStock }, found);
  assert.equal(headers.get('ETag'), model.itemTagOf(petId));
}

function assertCatalogPet(json: Record<string, ExactJson>, model: StockModel, petId: bigint): void {
  const item = model.items.get(petId);
  assert.ok(item);
  const { quantity, status, version, reserved, alertLevel } = item;
  const facts = { petId, quantity, status, version, reserved, available: quantity - reserved, alertLevel };
  const found = { ...json, petId: BigInt(json.petId as number) };
  assert.deepEqual({ ...found, ...facts }, found);
}

function assertCatalog(
  { status, alertLevel, sku, barcode, limit }: Query,
  { json }: Answer,
  model: StockModel,
): void {
  const pets = json as Record<string, ExactJson>[];
  assert.ok(pets.length <= Number(limit ?? DEFAULT_PAGE_ITEMS));
  if (sku !== undefined || barcode !== undefined) assert.deepEqual(pets, [], 'no pet has codes');
  for (const pet of pets) {
    assertCatalogPet(pet, model, BigInt(pet.petId as number));
    if (status !== undefined) assert.equal(pet.status, status);
    if (alertLevel !== undefined) assert.ok(alertLevel.split(',').includes(String(pet.alertLevel)));
  }
}

function assertTotals({ json }: Answer, model: StockModel): void {
  const totals: Record<string, bigint> = { available: 0n, pending: 0n, sold: 0n };
  Object.assign(totals, { reservedUnits: 0n, availableUnits: 0n });
  for (const { status, quantity, reserved } of model.items.values()) {
    totals[status]! += BigInt(quantity);
    totals.reservedUnits! += BigInt(reserved);
    totals.availableUnits! += BigInt(quantity) - BigInt(reserved);
  }
  const sums = Object.entries(json as Record<string, number | bigint>).map(([name, sum]) => [
    name,
    BigInt(sum),
  ]);
  assert.deepEqual(Object.fromEntries(sums), totals);
}

function assertList(
  query: Query,
  { text, headers }: Answer,
  model: StockModel,
  { cursors, petIds }: Surroundings,
) {
  const sequence = sequenceOf(query, model);
  const { cursor, limit, status, quantityLte, quantityGte, updatedSince, petId } = query;
  const { availableLte, alert } = query;
  // A cursor names the pet before its page; no pets are added or removed here.
  const before = cursors.find((candidate) => candidate.text === cursor)?.before ?? 0;
  const after = before === 0 ? undefined : ordered(petIds)[before - 1];
  const fitting = model
    .at(sequence)
    .filter(
      (item) =>
        (after === undefined || item.petId > after) &&
        (status === undefined || item.status === status) &&
        (quantityLte === undefined || item.quantity <= Number(quantityLte)) &&
        (quantityGte === undefined || item.quantity >= Number(quantityGte)) &&
        (availableLte === undefined || item.quantity - item.reserved <= Number(availableLte)) &&
        (alert === undefined || alert.split(',').includes(item.alertLevel ?? 'none')) &&
        (updatedSince === undefined || NOON >= Date.parse(updatedSince)) &&
        (petId === undefined || petId.split(',').includes(String(item.petId))),
    );
  const isPage = cursor !== undefined || limit !== undefined;
  const items = isPage ? Number(limit ?? DEFAULT_PAGE_ITEMS) : fitting.length;
  assert.equal(text, listJson(fitting.slice(0, items)));
  assert.equal(headers.get('Inventory-Sequence'), String(sequence));
  if (items < fitting.length) assert.ok(headers.has('Link'), 'Link leads to the next page');
  if (!isCut(query)) assert.equal(headers.has('Link'), items < fitting.length, 'and to nothing else');
}

function ordered(petIds: readonly bigint[]): bigint[] {
  return petIds.toSorted((a, b) => (a < b ? -1 : 1));
}

function sequenceOf({ atSequence, asOf }: Query, { head }: StockModel): number {
  if (atSequence !== undefined) return Number(atSequence);
  return asOf !== undefined && Date.parse(asOf) < NOON ? 0 : head;
}

function assertMovements(query: Query, answer: Answer, model: StockModel, petId: string | undefined): void {
  const { kind, reason, actor, since, until, after, before, order, limit } = query;
  const fits = (one: KnownMovement) =>
    (petId === undefined || one.petId === BigInt(petId)) &&
    (kind === undefined || one.kind === kind) &&
    (reason === undefined || one.reason === reason) &&
    (actor === undefined || one.actor === actor) &&
    (since === undefined || NOON >= Date.parse(since)) &&
    (until === undefined || NOON < Date.parse(until)) &&
    (after === undefined || one.sequence > Number(after)) &&
    (before === undefined || one.sequence < Number(before));
  const fitting = model.movements.filter(fits);
  if (order === 'desc') fitting.reverse();
  const page = fitting.slice(0, Number(limit ?? DEFAULT_PAGE_ITEMS));
  const sums = (answer.json as ExactJson[]).map(knownMovement);
  assert.deepEqual(sums, page.slice(0, sums.length));
  if (sums.length < page.length) assert.ok(answer.headers.has('Link'), 'a page that is not full leads on');
  assert.equal(answer.headers.get('Inventory-Sequence'), String(model.head));
}

const DEFAULT_PAGE_ORDERS = 20;
const EXPIRING_MS = 15 * 60_000;

function stateOf({ status, expiresAtMs, lines }: KnownOrder): string | undefined {
  const isExpiring = status === 'placed' && expiresAtMs !== null && expiresAtMs < NOON + EXPIRING_MS;
  if (isExpiring) return 'expiring';
  return status === 'approved' && lines.some(({ delivered }) => delivered > 0)
    ? 'partly_delivered'
    : undefined;
}

function assertOrders(query: Query, answer: Answer, { orders }: ShopModel): void {
  const { status, state, petId, referenceId, createdSince, order, limit, cursor } = query;
  const fitting = orders.filter(
    (one) =>
      (status === undefined || one.status === status) &&
      (state === undefined || stateOf(one) === state) &&
      (petId === undefined || one.lines.some((line) => line.petId === BigInt(petId))) &&
      (referenceId === undefined || one.referenceId === referenceId) &&
      (createdSince === undefined || NOON >= Date.parse(createdSince)),
  );
  if (order !== 'asc') fitting.reverse();
  const last = cursor === undefined ? undefined : orderOfCursor(cursor);
  const following = fitting.filter(
    ({ orderId }) => last === undefined || (order === 'asc' ? orderId > last : orderId < last),
  );
  const page = following.slice(0, Number(limit ?? DEFAULT_PAGE_ORDERS));
  const found = (answer.json as ExactJson[]).map(knownOrder);
  assert.deepEqual(found, page.slice(0, found.length));
  if (found.length < following.length)
    assert.ok(answer.headers.has('Link'), 'a page that is not the last leads on');
}
