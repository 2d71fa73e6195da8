import { type ClusterCost, costOfCluster, describeCluster, spreadOver } from '../cluster-cost.ts';
import { type Bench, interleave, median, pairwise } from '../compare.ts';
import type { LoadPlan } from '../load.ts';
import { databaseName } from '../postgres.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service } from '../shop.ts';

const PETS = 100;
const CONNECTIONS = 64;
const INSTANCES = 4;
/** Four loads a round for each kind of request: more would take a third of the whole run. */
const MAX_ROUNDS = 3;

interface Kind {
  readonly name: string;
  readonly plan: () => LoadPlan;
  /** Counted in the database: all statements per writing request. */
  readonly statements: string;
}

/** Whether a request is more work when more instances share the requests. */
export async function measurePostgresInstances(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, 'PostgreSQL');
  await using started = new AsyncDisposableStack();
  const services: Service[] = [];
  for (let count = 0; count < INSTANCES; count++) services.push(started.use(await shop.start()));
  const [first] = services;
  if (!first) throw new Error('no instance was started');

  const kinds: Kind[] = [
    { name: 'list', plan: () => first.listPlan(), statements: 'charge statements' },
    { name: 'change', plan: () => first.changePlan(), statements: 'charge statements and commits' },
  ];
  const rows: Row[] = [];
  for (const kind of kinds) rows.push(...(await compareInstances(bench, services, kind)));
  // Each is opened when it is first needed.
  const server = await bench.postgres();
  const [sessions] = await server.query(
    `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = '${databaseName(shop)}'`,
  );
  rows.push(
    row({
      work: 'connections to PostgreSQL of an instance',
      values: [Number(sessions?.count) / INSTANCES],
      unit: 'connections',
      digits: 0,
      detail: '',
    }),
  );
  return rows;
}

async function compareInstances(bench: Bench, services: readonly Service[], kind: Kind): Promise<Row[]> {
  const measure = (count: number, connections: number) => () => {
    const some = services.slice(0, count);
    return costOfCluster(bench, some, spreadOver(some, kind.plan(), connections));
  };
  await measure(INSTANCES, CONNECTIONS)();
  await measure(INSTANCES, CONNECTIONS)();
  const [one = [], two = [], four = [], each = []] = await interleave(Math.min(bench.rounds, MAX_ROUNDS), [
    measure(1, CONNECTIONS),
    measure(2, CONNECTIONS),
    measure(INSTANCES, CONNECTIONS),
    measure(INSTANCES, INSTANCES * CONNECTIONS),
  ]);
  const ratio = (what: string, read: (cost: ClusterCost) => number, detail: string, costs = four) =>
    row({
      work: `${kind.name}, ${what}, ${INSTANCES} instances / 1`,
      values: pairwise(costs.map(read), one.map(read)),
      unit: 'x',
      digits: 2,
      detail,
    });
  const shared = `${CONNECTIONS} connections in all`;
  const full = `${CONNECTIONS} connections each`;
  const figures = (read: (cost: ClusterCost) => number, digits: number) =>
    [one, two, four, each].map((costs) => median(costs.map(read)).toFixed(digits)).join(', ');
  const order = `with 1, 2 and ${INSTANCES} instances, and ${INSTANCES} with ${full}`;
  const statements = (cost: ClusterCost) => cost.charges + cost.commits;
  return [
    ratio(
      `${shared}: CPU time of all instances`,
      (cost) => cost.perRequest,
      `1 instance: ${describeCluster(one)}`,
    ),
    ratio(
      `${shared}: CPU time of PostgreSQL`,
      (cost) => cost.databaseMicroseconds,
      `${figures((cost) => cost.databaseMicroseconds, 0)} µs ${order}`,
    ),
    ratio(`${shared}: ${kind.statements}`, statements, `${figures(statements, 3)} per request ${order}`),
    ratio(`${full}: CPU time of all instances`, (cost) => cost.perRequest, describeCluster(each), each),
    ratio(`${full}: CPU time of PostgreSQL`, (cost) => cost.databaseMicroseconds, '', each),
    ratio(`${full}: ${kind.statements}`, statements, '', each),
    ratio(
      `${shared}: answers per second`,
      (cost) => cost.requestsPerSecond,
      `${figures((cost) => cost.requestsPerSecond, 0)} per second ${order}; load generator, instances and database share this machine`,
    ),
  ];
}
