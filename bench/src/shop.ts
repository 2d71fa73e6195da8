import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAdmin } from '../../server/src/store/open-admin.ts';
import type { OpenedAdminStore } from '../../server/src/store/schema/database-metadata.ts';
import type { Bench } from './compare.ts';
import type { LoadPlan } from './load.ts';
import { runCommand, type Server, startServer } from './process.ts';
import { type Answer, send } from './send.ts';

export type Runtime = 'node' | 'bun';

const BUN = fileURLToPath(new URL('../../node_modules/.bin/bun', import.meta.url));
const STATUSES = ['available', 'pending', 'sold'];
/** Enough values per pet that no change sets the current value, which would record nothing. */
const CHANGES = 8_192;

/** Where a shop keeps its data. */
export type Engine = 'SQLite' | 'PostgreSQL';

/** A database with pets, made by the operator's command line, and the means to run the service on it. */
export interface Shop {
  readonly petCount: number;
  readonly engine: Engine;
  /** The address of the database. */
  readonly database: string;
  readonly importSeconds: number;
  /** Starts an instance: one at a time on SQLite, any number on PostgreSQL. */
  start(runtime?: Runtime, variables?: Readonly<Record<string, string>>): Promise<Service>;
  /** Imports all pets again, or those from one on, every quantity another than before; returns how long the command took. */
  reimport(first?: number): Promise<number>;
  /** The text of a file of all pets, or of these, every quantity another than before. */
  nextFile(first?: number, last?: number): string;
  /** Writes a backup, by the command. */
  backup(): Promise<void>;
  /** A management key that may import. */
  makeStaffKey(): Promise<string>;
  /** The operator's view of the database, in this process. */
  openOperator(): Promise<OpenedAdminStore>;
}

export async function makeShop(bench: Bench, petCount: number, engine: Engine = 'SQLite'): Promise<Shop> {
  const directory = mkdtempSync(join(bench.directory, `${petCount}-`));
  const database =
    engine === 'SQLite'
      ? `sqlite:${join(directory, 'petstore.db')}`
      : await (await bench.postgres()).createDatabase();
  const pepper = randomBytes(32).toString('hex');
  const environment = { PETSTORE_DATABASE: database, PETSTORE_PEPPER: pepper };
  const operate = (...args: string[]) =>
    runCommand([process.execPath, bench.service, ...args, '--json'], environment);

  const perMinute = ['--per-minute', '1000000000', '--per-day', '1000000000'];
  await runCommand([process.execPath, bench.service, 'migrate'], environment);
  await operate('accounts', 'create', 'bench', '--plan', 'enterprise', ...perMinute);
  const { key } = JSON.parse(await operate('keys', 'create', '--account', 'bench')) as { key: string };

  let generation = 0;
  const nextFile = (first = 1, last = petCount) => petsCsv(first, last, generation++);
  let backups = 0;
  const backup = async () => {
    const file = join(directory, `backup-${backups++}`);
    await operate('backup', file);
    rmSync(file, { recursive: true });
  };
  const reimport = async (first = 1) => {
    const file = join(directory, 'pets.csv');
    writeFileSync(file, nextFile(first));
    const startedAtMs = performance.now();
    await operate('pets', 'import', file);
    return (performance.now() - startedAtMs) / 1000;
  };
  const importSeconds = await reimport();

  const start = async (runtime: Runtime = 'node', variables: Readonly<Record<string, string>> = {}) => {
    const command = [runtime === 'bun' ? BUN : process.execPath, bench.service, 'serve'];
    const local = { PETSTORE_HOST: '127.0.0.1', PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' };
    const listening = { ...environment, ...local, ...variables, PORT: '0' };
    return new Service(await startServer(command, listening), key, petCount);
  };
  const openOperator = () => openAdmin(database, { pepper: () => Buffer.from(pepper) });
  const makeStaffKey = async () => {
    const made = JSON.parse(await operate('admin-keys', 'create', '--role', 'staff')) as { key: string };
    return made.key;
  };
  return {
    petCount,
    engine,
    database,
    importSeconds,
    start,
    reimport,
    nextFile,
    backup,
    makeStaffKey,
    openOperator,
  };
}

function petsCsv(first: number, last: number, generation: number): string {
  const lines = ['petId,name,category,quantity,status'];
  for (let petId = first; petId <= last; petId++) {
    const quantity = 10 + ((petId + generation) % 90);
    lines.push(
      `${petId},Pet ${petId},Category ${petId % 12},${quantity},${STATUSES[petId % STATUSES.length]}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

export interface Question {
  /** Method and path, such as `GET /v1/inventory`. */
  readonly line: string;
  /** Whole header lines, each with its CRLF. */
  readonly headers?: string;
  readonly body?: string;
}

/** The service while it runs, and the requests that are made of it. */
export class Service implements AsyncDisposable {
  readonly #server: Server;
  readonly #key: string;
  readonly #authorization: { readonly Authorization: string };
  readonly #petCount: number;
  #nextQuantity = 100_000;

  constructor(server: Server, key: string, petCount: number) {
    this.#server = server;
    this.#key = key;
    this.#authorization = { Authorization: `Bearer ${key}` };
    this.#petCount = petCount;
  }

  get pid(): number {
    return this.#server.pid;
  }

  get port(): number {
    return Number(this.#server.url.port);
  }

  get readyAfterMs(): number {
    return this.#server.readyAfterMs;
  }

  list(onPiece?: (piece: Buffer) => Promise<void> | void): Promise<Answer> {
    const url = new URL('/v1/inventory', this.#server.url);
    return send(url, { headers: this.#authorization, ...(onPiece && { onPiece }) });
  }

  change(petId: number, quantity: number): Promise<Answer> {
    const url = new URL(`/v1/inventory/${petId}`, this.#server.url);
    const headers = { ...this.#authorization, 'Content-Type': 'application/json' };
    return send(url, { method: 'PATCH', headers, body: JSON.stringify({ quantity }) });
  }

  /** How many commits and how many changes the service has made since it started. */
  async written(): Promise<{ commits: number; changes: number }> {
    const metrics = (await send(new URL('/metrics', this.#server.url))).body.toString();
    const read = (name: string) => {
      const value = new RegExp(`^petstore_commit_batch_changes_${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(
        metrics,
      )?.[1];
      if (value === undefined)
        throw new Error(`/metrics does not show petstore_commit_batch_changes_${name}`);
      return Number(value);
    };
    return { commits: read('count'), changes: read('sum') };
  }

  listPlan(ifNoneMatch?: string): LoadPlan {
    const condition = ifNoneMatch === undefined ? '' : `If-None-Match: ${ifNoneMatch}\r\n`;
    return {
      ...this.#plan([this.#request('GET /v1/inventory', condition, '')]),
      expectedStatus: ifNoneMatch === undefined ? 200 : 304,
    };
  }

  /** Changes with quantities that no plan before has used; more than a few for each pet, see CHANGES. */
  changePlan(count = CHANGES): LoadPlan {
    const requests: string[] = [];
    for (let index = 0; index < count; index++) {
      const body = JSON.stringify({ quantity: this.#nextQuantity++ });
      const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      requests.push(this.#request(`PATCH /v1/inventory/${1 + (index % this.#petCount)}`, headers, body));
    }
    return this.#plan(requests);
  }

  /** Requests of any operation, in turn. */
  operationPlan(questions: readonly Question[], expectedStatus: number): LoadPlan {
    const requests = questions.map(({ line, body, headers = '' }) => {
      const entity =
        body === undefined
          ? ''
          : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
      return this.#request(line, headers + entity, body ?? '');
    });
    return { ...this.#plan(requests), expectedStatus };
  }

  get(path: string): Promise<Answer> {
    return send(new URL(path, this.#server.url), { headers: this.#authorization });
  }

  /**
   * An open socket with a sent request; the caller reads the answer.
   * @param key Another one than that of the shop's account.
   */
  open(line: string, key = this.#key): Socket {
    const socket = connect({ host: this.#server.url.hostname, port: this.port });
    socket.write(this.#request(line, '', '', key));
    return socket;
  }

  #plan(requests: readonly string[]): LoadPlan {
    return {
      host: this.#server.url.hostname,
      ports: [this.port],
      connections: 32,
      seconds: 1,
      requests,
      expectedStatus: 200,
      pauseMs: 0,
    };
  }

  #request(line: string, headers: string, body: string, key = this.#key): string {
    const { host } = this.#server.url;
    return `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n${body}`;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
