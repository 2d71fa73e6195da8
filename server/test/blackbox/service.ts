import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PetStatus } from '../../src/domain/inventory.ts';
import type { PlanName } from '../../src/domain/plans.ts';

export const RUNTIMES = ['node', 'bun'] as const;
export type Runtime = (typeof RUNTIMES)[number];

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
const READY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 20_000;
/** High enough that no test ever meets the limits of its own account or address. */
const NO_LIMIT = 1_000_000_000;

export interface PetFixture {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status?: PetStatus;
}

export interface ServiceOptions {
  readonly runtime?: Runtime;
  readonly env?: Readonly<Record<string, string>>;
  /** An existing folder to keep the database in; without one, a new folder that goes away with the test. */
  readonly databaseDir?: string;
  /** The plan of the account that is made; `enterprise` gets limits that are never reached. */
  readonly plan?: PlanName;
  /** Pets to import before the service starts. */
  readonly pets?: readonly PetFixture[];
  /** A key that the database already has; then no account is made. */
  readonly key?: string;
}

/** What a command of the operator's command line printed with `--json`. */
export type CliAnswer = Readonly<Record<string, unknown>>;

/** A service that runs in its own process, on its own port. */
export interface Service {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  /** The name of the account that was made; empty when a key was handed in. */
  readonly account: string;
  readonly pid: number;
  readonly databaseDir: string;
  /** Asks the process to end (SIGTERM) and returns its exit code. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
  isAlive(): boolean;
  /** All that the process has written to stdout and stderr. */
  logs(): string;
  /** Runs a command of the operator on the same database, with `--json`. */
  cli(...args: string[]): Promise<CliAnswer>;
}

/** Starts the service as an operator would, on a database with one account and one key, and ends it with the test. */
export async function startService(
  t: Pick<TestContext, 'after'>,
  options: ServiceOptions = {},
): Promise<Service> {
  const folder = options.databaseDir ?? (await mkdtemp(join(tmpdir(), 'petstore-blackbox-')));
  const binary = options.runtime === 'bun' ? BUN : process.execPath;
  const env = environment(folder, options.env);
  const cli = (...args: string[]) => runCli(binary, args, env, folder);
  // Each hook stands before what it cleans up after: a start that fails half-way leaves nothing behind.
  const running: { child?: ChildProcess } = {};
  t.after(async () => {
    if (running.child) await end(running.child, 'SIGKILL');
    if (options.databaseDir === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const credentials = options.key
    ? { key: options.key, account: '' }
    : await createCredentials(cli, options.plan ?? 'enterprise');
  if (options.pets) await importPets(cli, folder, options.pets);

  const output: string[] = [];
  const child = spawn(binary, [MAIN, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.child = child;
  const url = await listening(child, output);
  return {
    url,
    port: Number(new URL(url).port),
    ...credentials,
    pid: child.pid ?? -1,
    databaseDir: folder,
    stop: () => end(child, 'SIGTERM'),
    kill9: async () => void (await end(child, 'SIGKILL')),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    logs: () => output.join(''),
    cli,
  };
}

/** The machine's environment without what would configure the service, or tell it that it is a test. */
function environment(folder: string, extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:PETSTORE_|NODE_|PORT$|BUN_)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PORT: '0',
    PETSTORE_HOST: '127.0.0.1',
    PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}`,
    PETSTORE_ADDRESS_LIMIT: String(NO_LIMIT),
    ...extra,
  };
}

async function runCli(
  binary: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<CliAnswer> {
  const { stdout } = await promisify(execFile)(binary, [MAIN, ...args, '--json'], { cwd, env });
  return JSON.parse(stdout) as CliAnswer;
}

type Cli = Service['cli'];

async function createCredentials(cli: Cli, plan: PlanName): Promise<{ key: string; account: string }> {
  const account = `blackbox-${randomUUID()}`;
  const limits =
    plan === 'enterprise' ? ['--per-minute', String(NO_LIMIT), '--per-day', String(NO_LIMIT)] : [];
  await cli('migrate');
  await cli('accounts', 'create', account, '--plan', plan, ...limits);
  const { key } = await cli('keys', 'create', '--account', account);
  return { key: String(key), account };
}

async function importPets(cli: Cli, folder: string, pets: readonly PetFixture[]): Promise<void> {
  const file = join(folder, 'pets.csv');
  const rows = pets.map(
    ({ petId, quantity, status }) => `${petId},Pet ${petId},dogs,${quantity},${status ?? 'available'}`,
  );
  await writeFile(file, `petId,name,category,quantity,status\n${rows.join('\n')}\n`);
  await cli('pets', 'import', file);
}

/** Collects what the process writes, and resolves with its address once it says that it listens. */
function listening(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The service ${reason}:\n${output.join('')}`));
    const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.once('error', (error) => fail(`did not start (${error.message})`));
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(`${line}\n`);
      const url = listeningUrl(line);
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

function listeningUrl(line: string): string | undefined {
  if (!line.includes('"msg":"listening"')) return undefined;
  const { url } = JSON.parse(line) as { url?: unknown };
  return typeof url === 'string' ? url.replace(/\/$/, '') : undefined;
}

/** Sends a signal and waits for the end; a process that will not go in time is killed, and that is an error. */
function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve(child.exitCode);
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service did not end within ${STOPPED_WITHIN_MS} ms of ${signal}.`));
    }, STOPPED_WITHIN_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
    child.kill(signal);
  });
}
