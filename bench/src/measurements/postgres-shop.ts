import { type ClusterCost, costOfCluster, spreadOver } from '../cluster-cost.ts';
import { type Bench, median } from '../compare.ts';
import { cpuTimeMicroseconds, familyMicroseconds } from '../cpu.ts';
import { databaseName } from '../postgres.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Shop } from '../shop.ts';
import { idleRows, importRow, type Pair, rebuildRow } from './hundred-thousand.ts';

const PETS = 100_000;
const IMPORTS = 3;
const MAX_REBUILD_ROUNDS = 2;
const REREADS = 30;
const CHANGES = 40_000;
const CONNECTIONS = 64;
const SECONDS = 3;

/** Import into PostgreSQL, the start of the command's process included. */
export async function measurePostgresImport(bench: Bench): Promise<Row[]> {
  const shops: Shop[] = [];
  for (let count = 0; count < IMPORTS; count++) shops.push(await makeShop(bench, PETS, 'PostgreSQL'));
  return [importRow(shops, 50_000)];
}

/** The cost of a list for an instance after a change by another one. */
export async function measurePostgresFresh(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, 'PostgreSQL');
  await using writer = await shop.start();
  await using reader = await shop.start();
  return [
    await rebuildRow(bench, shop, { writer, reader }, Math.min(bench.rounds, MAX_REBUILD_ROUNDS)),
    await rereadRow(bench, { writer, reader }),
  ];
}

/** The cost of a change in PostgreSQL for each other instance that serves the list. */
async function rereadRow(bench: Bench, { writer, reader }: Pair): Promise<Row> {
  const { pid } = await bench.postgres();
  const listed = async () => {
    const before = { database: familyMicroseconds(pid), reader: cpuTimeMicroseconds(reader.pid) };
    await reader.list(() => undefined);
    return {
      database: familyMicroseconds(pid) - before.database,
      reader: cpuTimeMicroseconds(reader.pid) - before.reader,
    };
  };
  const added = { database: [] as number[], reader: [] as number[] };
  for (let index = 0; index < REREADS; index++) {
    await writer.change(1 + ((index * 7_919) % PETS), 5_000 + index);
    const changed = await listed();
    const unchanged = await listed();
    added.database.push(changed.database - unchanged.database);
    added.reader.push(changed.reader - unchanged.reader);
  }
  return row({
    work: '100,000 pets: CPU time of PostgreSQL for one chunk that another instance changed',
    values: added.database,
    unit: 'µs',
    digits: 0,
    detail: `in addition to its charge; ${median(added.reader).toFixed(0)} µs of the instance that serves it; ${REREADS} changes, each followed by a list`,
  });
}

/** An instance without requests. */
export async function measurePostgresIdle(bench: Bench): Promise<Row[]> {
  return idleRows(await makeShop(bench, PETS, 'PostgreSQL'), {
    where: 'idle on Node with 100,000 pets in PostgreSQL',
  });
}

/** The size of the data on disk, and the bytes that a change adds to the write-ahead log. */
export async function measurePostgresSize(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, 'PostgreSQL');
  await using service = await shop.start();
  const server = await bench.postgres();
  const read = () => readSizes(bench, shop);
  const change = () =>
    costOfCluster(bench, [service], spreadOver([service], service.changePlan(CHANGES), CONNECTIONS), SECONDS);

  const imported = await read();
  // After a checkpoint the first change of each page logs the whole page.
  await server.query('CHECKPOINT');
  const first = await change();
  const changed = await read();
  await server.query('VACUUM ANALYZE', databaseName(shop));
  const second = await change();
  const settled = await read();
  const movements = changed.movements - imported.movements;
  const later = settled.movements - changed.movements;
  // A machine that is faster than the plan is long sends the end of it twice, which changes nothing.
  const walBytes = (cost: ClusterCost, made: number) => (cost.walBytes * cost.load.requests) / made;
  return [
    row({
      work: 'bytes on disk per movement, index included',
      values: [(changed.movementBytes - imported.movementBytes) / movements],
      unit: 'bytes',
      digits: 0,
      detail: `${movements} changes by PATCH; ${(imported.movementBytes / imported.movements).toFixed(0)} bytes a movement of an import`,
    }),
    row({
      work: 'bytes on disk per pet, indexes included',
      values: [settled.petBytes / PETS],
      unit: 'bytes',
      digits: 0,
      detail: `${(imported.petBytes / PETS).toFixed(0)} after the import, ${(changed.petBytes / PETS).toFixed(0)} after ${movements} changes, then a VACUUM and ${later} more`,
    }),
    row({
      work: 'bytes of WAL per change',
      values: [walBytes(second, later)],
      unit: 'bytes',
      digits: 0,
      detail: `charges included; ${walBytes(first, movements).toFixed(0)} right after a checkpoint`,
    }),
  ];
}

interface Sizes {
  readonly movements: number;
  readonly movementBytes: number;
  readonly petBytes: number;
}

async function readSizes(bench: Bench, shop: Shop): Promise<Sizes> {
  const [sizes] = await (
    await bench.postgres()
  ).query(
    `SELECT (SELECT count(*) FROM movements)::integer AS movements,
     pg_total_relation_size('movements')::float8 AS "movementBytes",
     (pg_total_relation_size('pets') + pg_total_relation_size('inventory'))::float8 AS "petBytes"`,
    databaseName(shop),
  );
  return sizes as unknown as Sizes;
}
