import { type Bench, median } from './compare.ts';
import { cpuTimeMicroseconds, familyMicroseconds } from './cpu.ts';
import { type LoadPlan, type LoadResult, prepareLoad } from './load.ts';
import { readWritten } from './postgres.ts';
import type { Row } from './report.ts';
import { row } from './report.ts';
import type { Service } from './shop.ts';

/** The cost of one request for all instances together, and for the database. */
export interface ClusterCost {
  readonly load: LoadResult;
  /** Of the instances, in the unit of the bench's meter. */
  readonly perRequest: number;
  /** CPU time of the instances. */
  readonly instanceMicroseconds: number;
  /** CPU time of all of PostgreSQL's processes. */
  readonly databaseMicroseconds: number;
  /** Statements that charged requests to an account, a request. */
  readonly charges: number;
  /** Batches of changes, a request. */
  readonly commits: number;
  readonly walBytes: number;
  readonly requestsPerSecond: number;
}

/** The same requests, spread evenly over several instances. */
export function spreadOver(services: readonly Service[], plan: LoadPlan, connections: number): LoadPlan {
  return { ...plan, ports: services.map(({ port }) => port), connections };
}

/** Puts a load on instances and measures the cost per request. */
export async function costOfCluster(
  bench: Bench,
  services: readonly Service[],
  plan: LoadPlan,
  seconds = bench.seconds,
): Promise<ClusterCost> {
  const server = await bench.postgres();
  const pids = services.map(({ pid }) => pid);
  const cpu = () => ({
    instances: pids.map(cpuTimeMicroseconds).reduce((one, other) => one + other),
    database: familyMicroseconds(server.pid),
  });
  await using load = await prepareLoad({ ...plan, seconds });
  const commitsBefore = await commitsOf(services);
  const writtenBefore = await readWritten(server);
  const { spent, result } = await bench.meter.during(pids, async () => {
    const before = cpu();
    const result = await load.run();
    const after = cpu();
    return {
      load: result,
      instances: after.instances - before.instances,
      database: after.database - before.database,
    };
  });
  const writtenAfter = await readWritten(server);
  const commits = (await commitsOf(services)) - commitsBefore;
  const { requests, elapsedSeconds } = result.load;
  return {
    load: result.load,
    perRequest: spent / requests,
    instanceMicroseconds: result.instances / requests,
    databaseMicroseconds: result.database / requests,
    charges: (writtenAfter.transactions - writtenBefore.transactions - commits) / requests,
    commits: commits / requests,
    walBytes: (writtenAfter.walBytes - writtenBefore.walBytes) / requests,
    requestsPerSecond: requests / elapsedSeconds,
  };
}

async function commitsOf(services: readonly Service[]): Promise<number> {
  const counts = await Promise.all(services.map((service) => service.written()));
  return counts.reduce((total, { commits }) => total + commits, 0);
}

/** One row for the CPU time of the instances and one for that of PostgreSQL: the basis of a capacity estimate. */
export function costRows(work: string, costs: readonly ClusterCost[]): Row[] {
  const detail = describeCluster(costs);
  const microseconds = { unit: 'µs', digits: 0 };
  return [
    row({
      work: `${work}: CPU time of the instance`,
      values: costs.map((cost) => cost.instanceMicroseconds),
      ...microseconds,
      detail,
    }),
    row({
      work: `${work}: CPU time of PostgreSQL`,
      values: costs.map((cost) => cost.databaseMicroseconds),
      ...microseconds,
      detail: '',
    }),
  ];
}

/** The medians of some rounds, in words. */
export function describeCluster(costs: readonly ClusterCost[]): string {
  const middle = (read: (cost: ClusterCost) => number) => median(costs.map(read));
  return (
    `${middle((cost) => cost.requestsPerSecond).toFixed(0)} requests/s, p50 ${middle(({ load }) => load.p50Ms).toFixed(2)} ms, ` +
    `p99 ${middle(({ load }) => load.p99Ms).toFixed(2)} ms, ${middle((cost) => cost.charges).toFixed(3)} charge statements, ` +
    `${middle((cost) => cost.commits).toFixed(3)} commits and ${middle((cost) => cost.walBytes).toFixed(0)} bytes of WAL per request`
  );
}
