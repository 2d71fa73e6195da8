import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadBalancer } from '../faults/load-balancer.ts';
import { freePort } from './free-port.ts';
import { OrphanWatch } from './orphan-watch.ts';
import { childrenOf, signal } from './process-tree.ts';

const READY_TIMEOUT_MS = 90_000;
const PORTS_TRIED = 10;

/** The path at which the active configuration reports its number. */
const GENERATION_PATH = '/.generation';

/**
 * A configuration as an operator would write it. After a refused connection nginx skips the upstream for a second
 * (`max_fails`, `fail_timeout`) and sends the request to the next one. It never sends a PATCH twice.
 */
function configuration(
  folder: string,
  port: number,
  upstreams: readonly number[],
  generation: number,
): string {
  const servers = upstreams.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log stderr warn;
    events { worker_connections 1024; }
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      upstream service {
        ${servers.length === 0 ? 'server 127.0.0.1:1 down;' : servers.join(' ')}
        keepalive 32;
      }
      server {
        listen 127.0.0.1:${port};
        location = ${GENERATION_PATH} { return 200 "${generation}"; }
        location / {
          proxy_pass http://service;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr;
        }
      }
    }`;
}

/** An nginx with its own folder, which is removed at the end. */
class Nginx {
  #port = 0;
  #generation = 0;
  #child: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  #log = '';
  readonly #program: string;
  readonly #folder: string;
  readonly #watch: OrphanWatch;

  constructor(program: string, folder: string) {
    this.#program = program;
    this.#folder = folder;
    this.#watch = new OrphanWatch(folder, 'TERM');
  }

  async start(upstreams: readonly number[]): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      this.#port = await freePort();
      await this.#configure(upstreams);
      this.#spawn();
      if (await this.#within(() => this.#isInForce())) return this.#port;
      await this.#end();
      if (tries === PORTS_TRIED) throw new Error(`nginx did not start:\n${this.#log}`);
    }
  }

  /** Resolves when no worker of the configuration before is left, and so nothing more goes where it sent requests. */
  async setUpstreams(upstreams: readonly number[]): Promise<void> {
    const pid = this.#child?.pid as number;
    const retiring = new Set(childrenOf(pid));
    await this.#configure(upstreams);
    signal(pid, 'SIGHUP');
    const isDone = async () =>
      (await this.#isInForce()) && !childrenOf(pid).some((each) => retiring.has(each));
    if (!(await this.#within(isDone))) throw new Error(`nginx took no new configuration:\n${this.#log}`);
  }

  async destroy(): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    this.#watch.release();
  }

  async #configure(upstreams: readonly number[]): Promise<void> {
    this.#generation += 1;
    const text = configuration(this.#folder, this.#port, upstreams, this.#generation);
    await writeFile(join(this.#folder, 'nginx.conf'), text);
  }

  #spawn(): void {
    const words = ['-p', this.#folder, '-c', join(this.#folder, 'nginx.conf'), '-e', 'stderr'];
    const child = spawn(this.#program, words, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    this.#watch.watch(child.pid);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    this.#closed = once(child, 'close').catch(() => {});
  }

  /** Whether something becomes true within the deadline, and while nginx runs. */
  async #within(isSo: () => Promise<boolean>): Promise<boolean> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline && this.#child?.exitCode === null) {
      if (await isSo()) return true;
      await delay(10);
    }
    return false;
  }

  /** Whether the newest configuration answers. */
  async #isInForce(): Promise<boolean> {
    const options = { headers: { Connection: 'close' }, signal: AbortSignal.timeout(READY_TIMEOUT_MS) };
    const answer = await fetch(`http://127.0.0.1:${this.#port}${GENERATION_PATH}`, options).catch(
      () => undefined,
    );
    return (await answer?.text()) === String(this.#generation);
  }

  async #end(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid !== undefined) signal(pid, 'SIGTERM');
    await this.#closed;
    this.#child = undefined;
    this.#watch.watch(undefined);
  }
}

/** Starts an nginx over these ports, with the passive checks it has. */
export async function startNginx(
  t: Pick<TestContext, 'after'>,
  ports: readonly number[],
  program: string,
): Promise<LoadBalancer> {
  const nginx = new Nginx(program, await mkdtemp(join(tmpdir(), 'petstore-nginx-')));
  t.after(() => nginx.destroy());
  const port = await nginx.start(ports);
  return {
    kind: 'nginx',
    url: `http://127.0.0.1:${port}`,
    port,
    setUpstreams: (upstreams) => nginx.setUpstreams(upstreams),
  };
}
