import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { BEGAN_AT, type LedgerRow, ledgerOf, type ReportRow, reportShop, STEP_MS } from './report-shop.ts';

const CATEGORY: Readonly<Record<number, string | null>> = { 1: 'Dogs', 2: 'Cats', 4: 'Dogs', 5: 'Cats' };
const iso = (ms: number) => new Date(ms).toISOString();

/** The report of stock that the whole ledger implies. */
function expectedStock(ledger: readonly LedgerRow[], by: string, sequence: number): unknown[] {
  const stock = new Map<number, LedgerRow>();
  for (const row of ledger) if (row.sequence <= sequence) stock.set(row.petId, row);
  const groups = new Map<string, [unknown, number, number, number]>();
  for (const [petId, { quantity, reserved, isGone }] of [...stock].sort(([a], [b]) => a - b)) {
    if (isGone) continue;
    const key = { pet: petId, category: CATEGORY[petId] ?? null }[by] ?? null;
    const group = groups.get(String(key)) ?? [key, 0, 0, 0];
    groups.set(String(key), [key, group[1] + 1, group[2] + quantity, group[3] + reserved]);
  }
  return sorted([...groups.values()]);
}

/** The report of movements that the ledger implies, without its order. */
function expectedMovements(
  ledger: readonly LedgerRow[],
  by: string,
  monthOf: (ms: number) => string,
): unknown[] {
  const groups = new Map<
    string,
    [string, unknown, string, string | null, number, number, number, string | null]
  >();
  for (const { petId, kind, reason, revertedReason, change, atMs } of ledger) {
    const key = { pet: petId, category: CATEGORY[petId] ?? null }[by] ?? null;
    const name = JSON.stringify([monthOf(atMs), key, kind, reason, revertedReason]);
    const group = groups.get(name) ?? [monthOf(atMs), key, kind, reason, 0, 0, 0, revertedReason];
    group[4] += 1;
    if (change > 0) group[5] += change;
    else group[6] -= change;
    groups.set(name, group);
  }
  return sorted([...groups.values()]);
}

const sorted = (rows: readonly unknown[]) =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const keyOf = (row: ReportRow, by: string) => (by === 'pet' ? row.petId : row.category);

function stockOf(rows: readonly ReportRow[], by: string): unknown[] {
  return sorted(
    rows.map((row) => [by === 'total' ? null : keyOf(row, by), row.pets, row.quantity, row.reserved]),
  );
}

function movementsOf(rows: readonly ReportRow[], by: string): unknown[] {
  return sorted(
    rows.map((row) => [
      ...[row.day ?? row.month, by === 'total' ? null : keyOf(row, by), row.kind, row.reason],
      ...[row.movements, row.unitsIn, row.unitsOut, row.revertedReason],
    ]),
  );
}

test('stock at a moment is what the movements up to it left, in total, by category and by pet', async (t) => {
  const shop = await reportShop(t);
  const ledger = await ledgerOf(shop);
  const head = ledger.length;
  // The deleted pet is in the stock for one movement.
  const created = ledger.find(({ petId }) => petId === 7)?.sequence ?? 0;
  for (const by of ['total', 'category', 'pet']) {
    for (const sequence of [0, 6, created, created + 1, head]) {
      const expected = expectedStock(ledger, by, sequence);
      const report = await shop.read(`stock?by=${by}&atSequence=${sequence}`);
      assert.deepEqual(
        [report.sequence, stockOf(report.rows, by)],
        [sequence, expected],
        `${by} ${sequence}`,
      );
      const at = sequence === 0 ? 0 : BEGAN_AT + sequence * STEP_MS;
      const moment = await shop.read(`stock?by=${by}&asOf=${iso(at)}`);
      assert.deepEqual(moment.rows, report.rows, `${by} at ${iso(at)}`);
      const before = await shop.read(`stock?by=${by}&asOf=${iso(at + STEP_MS - 1)}`);
      assert.deepEqual(before.rows, report.rows, `${by} until ${iso(at + STEP_MS)}`);
    }
  }
  const { rows } = await shop.read('stock?by=pet');
  assert.deepEqual(
    rows.map(({ petId }) => petId),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual([rows[0]?.reserved, rows[0]?.available], [2, Number(rows[0]?.quantity) - 2]);
  const pages = await shop.readAll('stock?by=pet&limit=1');
  assert.deepEqual([pages.rows, pages.pages], [rows, 6]);
  assert.deepEqual(
    (await shop.read('stock?by=pet&category=Cats')).rows,
    rows.filter(({ category }) => category === 'Cats'),
  );
  for (const [filter, isMeant] of [
    ['category=Cats', ({ category }) => category === 'Cats'],
    ['petId=3', ({ petId }) => petId === 3],
    ['petId=0', () => false],
  ] as const satisfies readonly (readonly [string, (row: ReportRow) => boolean])[]) {
    const meant = rows.filter(isMeant);
    const sum = meant.reduce((units, { quantity }) => units + Number(quantity), 0);
    for (const by of ['total', 'category']) {
      const grouped = (await shop.read(`stock?by=${by}&${filter}`)).rows;
      assert.deepEqual(
        grouped.map(({ pets, quantity }) => [pets, quantity]),
        meant.length === 0 ? [] : [[meant.length, sum]],
        `${by} ${filter}`,
      );
    }
  }
});

test('movements per month, kind and reason are those of the ledger, in any time zone', async (t) => {
  const shop = await reportShop(t);
  const ledger = await ledgerOf(shop);
  const zones: readonly [zone: string, monthOf: (ms: number) => string][] = [
    ['UTC', (ms) => iso(ms).slice(0, 7)],
    ['+05:30', (ms) => iso(ms + 5.5 * 3_600_000).slice(0, 7)],
    ['-11:00', (ms) => iso(ms - 11 * 3_600_000).slice(0, 7)],
    [
      'Europe/Berlin',
      (ms) => new Date(ms).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' }).slice(0, 7),
    ],
  ];
  for (const [zone, monthOf] of zones) {
    for (const by of ['total', 'category', 'pet']) {
      const { rows, timeZone } = await shop.read(
        `movements?by=${by}&limit=1000&timeZone=${encodeURIComponent(zone)}`,
      );
      assert.equal(timeZone, zone);
      assert.deepEqual(movementsOf(rows, by), expectedMovements(ledger, by, monthOf), `${by} ${zone}`);
    }
  }
  const whole = await shop.read('movements?by=pet&limit=1000');
  const pages = await shop.readAll('movements?by=pet&limit=7');
  assert.deepEqual(pages.rows, whole.rows);
  assert.equal(pages.pages, Math.ceil(whole.rows.length / 7));
  const some = ledger.filter(({ sequence }) => sequence >= 40 && sequence < 200);
  const period = `from=${iso(BEGAN_AT + 40 * STEP_MS)}&to=${iso(BEGAN_AT + 200 * STEP_MS)}`;
  for (const by of ['total', 'category', 'pet']) {
    const { rows } = await shop.read(`movements?by=${by}&limit=1000&${period}`);
    assert.deepEqual(
      movementsOf(rows, by),
      expectedMovements(some, by, (ms) => iso(ms).slice(0, 7)),
      by,
    );
    const one = await shop.read(`movements?by=${by}&limit=1000&${period}&petId=2`);
    const own = some.filter(({ petId }) => petId === 2);
    assert.deepEqual(
      movementsOf(one.rows, by),
      expectedMovements(own, by, (ms) => iso(ms).slice(0, 7)),
      by,
    );
  }
  const reasons = (await shop.read('movements')).rows
    .filter(({ month, kind }) => month === '2025-02' && kind === 'set')
    .map(({ reason }) => reason);
  assert.deepEqual(reasons, [null, 'received', 'damaged', 'shrinkage', 'sold']);
  const dogs = ledger.filter(({ petId }) => CATEGORY[petId] === 'Dogs');
  assert.deepEqual(
    movementsOf((await shop.read('movements?category=Dogs')).rows, 'total'),
    expectedMovements(dogs, 'total', (ms) => iso(ms).slice(0, 7)),
  );
  const none = `movements?from=${iso(BEGAN_AT - 2 * STEP_MS)}&to=${iso(BEGAN_AT)}`;
  assert.deepEqual((await shop.read(none)).rows, []);
});

test('a pet that leaves a category between two pages takes no rows of another pet along', async (t) => {
  const shop = await reportShop(t);
  const target = 'movements?by=pet&category=Cats';
  const { rows } = await shop.readAll(target);
  const first = await shop.get(`/admin/v1/reports/${target}&limit=5`);
  assert.deepEqual(JSON.parse(first.text).rows, rows.slice(0, 5));
  assert.equal(rows[4]?.petId, 2);
  const next = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  await shop.app.admin.pets.update(2n, { category: 'Lions' }, CLI_AUTHOR);
  const second = await shop.get(`${next}&limit=1000`.replace('limit=5&', ''));
  const left = rows.filter(({ petId }) => petId === 5);
  assert.ok(left.length > 5);
  assert.deepEqual(JSON.parse(second.text).rows, left);
});

test('movements per day are those of the ledger, of at most 366 days', async (t) => {
  const shop = await reportShop(t);
  const ledger = await ledgerOf(shop);
  const dayOf = (ms: number) => iso(ms).slice(0, 10);
  for (const by of ['total', 'category', 'pet']) {
    const { rows } = await shop.read(`movements?by=${by}&limit=1000&per=day`);
    assert.deepEqual(movementsOf(rows, by), expectedMovements(ledger, by, dayOf), by);
    assert.ok(
      rows.every(({ month, day }) => String(day).startsWith(String(month))),
      by,
    );
  }
  const pages = await shop.readAll('movements?by=pet&per=day&limit=7');
  assert.deepEqual(pages.rows, (await shop.read('movements?by=pet&per=day&limit=1000')).rows);
  await shop.app.database.run(
    `UPDATE movements SET recorded_at = recorded_at + 34560000000 WHERE sequence > ${ledger.length - 5}`,
  );
  const refused = await shop.send('GET', '/admin/v1/reports/movements?per=day');
  assert.equal(refused.status, 400, refused.text);
  assert.match(
    refused.text,
    /"invalid_parameter".*at most 366 days\. Give from and to, or ask for rows per month\./,
  );
  assert.equal((await shop.send('GET', '/admin/v1/reports/movements?per=week')).status, 400);
});

test('a report about a time before a prune is refused, and others begin there', async (t) => {
  const shop = await reportShop(t, false);
  const ledger = await ledgerOf(shop);
  const cutMs = ledger[99]?.atMs ?? 0;
  const cut = ledger.findLast(({ atMs }) => atMs === cutMs)?.sequence ?? 0;
  assert.ok(cut >= 100 && cut < ledger.length);
  const page = await shop.get('/admin/v1/reports/movements?by=pet&limit=1');
  const [, nextPage = ''] =
    /<[^>]*?\/admin\/v1\/reports\/([^>]*)>/.exec(page.headers.get('Link') ?? '') ?? [];
  await shop.app.admin.pruneMovements(cutMs + 1, CLI_AUTHOR);
  const retentionStart = iso(cutMs);
  const refused = [
    nextPage,
    `stock?atSequence=${cut - 1}`,
    `stock?asOf=${iso(cutMs - 1)}`,
    `stock/export?atSequence=${cut - 1}`,
    `movements?from=${retentionStart}`,
    `movements/export?by=pet&from=${retentionStart}`,
    'movements?from=1970-01-01T00:00:00Z&to=1971-01-01T00:00:00Z',
    `movements?to=${retentionStart}`,
  ];
  for (const target of refused) {
    const answer = await shop.get(`/admin/v1/reports/${target}`);
    assert.deepEqual([answer.status, answer.code], [410, 'history_pruned'], target);
    assert.ok(JSON.parse(answer.text).message.includes(retentionStart), answer.text);
  }
  // A prune between two parts of a report would cut it without a word.
  const { reports } = shop.app.admin;
  for (const part of [
    () => reports.stock({ sequence: cut - 1 }),
    () => reports.stockSums({ sequence: cut - 1, isByCategory: false }),
    () => reports.sums({ after: cut - 1, upTo: cut, isByCategory: false }),
    () => reports.pets({ lower: cut - 1, upper: cut }),
    () => reports.chains({ entries: [], lower: cut - 1, ends: [] }),
  ])
    await assert.rejects(part(), { code: 'history_pruned' });
  assert.ok((await shop.read(`movements?from=${iso(cutMs + 1)}`)).rows.length > 0);
  for (const by of ['total', 'category', 'pet']) {
    const stock = await shop.read(`stock?by=${by}&atSequence=${cut}`);
    assert.equal(stock.retentionStart, retentionStart);
    assert.deepEqual(stockOf(stock.rows, by), expectedStock(ledger, by, cut), by);
    const kept = ledger.filter(({ sequence }) => sequence > cut);
    const moved = await shop.read(`movements?by=${by}&limit=1000`);
    assert.deepEqual([moved.afterSequence, moved.retentionStart], [cut, retentionStart]);
    assert.deepEqual(
      movementsOf(moved.rows, by),
      expectedMovements(kept, by, (ms) => iso(ms).slice(0, 7)),
      by,
    );
  }
});

test('the variance of stock-takes is in total, by category and by pet, also after a prune', async (t) => {
  const shop = await reportShop(t, false);
  const { stocktakes } = shop.app.admin;
  const start = async (name: string) =>
    (await stocktakes.start({ name, scope: {}, posting: 'at_close' }, CLI_AUTHOR)).id;
  const rows = (await shop.read('stock?by=pet')).rows;
  const stock = (petId: number) => Number(rows.find((row) => row.petId === petId)?.quantity);
  const first = await start('Spring');
  const counter = { ...CLI_AUTHOR, actorName: 'cli' };
  const count = (id: string, petId: number, counted: number) =>
    stocktakes.count(id, { petId: BigInt(petId), counted, note: null, occurredAtMs: null }, counter);
  await count(first, 1, stock(1) + 3);
  await count(first, 4, stock(4) + 1);
  await count(first, 2, stock(2));
  await count(first, 3, stock(3) + 9);
  await stocktakes.close(first, CLI_AUTHOR);
  const second = await start('Autumn');
  await count(second, 5, 0);
  const shown = async (by: string) =>
    (await shop.readAll(`variance?by=${by}&limit=2`)).rows.map((row) => [
      ...[row.stocktake, row.state, by === 'pet' ? row.petId : row.category, row.pets],
      ...[row.variance, row.surplus, row.shortage, row.posted],
    ]);
  const gone = stock(5);
  const expected = {
    total: [
      ['Autumn', 'running', null, 1, -gone, 0, gone, 0],
      ['Spring', 'closed', null, 4, 13, 13, 0, 13],
    ],
    category: [
      ['Autumn', 'running', 'Cats', 1, -gone, 0, gone, 0],
      ['Spring', 'closed', null, 1, 9, 9, 0, 9],
      ['Spring', 'closed', 'Cats', 1, 0, 0, 0, 0],
      ['Spring', 'closed', 'Dogs', 2, 4, 4, 0, 4],
    ],
    pet: [
      ['Autumn', 'running', 5, 1, -gone, 0, gone, 0],
      ['Spring', 'closed', 1, 1, 3, 3, 0, 3],
      ['Spring', 'closed', 2, 1, 0, 0, 0, 0],
      ['Spring', 'closed', 3, 1, 9, 9, 0, 9],
      ['Spring', 'closed', 4, 1, 1, 1, 0, 1],
    ],
  } as const;
  for (const [by, wanted] of Object.entries(expected)) assert.deepEqual(await shown(by), wanted, by);
  const [autumn, spring] = (await shop.read('variance')).rows;
  assert.equal((await shop.read(`variance?to=${autumn?.startedAt}`)).rows.length, 1);
  assert.equal((await shop.read(`variance?from=${spring?.startedAt}`)).rows.length, 2);
  await stocktakes.close(second, CLI_AUTHOR);
  const closed = await shown('category');
  await shop.app.admin.pruneMovements(Number.MAX_SAFE_INTEGER, CLI_AUTHOR);
  assert.deepEqual(await shown('category'), closed);
});
