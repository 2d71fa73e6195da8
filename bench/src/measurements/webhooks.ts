import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, compareCosts, median } from '../compare.ts';
import { residentMb } from '../process.ts';
import { type Row, row } from '../report.ts';
import { header } from '../send.ts';
import { makeShop, type Service } from '../shop.ts';
import { subscribe, WebhookReceiver } from '../webhook-receiver.ts';

const ENDPOINTS = 100;
const PETS = 100;
/** Movements of a backlog. */
const BACKLOG = 200;
/** Changes per second for the lag: each is delivered to every endpoint. */
const CHANGES_PER_SECOND = 10;
const TIMEOUT_MS = 60_000;
/** Longer than the service needs to find new endpoints. */
const SETTLED_MS = 4_000;
const BEHIND = 10_000;
const MANY_ENDPOINTS = 1_000;
const MEMORY_SECONDS = 12;
const WARM_CHANGES = 2_000;
/** Events for a receiver of which some attempts fail, and how many in a hundred fail. */
const FAILING_EVENTS = 1_000;
const FAILING_PERCENT = [0, 1, 10];

async function until(isSo: () => boolean, what: string): Promise<void> {
  const beganAtMs = performance.now();
  while (!isSo()) {
    if (performance.now() - beganAtMs > TIMEOUT_MS) throw new Error(`not in time: ${what}`);
    await sleep(5);
  }
}

/** The rate at which a backlog is delivered, and how late events are under a steady load. */
export async function measureWebhooks(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS);
  await using receiver = await WebhookReceiver.start();
  await subscribe(shop, receiver.url, ENDPOINTS, { isBehind: false });
  await using service = await shop.start();
  await sleep(SETTLED_MS);
  const rates: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const before = receiver.count;
    const beganAtMs = performance.now();
    for (let i = 0; i < BACKLOG; i += 1) await service.change(1 + (i % PETS), 1_000 * (round + 1) + i);
    await until(() => receiver.count >= before + BACKLOG * ENDPOINTS, 'all deliveries');
    rates.push((BACKLOG * ENDPOINTS * 1_000) / (receiver.lastAtMs - beganAtMs));
  }
  const lags = await measureLag(service, receiver);
  return [
    row({
      work: `webhooks delivered per second, ${ENDPOINTS} endpoints of one local receiver`,
      values: rates,
      unit: 'per second',
      digits: 0,
      atLeast: 2_000,
      detail: `${BACKLOG} changes, one after the other, from the first change to the last delivery`,
    }),
    row({
      work: `lag of a webhook at ${CHANGES_PER_SECOND * ENDPOINTS} deliveries per second, until the last of ${ENDPOINTS} endpoints has it`,
      values: lags,
      unit: 's',
      digits: 2,
      atMost: 1,
      detail: `from the response of the PATCH; largest ${Math.max(...lags).toFixed(2)} s, median ${median(lags).toFixed(2)} s`,
    }),
  ];
}

async function measureLag(service: Service, receiver: WebhookReceiver): Promise<number[]> {
  const changedAtMs = new Map<number, number>();
  for (let i = 0; i < 5 * CHANGES_PER_SECOND; i += 1) {
    const newest = Math.max(...receiver.arrivals.keys(), ...changedAtMs.keys());
    await service.change(1 + (i % PETS), 500_000 + i);
    changedAtMs.set(newest + 1, performance.now());
    await sleep(1_000 / CHANGES_PER_SECOND);
  }
  const last = Math.max(...changedAtMs.keys());
  await until(() => receiver.arrivals.has(last), 'the last event');
  await sleep(SETTLED_MS);
  return [...changedAtMs].map(
    ([sequence, atMs]) => ((receiver.arrivals.get(sequence) ?? NaN) - atMs) / 1_000,
  );
}

/** What requests cost with endpoints whose filters do not match, against none. */
export async function measureWebhookCosts(bench: Bench): Promise<Row[]> {
  await using receiver = await WebhookReceiver.start();
  const [plain, subscribed] = [await makeShop(bench, PETS), await makeShop(bench, PETS)];
  await subscribe(subscribed, receiver.url, ENDPOINTS, { petIds: [1_000_000n] });
  await using without = await plain.start();
  await using withEndpoints = await subscribed.start();
  await sleep(SETTLED_MS);
  const plans: Record<string, (service: Service) => Promise<ReturnType<Service['listPlan']>>> = {
    PATCH: async (service) => service.changePlan(),
    'the list': async (service) => service.listPlan(),
    'a 304 of the list': async (service) => service.listPlan(header(await service.list(), 'etag')),
  };
  const rows: Row[] = [];
  for (const [work, planOf] of Object.entries(plans)) {
    const ours = { name: `with ${ENDPOINTS}`, pid: withEndpoints.pid, plan: await planOf(withEndpoints) };
    const theirs = { name: 'with none', pid: without.pid, plan: await planOf(without) };
    const { ratios, detail } = await compareCosts(bench, ours, theirs);
    rows.push(
      row({
        work: `cost of ${work}, with ${ENDPOINTS} webhook endpoints that do not match / with none`,
        values: ratios,
        unit: 'x',
        digits: 2,
        atMost: 1.05,
        detail,
      }),
    );
  }
  return rows;
}

/** The rate of one endpoint that is behind, and whose receiver fails now and then. Later events wait for each retry. */
export async function measureFailingReceivers(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const percent of FAILING_PERCENT) {
    let attempts = 0;
    let delivered = 0;
    const shop = await makeShop(bench, FAILING_EVENTS);
    await using receiver = await WebhookReceiver.start((response) => {
      attempts += 1;
      const isFailing = percent > 0 && attempts % (100 / percent) === 0;
      if (!isFailing) delivered += 1;
      response.writeHead(isFailing ? 500 : 204).end();
    });
    await subscribe(shop, receiver.url, 1, { isBehind: true });
    await using _service = await shop.start();
    await until(() => delivered > 0, 'the first delivery');
    const beganAtMs = performance.now();
    await until(() => delivered >= FAILING_EVENTS, 'all events');
    rows.push(
      row({
        work: `events per second to one endpoint that is behind, ${percent} % of the attempts fail`,
        values: [(FAILING_EVENTS * 1_000) / (receiver.lastAtMs - beganAtMs)],
        unit: 'per second',
        digits: 0,
        detail: `${FAILING_EVENTS} events, ${attempts - delivered} failed attempts; a local receiver`,
      }),
    );
  }
  return rows;
}

/** Memory for many endpoints that are far behind, with a receiver that is slow. */
export async function measureWebhookMemory(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, BEHIND);
  await using receiver = await WebhookReceiver.start((response) =>
    setTimeout(() => response.writeHead(204).end(), 1_000),
  );
  await using service = await shop.start();
  // Compiles the code of the service, so that the growth is that of the endpoints.
  for (let i = 0; i < WARM_CHANGES; i += 1) {
    await service.change(1 + i, 100_000 + i);
    if (i % 20 === 0) await service.list();
  }
  await sleep(SETTLED_MS);
  const beforeMb = residentMb(service.pid);
  await subscribe(shop, receiver.url, MANY_ENDPOINTS, { isBehind: true });
  let mostMb = 0;
  for (let i = 0; i < 4 * MEMORY_SECONDS; i += 1) {
    await sleep(250);
    mostMb = Math.max(mostMb, residentMb(service.pid));
  }
  if (receiver.count < MANY_ENDPOINTS) throw new Error(`only ${receiver.count} deliveries`);
  return [
    row({
      work: `${MANY_ENDPOINTS} webhook endpoints, ${BEHIND} events behind: growth of resident memory`,
      values: [mostMb - beforeMb],
      unit: 'MB',
      digits: 0,
      atMost: 50,
      detail: `from ${beforeMb.toFixed(0)} MB; each response takes 1 s; ${receiver.count} deliveries in ${MEMORY_SECONDS} s`,
    }),
  ];
}
