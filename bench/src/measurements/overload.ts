import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, median, warmUp } from '../compare.ts';
import { runLoad } from '../load.ts';
import { type OpenLoadResult, runOpenLoad } from '../open-load.ts';
import { type Row, row } from '../report.ts';
import { type Engine, makeShop, type Service } from '../shop.ts';

const CONNECTIONS = 1_000;
const SLOW_CLIENTS = 1_300;
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
  const slow = await addSlowClients(service);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(bench, service));
  for (const socket of slow) socket.destroy();
  return rowsOf(engine, rounds);
}

async function addSlowClients({ port }: Service): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let count = 0; count < SLOW_CLIENTS; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    sockets.push(socket);
    if (count % 100 === 0) await sleep(10);
  }
  return sockets;
}

async function measureRound(bench: Bench, service: Service): Promise<Round> {
  const seconds = bench.seconds * 3;
  const closed = await runLoad({ ...service.changePlan(), connections: 64, seconds });
  const capacity = closed.requests / closed.elapsedSeconds;
  let isOver = false;
  const probes = probe(service, () => isOver);
  const { host, requests } = service.changePlan();
  const load = await runOpenLoad({
    host,
    port: service.port,
    requests,
    perSecond: FACTOR * capacity,
    seconds,
    maxConnections: CONNECTIONS,
  });
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
  return times.sort((a, b) => a - b)[Math.floor((times.length - 1) * 0.99)] ?? Number.NaN;
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
