import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

export interface HostileRequest {
  readonly method: string;
  /** The request target and the values of headers, in visible ASCII or as Latin-1 bytes. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Measured {
  readonly status: number;
  /** The text of the answer, as far as it came; a stream is cut after its head. */
  readonly text: string;
  /** CPU time that the thread of the service took, which no turn of its event loop can exceed. */
  readonly cpuMs: number;
}

/** Sends a request and measures the CPU time of the main thread of the service's process (Linux). */
export async function measure(
  service: { port: number; pid: number },
  options: HostileRequest,
): Promise<Measured> {
  const start = mainThreadMs(service.pid);
  const text = await exchange(service.port, options);
  await sleeping(service.pid);
  const cpuMs = mainThreadMs(service.pid) - start;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
  return { status, text, cpuMs };
}

/** CPU time of the main thread of a process, from the scheduler; it excludes other threads and processes. */
function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Waits until the main thread sleeps: the time of one that runs is counted up to 4 ms late. */
async function sleeping(pid: number): Promise<void> {
  while (/^\d+ \(.*\) R/.test(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1'))) await setImmediate();
}

function exchange(port: number, { method, target, headers, body }: HostileRequest): Promise<string> {
  const bytes = Buffer.from(body ?? '');
  const all = {
    Host: 'localhost',
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Length': String(bytes.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    const settle = (error?: Error) => {
      socket.destroy();
      if (text !== '') resolve(text);
      else
        reject(
          error ??
            new Error(`The connection was closed without an answer: ${method} ${target.slice(0, 200)}`),
        );
    };
    socket.setTimeout(DEADLINE_MS, () => settle(new Error(`No answer: ${method} ${target.slice(0, 200)}`)));
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
      if (/^content-type: text\/event-stream/im.test(text.slice(0, 2_000))) settle();
    });
    socket.on('error', settle).on('end', settle);
    socket.write(Buffer.concat([head, bytes]));
  });
}
