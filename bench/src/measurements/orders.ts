import { setTimeout as delay } from 'node:timers/promises';
import { databaseFile, openDatabase } from '../../../server/src/store/sqlite/open.ts';
import { LINK_PET_LINES } from '../../../server/test/store/orders/pet-lines.ts';
import {
  type Bench,
  compareCosts,
  costOf,
  describe,
  interleave,
  median,
  pairwise,
  warmUp,
} from '../compare.ts';
import { type LoadPlan, runLoad } from '../load.ts';
import { type Row, row } from '../report.ts';
import { type Engine, makeShop, type Service } from '../shop.ts';

const PETS = 100;
const CONNECTIONS = { SQLite: 32, PostgreSQL: 64 } as const;

/** The cost of an order of one line, compared with `updateInventory`, for the service's process. */
export async function measureOrders(bench: Bench): Promise<Row[]> {
  return [await placementRow(bench, 'SQLite')];
}

export async function measurePostgresOrders(bench: Bench): Promise<Row[]> {
  return [await placementRow(bench, 'PostgreSQL')];
}

async function placementRow(bench: Bench, engine: Engine): Promise<Row> {
  const shop = await makeShop(bench, PETS, engine);
  await using service = await shop.start();
  const connections = CONNECTIONS[engine];
  const { pid } = service;
  const change = () => ({ pid, plan: { ...service.changePlan(), connections } });
  const order = () => ({ pid, plan: { ...placements(service), connections } });
  await warmUp(bench, change);
  await warmUp(bench, order);
  const [changes = [], orders = []] = await interleave(bench.rounds, [
    () => costOf(bench, change()),
    () => costOf(bench, order()),
  ]);
  return row({
    work: `order of one line / PATCH on ${engine}, ${connections} connections`,
    values: pairwise(
      orders.map(({ perRequest }) => perRequest),
      changes.map(({ perRequest }) => perRequest),
    ),
    unit: 'x',
    digits: 2,
    atMost: 1.3,
    detail: `${describe(bench, 'order', orders)}; ${describe(bench, 'PATCH', changes)}`,
  });
}

/** Orders of one line each. The quantities of `changePlan` are large enough for all orders of a measurement. */
function placements(service: Service, expiresAt?: string): LoadPlan {
  const questions = Array.from({ length: 1_024 }, (_, i) => ({
    line: 'POST /v1/store/orders',
    body: JSON.stringify({
      lines: [{ petId: 1 + (i % PETS), quantity: 1 }],
      ...(expiresAt && { expiresAt }),
    }),
  }));
  return service.operationPlan(questions, 201);
}

const MANY_ORDERS = 1_000_000;
const FEW_ORDERS = 1_000;
const PAGE = 20;
/** Few enough that a pet has more orders than a page reads, also of the fewer orders. */
const ORDERED_PETS = 3;

/** A page of a million orders, compared with the same page of a thousand. */
export async function measureOrderPages(bench: Bench): Promise<Row[]> {
  const large = await makeShop(bench, PETS);
  const small = await makeShop(bench, PETS);
  addClosedOrders(large.database, MANY_ORDERS);
  addClosedOrders(small.database, FEW_ORDERS);
  await using largeService = await large.start();
  await using smallService = await small.start();
  const rows: Row[] = [];
  const pages = [
    ['of all', ''],
    ['of one status', '&status=delivered'],
    ['of one pet', '&petId=2'],
    ['of one pet and status', '&petId=2&status=delivered'],
  ] as const;
  for (const [what, filter] of pages) {
    const target = async (name: string, service: Service) => {
      const path = `/v1/store/orders?limit=${PAGE}${filter}`;
      const found = JSON.parse((await service.get(path)).body.toString()) as unknown[];
      if (found.length !== PAGE) throw new Error(`${path} has ${found.length} orders`);
      return { name, pid: service.pid, plan: service.operationPlan([{ line: `GET ${path}` }], 200) };
    };
    const { ratios, detail } = await compareCosts(
      bench,
      await target('1,000,000 orders', largeService),
      await target('1,000 orders', smallService),
    );
    const work = `page of orders ${what}, of 1,000,000 / of 1,000`;
    rows.push(row({ work, values: ratios, unit: 'x', digits: 2, atMost: 2, detail }));
  }
  return rows;
}

/** Closed orders hold no units, so they can be added without movements. */
function addClosedOrders(address: string, count: number): void {
  const database = openDatabase(databaseFile(address));
  try {
    database.exec(`BEGIN;
WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${count})
INSERT INTO orders (id, status, version, reference_id, note, expires_at, created_at, updated_at, actor)
SELECT id, CASE id % 10 WHEN 0 THEN 'cancelled' ELSE 'delivered' END, 3, 'web-' || id, NULL, NULL, id * 1000, id * 1000, 'cli' FROM ids;
INSERT INTO order_lines (id, order_id, pet_id, quantity, delivered, returned, number)
SELECT id * 128, id, 1 + id % ${ORDERED_PETS}, 1, CASE status WHEN 'delivered' THEN 1 ELSE 0 END, 0, 0 FROM orders;
${LINK_PET_LINES};
COMMIT`);
  } finally {
    database.close();
  }
}

const OPEN_ORDERS = 10_000;
const UNTIL_EXPIRY_MS = 20_000;
const WRITER_CONNECTIONS = 8;
const SAMPLE_SECONDS = 3;

/** Ten thousand orders that expire in the same moment, while other clients write. */
export async function measureOrderExpiry(bench: Bench): Promise<Row[]> {
  return expiryRows(bench, 'SQLite');
}

export async function measurePostgresOrderExpiry(bench: Bench): Promise<Row[]> {
  return expiryRows(bench, 'PostgreSQL');
}

async function expiryRows(bench: Bench, engine: Engine): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, engine);
  await using service = await shop.start();
  const writers = (seconds: number) =>
    runLoad({ ...service.changePlan(), connections: WRITER_CONNECTIONS, seconds });
  await writers(3);
  const lateMs: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < Math.min(3, bench.rounds); round++) {
    const expiresAtMs = Date.now() + UNTIL_EXPIRY_MS;
    await placeOrders(service, new Date(expiresAtMs).toISOString());
    const alone = await writers(SAMPLE_SECONDS);
    await delay(Math.max(0, expiresAtMs - Date.now()));
    const [during, allExpiredAtMs] = await Promise.all([writers(SAMPLE_SECONDS), whenAllExpired(service)]);
    lateMs.push(allExpiredAtMs - expiresAtMs);
    ratios.push(during.p99Ms / alone.p99Ms);
  }
  const work = `${OPEN_ORDERS.toLocaleString('en-US')} orders that expire together on ${engine}`;
  return [
    row({
      work: `${work}: all are expired after`,
      values: lateMs.map((ms) => ms / 1000),
      unit: 's',
      digits: 1,
      atMost: 10,
      detail: `${median(lateMs).toFixed(0)} ms after their time, with ${WRITER_CONNECTIONS} connections writing`,
    }),
    row({
      work: `${work}: p99 of PATCH meanwhile / before`,
      values: ratios,
      unit: 'x',
      digits: 2,
      atMost: 2,
      detail: `${WRITER_CONNECTIONS} connections writing without pause, ${SAMPLE_SECONDS} s each`,
    }),
  ];
}

/** @throws Error when the machine is too slow to place them before they expire. */
async function placeOrders(service: Service, expiresAt: string): Promise<void> {
  let placed = 0;
  while (placed < OPEN_ORDERS) {
    const { requests } = await runLoad({ ...placements(service, expiresAt), seconds: 0.5 });
    placed += requests;
  }
}

async function whenAllExpired(service: Service): Promise<number> {
  for (;;) {
    const { body } = await service.get('/v1/store/orders?status=placed&limit=1');
    if (body.toString() === '[]') return Date.now();
    await delay(50);
  }
}
