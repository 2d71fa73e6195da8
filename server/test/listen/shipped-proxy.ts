import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../postgres/support/free-port.ts';
import { OrphanWatch } from '../postgres/support/orphan-watch.ts';
import { signal } from '../postgres/support/process-tree.ts';

const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const READY_TIMEOUT_MS = 90_000;
const MAX_PORTS_TRIED = 5;

/** A shipped configuration: its file, the changes that let it run in a test, and how to start its program. */
export interface ShippedProxy {
  readonly program: 'haproxy' | 'nginx';
  readonly file: string;
  readonly edits: (port: number, servicePort: number, folder: string) => readonly [string | RegExp, string][];
  readonly words: (file: string) => readonly string[];
}

export const SHIPPED_PROXIES: readonly ShippedProxy[] = [
  {
    program: 'haproxy',
    file: 'haproxy.cfg',
    edits: (port, servicePort) => [
      ['bind :8080', `bind 127.0.0.1:${port}`],
      [/server-template .*/, `server petstore-1 127.0.0.1:${servicePort}`],
    ],
    words: (file) => ['-db', '-f', file],
  },
  {
    program: 'nginx',
    file: 'nginx.conf',
    edits: (port, servicePort, folder) => [
      ['pid /run/petstore-nginx.pid', `pid ${folder}/nginx.pid`],
      ['listen 8080', `listen 127.0.0.1:${port}`],
      [/(?:\s*server 127\.0\.0\.1:808\d [^;]*;)+/, `\nserver 127.0.0.1:${servicePort};`],
      ['access_log off;', `access_log off; ${temporaryPaths(folder)}`],
    ],
    words: (file) => ['-c', file, '-e', 'stderr', '-g', 'daemon off;'],
  },
];

/** Of the whole file, only addresses and folders are other ones. */
function edited(text: string, edits: readonly [string | RegExp, string][]): string {
  return edits.reduce((before, [from, to]) => {
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${from} is not in the configuration.`);
    return after;
  }, text);
}

function temporaryPaths(folder: string): string {
  const names = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return names.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
}

/** Runs a proxy with its shipped configuration in front of a service, until the test ends. Returns its port. */
export async function startShippedProxy(
  t: TestContext,
  proxy: ShippedProxy,
  program: string,
  servicePort: number,
): Promise<{ readonly port: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-proxy-'));
  // The workers of nginx run as another user, and write larger bodies there.
  await chmod(folder, 0o755);
  const watch = new OrphanWatch(folder, 'TERM');
  const running: { child?: ChildProcess } = {};
  t.after(async () => {
    await end(running.child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    watch.release();
  });
  const file = join(folder, proxy.file);
  const shipped = await readFile(join(DEPLOY, proxy.file), 'utf8');
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    await writeFile(file, edited(shipped, proxy.edits(port, servicePort, folder)));
    const child = spawn(program, [...proxy.words(file)], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.child = child;
    watch.watch(child.pid);
    let log = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => (log += String(bytes)));
    if (await isReady(child, port)) return { port };
    await end(child);
    if (tries === MAX_PORTS_TRIED) throw new Error(`${proxy.program} did not start:\n${log}`);
  }
}

/** Whether the service answers through the proxy, before the proxy ends and in time. */
async function isReady(child: ChildProcess, port: number): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return true;
    await delay(20);
  }
  return false;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  signal(child.pid, 'SIGTERM');
  await closed;
}
