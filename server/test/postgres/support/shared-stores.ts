import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { AdminStore } from '../../../src/domain/admin-store.ts';
import { type Author, FIRST_HASH, type Movement, movementHash } from '../../../src/domain/ledger/ledger.ts';
import type { StockRules } from '../../../src/domain/ledger/ledger-transaction.ts';
import type { Change } from '../../../src/domain/ledger/stock.ts';
import type { StockStore } from '../../../src/domain/ledger-store.ts';
import type {
  BatchCommand,
  BatchResult,
  Idempotency,
  SingleResult,
  WriteOutcome,
  WriteRequest,
} from '../../../src/domain/write-command.ts';
import { MOVEMENT_FIELDS, type MovementRow, toMovement } from '../../../src/store/history/movement-row.ts';
import { connectAdmin } from '../../../src/store/postgres/admin/client.ts';
import { PostgresStore } from '../../../src/store/postgres/store.ts';
import { newAdminStore } from '../../support/command-line.ts';
import type { TestDatabase } from '../../support/test-database.ts';

export const NOW_MS = Date.UTC(2026, 6, 1, 12);
const RULES: StockRules = {
  statusPolicy: 'unchanged',
  maxQuantity: Number.MAX_SAFE_INTEGER,
  orderHoldMs: null,
};

export interface StoresOptions {
  readonly pets?: Iterable<PetRow>;
  readonly rules?: Partial<StockRules>;
  readonly readUrl?: string;
  /** The time by which kept answers are forgotten, and windows and bans go. */
  readonly clock?: () => number;
  /** Monotonic clocks, in milliseconds. Otherwise `clock` is one too. */
  readonly elapsed?: readonly (() => number)[];
}

type Writable = Pick<StockStore, 'write'>;

/** Stores of as many instances on one database, without the service around them. */
export interface SharedStores {
  readonly database: TestDatabase;
  readonly admin: AdminStore;
  readonly stores: readonly PostgresStore[];
  /** How many writes each commit of any of them held. */
  readonly commits: readonly number[];
}

/** Those of two instances. */
export async function openTwo(t: TestContext, options: StoresOptions = {}) {
  const shared = await openStores(t, 2, options);
  const [one, other] = shared.stores as [PostgresStore, PostgresStore];
  return { ...shared, one, other };
}

export async function openStores(
  t: TestContext,
  instances: number,
  { pets = [], rules = {}, readUrl, clock = () => NOW_MS, elapsed }: StoresOptions = {},
): Promise<SharedStores> {
  const { store: admin, database } = await newAdminStore(t);
  await admin.importPets(pets, 'cli', NOW_MS);
  const commits: number[] = [];
  const open = () =>
    PostgresStore.open({
      url: database.url,
      readUrl,
      clock,
      ...(elapsed && { elapsed }),
      environment: 'production',
      rules: { ...RULES, ...rules },
      onCommit: (writes) => commits.push(writes),
      onListRebuild: () => {},
      onError: () => {},
    });
  const stores = await Promise.all(Array.from({ length: instances }, open));
  t.after(async () => {
    for (const store of stores) await store.close();
  });
  return { database, admin, stores, commits };
}

let requests = 0;

/** An author whose request no other one is. */
export function newAuthor(fields: Partial<Author> = {}): Author {
  requests += 1;
  return {
    actor: 'key',
    actorName: 'a key',
    requestId: `request ${requests}`,
    atMs: NOW_MS + requests,
    ...fields,
  };
}

/** A request that changes one pet. */
export function changing(change: Change, fields: Partial<WriteRequest> = {}): WriteRequest {
  return { author: newAuthor(), command: { kind: 'change', change }, ...fields };
}

/** A request that adds to the stock of a pet, or takes from it. */
export function adjusting(petId: bigint, delta: number, fields: Partial<WriteRequest> = {}): WriteRequest {
  return changing({ kind: 'adjust', petId, delta }, fields);
}

export function reverting(sequence: number): WriteRequest {
  return { author: newAuthor(), command: { kind: 'revert', sequence } };
}

export function batching(changes: readonly Change[], fields: Partial<BatchCommand> = {}): WriteRequest {
  const command = { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false } as const;
  return { author: newAuthor(), command: { ...command, ...fields } };
}

/** A key under which a request can be sent again. */
export function keyed(name: string, fingerprint = 'the same request'): Idempotency {
  return { scope: `scope of ${name}`, fingerprint };
}

/** Sets a quantity and returns the item after it, or `undefined` if the pet does not exist. */
export async function setQuantity(store: Writable, petId: bigint, quantity: number, atMs = 0) {
  const author = newAuthor({ atMs });
  const { stock } = await writeSingle(store, changing({ kind: 'set', petId, quantity }, { author }));
  return stock ? { petId, ...stock } : undefined;
}

export async function writeSingle(store: Writable, request: WriteRequest): Promise<SingleResult> {
  return singleOf(await store.write(request));
}

export function singleOf(answer: WriteOutcome): SingleResult {
  if (answer.kind === 'key_reused') assert.fail('the key was not used for another request');
  if (answer.result.kind !== 'single') assert.fail('one change has one result');
  return answer.result;
}

export function batchOf(answer: WriteOutcome): BatchResult {
  if (answer.kind === 'key_reused') assert.fail('the key was not used for another request');
  if (answer.result.kind !== 'batch') assert.fail('a batch has a result for each row');
  return answer.result;
}

/** The whole ledger, as a later release or an auditor would read it. */
export async function readLedger({ url }: Pick<TestDatabase, 'url'>): Promise<Movement[]> {
  const { client } = await connectAdmin(url);
  try {
    const { rows } = await client.query<MovementRow>(
      `SELECT ${MOVEMENT_FIELDS} FROM movements LEFT JOIN api_keys ON api_keys.id = actor ORDER BY sequence`,
    );
    return rows.map(toMovement);
  } finally {
    await client.end();
  }
}

/**
 * Asserts the invariants of a ledger: no gaps, no step back in time, versions that count the movements of each pet,
 * each chained to the previous one, valid hashes, and stock equal to the last movement.
 */
export async function assertLedger(database: TestDatabase): Promise<Movement[]> {
  const movements = await readLedger(database);
  const last = new Map<bigint, Movement>();
  let end = { hash: FIRST_HASH, recordedAtMs: 0 };
  for (const [i, movement] of movements.entries()) {
    const { sequence, petId, recordedAtMs } = movement;
    const before = last.get(petId);
    assert.deepEqual(
      [sequence, movement.version, movement.previousSequence, movement.quantityBefore, movement.statusBefore],
      [
        i + 1,
        (before?.version ?? 0) + 1,
        before?.sequence ?? null,
        before?.quantityAfter ?? 0,
        before?.statusAfter ?? null,
      ],
    );
    assert.ok(movement.quantityAfter >= 0, `movement ${sequence} goes below zero`);
    assert.ok(recordedAtMs >= end.recordedAtMs, `movement ${sequence} is recorded before its predecessor`);
    assert.equal(movement.hash, movementHash(end.hash, movement), `movement ${sequence} has its hash`);
    last.set(petId, movement);
    end = movement;
  }
  const stock = await database.rows(
    'SELECT pet_id, quantity, status, version, last_sequence, updated_at FROM inventory ORDER BY pet_id',
  );
  const expected = [...last.values()]
    .toSorted((a, b) => (a.petId < b.petId ? -1 : 1))
    .map((each) => [
      each.petId,
      each.quantityAfter,
      each.statusAfter,
      each.version,
      each.sequence,
      each.recordedAtMs,
    ]);
  assert.deepEqual(
    stock.map(([petId, ...rest]) => [BigInt(petId as bigint), ...rest]),
    expected,
  );
  return movements;
}

/** Asserts the invariants of a ledger, and returns the movements after the import of the pets. */
export async function changesIn({ database }: Pick<SharedStores, 'database'>): Promise<Movement[]> {
  return (await assertLedger(database)).filter(({ kind }) => kind !== 'import');
}
