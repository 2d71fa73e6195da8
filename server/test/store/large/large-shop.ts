import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import { openStore } from '../../../src/store/open.ts';
import { NO_LIMIT } from '../../blackbox/operator.ts';
import { launchService, type ServiceProcess, serviceEnvironment } from '../../blackbox/service-process.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { run } from '../../support/command-line.ts';
import type { Ended } from '../../support/command-process.ts';
import { petRow } from '../../support/pet-rows.ts';

const TURN_REPORT = new URL('../turns/turn-report.ts', import.meta.url).href;

/** Smaller numbers try the test itself out. */
export const PETS = Number(process.env.LARGE_DATA_PETS ?? 1_000_000);
/** One order per pet, each of one movement. */
export const ORDERS = PETS;
export const MOVEMENTS = 5 * PETS + ORDERS;
/** So many orders wait for a commit. */
const QUEUED_ORDERS = 2_000;

/** All pets, each with another quantity in each generation. */
export function* petIdsOf(generation: number): Generator<PetRow> {
  for (let i = 1; i <= PETS; i += 1) {
    yield petRow(BigInt(i), 10 + ((i * 7 + generation) % 90), PET_STATUSES[i % PET_STATUSES.length] ?? null);
  }
}

/** Places one order of one unit per pet. Every third has a time, which is far away. */
export async function placeOrders(database: string): Promise<void> {
  const rules = { statusPolicy: 'unchanged', maxQuantity: MAX_QUANTITY, orderHoldMs: null } as const;
  const store = await openStore({
    database,
    rules,
    environment: 'production',
    onCommit: () => {},
    onListRebuild: () => {},
    onError: (message, cause) => assert.fail(`${message}: ${cause}`),
  });
  const place = (i: number) => {
    const author = { actor: 'cli', actorName: 'cli', requestId: null, atMs: Date.now() };
    const explanation = { ...UNEXPLAINED, referenceId: `cart-${i}` };
    const expiresAtMs = i % 3 === 0 ? Date.UTC(2100, 0, i % 300) : null;
    const lines = [{ petId: BigInt(i), quantity: 1 }];
    return store.write({ author, command: { kind: 'place', lines, expiresAtMs, explanation } });
  };
  for (let first = 1; first <= ORDERS; first += QUEUED_ORDERS) {
    const count = Math.min(QUEUED_ORDERS, ORDERS - first + 1);
    await Promise.all(Array.from({ length: count }, (_, i) => place(first + i)));
  }
  await store.close();
}

export async function writePets(file: string, generation: number): Promise<void> {
  async function* lines() {
    let text = 'petId,name,category,quantity,status\n';
    for (const { petId, name, category, quantity, status } of petIdsOf(generation)) {
      text += `${petId},${name},${category},${quantity},${status}\n`;
      if (text.length < 1 << 20) continue;
      yield text;
      text = '';
    }
    yield text;
  }
  await pipeline(lines, createWriteStream(file));
}

export interface MeasuredRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the reading once there were so many empty lines, which end an event each. */
  readonly events?: number;
}

export interface MeasuredResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
  /** The first and the last bytes, where there are many. */
  readonly start: string;
  readonly end: string;
  readonly seconds: number;
}

export interface Turns {
  readonly longestMs: number;
  readonly peakMb: number;
}

/** One service, and the operator's command line, on one database. */
export class LargeShop {
  readonly folder: string;
  readonly database: string;
  key = '';
  #service: ServiceProcess | undefined;
  readonly #variables: Readonly<Record<string, string>>;

  constructor(
    t: Pick<TestContext, 'after'>,
    folder: string,
    database: string,
    pepper = randomBytes(24).toString('hex'),
  ) {
    this.folder = folder;
    this.database = database;
    this.#variables = {
      PETSTORE_DATABASE: database,
      PETSTORE_PEPPER: pepper,
      PETSTORE_ADDRESS_LIMIT: String(NO_LIMIT),
    };
    t.after(() => this.#service?.kill9());
  }

  /** The same shop after a move to another database. */
  movedTo(t: Pick<TestContext, 'after'>, database: string): LargeShop {
    const shop = new LargeShop(t, this.folder, database, this.#variables.PETSTORE_PEPPER);
    shop.key = this.key;
    return shop;
  }

  async command(...words: readonly string[]): Promise<Ended & { readonly seconds: number }> {
    const { binary, env, folder } = serviceEnvironment('node', this.folder, this.#variables);
    const beganAtMs = performance.now();
    const ended = await run(binary, [MAIN, ...words, '--json'], folder, env);
    return { ...ended, seconds: (performance.now() - beganAtMs) / 1_000 };
  }

  /** Starts the service; resolves with the seconds until it listens. */
  async serve(): Promise<number> {
    const variables = { ...this.#variables, NODE_OPTIONS: `--import=${TURN_REPORT}` };
    const beganAtMs = performance.now();
    this.#service = await launchService(serviceEnvironment('node', this.folder, variables));
    await this.turns();
    return (performance.now() - beganAtMs) / 1_000;
  }

  /** Runs `start` until it reports that the service is open; resolves with the duration in seconds. */
  async startForFirstLook(): Promise<number> {
    // A start would build the dashboard.
    const variables = { ...this.#variables, PETSTORE_DASHBOARD: 'off' };
    const { binary, env, folder } = serviceEnvironment('node', this.folder, variables);
    const beganAtMs = performance.now();
    const child = spawn(binary, [MAIN, 'start', '--json'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const opened = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"url"')) resolve();
      });
    });
    await Promise.race([opened, ended]);
    const seconds = (performance.now() - beganAtMs) / 1_000;
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], 'it started, and stopped on SIGTERM');
    return seconds;
  }

  async stop(): Promise<void> {
    assert.equal(await this.#service?.stop(), 0);
    this.#service = undefined;
  }

  /** The measurements of the serving process since the last call. */
  async turns(): Promise<Turns> {
    const service = this.#running();
    const reports = () => service.logs().match(/^\{"report":"turns".*\}$/gm) ?? [];
    const before = reports().length;
    process.kill(service.pid, 'SIGUSR2');
    while (reports().length === before) await delay(10);
    return JSON.parse(reports().at(-1) as string) as Turns;
  }

  logs(): string {
    return this.#running().logs();
  }

  send({ method = 'GET', path, headers = {}, body, events }: MeasuredRequest): Promise<MeasuredResponse> {
    const { port } = this.#running();
    const all: Record<string, string> = { Authorization: `Bearer ${this.key}`, ...headers };
    if (body !== undefined)
      Object.assign(all, {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      });
    const beganAtMs = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { port, host: '127.0.0.1', method, path: `/v1${path}`, headers: all, agent: false },
        (answer) => {
          let [bytes, start, end, left] = [0, '', '', events ?? Number.POSITIVE_INFINITY];
          const resolveNow = () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              bytes,
              start,
              end,
              seconds: (performance.now() - beganAtMs) / 1_000,
            });
          answer.on('data', (piece: Buffer) => {
            bytes += piece.length;
            if (start.length < 4_096) start += piece.toString('latin1');
            end = `${end.slice(-1_024)}${piece.subarray(-1_024).toString('latin1')}`;
            if (events !== undefined) left -= piece.toString('latin1').split('\n\n').length - 1;
            if (left > 0) return;
            resolveNow();
            outgoing.destroy();
          });
          answer.on('end', resolveNow);
          answer.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  #running(): ServiceProcess {
    assert.ok(this.#service, 'the service runs');
    return this.#service;
  }

  file(name: string): string {
    return join(this.folder, name);
  }
}
