import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const DEADLINE_MS = 60_000;
const HEAD_END = '\r\n\r\n';

/** One HTTP/1.x response as it came off the wire. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; a repeated header keeps every value, joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A socket that sends bytes as they are given and reads HTTP/1.1 responses one by one. All text is Latin-1. */
export class RawSocket {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, Buffer.from(bytes)]);
      this.#wake();
    });
    // A reset also ends the connection: the next read finds it closed.
    socket.on('error', () => this.#finish());
    socket.on('end', () => this.#finish());
    socket.on('close', () => this.#finish());
  }

  /** Opens a connection to a port of this machine. */
  static async open(port: number): Promise<RawSocket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawSocket(socket);
  }

  get isClosed(): boolean {
    return this.#hasEnded;
  }

  /** The received bytes that belong to no response yet. */
  get unread(): string {
    return this.#received.toString('latin1');
  }

  /** The bytes that the system has not accepted yet, because the other side does not read. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  send(bytes: string | Uint8Array): void {
    if (!this.#socket.writable) return;
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Ends this side of the connection; the other side may continue to send. */
  halfClose(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends the connection with RST instead of FIN. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /**
   * Reads the next response, or `undefined` if the server closed the connection before it.
   * @throws Error after the deadline, and for bytes that are not a complete HTTP response.
   */
  async next(
    options: { isAnswerToHead?: boolean; deadlineMs?: number } = {},
  ): Promise<RawResponse | undefined> {
    const deadline = Date.now() + (options.deadlineMs ?? DEADLINE_MS);
    for (;;) {
      const response = this.#take(options.isAnswerToHead ?? false);
      if (response) return response;
      if (this.#hasEnded && this.#received.length === 0) return undefined;
      if (this.#hasEnded) throw new Error(`The connection ended inside a response: ${this.#excerpt()}`);
      await this.#change(deadline);
    }
  }

  /** Reads every further response until the server closes the connection, within the deadline. */
  async untilClosed(deadlineMs = DEADLINE_MS): Promise<RawResponse[]> {
    const deadline = Date.now() + deadlineMs;
    const responses: RawResponse[] = [];
    for (;;) {
      const response = await this.next({ deadlineMs: Math.max(1, deadline - Date.now()) });
      if (!response) return responses;
      responses.push(response);
    }
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  #change(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`Nothing more came before the deadline: ${this.#excerpt()}`)),
        Math.max(1, deadline - Date.now()),
      );
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Removes one complete response from the received bytes, if there is one. */
  #take(isAnswerToHead: boolean): RawResponse | undefined {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return undefined;
    const { status, headers } = parseHead(this.#received.toString('latin1', 0, headEnd));
    const rest = this.#received.subarray(headEnd + HEAD_END.length);
    const hasNoBody = isAnswerToHead || status < 200 || status === 204 || status === 304;
    const parsed = hasNoBody
      ? { body: Buffer.alloc(0), length: 0 }
      : parseBody(headers, rest, this.#hasEnded);
    if (!parsed) return undefined;
    this.#received = rest.subarray(parsed.length);
    return { status, headers, body: parsed.body };
  }

  #excerpt(): string {
    return JSON.stringify(this.#received.toString('latin1', 0, 400));
  }
}

function parseHead(head: string): { status: number; headers: Map<string, string> } {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.[01] ([1-5]\d\d) ?/.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`No status line: ${JSON.stringify(statusLine)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`No header: ${JSON.stringify(line)}`);
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return { status: Number(status), headers };
}

interface ParsedBody {
  readonly body: Buffer;
  /** How many bytes on the wire it took. */
  readonly length: number;
}

/** The body at the start of these bytes (RFC 9112 section 6.3), or `undefined` while it is incomplete. */
function parseBody(
  headers: ReadonlyMap<string, string>,
  bytes: Buffer,
  hasEnded: boolean,
): ParsedBody | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return takeChunks(bytes);
  const contentLength = headers.get('content-length');
  if (contentLength === undefined) return hasEnded ? { body: bytes, length: bytes.length } : undefined;
  if (!/^\d+$/.test(contentLength)) throw new Error(`No length: ${contentLength}`);
  const length = Number(contentLength);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length };
}

function takeChunks(bytes: Buffer): ParsedBody | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-fA-F]+$/.test(line)) throw new Error(`No chunk size: ${JSON.stringify(line)}`);
    const start = lineEnd + 2;
    const end = start + Number.parseInt(line, 16);
    if (bytes.length < end + 2) return undefined;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n')
      throw new Error('A chunk does not match its size.');
    if (end === start) return { body: Buffer.concat(chunks), length: end + 2 };
    chunks.push(bytes.subarray(start, end));
    at = end + 2;
  }
}
