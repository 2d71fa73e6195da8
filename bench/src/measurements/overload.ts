import { setTimeout as sleep } from 'node:timers/promises';
import { openSlowClients, SLOW_CLIENTS } from '../../../server/test/support/slow-clients.ts';
import { type Bench, median, quantile, warmUp } from '../compare.ts';
import { type OpenLoadResult, runOpenLoad } from '../open-load.ts';
import { type Row, row } from '../report.ts';
import { type Engine, makeShop, type Service } from '../shop.ts';

const CONNECTIONS = 1_000;
const FACTOR = 3;
const ROUNDS = 3;
const PROBE_INTERVAL_MS = 50;

interface Round {
  readonly capacity: number;
  readonly load: OpenLoadResult;
  readonly healthP99Ms: number;
}

/** Changes at three times the rate that a closed loop reaches, with clients that never end their request. */
export async function measureOverload(bench: Bench): Promise<Row[]> {
  return measureOn(bench, 'SQLite');
}

export async function measurePostgresOverload(bench: Bench): Promise<Row[]> {
  return measureOn(bench, 'PostgreSQL');
}

async function measureOn(bench: Bench, engine: Engine): Promise<Row[]> {
  const shop = await makeShop(bench, 100, engine);
  await using service = await shop.start();
  await warmUp(bench, () => ({ pid: service.pid, plan: service.changePlan() }));
  const slow = await openSlowClients(service.port);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(bench, service));
  for (const socket of slow) socket.destroy();
  return rowsOf(engine, rounds);
}

async function measureRound(bench: Bench, service: Service): Promise<Round> {
  const run = (perSecond: number) => {
    const { host, requests } = service.changePlan();
    const seconds = bench.seconds * 3;
    const { port } = service;
    return runOpenLoad({ host, port, requests, perSecond, seconds, maxConnections: CONNECTIONS });
  };
  // By the same client, so that its own limits are in both.
  const { goodput: capacity } = await run(Infinity);
  let isOver = false;
  const probes = probe(service, () => isOver);
  const load = await run(FACTOR * capacity);
  isOver = true;
  return { capacity, load, healthP99Ms: await probes };
}

async function probe(service: Service, isOver: () => boolean): Promise<number> {
  const times: number[] = [];
  while (!isOver()) {
    const sentAtMs = performance.now();
    await service.get('/healthz');
    times.push(performance.now() - sentAtMs);
    await sleep(PROBE_INTERVAL_MS);
  }
  return quantile(times, 0.99);
}

function rowsOf(engine: Engine, rounds: readonly Round[]): Row[] {
  const work = `PATCH at ${FACTOR} x capacity on ${engine}`;
  const of = (pick: (round: Round) => number) => rounds.map(pick);
  const refused = of(({ load }) => load.refused.count);
  return [
    row({
      work: `${work}: changes per second / capacity`,
      values: of(({ load, capacity }) => load.goodput / capacity),
      unit: 'x',
      digits: 2,
      atLeast: 0.85,
      detail: `capacity ${median(of(({ capacity }) => capacity)).toFixed(0)}/s, ${median(refused).toFixed(0)} refused, ${median(of(({ load }) => load.unsent)).toFixed(0)} of ${median(of(({ load }) => load.due)).toFixed(0)} due found no free connection of ${CONNECTIONS}`,
    }),
    row({
      work: `${work}: p99 of accepted changes`,
      values: of(({ load }) => load.accepted.p99Ms),
      unit: 'ms',
      digits: 0,
      atMost: 2_500,
      detail: `p50 ${median(of(({ load }) => load.accepted.p50Ms)).toFixed(0)} ms`,
    }),
    row({
      work: `${work}: p99 of /healthz meanwhile, with ${SLOW_CLIENTS} slow clients`,
      values: of(({ healthP99Ms }) => healthP99Ms),
      unit: 'ms',
      digits: 0,
      atMost: 100,
      detail: '',
    }),
  ];
}
