import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Ledger, MovementPage, MovementQuery } from '../../src/domain/ledger-store.ts';
import type { LedgerReader } from '../../src/store/history/ledger-reader.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { postgresLedger } from '../../src/store/postgres/ledger-reader.ts';
import { LedgerDatabase } from '../ledger/ledger-database.ts';
import { ledgers, type ModelLedger, PET_IDS, partOf } from '../ledger/random-ledger.ts';
import { useEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { CountedStatements } from './support/counted-statements.ts';
import { freePort } from './support/free-port.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { isSkippedDaily } from '../support/long-test.ts';

useEngine(new PostgresEngine());

/** Every key has this name in the database of the replica; it shows which server answered. */
const REPLICA_NAME = 'from the replica';

class Replicated {
  readonly fresh: LedgerDatabase;
  /** A separate database with some of the other's movements, as in a replica that lags behind. */
  readonly lagging: LedgerDatabase;
  readonly reader: Ledger;

  static async create(t: TestContext): Promise<Replicated> {
    const replicated = new Replicated(t, await LedgerDatabase.create(t), await LedgerDatabase.create(t));
    await replicated.lagging.database.run(`UPDATE api_keys SET name = '${REPLICA_NAME}'`);
    return replicated;
  }

  private constructor(t: TestContext, fresh: LedgerDatabase, lagging: LedgerDatabase) {
    this.fresh = fresh;
    this.lagging = lagging;
    this.reader = readerOf(t, fresh, lagging.database.url);
  }

  async write(model: ModelLedger, reached: number): Promise<void> {
    await this.fresh.write(model);
    await this.lagging.write(partOf(model, reached));
  }
}

function readerOf(t: TestContext, fresh: LedgerDatabase, replicaUrl: string): LedgerReader {
  const connections = [fresh.database.url, replicaUrl].map((url) => new Connection(url));
  const [connection, replica] = connections as [Connection, Connection];
  t.after(() => Promise.all(connections.map((one) => one.close())));
  return postgresLedger({ fresh: connection, replica });
}

function sequencesOf({ movements, next }: MovementPage): unknown {
  return [movements.map(({ sequence }) => sequence), next];
}

/** One pet's 200 movements by the key that has a name. */
function twoHundred(): ModelLedger {
  const [model] = fc
    .sample(ledgers, { seed: 1, numRuns: 50 })
    .filter(({ movements }) => movements.length > 200);
  assert.ok(model);
  const movements = model.movements.slice(0, 200).map((movement) => ({ ...movement, actor: 'key-1' }));
  return partOf({ ...model, movements }, 200);
}

test('an answer is complete for any lag of the replica', async (t) => {
  if (isSkippedDaily(t)) return;
  const replicated = await Replicated.create(t);
  const { reader } = replicated;
  const alone = replicated.fresh.reader();
  const query = fc.record({
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.constantFrom(1, 5, 40),
    petId: fc.option(fc.constantFrom(...PET_IDS), { nil: undefined }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    isHeadKnown: fc.boolean(),
  });
  const property = fc.asyncProperty(
    ledgers,
    fc.nat(100),
    fc.array(query, { maxLength: 6 }),
    async (found, lag, queries) => {
      const model = partOf(found, found.movements.length);
      const { length } = model.movements;
      await replicated.write(model, Math.max(0, length - lag));
      for (const { order, limit, petId, part, isHeadKnown } of queries) {
        const sequence = Math.round(part * length);
        const filter = petId === undefined ? {} : { petId };
        const head = isHeadKnown ? { sequence: length, recordedAtMs: 0 } : undefined;
        for (const bound of [{}, { after: sequence }, { before: sequence }]) {
          const page = { filter: { ...filter, ...bound }, order, limit, head };
          assert.deepEqual(
            sequencesOf(await reader.listMovements(page)),
            sequencesOf(await alone.listMovements(page)),
          );
        }
        const slice = { sequence, filter: {}, after: undefined, limit: PET_IDS.length };
        assert.deepEqual(await reader.stockPage(slice), await alone.stockPage(slice));
      }
    },
  );
  await fc.assert(property, { numRuns: 12 });
});

test('a replica answers queries for which it certainly has all data', async (t) => {
  const replicated = await Replicated.create(t);
  const { reader } = replicated;
  const model = twoHundred();
  await replicated.write(model, 150);
  const isByReplica = async (query: Omit<MovementQuery, 'limit'>): Promise<boolean> => {
    const { movements } = await reader.listMovements({ ...query, limit: 20 });
    const names = new Set(movements.map(({ actorName }) => actorName));
    assert.equal(names.size, 1, 'one database has answered');
    return names.has(REPLICA_NAME);
  };
  // On a busy machine the replica can be too slow, and is then not asked for some seconds.
  const byReplica = (query: Omit<MovementQuery, 'limit'>) =>
    until(() => isByReplica(query), `the replica answers ${JSON.stringify(query)}`);
  const headAt = (sequence: number) => ({ sequence, recordedAtMs: 0 });
  await byReplica({ filter: {}, order: 'asc' });
  await byReplica({ filter: { after: 129 }, order: 'asc' });
  assert.equal(await isByReplica({ filter: { after: 130 }, order: 'asc' }), false, 'there may be more');
  await byReplica({ filter: { after: 145 }, order: 'asc', head: headAt(150) });
  assert.equal(await isByReplica({ filter: { after: 145 }, order: 'asc', head: headAt(151) }), false);
  assert.equal(await isByReplica({ filter: {}, order: 'desc' }), false);
  await byReplica({ filter: {}, order: 'desc', head: headAt(150) });
  assert.equal(await isByReplica({ filter: {}, order: 'desc', head: headAt(151) }), false);
  await byReplica({ filter: { before: 151 }, order: 'desc', head: headAt(200) });
  assert.equal(await isByReplica({ filter: { before: 152 }, order: 'desc', head: headAt(200) }), false);

  await replicated.lagging.database.run('UPDATE inventory SET quantity = 777');
  const hasReached = async (sequence: number): Promise<boolean> =>
    /777/.test((await reader.stockPage({ sequence, filter: {}, after: undefined, limit: 99 })).json);
  await until(() => hasReached(150), 'the replica answers for the movement that it has');
  assert.equal(await hasReached(151), false);
  assert.equal(
    (await reader.findMovement(1))?.actorName,
    "The till's",
    'queries for fresh data do not use the replica',
  );
  assert.equal((await reader.head()).sequence, 200);
});

test('a missing replica affects no request', async (t) => {
  const fresh = await LedgerDatabase.create(t);
  const model = twoHundred();
  await fresh.write(model);
  const reader = readerOf(t, fresh, `postgres://nobody@127.0.0.1:${await freePort()}/nothing`);
  for (let i = 0; i < 3; i += 1) {
    const { movements } = await reader.listMovements({ filter: {}, order: 'asc', limit: 300 });
    assert.equal(movements.length, 200);
  }
});

test('a replica that does not answer is waited for once, and then left in peace', async (t) => {
  const fresh = await LedgerDatabase.create(t);
  const model = twoHundred();
  await fresh.write(model);
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined).resume()));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const reader = readerOf(t, fresh, `postgres://nobody@127.0.0.1:${port}/nothing`);
  const read = () => reader.stockPage({ sequence: 200, filter: {}, after: undefined, limit: 99 });
  const first = await Promise.all([read(), read(), read()]);
  const later = [await read(), await read()];
  const expected = await fresh.reader().stockPage({ sequence: 200, filter: {}, after: undefined, limit: 99 });
  for (const slice of [...first, ...later]) assert.deepEqual(slice, expected);
  assert.equal(sockets.length, 1);
});

/** A page from the beginning, which any ledger as long has all of. */
async function reportsRestart(reader: Ledger): Promise<boolean> {
  const { movements } = await reader.listMovements({ filter: {}, order: 'asc', limit: 20 });
  return movements.some(({ actorName }) => actorName === REPLICA_NAME);
}

/** The ledger as it would be had something else happened after so many movements. */
function otherwiseAfter(model: ModelLedger, count: number): ModelLedger {
  const movements = model.movements.map((movement) =>
    movement.sequence <= count ? movement : { ...movement, note: 'otherwise', hash: 'ab'.repeat(32) },
  );
  return partOf({ ...model, movements }, movements.length);
}

test('a server with another or a diverged ledger is not used, even if it is newer', async (t) => {
  const model = twoHundred();
  for (const count of [0, 120]) {
    const replicated = await Replicated.create(t);
    await replicated.fresh.write(partOf(model, 150));
    await replicated.lagging.write(otherwiseAfter(model, count));
    await replicated.lagging.database.run('UPDATE inventory SET quantity = 777');
    assert.equal(await reportsRestart(replicated.reader), false, `the same up to ${count}`);
    // A new reader, because the first one no longer queries the other server.
    const reader = readerOf(t, replicated.fresh, replicated.lagging.database.url);
    const slice = { sequence: 150, filter: {}, after: undefined, limit: 99 };
    assert.deepEqual(await reader.stockPage(slice), await replicated.fresh.reader().stockPage(slice));
  }
});

test('a replica of a replaced server is soon no longer used', async (t) => {
  if (isSkippedDaily(t)) return;
  const replicated = await Replicated.create(t);
  const model = twoHundred();
  await replicated.write(model, 200);
  await until(() => reportsRestart(replicated.reader), 'the replica answers');
  await replicated.fresh.write(otherwiseAfter(model, 5));
  await until(async () => !(await reportsRestart(replicated.reader)), 'the replica is no longer used');
});

test('a good replica costs one round trip per query, and the other server about one per second', async (t) => {
  const replicated = await Replicated.create(t);
  await replicated.write(twoHundred(), 200);
  const statements = new CountedStatements(t);
  let startedAtMs: number;
  let byReplica: number;
  do {
    await until(() => reportsRestart(replicated.reader), 'the replica answers');
    statements.take();
    startedAtMs = performance.now();
    byReplica = 0;
    while (byReplica < 50 && (await reportsRestart(replicated.reader))) byReplica += 1;
    // On a busy machine an answer can be too late, and the other server is asked too.
  } while (byReplica < 50);
  const page = Map.groupBy(statements.take(), (name) => name);
  assert.equal(page.get('movementsUp')?.length, 50);
  assert.equal(page.get('replicaHead')?.length, 50);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  assert.ok((page.get('hashAt')?.length ?? 0) <= Math.ceil(seconds) + 1);
});
