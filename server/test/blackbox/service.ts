import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PlanName } from '@petstore-inventory/shared/words';
import {
  type Cli,
  type Credentials,
  NO_LIMIT,
  operatorCli,
  type PetFixture,
  prepareShop,
  type WithAdmin,
  withAdminOf,
} from './operator.ts';
import { launchService, type Runtime, type ServiceProcess, serviceEnvironment } from './service-process.ts';

export interface ServiceOptions {
  readonly runtime?: Runtime;
  /** Variables of the service and of its command line. */
  readonly env?: Readonly<Record<string, string>>;
  /** An existing folder to keep the database in; without one, a new folder that goes away with the test. */
  readonly databaseDir?: string;
  /** The plan of the new account; `enterprise` gets limits that no test reaches. */
  readonly plan?: PlanName;
  /** Pets to import before the service starts. */
  readonly pets?: readonly PetFixture[];
  /** A key that the database already has; then no account is made, and its name is empty. */
  readonly key?: string;
}

/** A service in its own processes, with an account, its key, and the operator's command line. */
export interface Service extends ServiceProcess, Credentials {
  /** The ports of all its processes. */
  readonly ports: readonly number[];
  readonly databaseDir: string;
  /** Runs a command of the operator on the same database, with `--json`. */
  readonly cli: Cli;
  readonly withAdmin: WithAdmin;
}

/** Starts the service as an operator would, on a database with one account and one key, and ends it with the test. */
export async function startService(
  t: Pick<TestContext, 'after'>,
  options: ServiceOptions = {},
): Promise<Service> {
  const folder = options.databaseDir ?? (await mkdtemp(join(tmpdir(), 'petstore-blackbox-')));
  const environment = serviceEnvironment(options.runtime, folder, {
    PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}`,
    PETSTORE_ADDRESS_LIMIT: String(NO_LIMIT),
    ...options.env,
  });
  const cli = operatorCli(environment);
  const withAdmin = withAdminOf(environment);
  // Register the cleanup first, so that a failed start leaves nothing behind.
  const running: { process?: ServiceProcess } = {};
  t.after(async () => {
    await running.process?.kill9();
    if (options.databaseDir === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const credentials = options.key
    ? { key: options.key, account: '' }
    : await prepareShop(environment, options);
  const process = await launchService(environment);
  running.process = process;
  return { ...process, ...credentials, ports: [process.port], databaseDir: folder, cli, withAdmin };
}
