import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPackages } from '../../../test/release/link-packages.ts';
import { OrphanWatch } from '../postgres/support/orphan-watch.ts';
import { accessVariables, type SharedPostgres, startShared } from '../postgres/support/shared-postgres.ts';
import { machineEnvironment } from '../support/machine-environment.ts';
import { type Mutation, mutated } from './mutation.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The template of a shared server has the schema of the unmodified service. */
const CHANGES_SCHEMA = /migrat/;
/** Not copied: large folders, and files that no test reads. */
const LEFT_OUT = new Set(['node_modules', '.git', 'data']);
/** A test of a mutated service may wait for something that never happens. */
const TEST_TIMEOUT_MS = 150_000;
const RUN_TIMEOUT_MS = 240_000;

export type Verdict =
  | { readonly isKilled: true; readonly by: string }
  | { readonly isKilled: false; readonly by: undefined };

/** A copy of the repository in a temporary folder, in which mutations run in sequence. */
export class Sandbox {
  readonly #folder: string;
  readonly #postgres: SharedPostgres;
  readonly #closing: readonly (() => unknown)[];
  readonly #watch: OrphanWatch;

  static async make(): Promise<Sandbox> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mutate-'));
    // A run that is interrupted would leave a copy of the repository.
    const watch = new OrphanWatch(folder, 'TERM');
    // The chart has relative links, which would be links to the sources otherwise.
    await cp(ROOT, folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
    await mkdir(join(folder, 'temporary'));
    linkPackages(folder);
    const closing: (() => unknown)[] = [];
    const postgres = await startShared({ after: (close) => void closing.push(close as () => unknown) });
    return new Sandbox(folder, postgres, closing, watch);
  }

  private constructor(
    folder: string,
    postgres: SharedPostgres,
    closing: readonly (() => unknown)[],
    watch: OrphanWatch,
  ) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#closing = closing;
    this.#watch = watch;
  }

  /** Runs the tests of a mutation on the mutated service. */
  async judge(mutation: Mutation): Promise<Verdict> {
    const path = join(this.#folder, mutation.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, mutated(source, mutation));
    try {
      const failure = await this.run(mutation.tests, { hasOwnServer: CHANGES_SCHEMA.test(mutation.file) });
      return failure === undefined ? { isKilled: false, by: undefined } : { isKilled: true, by: failure };
    } finally {
      await writeFile(path, source);
    }
  }

  /** Runs test files; returns the name of the first test that failed, or nothing when all passed. */
  async run(tests: readonly string[], { hasOwnServer = false } = {}): Promise<string | undefined> {
    const first = ['compile-cache.ts', 'runner/skewed-clock.js'].flatMap((file) => [
      '--import',
      `./server/test/support/${file}`,
    ]);
    const words = [...first, '--test', '--test-reporter=tap'];
    const child = spawn(process.execPath, [...words, `--test-timeout=${TEST_TIMEOUT_MS}`, ...tests], {
      cwd: this.#folder,
      env: {
        ...machineEnvironment(),
        ...(!hasOwnServer && accessVariables(this.#postgres)),
        TMPDIR: join(this.#folder, 'temporary'),
        NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      // In a separate group, so that its children end with it.
      detached: true,
    });
    this.#watch.watch(child.pid);
    const failure = await firstFailure(child);
    this.#watch.watch(undefined);
    await this.#dropDatabases();
    return failure;
  }

  /** Tests leave their databases to the end of the server. One that was killed may still drop its own. */
  async #dropDatabases(): Promise<void> {
    const { server, template } = this.#postgres;
    const made = await server.query(
      `SELECT datname FROM pg_database WHERE datname LIKE 'petstore%' AND datname <> '${template}'`,
    );
    for (const { datname } of made)
      await server.query(`DROP DATABASE IF EXISTS ${String(datname)} WITH (FORCE)`);
  }

  async remove(): Promise<void> {
    for (const close of this.#closing.toReversed()) await close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    this.#watch.release();
  }
}

/** The first test of a run that fails, which ends the run; nothing when it passes. */
function firstFailure(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let output = '';
    const end = (failure: string) => {
      clearTimeout(deadline);
      resolve(failure);
      // A database of the tests has its own watcher in another group, which removes it.
      if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    };
    const deadline = setTimeout(() => end('no end within the time-out'), RUN_TIMEOUT_MS);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const failed = /^\s*not ok \d+ - (.*)\n/m.exec(output)?.[1];
      if (failed !== undefined) end(failed);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(deadline);
      resolve(code === 0 ? undefined : `exit code ${code}`);
    });
  });
}
