import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../compare.ts';
import { residentMb } from '../process.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service } from '../shop.ts';

const READERS = 1_000;
const OPENED_AT_ONCE = 50;
const EVENT_TIMEOUT_MS = 10_000;
/** Memory is looked at when nothing has happened for so long. */
const SETTLED_MS = 2_000;

/** A reader of the stream that notes when each event came. */
class Reader {
  readonly #events = new Map<number, number>();
  readonly isOpen: Promise<unknown>;
  readonly close: () => void;
  #waiting: { sequence: number; resolve: () => void } | undefined;
  #rest = '';

  constructor(service: Service) {
    const socket = service.open('GET /v1/movements/stream');
    this.isOpen = once(socket, 'data');
    this.close = () => socket.destroy();
    socket.on('data', (bytes: Buffer) => this.#receive(bytes.toString('latin1')));
  }

  /** When the event of a movement came. */
  async arrivalOf(sequence: number): Promise<number> {
    if (!this.#events.has(sequence)) {
      await new Promise<void>((resolve, reject) => {
        const tooLate = setTimeout(
          () => reject(new Error(`event ${sequence} did not arrive`)),
          EVENT_TIMEOUT_MS,
        );
        this.#waiting = {
          sequence,
          resolve: () => {
            clearTimeout(tooLate);
            resolve();
          },
        };
      });
    }
    return this.#events.get(sequence) as number;
  }

  #receive(text: string): void {
    this.#rest += text;
    const end = this.#rest.lastIndexOf('\n\n');
    if (end < 0) return;
    for (const [, sequence] of this.#rest.slice(0, end + 2).matchAll(/^id: (\d+)\nevent: movement$/gm)) {
      this.#events.set(Number(sequence), performance.now());
      if (this.#waiting?.sequence === Number(sequence)) this.#waiting.resolve();
    }
    this.#rest = this.#rest.slice(end + 2);
  }
}

async function openReaders(service: Service): Promise<Reader[]> {
  const readers: Reader[] = [];
  while (readers.length < READERS) {
    const some = Array.from({ length: OPENED_AT_ONCE }, () => new Reader(service));
    await Promise.all(some.map(({ isOpen }) => isOpen));
    readers.push(...some);
  }
  return readers;
}

/** A thousand readers of the stream: their memory, and the time until all have a change. */
export async function measureLiveReaders(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, 100);
  await using service = await shop.start();
  await service.change(1, 1);
  await sleep(SETTLED_MS);
  const beforeMb = residentMb(service.pid);
  const readers = await openReaders(service);
  const seconds: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const before = Number(JSON.parse((await service.get('/v1/inventory/1')).body.toString()).version);
    const startedAtMs = performance.now();
    await service.change(1, 1_000 + before);
    // One pet was imported with each of 100 movements; the changes of the first one follow them.
    const arrivals = await Promise.all(readers.map((reader) => reader.arrivalOf(99 + before + 1)));
    seconds.push((Math.max(...arrivals) - startedAtMs) / 1000);
  }
  await sleep(SETTLED_MS);
  const grownMb = residentMb(service.pid) - beforeMb;
  for (const reader of readers) reader.close();
  return [
    row({
      work: '1,000 live readers: growth of resident memory',
      values: [grownMb],
      unit: 'MB',
      digits: 0,
      atMost: 100,
      detail: `from ${beforeMb.toFixed(0)} MB`,
    }),
    row({
      work: '1,000 live readers: an event has reached all of them after',
      values: seconds,
      unit: 's',
      digits: 2,
      atMost: 1,
      detail: 'from the start of the PATCH that makes it, readers on the same two cores',
    }),
  ];
}
