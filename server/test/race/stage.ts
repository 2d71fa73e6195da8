import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cli, makeKey, type PetFixture } from '../blackbox/operator.ts';
import { type Service, startService } from '../blackbox/service.ts';
import type { Runtime } from '../blackbox/service-process.ts';
import { type Cluster, startCluster } from '../postgres/support/cluster.ts';
import { type PostgresServer, startPostgres } from '../postgres/support/postgres-server.ts';
import { signal } from '../postgres/support/process-tree.ts';
import { startTcpProxy, type TcpProxy } from '../postgres/support/tcp-proxy.ts';
import { temporaryFolder } from '../support/command-line.ts';
import type { SeededRandom } from '../support/limit-clients.ts';
import type { RaceKey } from './racer.ts';
import { LOCAL_RECEIVERS } from './webhooks/local-receivers.ts';

/** A service under race, and the faults that can be injected into it. */
export interface Stage {
  readonly keys: readonly RaceKey[];
  readonly cli: Cli;
  /** Of all instances, those that are down for a moment too. */
  ports(): readonly number[];
  /** By name; each causes a fault, ends it, and then resolves. */
  readonly faults: Readonly<Record<string, (random: SeededRandom) => Promise<void>>>;
}

export interface StageOptions {
  readonly pets: readonly PetFixture[];
  readonly keys: number;
}

/** The targets of the black-box tests, as stages. */
export const STAGES: readonly {
  readonly name: string;
  /** The long tests use all of them. */
  readonly isDaily: boolean;
  start(t: TestContext, options: StageOptions): Promise<Stage>;
}[] = [
  { name: 'node with SQLite', isDaily: true, start: (t, options) => startSqliteStage(t, 'node', options) },
  { name: 'bun with SQLite', isDaily: false, start: (t, options) => startSqliteStage(t, 'bun', options) },
  {
    name: '3 instances on node with PostgreSQL',
    isDaily: false,
    start: (t, options) => startPostgresStage(t, 'node', options),
  },
  {
    name: '3 instances on bun with PostgreSQL',
    isDaily: false,
    start: (t, options) => startPostgresStage(t, 'bun', options),
  },
];

/** The fault that each stage supports. */
export const KILL = 'an instance is killed';

async function startSqliteStage(
  t: TestContext,
  runtime: Runtime,
  { pets, keys }: StageOptions,
): Promise<Stage> {
  const databaseDir = temporaryFolder(t);
  let service = await startService(t, { databaseDir, runtime, pets, env: LOCAL_RECEIVERS });
  const { key, cli } = service;
  return {
    cli,
    keys: await makeKeys(service, keys),
    ports: () => service.ports,
    faults: {
      [KILL]: async () => {
        await service.kill9();
        service = await startService(t, { databaseDir, runtime, key, env: LOCAL_RECEIVERS });
      },
    },
  };
}

async function startPostgresStage(
  t: TestContext,
  runtime: Runtime,
  { pets, keys }: StageOptions,
): Promise<Stage> {
  const postgres = await startPostgres(t);
  const databaseProxy = await startTcpProxy(t, postgres.port);
  const cluster = await startCluster(t, {
    runtime,
    postgres,
    pets,
    through: databaseProxy,
    instances: 3,
    env: LOCAL_RECEIVERS,
  });
  return {
    cli: cluster.cli,
    keys: await makeKeys(cluster, keys),
    ports: () => cluster.ports,
    faults: { ...instanceFaults(cluster), ...databaseFaults(postgres, databaseProxy) },
  };
}

function instanceFaults(cluster: Cluster): Stage['faults'] {
  return {
    [KILL]: async (random) => {
      const index = random.integer(0, cluster.instances.length - 1);
      await cluster.instances[index]?.kill9();
      await cluster.restart(index);
    },
    'an instance stops for a moment': async (random) => {
      const { pid } = random.pick(cluster.instances);
      signal(pid, 'SIGSTOP');
      await delay(random.integer(200, 1_500));
      signal(pid, 'SIGCONT');
    },
  };
}

function databaseFaults(postgres: PostgresServer, databaseProxy: TcpProxy): Stage['faults'] {
  return {
    'all sessions are terminated': async () => void (await postgres.terminateBackends()),
    'all connections are cut': async () => databaseProxy.cut(),
    'the database stops': async (random) => {
      postgres.suspend();
      await delay(random.integer(500, 4_000));
      postgres.resume();
    },
    'the database is killed': async () => {
      await postgres.kill9();
      await postgres.start();
    },
    'the way to the database is a black hole': async (random) => {
      databaseProxy.blackHole();
      await delay(random.integer(500, 4_000));
      databaseProxy.heal();
    },
  };
}

async function makeKeys(service: Service, count: number): Promise<RaceKey[]> {
  const keys: RaceKey[] = [];
  for (let number = 1; number <= count; number += 1) {
    keys.push(await makeKey(service, { name: `till ${number}` }));
  }
  return keys;
}
