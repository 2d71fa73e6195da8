import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import pg from 'pg';

/** Of a transaction that takes a session. */
interface Turn {
  /** The number of the client, from 1. */
  readonly client: number;
  /** How many transactions came before, of any client. */
  readonly earlier: number;
  /** Whether another client has a transaction. */
  readonly isBeside: boolean;
}

/**
 * A function chooses the number of the session on the server for each transaction. `session`: each client has its own. `statement`:
 * refuses transactions.
 */
export type PoolMode = 'session' | 'statement' | ((turn: Turn) => number);

const READY = message('Z', Buffer.from('I'));

/** A pooler in front of a PostgreSQL, as PgBouncer is one. It ends with the test. Returns the address through it. */
export async function startPooler(
  t: Pick<TestContext, 'after'>,
  url: string,
  mode: PoolMode,
): Promise<string> {
  const pool = new Pool(url, mode);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client.on('error', () => {}));
    const { nextMessages } = new Splitter(true);
    const session = new PooledClient(client, pool, clients.size);
    client.on('data', (bytes: Buffer) => {
      for (const one of nextMessages(bytes)) session.take(one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    for (const client of clients) client.destroy();
    await pool.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port: `${port}` }).href;
}

/** Splits bytes into messages of the protocol; the first one of a client has no type. */
class Splitter {
  #isStart: boolean;
  #bytes = Buffer.alloc(0);

  constructor(isStart: boolean) {
    this.#isStart = isStart;
  }

  readonly nextMessages = (bytes: Buffer): Buffer[] => {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const found: Buffer[] = [];
    for (;;) {
      const typeBytes = this.#isStart ? 0 : 1;
      if (this.#bytes.length < typeBytes + 4) return found;
      const length = typeBytes + this.#bytes.readInt32BE(typeBytes);
      if (this.#bytes.length < length) return found;
      found.push(this.#bytes.subarray(0, length));
      this.#bytes = this.#bytes.subarray(length);
      this.#isStart = false;
    }
  };
}

/** One client, whose messages go to the session of its transaction, in order. */
class PooledClient {
  readonly #client: Socket;
  readonly #pool: Pool;
  readonly #id: number;
  #hasStarted = false;
  #session: ServerSession | undefined;
  #work = Promise.resolve();

  constructor(client: Socket, pool: Pool, id: number) {
    this.#client = client;
    this.#pool = pool;
    this.#id = id;
  }

  take(bytes: Buffer): void {
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      // Each client gets a process id that no server has.
      const key = message('K', Buffer.from([0x7f, 0, 0, this.#id, 0, 0, 0, 1]));
      this.#client.write(Buffer.concat([message('R', Buffer.alloc(4)), key, READY]));
    } else if (typeOf(bytes) === 'X') this.#client.end();
    else this.#work = this.#work.then(() => this.#forward(bytes)).catch(() => void this.#client.destroy());
  }

  async #forward(bytes: Buffer): Promise<void> {
    this.#session ??= await this.#pool.take(this.#id);
    const { answer, status } = await this.#session.ask(bytes);
    if (answer === undefined) return;
    if (this.#pool.mode === 'statement' && status !== 'I') {
      const text = 'SFATAL\0C08P01\0Mtransaction blocks not allowed in statement pooling mode\0\0';
      this.#client.end(message('E', Buffer.from(text)));
      return;
    }
    if (status === 'I' && this.#pool.mode !== 'session') {
      this.#session = undefined;
      this.#pool.release();
    }
    this.#client.write(answer);
  }
}

/** The sessions on the server. */
class Pool {
  readonly mode: PoolMode;
  readonly #url: string;
  readonly #sessions = new Map<number, Promise<ServerSession>>();
  #earlier = 0;
  #held = 0;

  constructor(url: string, mode: PoolMode) {
    this.#url = url;
    this.mode = mode;
  }

  take(client: number): Promise<ServerSession> {
    const turn = { client, earlier: this.#earlier, isBeside: this.#held > 0 };
    const number = typeof this.mode === 'function' ? this.mode(turn) : client;
    this.#earlier += 1;
    this.#held += 1;
    const session = this.#sessions.get(number) ?? openSession(this.#url);
    this.#sessions.set(number, session);
    return session;
  }

  release(): void {
    this.#held -= 1;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) (await session).destroy();
  }
}

/** A session on the server, which the pooler has signed in to. */
class ServerSession {
  readonly #stream: Socket;
  readonly #splitter = new Splitter(false);
  #answer: Buffer[] = [];
  #finish: (result: { answer: Buffer; status: string }) => void = () => {};

  constructor(stream: Socket) {
    this.#stream = stream;
    stream.on('data', (bytes: Buffer) => {
      for (const one of this.#splitter.nextMessages(bytes)) {
        this.#answer.push(one);
        if (typeOf(one) !== 'Z') continue;
        const answer = Buffer.concat(this.#answer.splice(0));
        this.#finish({ answer, status: one.toString('latin1', 5) });
      }
    });
  }

  /** Sends one message. Those after which the server is ready have an answer and the status of the transaction. */
  ask(bytes: Buffer): Promise<{ answer?: Buffer; status?: string }> {
    this.#stream.write(bytes);
    if (!['Q', 'S'].includes(typeOf(bytes))) return Promise.resolve({});
    return new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  destroy(): void {
    this.#stream.destroy();
  }
}

/** Signs in with the driver, and takes its socket. */
async function openSession(url: string): Promise<ServerSession> {
  const client = new pg.Client({ connectionString: url, application_name: 'pooler' });
  client.on('error', () => {});
  await client.connect();
  // The types of pg lack this property.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners('data');
  return new ServerSession(stream);
}

function typeOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 1);
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
