import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../compare.ts';
import { residentMb } from '../process.ts';
import { type Row, row } from '../report.ts';
import { makeShop } from '../shop.ts';
import { StreamReader } from '../stream-reader.ts';
import { subscribe, WebhookReceiver } from '../webhook-receiver.ts';
import { installPackage } from './package.ts';

const PETS = 5_000;
const ENDPOINTS = 2;
const CHANGES_PER_SECOND = 20;
const READS_PER_SECOND = 50;
/** Of the reads, one in so many is the whole list; the others are items, pages and movements. */
const READS_PER_LIST = 50;
const SAMPLE_MS = 1_000;
const MINUTES = 10;

/** Calls an action at a rate, and waits for the calls that run at the end. Returns how many calls failed, such as with 503. */
async function atRate(perSecond: number, endsAtMs: number, act: (i: number) => Promise<unknown>) {
  let failed = 0;
  const running = new Set<Promise<unknown>>();
  const beganAtMs = performance.now();
  for (let i = 0; ; i += 1) {
    const dueAtMs = beganAtMs + (1_000 * i) / perSecond;
    if (dueAtMs >= endsAtMs) break;
    await sleep(Math.max(0, dueAtMs - performance.now()));
    const call = act(i)
      .catch(() => (failed += 1))
      .finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
  return failed;
}

/** The memory of a service that is used as in a shop: of the package, which users run, and of `--service`, at the same time. */
export async function measureMixedLoad(bench: Bench): Promise<Row[]> {
  const service = installPackage(bench);
  const sides = [
    measureSide({ ...bench, service }, 'the package', 160),
    measureSide(bench, 'from source', undefined),
  ];
  return Promise.all(sides);
}

async function measureSide(bench: Bench, name: string, atMost: number | undefined): Promise<Row> {
  const { minutes = MINUTES } = bench;
  const shop = await makeShop(bench, PETS);
  await using receiver = await WebhookReceiver.start();
  await subscribe(shop, receiver.url, ENDPOINTS);
  await using service = await shop.start();
  const reader = new StreamReader(service);
  await reader.isOpen;
  const endsAtMs = performance.now() + minutes * 60_000;
  const megabytes: number[] = [];
  const sampling = setInterval(() => megabytes.push(residentMb(service.pid)), SAMPLE_MS);
  const read = (i: number) => {
    if (i % READS_PER_LIST === 0) return service.get('/v1/inventory');
    const petId = 1 + ((i * 7) % PETS);
    const paths = [`/v1/inventory/${petId}`, '/v1/inventory?limit=50', '/v1/movements?limit=50'];
    return service.get(paths[i % paths.length] ?? '');
  };
  let failed = 0;
  try {
    const counts = await Promise.all([
      atRate(CHANGES_PER_SECOND, endsAtMs, (i) => service.change(1 + (i % PETS), 100_000 + i)),
      atRate(READS_PER_SECOND, endsAtMs, read),
    ]);
    failed = counts.reduce((sum, count) => sum + count);
  } finally {
    clearInterval(sampling);
    reader.close();
  }
  if (receiver.count === 0) throw new Error('no event was delivered');
  return row({
    work: `${minutes} minutes of light mixed load, 5,000 pets, ${name}: resident memory`,
    values: [residentMb(service.pid)],
    unit: 'MB',
    digits: 0,
    ...(atMost !== undefined && { atMost }),
    detail:
      `${CHANGES_PER_SECOND} changes and ${READS_PER_SECOND} reads per second on connections of their own, a stream, ${ENDPOINTS} webhooks; ` +
      `most ${Math.max(...megabytes).toFixed(0)} MB, ${receiver.count} deliveries, ${failed} refused requests`,
  });
}
