import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../compare.ts';
import { residentMb } from '../process.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service } from '../shop.ts';
import { importRow } from './hundred-thousand.ts';

const PETS = 1_000_000;
const STARTS = 3;
const FAST_CLIENTS = 3;
/** Longer than a service waits for quiet seconds before it collects its garbage. */
const SETTLED_MS = 6_000;
const SAMPLE_MS = 50;
/** The pause after each piece of at most 64 KiB: the slow client reads at most about 10 MB per second. */
const SLOW_PAUSE_MS = 5;
const END_OF_ITEM = '}'.charCodeAt(0);

/** Complete lists for four concurrent clients, one of them slow, and their memory. */
async function measureStreams(service: Service): Promise<Row> {
  const idleMb = residentMb(service.pid);
  let peakMb = idleMb;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(service.pid));
  }, SAMPLE_MS);
  let isSlowClientDone = false;
  let lists = 0;
  let slowSeconds = 0;
  const slow = async () => {
    slowSeconds = (await service.list(() => sleep(SLOW_PAUSE_MS))).durationMs / 1000;
    isSlowClientDone = true;
  };
  const fast = async () => {
    do {
      await service.list(() => undefined);
      lists += 1;
    } while (!isSlowClientDone);
  };
  try {
    await assertWhole(service);
    await Promise.all([slow(), ...Array.from({ length: FAST_CLIENTS }, fast)]);
  } finally {
    clearInterval(sampling);
  }
  return row({
    work: '1,000,000 pets: peak of resident memory, 4 clients reading whole lists',
    values: [peakMb],
    unit: 'MB',
    digits: 0,
    atMost: 400,
    detail:
      `${idleMb.toFixed(0)} MB after the start; ${lists} lists by ${FAST_CLIENTS} fast clients while a slow one took ` +
      `${slowSeconds.toFixed(1)} s; sampled every ${SAMPLE_MS} ms`,
  });
}

async function assertWhole(service: Service): Promise<void> {
  let items = 0;
  await service.list((piece) => {
    for (let at = piece.indexOf(END_OF_ITEM); at >= 0; at = piece.indexOf(END_OF_ITEM, at + 1)) items += 1;
  });
  if (items !== PETS) throw new Error(`the list has ${items} items`);
}

/** The largest shop: import, start-up, memory. */
export async function measureMillion(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS);
  const readySeconds: number[] = [];
  const listSeconds: number[] = [];
  for (let start = 1; start < STARTS; start++) {
    await using service = await shop.start();
    readySeconds.push(service.readyAfterMs / 1000);
    const { durationMs } = await service.list(() => undefined);
    listSeconds.push((service.readyAfterMs + durationMs) / 1000);
  }
  await using service = await shop.start();
  readySeconds.push(service.readyAfterMs / 1000);
  await sleep(SETTLED_MS);
  const idle = row({
    work: '1,000,000 pets: resident memory, idle',
    values: [residentMb(service.pid)],
    unit: 'MB',
    digits: 0,
    atMost: 260,
    detail: `VmRSS ${SETTLED_MS / 1000} s after the start`,
  });
  const streams = await measureStreams(service);
  const startUp = row({
    work: '1,000,000 pets: start-up',
    values: readySeconds,
    unit: 's',
    digits: 2,
    atMost: 2,
    detail: `from the start of the process to its line "listening", ${STARTS} starts`,
  });
  const firstList = row({
    work: '1,000,000 pets: first whole list received after the start',
    values: listSeconds,
    unit: 's',
    digits: 2,
    detail: `from the start of the process; requested at its line "listening", ${STARTS - 1} starts`,
  });
  return [importRow([shop]), idle, streams, startUp, firstList];
}
