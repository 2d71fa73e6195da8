import { databaseFile, openDatabase } from '../../../server/src/store/sqlite/open.ts';
import { type Bench, interleave, median, pairwise } from '../compare.ts';
import { databaseName } from '../postgres.ts';
import { type Row, row } from '../report.ts';
import { send } from '../send.ts';
import { type Engine, makeShop, type Service, type Shop } from '../shop.ts';

const MANY_PETS = 1_000_000;
const FEW_PETS = 10_000;
/** One word, beginnings of words, words of many pets, and words that many pets have but never together. */
const SEARCHES = ['pet', 'p', '99', 'category 7', 'pet category', 'pet 9999', '10 11', 'c p 1 2', 'zzz'];
const MAX_SEARCH_MS = 50;

const ACCOUNTS = 500;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HISTORY_HOURS = 90 * 24;
const HISTORY_MINUTES = 24 * 60;
const MAX_USAGE_MS = 20;

/** A page of a search among a million pets, compared with the same among few. */
export function measureSearch(bench: Bench): Promise<Row[]> {
  return searchRows(bench, 'SQLite');
}

export function measurePostgresSearch(bench: Bench): Promise<Row[]> {
  return searchRows(bench, 'PostgreSQL');
}

/** The usage of an account in a day, where many accounts have a history. */
export function measureUsage(bench: Bench): Promise<Row[]> {
  return usageRows(bench, 'SQLite');
}

export function measurePostgresUsage(bench: Bench): Promise<Row[]> {
  return usageRows(bench, 'PostgreSQL');
}

/** Reads `/admin/v1` of a service; resolves with the milliseconds from the connection to the last byte. */
async function timed({ port }: Service, key: string, path: string): Promise<number> {
  const url = new URL(`http://127.0.0.1:${port}/admin/v1${path}`);
  return (await send(url, { headers: { Authorization: `Bearer ${key}` } })).durationMs;
}

async function searchRows(bench: Bench, engine: Engine): Promise<Row[]> {
  const shops = [await makeShop(bench, MANY_PETS, engine), await makeShop(bench, FEW_PETS, engine)] as const;
  const keys = [await shops[0].makeStaffKey(), await shops[1].makeStaffKey()] as const;
  await using many = await shops[0].start();
  await using few = await shops[1].start();
  const search = async (service: Service, key: string) => {
    const times: number[] = [];
    for (const words of SEARCHES) {
      times.push(await timed(service, key, `/pets?limit=50&q=${encodeURIComponent(words)}`));
    }
    return times;
  };
  const sides = [() => search(many, keys[0]), () => search(few, keys[1])];
  await interleave(2, sides);
  const [large = [], small = []] = await interleave(bench.rounds, sides);
  const sums = (rounds: readonly number[][]) => rounds.map((times) => times.reduce((sum, ms) => sum + ms, 0));
  const work = `search among 1,000,000 pets on ${engine}`;
  const each = SEARCHES.map(
    (words, i) => `${words} ${median(large.map((times) => times[i] ?? 0)).toFixed(1)}`,
  );
  return [
    row({
      work: `${work}: slowest of ${SEARCHES.length} queries`,
      values: large.map((times) => Math.max(...times)),
      unit: 'ms',
      digits: 1,
      atMost: MAX_SEARCH_MS,
      detail: `a page of 50 over HTTP, each with its own connection; milliseconds: ${each.join(', ')}`,
    }),
    row({
      work: `${work} / among 10,000, all queries`,
      values: pairwise(sums(large), sums(small)),
      unit: 'x',
      digits: 2,
      detail: `${median(sums(large)).toFixed(1)} ms and ${median(sums(small)).toFixed(1)} ms for all`,
    }),
  ];
}

async function usageRows(bench: Bench, engine: Engine): Promise<Row[]> {
  const shop = await makeShop(bench, 100, engine);
  const key = await shop.makeStaffKey();
  await execute(bench, shop, usageHistory(Date.now()));
  const first: number[] = [];
  const cold = { hour: [] as number[], minute: [] as number[] };
  const warm = { hour: [] as number[], minute: [] as number[] };
  for (let round = 0; round < bench.rounds; round += 1) {
    await using service = await shop.start();
    first.push(await timed(service, key, '/accounts?limit=1'));
    // No read of a round is of an account that one before it read.
    const read = (unit: keyof typeof cold, account: number) =>
      timed(service, key, `/accounts/${accountId(account)}/usage?unit=${unit}&since=${sinceOf(unit)}`);
    for (const [i, unit] of (['hour', 'minute'] as const).entries()) {
      cold[unit].push(await read(unit, 1 + 10 * round + i));
      await read(unit, 5 + 10 * round);
      warm[unit].push(await read(unit, 6 + 10 * round + i));
    }
  }
  const figure = (unit: keyof typeof cold, periods: number) =>
    row({
      work: `usage of a day per ${unit} on ${engine}, first after a start`,
      values: cold[unit],
      unit: 'ms',
      digits: 1,
      atMost: MAX_USAGE_MS,
      detail: `${periods} periods over HTTP, among those of ${ACCOUNTS} accounts; ${median(warm[unit]).toFixed(1)} ms for the third account; the request before, which starts the thread of the management API, ${median(first).toFixed(0)} ms`,
    });
  return [figure('hour', 24), figure('minute', 24 * 60)];
}

function sinceOf(unit: 'hour' | 'minute'): string {
  const unitMs = unit === 'hour' ? HOUR_MS : MINUTE_MS;
  return new Date(Math.floor(Date.now() / unitMs) * unitMs - 24 * HOUR_MS + unitMs).toISOString();
}

function accountId(number: number): string {
  return `acc_${1_000_000_000_000_000 + number}`;
}

/** Accounts with a history in SQL of both engines, in the order in which their requests write it. */
function usageHistory(nowMs: number): readonly string[] {
  const numbers = (count: number) =>
    `WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count - 1})`;
  const periods = (unit: string, unitMs: number, count: number) => {
    const sinceMs = Math.floor(nowMs / unitMs) * unitMs - (count - 1) * unitMs;
    return `${numbers(count)} INSERT INTO usage_history (account_id, unit, began_at, requests)
SELECT id, '${unit}', ${sinceMs} + CAST(i AS bigint) * ${unitMs}, 7 FROM numbers, accounts WHERE name LIKE 'bench %' ORDER BY i, id`;
  };
  return [
    `${numbers(ACCOUNTS)} INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
SELECT 'acc_' || (1000000000000000 + i), 'bench ' || i, 'free', 60, 1000, 0 FROM numbers`,
    periods('hour', HOUR_MS, HISTORY_HOURS),
    periods('minute', MINUTE_MS, HISTORY_MINUTES),
  ];
}

async function execute(bench: Bench, shop: Shop, statements: readonly string[]): Promise<void> {
  if (shop.engine === 'PostgreSQL') {
    const server = await bench.postgres();
    for (const sql of [...statements, 'ANALYZE']) await server.query(sql, databaseName(shop));
    return;
  }
  const database = openDatabase(databaseFile(shop.database));
  try {
    for (const sql of statements) database.exec(sql);
  } finally {
    database.close();
  }
}
