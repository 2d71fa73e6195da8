import { type ClusterCost, costOfCluster, costRows, describeCluster, spreadOver } from '../cluster-cost.ts';
import { type Bench, type Cost, costOf, describe, pairwise } from '../compare.ts';
import { type Row, row } from '../report.ts';
import { makeShop } from '../shop.ts';
import { singleStatements } from './postgres-list.ts';

const PETS = 100;
const CONNECTIONS = 64;

/** Durable changes on PostgreSQL: changes per commit, and the cost of one for the service and the database. */
export async function measurePostgresChange(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, 'PostgreSQL');
  const sqliteShop = await makeShop(bench, PETS);
  const single = await singleStatements(bench, shop, 'PATCH', (service, index) =>
    service.change(1, 1_000 + index),
  );
  await using service = await shop.start();
  await using sqlite = await sqliteShop.start();
  const onPostgres = (connections: number, seconds?: number) =>
    costOfCluster(bench, [service], spreadOver([service], service.changePlan(), connections), seconds);
  const onSqlite = (seconds?: number) =>
    costOf(bench, { pid: sqlite.pid, plan: { ...sqlite.changePlan(), connections: CONNECTIONS } }, seconds);

  await onPostgres(CONNECTIONS, 1.5);
  await onSqlite(1.5);
  const ours: ClusterCost[] = [];
  const theirs: Cost[] = [];
  const ourAlone: ClusterCost[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    ours.push(await onPostgres(CONNECTIONS));
    theirs.push(await onSqlite());
    ourAlone.push(await onPostgres(1));
  }
  return [
    row({
      work: `changes per commit on PostgreSQL, ${CONNECTIONS} connections`,
      values: ours.map((cost) => 1 / cost.commits),
      unit: 'changes',
      digits: 1,
      atLeast: 8,
      detail: describeCluster(ours),
    }),
    row({
      work: `durable PATCH, ${CONNECTIONS} connections, PostgreSQL / SQLite, our process`,
      values: pairwise(
        ours.map((cost) => cost.perRequest),
        theirs.map((cost) => cost.perRequest),
      ),
      unit: 'x',
      digits: 2,
      detail: `${describe(bench, 'PostgreSQL', ours)}; ${describe(bench, 'SQLite', theirs)}`,
    }),
    row({
      work: `acknowledged changes per second on PostgreSQL, ${CONNECTIONS} connections`,
      values: ours.map((cost) => cost.requestsPerSecond),
      unit: '/s',
      digits: 0,
      detail: '',
    }),
    row({ ...single, unit: 'statements', digits: 2 }),
    ...costRows(`change, ${CONNECTIONS} connections`, ours),
    ...costRows('change, 1 connection', ourAlone),
  ];
}
