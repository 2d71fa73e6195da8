import { type ClusterCost, costOfCluster, describeCluster, spreadOver } from '../cluster-cost.ts';
import { type Bench, compareCosts, interleave, pairwise } from '../compare.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service } from '../shop.ts';

const PETS = 100_000;
const CONNECTIONS = 32;
/** The pages are read at many places, so that none is always in the caches of the processor. */
const PAGES = 500;

const WORK = 'page of 100 of 100,000 pets, catalog / list';

/** A page of the catalog, which has names and codes, against a page of the specified list. */
export async function measureCatalog(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS);
  await using service = await shop.start();
  const { ratios, detail } = await compareCosts(
    bench,
    { name: 'catalog', pid: service.pid, plan: pages(service, 'catalog') },
    { name: 'list', pid: service.pid, plan: pages(service, 'inventory') },
  );
  return [row({ work: `${WORK}, SQLite`, values: ratios, unit: 'x', digits: 2, atMost: 1.5, detail })];
}

/** The same on PostgreSQL: CPU time of the instance and of the database together. */
export async function measurePostgresCatalog(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, 'PostgreSQL');
  await using service = await shop.start();
  const catalog = spreadOver([service], pages(service, 'catalog'), CONNECTIONS);
  const list = spreadOver([service], pages(service, 'inventory'), CONNECTIONS);
  await costOfCluster(bench, [service], catalog, 1.5);
  await costOfCluster(bench, [service], list, 1.5);
  const [ours = [], theirs = []] = await interleave(bench.rounds, [
    () => costOfCluster(bench, [service], catalog),
    () => costOfCluster(bench, [service], list),
  ]);
  const ratio = (cost: (one: ClusterCost) => number) => pairwise(ours.map(cost), theirs.map(cost));
  return [
    row({
      work: `${WORK}, PostgreSQL and instance`,
      values: ratio((cost) => cost.instanceMicroseconds + cost.databaseMicroseconds),
      unit: 'x',
      digits: 2,
      atMost: 1.5,
      detail: `catalog ${describeCluster(ours)}; list ${describeCluster(theirs)}`,
    }),
    row({
      work: `${WORK}, PostgreSQL alone`,
      values: ratio((cost) => cost.databaseMicroseconds),
      unit: 'x',
      digits: 2,
      detail: '',
    }),
  ];
}

function pages(service: Service, resource: 'catalog' | 'inventory') {
  const questions = Array.from({ length: PAGES }, (_, index) => {
    const cursor = Buffer.from(String(index * Math.floor((PETS - 200) / PAGES))).toString('base64url');
    return { line: `GET /v1/${resource}?limit=100&cursor=${cursor}` };
  });
  return service.operationPlan(questions, 200);
}
