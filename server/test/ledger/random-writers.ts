import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import type { Change } from '../../src/domain/ledger/stock.ts';
import type { WriteCommand } from '../../src/domain/write-command.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import type { TestApp } from '../support/harness.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { petRow } from '../support/pet-rows.ts';

const WRITERS = 8;
const MAX_WRITES = 50_000;
/** One write of this number imports a new pet, which precedes all others in the list. */
const IMPORT_INTERVAL = 200;

export interface RandomWriters {
  /** How many writes have begun. */
  readonly writes: number;
  /** Stops the writers after their current writes. Returns the number of writes. */
  stop(): Promise<number>;
}

/** Many callers change the pets from 1 to `pets` at random, in every way, until they are stopped. */
export async function startWriters(app: TestApp, pets: number, seed: number): Promise<RandomWriters> {
  const admin = await openAdmin(app.database.url);
  const random = new SeededRandom(seed);
  let isStopped = false;
  let writes = 0;
  const write = async (): Promise<void> => {
    writes += 1;
    const atMs = app.clock.nowMs + writes;
    if (writes % IMPORT_INTERVAL === 0) {
      await admin.importPets([petRow(BigInt(-writes))], 'cli', atMs);
      return;
    }
    const author = { actor: 'key', actorName: 'a key', requestId: `request ${writes}`, atMs };
    const { sequence } = await app.store.ledger.head();
    await app.store.write({ author, command: randomWork(random, pets, sequence) });
  };
  const writer = async (): Promise<void> => {
    while (!isStopped && writes < MAX_WRITES) await write();
  };
  const writers = Array.from({ length: WRITERS }, writer);
  return {
    get writes() {
      return writes;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(writers);
      await admin.close();
      return writes;
    },
  };
}

function randomWork(random: SeededRandom, pets: number, newest: number): WriteCommand {
  const sort = random.next();
  if (sort < 0.7) return { kind: 'change', change: randomChange(random, pets) };
  if (sort < 0.9) return { kind: 'revert', sequence: random.integer(1, newest) };
  const changes = Array.from({ length: 5 }, () => randomChange(random, pets));
  return { kind: 'batch', changes, errorPolicy: 'reject_failed_rows', isDryRun: false };
}

function randomChange(random: SeededRandom, pets: number): Change {
  const petId = BigInt(random.integer(1, pets));
  const note = random.chance(0.5) ? `"quoted", é, ☂, 😀 and \u2028` : null;
  const explanation = { ...UNEXPLAINED, note, reason: random.pick(['sold', 'restock', null] as const) };
  if (random.chance(0.2)) return { kind: 'status', petId, status: random.pick(PET_STATUSES), explanation };
  if (random.chance(0.5)) return { kind: 'set', petId, quantity: random.integer(0, 50), explanation };
  return { kind: 'adjust', petId, delta: random.integer(-5, 5), explanation };
}
