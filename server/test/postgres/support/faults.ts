import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from '../../blackbox/api-request.ts';
import type { Runtime } from '../../blackbox/service-process.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { Progress } from '../../support/progress.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { signal } from './process-tree.ts';
import { sharedPostgres } from './shared-postgres.ts';
import { StockLedger } from './stock-ledger.ts';
import { StockLoad } from './stock-load.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The recovery time after a fault of the database, according to the specification. */
const RECOVERED_TIMEOUT_MS = 5_000;
/** A request can wait 5 s for an answer that others wait for already, then 3 s for a connection; the rest is for the machine. */
const RESPONSE_TIMEOUT_MS = 12_000;
const GONE_TIMEOUT_MS = 15_000;
/** Long enough that every instance detects the fault, and some requests time out. */
const BLACK_HOLE_MS = 10_000;
const POLL_INTERVAL_MS = 50;
/** Before a fault and after it. */
const CHANGES_BETWEEN = 60;

/** The environment of a fault. */
interface Scene {
  readonly cluster: Cluster;
  readonly postgres: PostgresServer;
  readonly load: StockLoad;
  readonly random: SeededRandom;
  /** The database proxy of two instances, and that of the third. */
  readonly proxies: readonly [TcpProxy, TcpProxy];
}

/** Each causes a fault and ends it. The caller then waits for the recovery. */
const FAULTS = {
  'an instance is killed': async ({ cluster, load, random }) => {
    const index = random.integer(0, cluster.instances.length - 1);
    const port = cluster.ports[index] as number;
    load.mayBreak.add(port);
    await cluster.instances[index]?.kill9();
    await delay(random.integer(0, 1_000));
    await cluster.restart(index);
    load.mayBreak.delete(port);
  },
  'all sessions are terminated': async ({ postgres }) => {
    assert.ok((await postgres.terminateBackends()) > 0);
  },
  'an instance stops for 5 s': (scene) => suspendInstance(scene, 5_000),
  'an instance stops for a moment': (scene) => suspendInstance(scene, scene.random.integer(200, 1_500)),
  'the database stops': (scene) => suspendDatabase(scene, scene.random.integer(1_000, 7_000)),
  'the database stops for a moment': (scene) => suspendDatabase(scene, scene.random.integer(200, 1_500)),
  'the database is killed': async ({ cluster, postgres }) => {
    await postgres.kill9();
    await untilNotReady(cluster.ports);
    await postgres.start();
  },
  'the way of all instances to the database is a black hole': (scene) =>
    blackHole(scene, scene.proxies, scene.cluster.ports),
  'the way of one instance to the database is a black hole': (scene) =>
    blackHole(scene, [scene.proxies[1]], scene.cluster.ports.slice(-1)),
  'all connections are cut': async ({ proxies }) => {
    for (const proxy of proxies) proxy.cut();
  },
} satisfies Record<string, (scene: Scene) => Promise<void>>;

export type Fault = keyof typeof FAULTS;
export const ALL_FAULTS = Object.keys(FAULTS) as readonly Fault[];

async function suspendInstance({ cluster, random }: Scene, forMs: number): Promise<void> {
  const { pid } = random.pick(cluster.instances);
  signal(pid, 'SIGSTOP');
  await delay(forMs);
  signal(pid, 'SIGCONT');
}

async function suspendDatabase({ postgres }: Scene, forMs: number): Promise<void> {
  postgres.suspend();
  await delay(forMs);
  postgres.resume();
}

/** A request during a black hole gets an error within a bounded time, before the black hole ends. */
async function blackHole(
  { load }: Scene,
  proxies: readonly TcpProxy[],
  ports: readonly number[],
): Promise<void> {
  for (const proxy of proxies) proxy.blackHole();
  const fallenAt = performance.now();
  try {
    await untilNotReady(ports);
    for (const send of [(port: number) => load.write(port), (port: number) => load.read(port)]) {
      const answers = await Promise.all(ports.map(send));
      assert.ok(!answers.includes(true), 'nothing is acknowledged while nothing passes');
    }
    await delay(Math.max(0, BLACK_HOLE_MS - (performance.now() - fallenAt)));
    assert.ok(load.slowestMs < RESPONSE_TIMEOUT_MS, `an answer took ${load.slowestMs} ms`);
  } finally {
    for (const proxy of proxies) proxy.heal();
  }
}

/** Waits until every instance reports that it is not ready, with a valid error response. */
async function untilNotReady(ports: readonly number[]): Promise<void> {
  await Promise.all(
    ports.map((port) =>
      until(GONE_TIMEOUT_MS, `port ${port} reports that it is not ready`, async () => {
        const { status, headers } = await request({ port }, { path: '/readyz' });
        if (status === 200) return false;
        assert.equal(status, 503);
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
        return true;
      }),
    ),
  );
}

/** Waits until every instance is ready, and lists and changes stock. */
async function untilRecovered({ cluster, load }: Scene, what: string): Promise<void> {
  const deadline = performance.now() + RECOVERED_TIMEOUT_MS;
  const left = () => Math.max(0, deadline - performance.now());
  for (const port of cluster.ports) {
    await until(left(), `${what}: port ${port} is ready again`, async () => {
      return (await request({ port }, { path: '/readyz' })).status === 200;
    });
    await until(left(), `${what}: port ${port} changes stock again`, () => load.write(port));
    await until(left(), `${what}: port ${port} lists stock again`, () => load.read(port));
  }
}

async function until(timeoutMs: number, what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `within ${timeoutMs} ms ${what}`);
    await delay(POLL_INTERVAL_MS);
  }
}

export interface FaultOptions {
  readonly runtime: Runtime;
  /** The faults to cause in sequence, on the same database. */
  readonly pick: (random: SeededRandom) => readonly Fault[];
}

/**
 * Causes faults in sequence under a load on three instances. Asserts after each that the service has recovered, and
 * that its answers agree with the ledger.
 */
export async function survivesFaults(t: TestContext, { runtime, pick }: FaultOptions): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const random = new SeededRandom(seed);
  const scene = await setScene(t, runtime, random);
  const { cluster, load } = scene;
  const ledger = new StockLedger(cluster, load, StockLoad.pets().length);
  const faults = pick(random);
  const progress = new Progress('faults', faults.length);
  for (const [index, fault] of faults.entries()) {
    const what = `seed ${seed}, fault ${index + 1}: ${fault}`;
    load.start();
    await load.untilAcknowledged(CHANGES_BETWEEN);
    const startedAt = performance.now();
    await FAULTS[fault](scene);
    const faultMs = performance.now() - startedAt;
    await untilRecovered(scene, what);
    const recoveredMs = performance.now() - startedAt - faultMs;
    await load.untilAcknowledged(CHANGES_BETWEEN);
    await load.stop();
    assert.ok(cluster.isAlive(), `${what}: no instance exits\n${cluster.logs()}`);
    await ledger.check(what);
    t.diagnostic(
      `${what}, ${Math.round(faultMs)} ms; recovered ${Math.round(recoveredMs)} ms after, slowest answer ${Math.round(load.slowestMs)} ms; ${describeCounts(load)}`,
    );
    progress.step();
  }
  assert.deepEqual((await cluster.cli('verify')).faults, [], `seed ${seed}`);
  assert.equal(await cluster.stop(), 0);
  const { password } = new URL(cluster.databaseUrl);
  assert.ok(!cluster.logs().includes(password), 'no log contains the password');
  t.diagnostic(`${ledger.acknowledged} changes acknowledged, ${ledger.unconfirmed} found unconfirmed`);
}

function describeCounts({ counts }: StockLoad): string {
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

async function setScene(t: TestContext, runtime: Runtime, random: SeededRandom): Promise<Scene> {
  const postgres = await startPostgres(t);
  const proxies = [await startTcpProxy(t, postgres.port), await startTcpProxy(t, postgres.port)] as const;
  const pets = StockLoad.pets();
  const cluster = await startCluster(t, { runtime, postgres, pets, instances: 2, through: proxies[0] });
  await cluster.add(1, proxies[1]);
  return { cluster, postgres, proxies, random, load: new StockLoad(cluster, random) };
}

/** Asserts that an instance stops in time and in order on a signal, although the database receives nothing. */
export async function stopsInBlackHole(t: TestContext, runtime: Runtime): Promise<void> {
  const through = await startTcpProxy(t, (await sharedPostgres()).server.port);
  const cluster = await startCluster(t, { runtime, through, instances: 1, pets: StockLoad.pets() });
  const load = new StockLoad(cluster, new SeededRandom(1));
  assert.ok(await load.write(cluster.port));
  assert.ok(await load.read(cluster.port));
  await load.stop();
  through.blackHole();
  const reportedAtMs = performance.now();
  assert.equal(await cluster.stop(), 0);
  t.diagnostic(`stopped in ${Math.round(performance.now() - reportedAtMs)} ms`);
}
