import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Server, startChild, stopChild } from '../process.ts';

/** nginx, if it is installed. Distributions put it where only administrators look. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file));
}

interface StaticAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Starts nginx as one process that answers `/v1/inventory` with a file and the given headers. */
export async function startNginx(program: string, parent: string, answer: StaticAnswer): Promise<Server> {
  const directory = mkdtempSync(join(parent, 'nginx-'));
  const port = await freePort();
  const configuration = join(directory, 'nginx.conf');
  writeFileSync(join(directory, 'inventory.json'), answer.body);
  writeFileSync(configuration, configurationText(directory, port, answer.headers));
  const startedAtMs = performance.now();
  const child = startChild([program, '-p', directory, '-e', 'error.log', '-c', configuration], {}, 'inherit');
  const stop = () => stopChild(child);
  const url = new URL(`http://127.0.0.1:${port}`);
  await untilAccepting(port);
  return {
    pid: child.pid,
    url,
    readyAfterMs: performance.now() - startedAtMs,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function configurationText(
  directory: string,
  port: number,
  headers: Readonly<Record<string, string>>,
): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'content-type') lines.push(`default_type ${quote(value)};`);
    else if (name.toLowerCase() !== 'content-length') lines.push(`add_header ${name} ${quote(value)};`);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  server_tokens off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location = /v1/inventory {
      alias ${join(directory, 'inventory.json')};
      types { }
      etag off;
      max_ranges 0;
      add_header Last-Modified '';
      ${lines.join('\n      ')}
    }
  }
}
`;
}

function quote(value: string): string {
  if (/[$\\']/.test(value)) throw new Error(`a header value cannot be written for nginx: ${value}`);
  return `'${value}'`;
}

/** nginx cannot choose a free port and report it. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilAccepting(port: number): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (performance.now() < deadlineMs) {
    const accepted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (accepted) return;
    await sleep(20);
  }
  throw new Error('nginx did not start within 10 seconds');
}
