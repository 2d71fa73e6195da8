import { SqliteAdminEngine } from '../../../server/src/store/sqlite/admin/engine.ts';
import { databaseFile } from '../../../server/src/store/sqlite/open.ts';
import { type Bench, compareCosts, costOf, describe, interleave, median, pairwise } from '../compare.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service, type Shop } from '../shop.ts';

const PETS = 100;
const BATCH_ROWS = 100;
const HISTORY_PETS = 10_000;
const PAGE = 100;
const SMALL_LEDGER = 10_000;
const REASON = 'cycle_count';

/** The cost of the other writes, compared with `updateInventory`. */
export async function measureLedgerCosts(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS);
  await using service = await shop.start();
  const { pid } = service;
  const change = () => service.changePlan();
  const sides = {
    adjustment: service.operationPlan(
      adjustments(() => ''),
      201,
    ),
    replay: service.operationPlan(
      adjustments((i) => `Idempotency-Key: replay-${i}\r\n`),
      201,
    ),
    batch: service.operationPlan(batches(), 200),
  };
  for (const plan of [change(), ...Object.values(sides)]) await costOf(bench, { pid, plan }, 1.5);
  const [changes = [], adjusted = [], replayed = [], batched = []] = await interleave(bench.rounds, [
    () => costOf(bench, { pid, plan: change() }),
    ...Object.values(sides).map((plan) => () => costOf(bench, { pid, plan })),
  ]);
  const compared = (work: string, costs: typeof changes, share = 1) =>
    row({
      work: `${work} / PATCH, 32 connections`,
      values: pairwise(
        costs.map(({ perRequest }) => perRequest / share),
        changes.map(({ perRequest }) => perRequest),
      ),
      unit: 'x',
      digits: 2,
      atMost: 1,
      detail: `${describe(bench, work, costs)}; ${describe(bench, 'PATCH', changes)}`,
    });
  return [
    compared('adjustment', adjusted),
    compared('replay of an adjustment under its Idempotency-Key', replayed),
    compared(`row of a batch of ${BATCH_ROWS}`, batched, BATCH_ROWS),
  ];
}

function adjustments(headers: (index: number) => string) {
  return Array.from({ length: 1_024 }, (_, i) => ({
    line: `POST /v1/inventory/${1 + (i % PETS)}/adjustments`,
    headers: headers(i),
    // Up and down in turn, so that no stock runs out.
    body: JSON.stringify({ delta: i % 2 === 0 ? 5 : -3, reason: REASON }),
  }));
}

function batches() {
  return Array.from({ length: 64 }, (_, i) => ({
    line: 'POST /v1/inventory/batch',
    body: JSON.stringify({
      changes: Array.from({ length: BATCH_ROWS }, (_, k) => ({
        petId: 1 + k,
        delta: (i + k) % 3 === 0 ? 5 : 1,
        reason: REASON,
      })),
    }),
  }));
}

/** A million movements: history and the past, compared with a ledger of ten thousand. */
export function measureLedgerSize(bench: Bench): Promise<Row[]> {
  return measureSize(bench, 1_000_000);
}

/** Ten million movements; filling the ledger takes minutes. */
export function measureTenMillion(bench: Bench): Promise<Row[]> {
  return measureSize(bench, 10_000_000);
}

async function measureSize(bench: Bench, movements: number): Promise<Row[]> {
  const large = await shopWithMovements(bench, movements, HISTORY_PETS);
  const small = await shopWithMovements(bench, SMALL_LEDGER, SMALL_LEDGER / PAGE);
  await using largeService = await large.start();
  await using smallService = await small.start();
  const count = movements.toLocaleString('en-US');
  const page = async (
    what: string,
    paths: { readonly large: string; readonly small: string },
  ): Promise<Row> => {
    const target = async (name: string, service: Service, path: string) => {
      const found = JSON.parse((await service.get(path)).body.toString()) as unknown[];
      if (found.length !== PAGE) throw new Error(`${path} has ${found.length} movements`);
      return { name, pid: service.pid, plan: service.operationPlan([{ line: `GET ${path}` }], 200) };
    };
    const { ratios, detail } = await compareCosts(
      bench,
      await target(`${count} movements`, largeService, paths.large),
      await target('10,000 movements', smallService, paths.small),
    );
    const work = `page of ${PAGE} movements ${what}, of ${count} / of 10,000`;
    return row({ work, values: ratios, unit: 'x', digits: 2, atMost: 2, detail });
  };
  const pageAfter = (path: string, after: number) => `${path}?limit=${PAGE}&after=${after}`;
  // Movements are spread over all pets, and half of those of a large ledger precede the queried moment.
  const middle = movements / HISTORY_PETS > PAGE ? movements / 2 : 0;
  return [
    await page('of all pets', {
      large: pageAfter('/v1/movements', movements / 2),
      small: pageAfter('/v1/movements', SMALL_LEDGER / 2),
    }),
    await page('of one pet', {
      large: pageAfter('/v1/inventory/5000/movements', middle),
      small: pageAfter('/v1/inventory/50/movements', 0),
    }),
    await asOfRow(bench, largeService, movements),
  ];
}

/** A shop whose pets have all had as many movements. */
async function shopWithMovements(bench: Bench, movements: number, pets: number): Promise<Shop> {
  const shop = await makeShop(bench, pets);
  const engine = SqliteAdminEngine.open(databaseFile(shop.database));
  try {
    for (let done = pets; done < movements; done += pets) {
      const quantity = 1_000 + done / pets;
      const rows = Array.from({ length: pets }, (_, i) => ({
        petId: BigInt(i + 1),
        name: null,
        category: null,
        quantity,
        status: null,
      }));
      await engine.importPets(rows, { actor: 'cli', requestId: null, atMs: undefined });
    }
  } finally {
    await engine.close();
  }
  return shop;
}

async function asOfRow(bench: Bench, service: Service, movements: number): Promise<Row> {
  const seconds: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    // Different moments, and none at the edge of an import.
    const sequence = Math.floor((movements * (round + 1)) / (bench.rounds + 1)) + 17;
    const { durationMs, body } = await service.get(`/v1/inventory?atSequence=${sequence}`);
    const items = JSON.parse(body.toString()) as unknown[];
    if (items.length !== HISTORY_PETS) throw new Error(`the past had ${items.length} pets`);
    seconds.push(durationMs / 1000);
  }
  return row({
    work: `list of 10,000 pets as of a moment among ${movements.toLocaleString('en-US')} movements`,
    values: seconds,
    unit: 's',
    digits: 2,
    atMost: 1,
    detail: `${median(seconds).toFixed(2)} s from the question to the last byte, each time another moment`,
  });
}
