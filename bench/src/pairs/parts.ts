import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { importOverHttp } from '../import-over-http.ts';
import { send } from '../send.ts';
import type { Service, Shop } from '../shop.ts';
import { StreamReader } from '../stream-reader.ts';
import { subscribe, WebhookReceiver } from '../webhook-receiver.ts';

/** Endpoints of a receiver that never answers, and as many of one that answers 500. */
const BAD_ENDPOINTS = 20;
const UNREAD_STREAMS = 100;
const UNREAD_EXPORTS = 10;
/** Callers of what is costly, each as often as it may. */
const CALLERS = 10;
/** A key may call what is costly 60 times per minute. */
const COSTLY_PAUSE_MS = 1_050;
/** What is measured more often than that calls with so many keys in turn. */
const KEYS_IN_TURN = 3;
/** The pets of small imports, of single changes, and of large imports: a change makes the plan of an import stale. */
const IMPORTED = 100;
const CHANGED = 200;
const TIMEOUT_MS = 60_000;
/** Longer than the service needs to find new endpoints. */
const SETTLED_MS = 4_000;

type Stop = () => Promise<unknown>;

/** What can be slow or fail, and what is measured meanwhile. */
export interface Parts extends AsyncDisposable {
  /** The works of one list are measured in turn, the lists at the same time. */
  readonly measured: readonly Measured[];
  /** Each makes a part slow, or fail, until it is stopped. */
  readonly disturbed: Readonly<Record<string, Disturbance>>;
}

export interface Measured {
  /** From the beginning of the first work to its next, at least. */
  readonly cycleMs: number;
  /** Each works once. Its time is that until it has ended. */
  readonly works: Readonly<Record<string, () => Promise<unknown>>>;
}

export interface Disturbance {
  /** What is the same part, and is not measured meanwhile. */
  readonly part: string;
  readonly start: () => Promise<Stop>;
}

/** The parts of a shop with a service that has just started. */
export async function makeParts(shop: Shop, service: Service): Promise<Parts> {
  const disturbing = await makeKeys(shop, CALLERS);
  const [hoarding] = await makeKeys(shop, 1);
  const keysInTurn = async () => inTurn(await makeKeys(shop, KEYS_IN_TURN));
  const [importing, exporting, reporting] = [await keysInTurn(), await keysInTurn(), await keysInTurn()];
  const [auditing, importingAll] = [await keysInTurn(), await keysInTurn()];
  const get = (path: string, key: string) =>
    send(new URL(path, `http://127.0.0.1:${service.port}`), { headers: { Authorization: `Bearer ${key}` } });
  // No import changes these two again.
  const [delivered, streamed] = [shop.petCount + 1, shop.petCount + 2];
  await importOverHttp(service.port, importing(), shop.nextFile(1, streamed));
  const receiver = await WebhookReceiver.start();
  await subscribe(shop, receiver.url, 1, { petIds: [BigInt(delivered)] });
  const hanging = await WebhookReceiver.start(() => undefined);
  const failing = await WebhookReceiver.start((response) => response.writeHead(500).end());
  const stream = new StreamReader(service, streamed);
  await stream.isOpen;
  await sleep(SETTLED_MS);
  let quantity = 1_000_000;
  const exported = '/admin/v1/pets/export?format=csv';

  return {
    measured: [
      {
        cycleMs: 0,
        works: {
          list: () => service.list(),
          change: () => service.change(IMPORTED + 1 + (quantity % (CHANGED - IMPORTED)), quantity++),
          endpoint: async () => {
            const before = receiver.count;
            await service.change(delivered, quantity++);
            await until(() => receiver.count > before, 'a webhook');
          },
          'stream reader': async () => {
            const before = stream.count;
            await service.change(streamed, quantity++);
            await until(() => stream.count > before, 'an event');
          },
        },
      },
      {
        cycleMs: COSTLY_PAUSE_MS / KEYS_IN_TURN,
        works: {
          import: () => importOverHttp(service.port, importing(), shop.nextFile(1, IMPORTED)),
          export: () => get(exported, exporting()),
          report: () => get('/admin/v1/reports/stock', reporting()),
        },
      },
      {
        cycleMs: COSTLY_PAUSE_MS / KEYS_IN_TURN,
        works: {
          audit: () => get('/admin/v1/ledger/audit', auditing()),
          backup: () => shop.backup(),
        },
      },
    ],
    disturbed: {
      // What other work on the machine does to the figures.
      'nothing, as a control': { part: '', start: async () => async () => undefined },
      'endpoints that hang and fail': {
        part: 'endpoint',
        start: async () => {
          const made = [
            ...(await subscribe(shop, hanging.url, BAD_ENDPOINTS)),
            ...(await subscribe(shop, failing.url, BAD_ENDPOINTS)),
          ];
          await sleep(SETTLED_MS);
          return () => unsubscribe(shop, made);
        },
      },
      'imports of all pets': {
        part: 'import',
        start: () =>
          repeated([importingAll], (key) => importOverHttp(service.port, key(), shop.nextFile(CHANGED + 1))),
      },
      'imports in one transaction': {
        part: 'import',
        start: () => repeated([''], () => shop.reimport(CHANGED + 1)),
      },
      'exports without a reader': {
        part: 'export',
        start: () => unread(UNREAD_EXPORTS, () => service.open(`GET ${exported}`, hoarding)),
      },
      audits: {
        part: 'audit',
        start: () => repeated(disturbing, (key) => get('/admin/v1/ledger/audit', key)),
      },
      backups: { part: 'backup', start: () => repeated([''], () => shop.backup()) },
      'streams without a reader': {
        part: 'stream reader',
        start: () => unread(UNREAD_STREAMS, () => service.open('GET /v1/movements/stream')),
      },
      reports: {
        part: 'report',
        start: () => repeated(disturbing, (key) => get('/admin/v1/reports/movements?by=category', key)),
      },
    },
    async [Symbol.asyncDispose]() {
      stream.close();
      for (const one of [receiver, hanging, failing]) await one[Symbol.asyncDispose]();
    },
  };
}

async function makeKeys(shop: Shop, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) keys.push(await shop.makeStaffKey());
  return keys;
}

/** Returns one value after the other, again and again. */
function inTurn(values: readonly string[]): () => string {
  let next = 0;
  return () => values[next++ % values.length] as string;
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const beganAtMs = performance.now();
  while (!isSo()) {
    if (performance.now() - beganAtMs > TIMEOUT_MS) throw new Error(`not in time: ${what}`);
    await sleep(1);
  }
}

/** A caller for each key, which does the same again and again. */
async function repeated<Key>(keys: readonly Key[], work: (key: Key) => Promise<unknown>): Promise<Stop> {
  let isOver = false;
  const call = async (key: Key) => {
    while (!isOver) {
      await work(key);
      await sleep(keys.length === 1 ? 0 : COSTLY_PAUSE_MS);
    }
  };
  const calling = Promise.all(keys.map(call));
  // The caller learns of an error when it stops.
  calling.catch(() => undefined);
  return async () => {
    isOver = true;
    await calling;
  };
}

/** Connections that read the head of a response, and nothing after it. */
async function unread(count: number, open: () => Socket): Promise<Stop> {
  const sockets = Array.from({ length: count }, open);
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => undefined);
      await once(socket, 'data');
      socket.pause();
    }),
  );
  return async () => {
    for (const socket of sockets) socket.destroy();
  };
}

async function unsubscribe(shop: Shop, ids: readonly string[]): Promise<void> {
  const operator = await shop.openOperator();
  try {
    for (const id of ids) await operator.webhooks.delete(id, { actor: 'cli', requestId: null });
  } finally {
    await operator.close();
  }
}
