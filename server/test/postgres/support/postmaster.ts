import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { OrphanWatch } from './orphan-watch.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { childrenOf, signal } from './process-tree.ts';

const READY_TIMEOUT_MS = 90_000;
const STOPPED_TIMEOUT_MS = 90_000;
const PORTS_TRIED = 20;
const READY = /database system is ready to accept (?:read-only )?connections/;
const PORT_TAKEN = /could not (?:bind|create any TCP)/;

/** Settings of PostgreSQL by name, such as `{ fsync: 'off' }`. */
export type Settings = Readonly<Record<string, string>>;

/** PostgreSQL did not start; `log` is its output. */
class StartError extends Error {
  readonly log: string;

  constructor(what: string, log: string) {
    super(`PostgreSQL ${what}:\n${log}`);
    this.log = log;
  }
}

/** The processes of a PostgreSQL on one data folder, and the port they listen on. */
export class Postmaster {
  /** Everything that was written, by all that were started. */
  log = '';
  #port = 0;
  #child: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  readonly #binaries: PostgresBinaries;
  readonly #folder: string;
  readonly #data: string;
  readonly #watch: OrphanWatch;

  /** @param folder an empty one, which is removed at the end */
  constructor(binaries: PostgresBinaries, folder: string) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.#data = join(folder, 'data');
    this.#watch = new OrphanWatch(folder, 'QUIT');
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('PostgreSQL does not run.');
    return pid;
  }

  /** Makes the data folder, with a superuser `postgres`. */
  async initialise(password: string): Promise<void> {
    const passwordFile = join(this.#folder, 'password');
    await this.#own(this.#folder);
    await mkdir(this.#data, { mode: 0o700 });
    await this.#own(this.#data);
    await writeFile(passwordFile, password, { mode: 0o600 });
    await this.#own(passwordFile);
    const child = this.#spawn(this.#binaries.initdb, [
      ...['--pgdata', this.#data, '--username', 'postgres', '--pwfile', passwordFile],
      // The data is worth nothing yet, so it need not be on disk.
      ...['--auth', 'scram-sha-256', '--no-sync', '--no-locale', '--encoding', 'UTF8'],
      ...this.#binaries.initdbWords,
    ]);
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new StartError(`made no data folder (exit code ${code})`, log);
  }

  async startOnFreePort(settings: Settings): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      this.#port = await freePort();
      try {
        return await this.start(settings);
      } catch (error) {
        const isPortTaken = error instanceof StartError && PORT_TAKEN.test(error.log);
        if (!isPortTaken || tries === PORTS_TRIED) throw error;
      }
    }
  }

  /** Starts on the data and the port that there are. */
  async start(settings: Settings): Promise<void> {
    if (this.#child) throw new Error('PostgreSQL runs already.');
    const words = Object.entries({ ...settings, port: String(this.#port) });
    const child = this.#spawn(this.#binaries.postgres, [
      ...['-D', this.#data],
      ...words.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    // A test file that has nothing else to wait for may end, and the watch then ends the server.
    child.unref();
    (child.stderr as Socket | null)?.unref();
    // Its output ends only when the last of its children is gone as well.
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    try {
      await this.#ready(child);
    } catch (error) {
      if (this.#child) await this.kill9();
      throw error;
    }
  }

  /** Makes the next start one of a read-only replica. It follows no other server. */
  async becomeReplica(): Promise<void> {
    const file = join(this.#data, 'standby.signal');
    await writeFile(file, '');
    await this.#own(file);
  }

  /** Copies the data of this server, which must not run, for another one. @param folder As for a new one. */
  async copy(folder: string): Promise<Postmaster> {
    const copy = new Postmaster(this.#binaries, folder);
    await this.#own(folder);
    // With the owner and the modes of the files.
    await promisify(execFile)('cp', ['-a', this.#data, copy.#data]);
    return copy;
  }

  suspend(): void {
    // First the parent, so that no child can be born unseen.
    signal(this.pid, 'SIGSTOP');
    for (const child of childrenOf(this.pid)) signal(child, 'SIGSTOP');
  }

  resume(): void {
    for (const child of childrenOf(this.pid)) signal(child, 'SIGCONT');
    signal(this.pid, 'SIGCONT');
  }

  async kill9(): Promise<void> {
    const { pid } = this;
    signal(pid, 'SIGSTOP');
    for (const each of [...childrenOf(pid), pid]) signal(each, 'SIGKILL');
    await this.#untilExited();
  }

  async stop(): Promise<void> {
    signal(this.pid, 'SIGINT');
    await this.#untilExited();
  }

  /** Ends the server in any state, and removes its folder. */
  async destroy(): Promise<void> {
    if (this.#child) {
      this.resume();
      // Without a checkpoint, but unlike kill -9 it gives its shared memory back.
      signal(this.pid, 'SIGQUIT');
      await this.#untilExited().catch(() => this.kill9());
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    this.#watch.release();
  }

  #ready(child: ChildProcess): Promise<void> {
    let log = '';
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail('was not ready in time'), READY_TIMEOUT_MS);
      const fail = (what: string) => {
        clearTimeout(timer);
        reject(new StartError(what, log));
      };
      child.once('error', (error) => fail(`did not start (${error.message})`));
      child.once('close', (code, by) => fail(`ended with ${code ?? by}`));
      child.once('spawn', () => {
        this.#child = child;
        this.#watch.watch(child.pid);
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        this.log += text;
        log += text;
        if (!READY.test(log)) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Waits until every process of the server has ended. */
  async #untilExited(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error(`PostgreSQL did not end within ${STOPPED_TIMEOUT_MS} ms:\n${this.log}`);
      timer = setTimeout(() => reject(error), STOPPED_TIMEOUT_MS);
    });
    await Promise.race([this.#closed, late]).finally(() => clearTimeout(timer));
    this.#child = undefined;
    this.#watch.watch(undefined);
  }

  #spawn(program: string, words: readonly string[]): ChildProcess {
    return spawn(program, words, {
      ...this.#binaries.identity,
      cwd: this.#folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      // A Ctrl-C is for the test, which ends the server in its own time.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  async #own(path: string): Promise<void> {
    const { uid, gid } = this.#binaries.identity;
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  }
}
