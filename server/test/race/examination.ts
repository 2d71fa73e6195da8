import assert from 'node:assert/strict';
import { request } from '../blackbox/api-request.ts';
import type { SeededRandom } from '../support/limit-clients.ts';
import { accountFor } from './checker/accounted.ts';
import { checkBySequence } from './checker/by-sequence.ts';
import { changesOf } from './checker/history.ts';
import { type LedgerRow, ledgerFaults } from './checker/ledger-invariants.ts';
import { checkLinearizable } from './checker/linearizable.ts';
import {
  hashFaults,
  ledgerRowOf,
  type MovementJson,
  parsePetIds,
  readLedger,
} from './checker/movement-pages.ts';
import type { Verdict } from './checker/verdict.ts';
import { examineOrders, type OrderEvidence, releasesOf } from './orders/order-examination.ts';
import { readOrders } from './orders/read-orders.ts';
import type { RaceResult } from './race.ts';
import type { RaceRecord } from './race-record.ts';
import type { ItemJson, Part, ReceivedList } from './requests.ts';

interface ServiceAddress {
  readonly port: number;
  readonly key: string;
}

interface Evidence {
  readonly record: RaceRecord;
  readonly service: ServiceAddress;
  /** The head of the ledger before the race, and the newest order. */
  readonly sinceSequence: number;
  readonly sinceOrderId: number;
  readonly random: SeededRandom;
}

const LISTS_AS_OF = 12;

/** Compares the observations of all clients with the ledger, both read through the service after the race. */
export async function examine(evidence: Evidence): Promise<RaceResult> {
  const { record, service, sinceSequence, sinceOrderId, random } = evidence;
  const movements = await readLedger(service);
  // Another race examined the earlier movements.
  const rows = movements
    .map(ledgerRowOf)
    .map((row) => (row.sequence > sinceSequence ? row : { ...row, idempotencyKey: undefined }));
  const items = await Promise.all(record.petIds.map((petId) => item(service, petId)));
  const raced = new Set(record.petIds);
  const others = [...new Set(rows.map(({ petId }) => petId))].filter((petId) => !raced.has(petId));
  const stocks = [...items, ...(await Promise.all(others.map((petId) => item(service, petId))))];
  const raceOrders: OrderEvidence = {
    orders: await readOrders(service),
    movements,
    operations: record.orderOperations,
    items,
    sinceOrderId,
  };
  for (const { orderId, status } of raceOrders.orders)
    if (orderId > sinceOrderId) record.count(`orders ${status} at the end`);
  const releases = releasesOf({ ...raceOrders, movements: movements.slice(sinceSequence) });
  const { faults, histories } = accountFor(rows, record.histories(releases), sinceSequence);
  return {
    faults: [
      ...record.faults,
      ...examineOrders(raceOrders),
      ...ledgerFaults(rows, stocks),
      ...hashFaults(movements),
      ...faults,
      ...record.atomicBatches.flatMap((parts) => brokenBatch(parts, rows)),
      ...histories.flatMap((history) => refutation(checkBySequence(history))),
      ...histories.flatMap((history) => refutation(checkLinearizable(history))),
      ...record.lists.flatMap((list) => wrongList(list, movements)),
      ...(await wrongListsAsOf(service, movements, random)),
      ...(await auditFaults(service, movements)),
    ],
    counts: record.counts,
    movements: movements.length - sinceSequence,
  };
}

async function item(service: ServiceAddress, petId: bigint): Promise<ItemJson> {
  return (await get(service, `/v1/inventory/${petId}`)) as ItemJson;
}

async function get(service: ServiceAddress, path: string): Promise<unknown> {
  const { status, body } = await request(service, { path, key: service.key });
  assert.equal(status, 200, `${path}: ${body}`);
  return parsePetIds(String(body));
}

function refutation(verdict: Verdict): string[] {
  return verdict.isLinearizable ? [] : [verdict.message];
}

/** Checks an atomic batch: its movements are consecutive and cover all its pets. */
function brokenBatch(parts: readonly Part[], rows: readonly LedgerRow[]): string[] {
  const marks = new Set(parts.map(({ mark }) => mark));
  const own = rows.filter(({ idempotencyKey }) => idempotencyKey !== undefined && marks.has(idempotencyKey));
  const [first] = own;
  if (!first) return [];
  const made = new Set(own.map(({ idempotencyKey }) => idempotencyKey));
  const name = `The batch of ${parts[0]!.mark}`;
  const isTogether = own.every(({ sequence }, index) => sequence === first.sequence + index);
  const isMissing = parts.some(
    ({ mark, action }) => !made.has(mark) && changesOf(action).some(({ kind }) => kind === 'adjust'),
  );
  return [
    ...(isTogether ? [] : [`${name} was applied in parts.`]),
    ...(isMissing ? [`${name} was not applied completely.`] : []),
  ];
}

/** The inventory after a movement, replayed from the movements. */
function replay(movements: readonly MovementJson[], sequence: number): string {
  const stock = new Map<bigint, string>();
  for (const { petId, quantityAfter, statusAfter } of movements.slice(0, sequence))
    stock.set(petId, `${petId}: ${quantityAfter} ${statusAfter}`);
  const petIds = [...stock.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  return petIds.map((petId) => stock.get(petId)).join(', ');
}

/** Checks consistency: the list equals the replay of the movements up to its sequence. */
function wrongList({ sequence, items }: ReceivedList, movements: readonly MovementJson[]): string[] {
  const reported = items.map(({ petId, quantity, status }) => `${petId}: ${quantity} ${status}`).join(', ');
  const made = replay(movements, sequence);
  return reported === made
    ? []
    : [`The list after movement ${sequence} was ${reported}, but the movements make ${made}.`];
}

async function wrongListsAsOf(
  service: ServiceAddress,
  movements: readonly MovementJson[],
  random: SeededRandom,
): Promise<string[]> {
  const sequences = Array.from({ length: LISTS_AS_OF }, () => random.integer(1, movements.length));
  const faults = sequences.map(async (sequence) => {
    const items = (await get(service, `/v1/inventory?atSequence=${sequence}`)) as readonly ItemJson[];
    return wrongList({ sequence, items }, movements);
  });
  return (await Promise.all(faults)).flat();
}

async function auditFaults(service: ServiceAddress, movements: readonly MovementJson[]): Promise<string[]> {
  const { status, body } = await request(service, { path: '/v1/ledger/audit', key: service.key });
  if (status !== 200) return [`The audit is answered ${status}: ${body}.`];
  const audit = JSON.parse(String(body)) as {
    readonly isIntact: boolean;
    readonly movements: number;
    readonly head: { readonly sequence: number; readonly hash: string };
  };
  const { sequence, hash } = movements.at(-1)!;
  const isOfAll =
    audit.movements === sequence && audit.head.sequence === sequence && audit.head.hash === hash;
  return audit.isIntact && isOfAll ? [] : [`The audit reports ${JSON.stringify(audit)}.`];
}
