import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type Cli,
  type Credentials,
  NO_LIMIT,
  operatorCli,
  prepareShop,
  type WithAdmin,
  withAdminOf,
} from '../../blackbox/operator.ts';
import type { Service, ServiceOptions } from '../../blackbox/service.ts';
import {
  launchService,
  type ServiceEnvironment,
  type ServiceProcess,
  serviceEnvironment,
} from '../../blackbox/service-process.ts';
import { freePort } from './free-port.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { sharedPostgres } from './shared-postgres.ts';
import type { TcpProxy } from './tcp-proxy.ts';

const STARTS_TRIED = 10;
/** Another process took the port, or a busy machine needed longer than an attempt to connect may take. */
const TRY_AGAIN = /Port \d+ is taken|cannot be reached \(timeout expired\)/;

export interface ClusterOptions extends Omit<ServiceOptions, 'databaseDir' | 'key'> {
  /** 3 when left out. */
  readonly instances?: number;
  /** Where to make the database; without it, on the shared server. */
  readonly postgres?: DatabaseServer;
  /** The way the instances take to the database; the operator's command line goes straight to it. */
  readonly through?: TcpProxy;
}

/** The common parts of all instances. */
interface Parts extends Credentials {
  readonly postgres: DatabaseServer;
  readonly databaseUrl: string;
  readonly environment: ServiceEnvironment;
  readonly cli: Cli;
  readonly withAdmin: WithAdmin;
}

/**
 * Instances of the service on one PostgreSQL database. It is a service as well: `url` and `port` are each time those
 * of an instance taken at random. Made by `startCluster`.
 */
export class Cluster implements Service {
  readonly key: string;
  readonly account: string;
  readonly cli: Cli;
  readonly withAdmin: WithAdmin;
  readonly databaseDir: string;
  readonly postgres: DatabaseServer;
  /** The database's address, straight to the server, for the user that the instances are. */
  readonly databaseUrl: string;
  readonly #environment: ServiceEnvironment;
  readonly #instances: ServiceProcess[] = [];
  /** Each instance's own, by index. */
  readonly #environments: ServiceEnvironment[] = [];

  constructor({ key, account, cli, withAdmin, postgres, databaseUrl, environment }: Parts) {
    this.key = key;
    this.account = account;
    this.cli = cli;
    this.withAdmin = withAdmin;
    this.postgres = postgres;
    this.databaseUrl = databaseUrl;
    this.databaseDir = environment.folder;
    this.#environment = environment;
  }

  get instances(): readonly ServiceProcess[] {
    return this.#instances;
  }

  get ports(): readonly number[] {
    return this.#instances.map(({ port }) => port);
  }

  get url(): string {
    return this.any().url;
  }

  get port(): number {
    return this.any().port;
  }

  get pid(): number {
    return this.any().pid;
  }

  /** An instance taken at random among those that run. */
  any(): ServiceProcess {
    const running = this.#instances.filter((instance) => instance.isAlive());
    const instance = running[randomInt(Math.max(1, running.length))];
    if (!instance) throw new Error(`No instance runs:\n${this.logs()}`);
    return instance;
  }

  /** Starts more instances concurrently; they may reach the database through their own proxy. */
  async add(count: number, through?: TcpProxy): Promise<void> {
    const started = await Promise.allSettled(Array.from({ length: count }, () => this.#launch(through)));
    for (const result of started) {
      // Those that did start are known by now, and will be ended.
      if (result.status === 'rejected') throw result.reason;
    }
  }

  /** Starts an instance that has ended once more, on the port that it had. */
  async restart(index: number): Promise<ServiceProcess> {
    const instance = await launchService(this.#environments[index] as ServiceEnvironment);
    this.#instances[index] = instance;
    return instance;
  }

  /** Stops all instances; the worst of their exit codes, 0 when all went well. */
  async stop(): Promise<number | null> {
    const codes = await Promise.all(this.#instances.map((instance) => instance.stop()));
    return codes.find((code) => code !== 0) ?? 0;
  }

  async kill9(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.kill9()));
  }

  isAlive(): boolean {
    return this.#instances.every((instance) => instance.isAlive());
  }

  logs(): string {
    return this.#instances.map((instance) => instance.logs()).join('');
  }

  async #launch(through: TcpProxy | undefined): Promise<void> {
    const variables = through && { PETSTORE_DATABASE: through.url(this.databaseUrl) };
    for (let tries = 1; ; tries += 1) {
      // One that the instance can have again after a restart.
      const env = { ...this.#environment.env, ...variables, PORT: String(await freePort()) };
      const environment = { ...this.#environment, env };
      try {
        this.#instances.push(await launchService(environment));
        this.#environments.push(environment);
        return;
      } catch (error) {
        if (!TRY_AGAIN.test(String(error)) || tries === STARTS_TRIED) throw error;
      }
    }
  }
}

/** Starts instances on a new database with one account and one key, and ends them with the test. */
export async function startCluster(
  t: Pick<TestContext, 'after'>,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const { server: postgres, template } = options.postgres
    ? { server: options.postgres, template: undefined }
    : await sharedPostgres();
  const databaseUrl = await postgres.createDatabase(template);
  const folder = await mkdtemp(join(tmpdir(), 'petstore-cluster-'));
  const running: { cluster?: Cluster } = {};
  t.after(async () => {
    await running.cluster?.kill9();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const straight = serviceEnvironment(options.runtime, folder, {
    PETSTORE_DATABASE: databaseUrl,
    PETSTORE_PEPPER: randomBytes(24).toString('hex'),
    PETSTORE_ADDRESS_LIMIT: String(NO_LIMIT),
    ...options.env,
  });
  const cli = operatorCli(straight);
  const credentials = await prepareShop(straight, options);
  const variables = options.through?.url(databaseUrl) ?? databaseUrl;
  const environment = { ...straight, env: { ...straight.env, PETSTORE_DATABASE: variables } };
  const cluster = new Cluster({
    ...credentials,
    ...{ postgres, databaseUrl, environment, cli },
    withAdmin: withAdminOf(straight),
  });
  running.cluster = cluster;
  await cluster.add(options.instances ?? 3);
  return cluster;
}
