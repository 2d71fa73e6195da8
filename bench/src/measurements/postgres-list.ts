import { costOfCluster, costRows, describeCluster, spreadOver } from '../cluster-cost.ts';
import { type Bench, type Cost, costOf, describe, interleave, pairwise } from '../compare.ts';
import { logStatements } from '../postgres.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service, type Shop } from '../shop.ts';

const PETS = 100;
const CONNECTIONS = 64;
/** Sequential requests, each on its own connection. */
const SINGLE_REQUESTS = 20;

/** Statements of sequential requests, which share no statement with other requests. */
export async function singleStatements(
  bench: Bench,
  shop: Shop,
  what: string,
  send: (service: Service, index: number) => Promise<unknown>,
): Promise<Pick<Row, 'detail' | 'work'> & { readonly values: number[] }> {
  await using log = await logStatements(await bench.postgres(), shop);
  await using service = await shop.start();
  // Connections, the key and the current list are cached before the count.
  await service.list();
  await send(service, SINGLE_REQUESTS);
  const counts = await log.during(async () => {
    for (let index = 0; index < SINGLE_REQUESTS; index++) await send(service, index);
  });
  const executed = [...counts].map(([name, count]) => `${name} ${count} times`).join(', ');
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    work: `PostgreSQL statements of a single ${what}`,
    values: [total / SINGLE_REQUESTS],
    detail: `for ${SINGLE_REQUESTS} sequential requests its log has ${executed}`,
  };
}

/** The cost of a list with its limits and freshness in another process, compared with SQLite in our own. */
export async function measurePostgresList(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, 'PostgreSQL');
  const sqliteShop = await makeShop(bench, PETS);
  const single = await singleStatements(bench, shop, 'list', (service) => service.list());
  await using service = await shop.start();
  await using sqlite = await sqliteShop.start();

  const many = spreadOver([service], service.listPlan(), CONNECTIONS);
  const alone = spreadOver([service], service.listPlan(), 1);
  const sqliteTarget = { pid: sqlite.pid, plan: { ...sqlite.listPlan(), connections: CONNECTIONS } };
  await costOfCluster(bench, [service], many, 1.5);
  await costOf(bench, sqliteTarget, 1.5);
  const theirs: Cost[] = [];
  const [ours = [], ourAlone = []] = await interleave(bench.rounds, [
    async () => {
      theirs.push(await costOf(bench, sqliteTarget));
      return await costOfCluster(bench, [service], many);
    },
    () => costOfCluster(bench, [service], alone),
  ]);
  return [
    row({
      work: `list of 100 items, ${CONNECTIONS} connections, PostgreSQL / SQLite, our process`,
      values: pairwise(
        ours.map((cost) => cost.perRequest),
        theirs.map((cost) => cost.perRequest),
      ),
      unit: 'x',
      digits: 2,
      atMost: 1.6,
      detail: `${describe(bench, 'PostgreSQL', ours)}; ${describe(bench, 'SQLite', theirs)}`,
    }),
    row({
      work: `lists per charge statement, ${CONNECTIONS} connections`,
      values: ours.map((cost) => 1 / cost.charges),
      unit: 'requests',
      digits: 1,
      atLeast: 8,
      detail: describeCluster(ours),
    }),
    row({ ...single, unit: 'statements', digits: 2, atMost: 1 }),
    ...costRows(`list, ${CONNECTIONS} connections`, ours),
    ...costRows('list, 1 connection', ourAlone),
  ];
}
