import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, compareCosts, median } from '../compare.ts';
import { residentMb } from '../process.ts';
import { type Row, row } from '../report.ts';
import { header } from '../send.ts';
import { makeShop, type Service, type Shop } from '../shop.ts';

const PETS = 100_000;
/** Longer than a service waits for quiet seconds before it collects its garbage. */
const IDLE_MS = 6_000;
const CHANGES_PER_ROUND = 20;

/** The figure of `pets import` into new databases of one size, the start of its process included. */
export function importRow(shops: readonly Shop[], atLeast = 100_000): Row {
  const [{ petCount, engine } = { petCount: 0, engine: '' }] = shops;
  const count = petCount.toLocaleString('en-US');
  const seconds = shops.map(({ importSeconds }) => importSeconds);
  return row({
    work: `import of ${count} pets from CSV${engine === 'PostgreSQL' ? ' into PostgreSQL' : ''}`,
    values: seconds.map((each) => petCount / each),
    unit: 'rows/s',
    digits: 0,
    atLeast,
    detail: `${median(seconds).toFixed(2)} s for the whole command`,
  });
}

interface TimedList {
  readonly tag: string;
  readonly durationMs: number;
}

async function timeList(service: Service): Promise<TimedList> {
  const answer = await service.list(() => undefined);
  return { tag: header(answer, 'etag'), durationMs: answer.durationMs };
}

/** The service that receives changes, and the one that receives lists: two instances, or one twice. */
export interface Pair {
  readonly writer: Service;
  readonly reader: Service;
}

/** How much longer a list takes after a change than after the same request once more, which changes nothing. */
async function addedByOneChange({ writer, reader }: Pair, petId: number, quantity: number): Promise<number> {
  const before = await timeList(reader);
  await writer.change(petId, quantity);
  const changed = await timeList(reader);
  await writer.change(petId, quantity);
  const unchanged = await timeList(reader);
  if (before.tag === changed.tag) throw new Error('the list did not show a change');
  if (changed.tag !== unchanged.tag) throw new Error('the list changed although nothing had');
  return changed.durationMs - unchanged.durationMs;
}

/** The cost that one change adds to the next list, as a share of rebuilding the whole list. */
export async function rebuildRow(bench: Bench, shop: Shop, pair: Pair, rounds = bench.rounds): Promise<Row> {
  const { reader } = pair;
  const items = JSON.parse((await reader.list()).body.toString()) as unknown[];
  if (items.length !== PETS) throw new Error(`the list has ${items.length} items`);
  const afterOne: number[] = [];
  const afterAll: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const added: number[] = [];
    for (let index = 0; index < CHANGES_PER_ROUND; index++) {
      const petId = 1 + (((round * CHANGES_PER_ROUND + index) * 7_919) % PETS);
      added.push(await addedByOneChange(pair, petId, 1_000 + round));
    }
    afterOne.push(median(added));

    const before = await timeList(reader);
    await shop.reimport();
    const imported = await timeList(reader);
    if (before.tag === imported.tag) throw new Error('the list did not show an import');
    plain.push(before.durationMs);
    afterAll.push(imported.durationMs - before.durationMs);
  }
  return row({
    work: `100,000 pets: list after one PATCH${pair.writer === reader ? '' : ' through another instance'} / full rebuild`,
    values: afterOne.map((ms) => (100 * ms) / median(afterAll)),
    unit: '%',
    digits: 1,
    atMost: 5,
    detail:
      `one PATCH adds ${median(afterOne).toFixed(2)} ms to the next list, ` +
      `an import of all pets ${median(afterAll).toFixed(1)} ms; a list alone takes ${median(plain).toFixed(1)} ms`,
  });
}

/** A large list: its upkeep, and its cost for clients that have it already. */
export async function measureHundredThousand(bench: Bench): Promise<Row[]> {
  const large = await makeShop(bench, PETS);
  const small = await makeShop(bench, 100);
  await using largeService = await large.start();
  await using smallService = await small.start();
  const rebuild = await rebuildRow(bench, large, { writer: largeService, reader: largeService });
  const target = async (name: string, service: Service) => ({
    name,
    pid: service.pid,
    plan: service.listPlan(header(await service.list(), 'etag')),
  });
  const { ratios, detail } = await compareCosts(
    bench,
    await target('100,000 pets', largeService),
    await target('100 pets', smallService),
  );
  const work = '304 at 100,000 pets / 304 at 100 pets';
  const notModified = row({ work, values: ratios, unit: 'x', digits: 2, atMost: 1.1, detail });
  return [importRow([large]), rebuild, notModified];
}

/** A service without requests. */
export async function measureIdle(bench: Bench): Promise<Row[]> {
  return idleRows(await makeShop(bench, PETS), {
    where: 'idle on Node with 100,000 pets',
    atMostMb: 110,
    atMostSeconds: 0.7,
  });
}

interface Idle {
  readonly where: string;
  readonly atMostMb?: number;
  readonly atMostSeconds?: number;
}

/** Without bounds, the rows only inform. */
export async function idleRows(shop: Shop, { where, atMostMb, atMostSeconds }: Idle): Promise<Row[]> {
  const residentMbs: number[] = [];
  const readySeconds: number[] = [];
  for (let start = 0; start < 3; start++) {
    await using service = await shop.start();
    readySeconds.push(service.readyAfterMs / 1000);
    await sleep(IDLE_MS);
    residentMbs.push(residentMb(service.pid));
  }
  return [
    row({
      work: `${where}: resident memory`,
      values: residentMbs,
      unit: 'MB',
      digits: 0,
      ...(atMostMb !== undefined && { atMost: atMostMb }),
      detail: `VmRSS ${IDLE_MS / 1000} s after the start, 3 starts`,
    }),
    row({
      work: `${where}: ready after`,
      values: readySeconds,
      unit: 's',
      digits: 2,
      ...(atMostSeconds !== undefined && { atMost: atMostSeconds }),
      detail: 'from the start of the process to its line "listening", 3 starts',
    }),
  ];
}
