import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { FIRST_HASH, retainedDigest } from '../../../src/domain/ledger/ledger.ts';
import { type Prune, pruneHash } from '../../../src/domain/ledger/prunes.ts';
import type { AuditReport } from '../../../src/domain/ledger-store.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { newAdminStore, petRow } from '../../support/command-line.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import { bytesLiteral, movementsOf } from '../tampering.ts';

/** Five pets. Movements 1 to 4 at 10 ms, 5 to 8 at 20 ms, 9 and 10 at 30 ms. */
export async function filledShop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const take = (quantities: Readonly<Record<number, number>>, atMs: number) =>
    store.importPets(
      Object.entries(quantities).map(([petId, quantity]) => petRow(BigInt(petId), { quantity })),
      'cli',
      atMs,
    );
  await take({ 1: 1, 2: 1, 3: 1, 4: 1 }, 10);
  await take({ 1: 2, 2: 2, 3: 2, 5: 1 }, 20);
  await take({ 1: 3, 2: 3 }, 30);
  /** Asserts that the ledger has no fault, and returns the report of an audit. */
  const intact = async (): Promise<AuditReport> => {
    const report = await store.verify();
    assert.deepEqual([report.faults, report.firstBadSequence], [[], null]);
    return report;
  };
  return { store, database, take, intact };
}

/**
 * That shop, pruned twice: prune 1 after movement 10 begins the ledger after 8, prune 2 after movement 12 begins it after
 * 10. Both retain movements 4, 7 and 8. Movements 11 to 13 follow the retention start.
 */
export async function prunedShop(t: TestContext) {
  const shop = await filledShop(t);
  const { store, database, take } = shop;
  await store.pruneMovements(30, CLI_AUTHOR);
  await take({ 1: 4, 2: 4 }, 40);
  await copyMovements(database);
  await store.pruneMovements(40, CLI_AUTHOR);
  await take({ 3: 9 }, 50);
  const report = await shop.intact();
  return { ...shop, report };
}

/** Saves the rows that a prune deletes, so that `interruptPrune` can restore them. */
async function copyMovements(database: TestDatabase): Promise<void> {
  await database.run('CREATE TABLE copied AS SELECT * FROM movements');
}

/** Makes the newest prune of `prunedShop` one that was interrupted when it had deleted up to a movement. */
export async function interruptPrune(database: TestDatabase, upTo: number): Promise<void> {
  const copied = await movementsOf(database, 'copied');
  const retained = copied.filter(({ sequence }) => sequence <= Math.min(upTo, 8));
  const digest = retained.reduce((soFar, movement) => retainedDigest(soFar, movement), FIRST_HASH);
  const hash = upTo < 8 ? digest : copied.find(({ sequence }) => sequence === upTo)!.hash;
  await database.run(`INSERT INTO movements SELECT * FROM copied
WHERE sequence > ${upTo} AND sequence NOT IN (SELECT sequence FROM movements)`);
  await database.run(
    `UPDATE ledger_start SET deleted_sequence = ${upTo}, deleted_hash = ${bytesLiteral(database, hash)}`,
  );
}

/** Gives a prune other fields and the hash that belongs to them, as a forger would. */
export async function forgePrune(
  database: TestDatabase,
  prunes: readonly Prune[],
  number: number,
  changes: Partial<Prune>,
): Promise<void> {
  const prune = { ...prunes[number - 1]!, ...changes };
  const hash = pruneHash(prunes[number - 2]?.hash ?? FIRST_HASH, prune);
  const bytes = (hex: string) => bytesLiteral(database, hex);
  await database.run(`UPDATE prunes SET after_sequence = ${prune.afterSequence}, start_sequence = ${prune.start.sequence},
decided_sequence = ${prune.decidedSequence}, retained = ${prune.retained}, retained_digest = ${bytes(prune.retainedDigest)}, deleted = ${prune.deleted},
actor = '${prune.actor}', previous_hash = ${bytes(prune.previousHash)}, hash = ${bytes(hash)} WHERE number = ${number}`);
}

/** Adds a prune with a valid hash, and starts the ledger where the prune ends, as a forger would. */
export async function addPrune(database: TestDatabase, unhashed: Omit<Prune, 'hash'>): Promise<Prune> {
  const prune = { ...unhashed, hash: pruneHash(FIRST_HASH, unhashed) };
  const { number, afterSequence, start, decidedSequence, retained, deleted, actor } = prune;
  const bytes = (hex: string) => bytesLiteral(database, hex);
  await database.run(`INSERT INTO prunes VALUES (${number}, ${afterSequence}, ${start.sequence}, ${start.recordedAtMs},
${bytes(start.hash)}, ${decidedSequence}, ${retained}, ${bytes(prune.retainedDigest)}, ${deleted}, '${actor}', ${prune.recordedAtMs},
${bytes(prune.previousHash)}, ${bytes(prune.hash)});
UPDATE ledger_start SET sequence = ${start.sequence}, recorded_at = ${start.recordedAtMs}, hash = ${bytes(start.hash)},
deleted_sequence = ${start.sequence}, deleted_hash = ${bytes(start.hash)}`);
  return prune;
}

/** The digest of the movements up to a sequence that are there. */
export async function digestUpTo(database: TestDatabase, sequence: number): Promise<string> {
  const movements = await movementsOf(database);
  return movements
    .filter((movement) => movement.sequence <= sequence)
    .reduce((soFar, movement) => retainedDigest(soFar, movement), FIRST_HASH);
}
