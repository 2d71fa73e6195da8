import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../compare.ts';
import { residentMb } from '../process.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service } from '../shop.ts';
import { StreamReader } from '../stream-reader.ts';

const READERS = 1_000;
const OPENED_AT_ONCE = 50;
/** Memory is looked at when nothing has happened for so long. */
const SETTLED_MS = 2_000;

async function openReaders(service: Service): Promise<StreamReader[]> {
  const readers: StreamReader[] = [];
  while (readers.length < READERS) {
    const some = Array.from({ length: OPENED_AT_ONCE }, () => new StreamReader(service));
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
