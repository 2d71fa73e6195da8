import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

type Row = Readonly<Record<string, unknown>>;

/** A shop whose pets are low at 10 available units, and have enough at 15. */
async function reorderShop(t: TestContext, pets = [petRow(1, { quantity: 4 })]) {
  const made = await adminShop(t, 'administrator', { nowMs: 'now' });
  const { app, send } = made;
  const ok = async (method: string, target: string, body?: object): Promise<Row> => {
    // A key may send 60 of these requests per minute.
    app.clock.nowMs += 1_000;
    const answer = await send(method, `/admin/v1${target}`, body);
    assert.ok(answer.status < 300, `${method} ${target}: ${answer.text}`);
    return answer.text === '' ? {} : JSON.parse(answer.text);
  };
  await ok('PUT', '/thresholds', { lowStockAt: 10, restockAt: 15 });
  await app.admin.importPets(pets, 'cli');
  const adjust = (petId: number, delta: number, reason: string) =>
    ok('POST', `/inventory/${petId}/adjustments`, { delta, reason });
  const read = async (query = '') => (await ok('GET', `/reorders${query}`)) as unknown as readonly Row[];
  const order = (petId: number, change: object) => ok('PATCH', `/reorders/${petId}`, change);
  /** Ordered, received and outstanding units. */
  const units = async (petId: number) => {
    const { ordered, received, outstanding } = await ok('GET', `/reorders/${petId}`);
    return [ordered, received, outstanding];
  };
  return { ...made, ok, adjust, read, order, units };
}

const idsOf = (rows: readonly Row[]) => rows.map(({ petId }) => petId);

test('the list has low pets by urgency, each with the units that it needs to have enough', async (t) => {
  const shop = await reorderShop(t, [
    petRow(1, { quantity: 20, name: 'Enough' }),
    petRow(2, { quantity: 9, name: 'Low', category: 'Dogs' }),
    petRow(3, { quantity: 9, name: 'Low and sold' }),
    petRow(4, { quantity: 0, name: 'Out' }),
    petRow(5, { quantity: 8, name: 'Low and reserved' }),
    petRow(6, { quantity: 3, name: 'Own thresholds' }),
    petRow(7, { quantity: 0, name: 'Archived' }),
    petRow(8, { quantity: 7, name: 'Oversold' }),
    petRow(9, { quantity: 10, name: 'At the threshold' }),
    petRow(10, { quantity: 11, name: 'Above it' }),
    petRow(9_007_199_254_740_993n, { quantity: 8, name: 'Large number' }),
  ]);
  await shop.ok('POST', '/pets/7/archive');
  await shop.ok('PATCH', '/pets/6', { lowStockAt: 4 });
  await shop.adjust(3, -3, 'sold');
  await shop.adjust(5, -1, 'sold');
  await shop.ok('POST', '/store/orders', { lines: [{ petId: 5, quantity: 2 }] });
  await shop.ok('POST', '/store/orders', { lines: [{ petId: 8, quantity: 7 }] });
  await shop.ok('PATCH', '/inventory/8', { quantity: 5, takeReserved: true });
  const answer = await shop.send('GET', '/admin/v1/reorders');
  assert.match(answer.text, /"petId":9007199254740993,/);
  const rows = await shop.read();
  assert.deepEqual(
    rows.map(({ name, alertLevel, available, daysOfStock, enough, suggested, state }) => [
      ...[name, alertLevel, available, daysOfStock, enough, suggested, state],
    ]),
    [
      ['Oversold', 'oversold', -2, null, 15, 17, 'to_order'],
      ['Out', 'out', 0, null, 15, 15, 'to_order'],
      ['Low and sold', 'low', 6, 2, 15, 9, 'to_order'],
      ['Low and reserved', 'low', 5, 5, 15, 10, 'to_order'],
      ['Low', 'low', 9, null, 15, 6, 'to_order'],
      ['Own thresholds', 'low', 3, null, 5, 2, 'to_order'],
      ['At the threshold', 'low', 10, null, 15, 5, 'to_order'],
      ['Large number', 'low', 8, null, 15, 7, 'to_order'],
    ],
  );
  // A pet that is not in the list has a page too.
  const enough = await shop.ok('GET', '/reorders/1');
  assert.deepEqual([enough.state, enough.suggested, enough.enough], [null, 0, 15]);
  await shop.ok('PUT', '/thresholds', { lowStockAt: null, restockAt: null });
  const unset = await shop.read();
  assert.deepEqual(
    unset.map(({ name, enough: from, suggested }) => [name, from, suggested]),
    [
      ['Oversold', 1, 3],
      ['Out', 1, 1],
      ['Own thresholds', 5, 2],
    ],
  );
});

test('pages of the list, and its files, have all its rows once and in order', async (t) => {
  const pets = Array.from({ length: 12 }, (_, i) => petRow(i + 1, { quantity: i % 4, category: 'Dogs' }));
  const shop = await reorderShop(t, pets);
  for (const petId of [2, 3, 6]) await shop.adjust(petId, -1, 'sold');
  // Half a day of stock.
  for (const petId of [4, 8]) await shop.adjust(petId, -2, 'sold');
  await shop.order(11, { ordered: 7, expectedOn: '2026-12-03', supplier: '=1+1' });
  const all = await shop.read();
  assert.equal(all.length, 12);
  const paged: Row[] = [];
  for (let next: string | undefined = '/admin/v1/reorders?limit=1'; next !== undefined;) {
    shop.app.clock.nowMs += 1_000;
    const answer = await shop.send('GET', next);
    const items = JSON.parse(answer.text) as Row[];
    assert.equal(items.length, 1);
    paged.push(...items);
    assert.ok(paged.length <= 12);
    next = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  assert.deepEqual(paged, all);

  const file = await shop.send('GET', '/admin/v1/reorders/export');
  assert.equal(file.headers.get('Content-Disposition'), 'attachment; filename="reorders.csv"');
  const [headings, ...lines] = file.text.trimEnd().split('\r\n');
  assert.equal(
    headings,
    'petId,name,category,sku,supplier,state,alertLevel,quantity,reserved,available,daysOfStock,enough,suggested,ordered,received,outstanding,expectedOn,orderedAt',
  );
  assert.deepEqual(
    lines.map((line) => Number(line.split(',')[0])),
    idsOf(all),
  );
  const ordered = all.find(({ petId }) => petId === 11);
  assert.ok(
    lines.includes(`11,,Dogs,,'=1+1,ordered,low,2,0,2,,15,6,7,0,7,2026-12-03,${ordered?.orderedAt}`),
    file.text,
  );
  const one = await shop.send('GET', '/admin/v1/reorders/export?state=ordered&separator=tab');
  assert.equal(one.text.trimEnd().split('\r\n').length, 2);
  const book = await shop.send('GET', '/admin/v1/reorders/export?format=xlsx');
  const sheet = strFromU8(unzipSync(book.bytes)['xl/worksheets/sheet1.xml'] as Uint8Array);
  assert.equal(sheet.split('<row').length - 1, 13);
});

test('pages of pets that last for days whose tenths no number has exactly', async (t) => {
  const largest = Number.MAX_SAFE_INTEGER;
  const petIds = Array.from({ length: 4 }, (_, i) => i + 1);
  const shop = await reorderShop(
    t,
    petIds.map((petId) => petRow(petId, { quantity: largest - petId })),
  );
  for (const petId of petIds) {
    await shop.adjust(petId, -1, 'sold');
    await shop.order(petId, { ordered: 5 });
  }
  const all = await shop.read();
  assert.ok(Number(all[0]?.daysOfStock) > 2 ** 52);
  const paged: unknown[] = [];
  for (let next: string | undefined = '/admin/v1/reorders?limit=1'; next !== undefined;) {
    shop.app.clock.nowMs += 1_000;
    const answer = await shop.send('GET', next);
    assert.equal(answer.status, 200, answer.text);
    paged.push(...idsOf(JSON.parse(answer.text)));
    assert.ok(paged.length <= 4);
    next = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  assert.deepEqual(paged, idsOf(all));
});

test('filters by state, supplier and category', async (t) => {
  const shop = await reorderShop(t, [
    petRow(1, { quantity: 1, category: 'Dogs' }),
    petRow(2, { quantity: 2, category: 'Cats' }),
    petRow(3, { quantity: 30, category: 'Dogs' }),
    petRow(4, { quantity: 40, category: 'Dogs' }),
  ]);
  await shop.order(1, { supplier: ' Zoo Wholesale ' });
  await shop.order(2, { supplier: 'Äpfel & Co', ordered: 5 });
  await shop.order(3, { ordered: 6 });
  await shop.order(4, { supplier: 'Other' });
  const find = async (query: string) => idsOf(await shop.read(`?${query}`));
  assert.deepEqual(await find('state=all'), [1, 2, 3]);
  assert.deepEqual(await find('state=to_order'), [1]);
  assert.deepEqual(await find('state=ordered'), [2, 3]);
  assert.deepEqual(await find('supplier=Zoo%20Wholesale'), [1]);
  assert.deepEqual(await find('supplier=zoo'), []);
  assert.deepEqual(await find('supplier='), [3]);
  assert.deepEqual(await find('supplier=%20'), [3]);
  assert.deepEqual(await find(`supplier=${encodeURIComponent('Äpfel & Co')}&category=Cats`), [2]);
  assert.deepEqual(await find('category=Dogs&state=ordered'), [3]);
  assert.deepEqual(await find('alert=low'), [1, 2]);
  assert.deepEqual(await find('alert=out,oversold'), []);
  // Named pets, also one with enough, and none that does not exist.
  assert.deepEqual(await find('petId=4,2,9'), [2, 4]);
  assert.deepEqual(
    (await shop.read('?petId=3,4')).map(({ state, outstanding }) => [state, outstanding]),
    [
      ['ordered', 6],
      [null, 0],
    ],
  );
  const mixed = await shop.send('GET', '/admin/v1/reorders?petId=1&state=ordered');
  assert.match(mixed.text, /"code":"invalid_parameter"/);
  const suppliers = await shop.ok('GET', '/reorders/suppliers');
  assert.deepEqual(suppliers, ['Other', 'Zoo Wholesale', 'Äpfel & Co']);
  await shop.order(4, { supplier: '  ' });
  assert.equal((await shop.ok('GET', '/reorders/4')).supplier, null);
  assert.deepEqual(await shop.ok('GET', '/reorders/suppliers'), ['Zoo Wholesale', 'Äpfel & Co']);
});

test('what is received settles what is ordered, by whichever way, until all of it is there', async (t) => {
  const shop = await reorderShop(t);
  // Before the order.
  await shop.adjust(1, 1, 'received');
  const made = await shop.order(1, { ordered: 100, expectedOn: '2026-12-03', supplier: 'Zoo' });
  assert.deepEqual(
    [made.ordered, made.received, made.outstanding, made.expectedOn, made.suggested, made.state],
    [100, 0, 100, '2026-12-03', 0, 'ordered'],
  );
  assert.deepEqual(made.orderedBy, { keyId: shop.principal.key.id, name: shop.principal.key.name });
  await shop.adjust(1, 3, 'restock');
  await shop.adjust(1, -2, 'sold');
  assert.deepEqual(await shop.units(1), [100, 0, 100]);
  await shop.adjust(1, 30, 'received');
  assert.deepEqual(await shop.units(1), [100, 30, 70]);
  // Enough by now, and still in the list.
  assert.deepEqual(idsOf(await shop.read('?state=ordered')), [1]);
  const client = await shop.app.request('PATCH', '/v1/inventory/1', {
    body: '{"quantity":46,"reason":"received"}',
  });
  assert.equal(client.status, 200);
  assert.deepEqual(await shop.units(1), [100, 40, 60]);
  const rows = [{ petId: 1, delta: 20, reason: 'received' }];
  const batch = await shop.app.request('POST', '/v1/inventory/batch', {
    body: JSON.stringify({ changes: rows }),
  });
  assert.equal(batch.status, 200, batch.text);
  assert.deepEqual(await shop.units(1), [100, 60, 40]);
  // A part was counted wrong.
  await shop.adjust(1, -10, 'received');
  assert.deepEqual(await shop.units(1), [100, 50, 50]);
  const change = {
    kind: 'adjust',
    petId: 1n,
    delta: 49,
    explanation: { ...NONE, reason: 'received' },
  } as const;
  await shop.app.admin.write({ kind: 'change', change }, CLI_AUTHOR);
  assert.deepEqual(await shop.units(1), [100, 99, 1]);
  const { sequence } = await shop.adjust(1, 5, 'received');
  assert.deepEqual(await shop.units(1), [null, 0, 0]);
  const gone = await shop.ok('GET', '/reorders/1');
  assert.deepEqual(
    [gone.state, gone.supplier, gone.expectedOn, gone.orderedAt, gone.orderedBy],
    [null, 'Zoo', null, null, null],
  );
  assert.deepEqual(await shop.read(), []);

  const undo = await shop.ok('POST', `/movements/${sequence}/revert`);
  assert.deepEqual(await shop.units(1), [100, 99, 1], 'an undo takes the units back');
  const redo = await shop.ok('POST', `/movements/${undo.sequence}/revert`);
  assert.deepEqual(await shop.units(1), [null, 0, 0], 'the undo of an undo gives them again');
  await shop.ok('POST', `/movements/${redo.sequence}/revert`);
  assert.deepEqual(await shop.units(1), [100, 99, 1]);
});

const NONE = { note: null, referenceId: null, referenceDocumentUri: null, occurredAtMs: null };

once('an order can be corrected and taken back, and the next one begins anew', async (t) => {
  const shop = await reorderShop(t);
  await shop.order(1, { ordered: 100 });
  await shop.adjust(1, 1, 'received');
  assert.deepEqual((await shop.order(1, { ordered: 20 })).outstanding, 19, 'the same order');
  assert.equal((await shop.order(1, { expectedOn: '2026-12-24' })).expectedOn, '2026-12-24');
  assert.equal((await shop.order(1, { expectedOn: null })).ordered, 20);
  // The rest will not come.
  assert.equal((await shop.order(1, { ordered: 1 })).ordered, null);
  assert.deepEqual((await shop.order(1, { ordered: 30 })).outstanding, 30, 'another order');
  assert.deepEqual((await shop.order(1, { ordered: null })).state, 'to_order');
  assert.equal((await shop.order(1, { ordered: 1 })).outstanding, 1);
  await shop.adjust(1, 1, 'received');
  assert.equal((await shop.order(1, { supplier: 'Zoo' })).ordered, null);
  assert.equal((await shop.order(1, { ordered: 2 })).outstanding, 2);

  const log = (await shop.ok('GET', '/activity?action=reorders.update')) as unknown as readonly Row[];
  assert.deepEqual(log.map(({ details, target }) => [target, details]).toReversed(), [
    ['1', { ordered: 100, previousOrdered: null }],
    ['1', { ordered: 20, previousOrdered: 100 }],
    ['1', { expectedOn: '2026-12-24' }],
    ['1', { expectedOn: null }],
    ['1', { ordered: 1, previousOrdered: 20 }],
    ['1', { ordered: 30, previousOrdered: null }],
    ['1', { ordered: null, previousOrdered: 30 }],
    ['1', { ordered: 1, previousOrdered: null }],
    ['1', { supplier: 'Zoo', previousSupplier: null }],
    ['1', { ordered: 2, previousOrdered: null }],
  ]);
  const before = await shop.ok('GET', '/reorders/1');
  await shop.order(1, { ordered: 2, supplier: 'Zoo', expectedOn: null });
  await shop.order(1, {});
  assert.deepEqual(await shop.ok('GET', '/reorders/1'), before);
  const after = (await shop.ok('GET', '/activity?action=reorders.update')) as unknown as readonly Row[];
  assert.equal(after.length, log.length, 'nothing without a change');
});

test('an order with If-Match is made once, also if it is repeated late or another person was faster', async (t) => {
  const shop = await reorderShop(t);
  const path = '/admin/v1/reorders/1';
  const tagOf = async () => {
    shop.app.clock.nowMs += 1_000;
    return (await shop.send('GET', path)).headers.get('ETag') ?? '';
  };
  const order = async (change: object, tag: string) => {
    shop.app.clock.nowMs += 1_000;
    const { status, code, headers } = await shop.send('PATCH', path, change, { 'If-Match': tag });
    return { outcome: code ?? status, tag: headers.get('ETag') };
  };
  const ten = { ordered: 10 };
  const unmet = 'precondition_failed';
  const first = await tagOf();
  const [row] = await shop.read();
  assert.equal(`${first.split('.')[0]}"`, row?.etag, 'the row of the list has a tag too');
  await shop.adjust(1, -1, 'sold');
  assert.notEqual(await tagOf(), first, 'the response is another one');
  const ordered = await order(ten, first);
  assert.equal(ordered.outcome, 200, 'the stock does not matter');
  assert.equal(ordered.tag, await tagOf());
  assert.equal((await order(ten, first)).outcome, unmet, 'the response was lost');
  await shop.adjust(1, 10, 'received');
  assert.equal((await order(ten, first)).outcome, unmet, 'after all units have arrived');
  assert.equal(
    (await order({ ordered: 12 }, ordered.tag ?? '')).outcome,
    unmet,
    'a correction of what has arrived',
  );
  assert.equal((await shop.order(1, {})).ordered, null);
  const arrived = await tagOf();
  assert.equal((await order(ten, arrived)).outcome, 200);
  await shop.order(1, { ordered: null });
  for (const tag of [first, arrived])
    assert.equal((await order(ten, tag)).outcome, unmet, 'after it was cancelled');
  const cancelled = await tagOf();
  const seen = String((await shop.read())[0]?.etag);
  assert.equal((await order({ supplier: 'Zoo' }, seen)).outcome, 200);
  assert.equal((await order({ supplier: 'Pond' }, cancelled)).outcome, unmet);
  assert.equal((await order({ supplier: 'Pond' }, `"other", ${await tagOf()}`)).outcome, 200);
  assert.equal((await order(ten, '*')).outcome, 200);
});

test('a prune keeps what has arrived', async (t) => {
  const shop = await reorderShop(
    t,
    [1, 2, 3, 4].map((petId) => petRow(petId, { quantity: 4 })),
  );
  const { admin, database } = shop.app;
  await shop.adjust(4, 1, 'received');
  for (const petId of [1, 2, 3, 4]) await shop.order(petId, { ordered: 10, supplier: 'Zoo' });
  for (const petId of [1, 2, 3]) await shop.adjust(petId, 4, 'received');
  const { sequence } = await shop.adjust(1, 1, 'received');
  await shop.ok('POST', `/movements/${sequence}/revert`);
  await shop.adjust(2, 6, 'received');
  // Pets 1 and 2 have later movements than those that are deleted, and pet 3 keeps its newest one.
  await shop.adjust(2, 1, 'other');
  // After the retention start, which is not the newest movement of all.
  await shop.adjust(1, 2, 'received');
  const all = async () => Promise.all([1, 2, 3, 4].map((petId) => shop.ok('GET', `/reorders/${petId}`)));
  const before = await all();
  const { start } = await admin.pruneMovements(Date.now() + 86_400_000 * 400, CLI_AUTHOR);
  assert.ok(start.sequence > Number(sequence));
  const kept = await database.rows(`SELECT count(*) FROM movements WHERE reason = 'received'`);
  assert.ok(Number(kept[0]?.[0]) < 5, 'movements are deleted');
  assert.deepEqual(await shop.units(1), [10, 6, 4]);
  assert.deepEqual(await shop.units(2), [null, 0, 0]);
  assert.deepEqual(await shop.units(3), [10, 4, 6]);
  assert.deepEqual(await shop.units(4), [10, 0, 10]);
  const rows = await database.rows(
    'SELECT pet_id, supplier, ordered, received FROM reorders ORDER BY pet_id',
  );
  assert.deepEqual(
    rows.map((row) => row.map((value) => (value === null || value === 'Zoo' ? value : Number(value)))),
    [
      [1, 'Zoo', 10, 4],
      [2, 'Zoo', null, 0],
      // Its receipt is its newest movement, which stays.
      [3, 'Zoo', 10, 0],
      // It was ordered after its newest movement.
      [4, 'Zoo', 10, 0],
    ],
  );
  // What a person saw before the prune may be changed after it.
  assert.deepEqual(await all(), before);
  assert.notEqual(before[1]?.etag, before[2]?.etag, 'an order that has arrived is another state');
  await shop.adjust(1, 3, 'received');
  assert.deepEqual(await shop.units(1), [10, 9, 1]);
  assert.equal((await shop.ok('GET', '/reorders/1')).etag, before[0]?.etag);
  // The movement that pet 3 keeps can be reverted, and that again.
  const [kept3 = []] = await database.rows(
    `SELECT sequence FROM movements WHERE pet_id = 3 AND reason = 'received'`,
  );
  const undone = await shop.ok('POST', `/movements/${kept3[0]}/revert`);
  assert.deepEqual(await shop.units(3), [10, 0, 10]);
  await shop.ok('POST', `/movements/${undone.sequence}/revert`);
  assert.deepEqual(await shop.units(3), [10, 4, 6]);
});

test('an undo counts also where a prune deleted the receipt that it leads back to', async (t) => {
  const shop = await reorderShop(
    t,
    [1, 2, 3, 4].map((petId) => petRow(petId, { quantity: 4 })),
  );
  const { admin, database } = shop.app;
  const revert = async (sequence: unknown) =>
    (await shop.ok('POST', `/movements/${sequence}/revert`)).sequence;
  const receive = async (petId: number, units: number) =>
    (await shop.adjust(petId, units, 'received')).sequence;
  const prune = () => admin.pruneMovements(Date.now() + 86_400_000 * 400, CLI_AUTHOR);
  for (const [petId, ordered] of [
    [1, 10],
    [2, 10],
    [3, 6],
  ] as const) {
    await shop.order(petId, { ordered });
  }
  const redo = await revert(await revert(await receive(1, 6)));
  const undo = await revert(await receive(2, 6));
  const redo3 = await revert(await revert(await receive(3, 6)));
  await shop.adjust(4, 1, 'other');
  // Later movements, so that the reverts are before the retention start and after it.
  await shop.adjust(2, 2, 'other');
  const later = await revert(undo);
  await shop.adjust(4, 1, 'other');
  const { start } = await prune();
  assert.ok(Number(redo) < start.sequence && Number(later) <= start.sequence);
  const kept = await database.rows(`SELECT pet_id FROM movements WHERE reason = 'received'`);
  assert.deepEqual(kept, [], 'the receipts are deleted');
  const all = () => Promise.all([1, 2, 3].map((petId) => shop.units(petId)));
  assert.deepEqual(await all(), [
    [10, 6, 4],
    [10, 6, 4],
    [null, 0, 0],
  ]);
  const undone = [await revert(redo), await revert(later), await revert(redo3)];
  const taken = [
    [10, 0, 10],
    [10, 0, 10],
    [6, 0, 6],
  ];
  assert.deepEqual(await all(), taken);
  await shop.order(1, { expectedOn: '2030-12-03' });
  assert.deepEqual(await all(), taken, 'another day changes no units');
  await receive(1, 1);
  await shop.adjust(4, 1, 'other');
  await prune();
  assert.deepEqual(await all(), [[10, 1, 9], ...taken.slice(1)]);
  for (const sequence of undone.slice(1)) await revert(sequence);
  assert.deepEqual(await all(), [
    [10, 1, 9],
    [10, 6, 4],
    [null, 0, 0],
  ]);
  // A new order counts nothing of the one before it.
  await shop.order(2, { ordered: null });
  await shop.order(2, { ordered: 20 });
  const [[again] = []] = await database.rows('SELECT max(sequence) FROM movements WHERE pet_id = 2');
  await revert(await revert(again));
  assert.deepEqual(await shop.units(2), [20, 0, 20]);
  assert.deepEqual((await admin.verify()).faults, []);
});

test('open reverts that someone edited in the database do not fail the list, and verify names them', async (t) => {
  const shop = await reorderShop(
    t,
    [1, 2].map((petId) => petRow(petId, { quantity: 4 })),
  );
  const { admin, database } = shop.app;
  await shop.order(1, { ordered: 10 });
  const { sequence: receipt } = await shop.adjust(1, 6, 'received');
  const { sequence: revert } = await shop.ok('POST', `/movements/${receipt}/revert`);
  const { sequence: other } = await shop.adjust(2, 1, 'other');
  const edits = ['nonsense', '{}', '7', '[[1]]', '[["1",2]]', '[[1.5,2]]', '[1,2]', '[[99,2]]'];
  const wrong = [`[[${receipt},6]]`, `[[${revert},6]]`, `[[${other},1]]`, `[[${revert},-6],[${revert},-6]]`];
  for (const edited of [...edits, ...wrong]) {
    await database.run(`UPDATE reorders SET open_reverts = '${edited}' WHERE pet_id = 1`);
    assert.deepEqual(idsOf(await shop.read()), [1, 2], edited);
    assert.equal((await shop.units(1))[0], 10, edited);
    const { faults, findings } = await admin.verify();
    assert.deepEqual(
      faults,
      ['What is ordered of pet 1 counts reverts that are not in the ledger: cancel it, and order it again.'],
      edited,
    );
    assert.deepEqual(findings, [{ code: 'orders', count: 1 }]);
  }
  await database.run(`UPDATE reorders SET open_reverts = '[[${revert},-6]]' WHERE pet_id = 1`);
  assert.deepEqual((await admin.verify()).faults, []);
  await database.run(`UPDATE reorders SET open_reverts = 'nonsense' WHERE pet_id = 1`);
  await shop.order(1, { ordered: null });
  await shop.order(1, { ordered: 20 });
  assert.deepEqual((await admin.verify()).faults, []);
  assert.deepEqual(await shop.units(1), [20, 0, 20]);
});

test('a batch that reverts a delivery has its units on their way again', async (t) => {
  const shop = await reorderShop(t, [petRow(1, { quantity: 4 }), petRow(2, { quantity: 4 })]);
  for (const petId of [1, 2]) await shop.order(petId, { ordered: 8 });
  const changes = [1, 2].map((petId) => ({ petId, delta: 8, reason: 'received' }));
  const { rows } = (await shop.ok('POST', '/inventory/batch', { changes })) as { rows: Row[] };
  assert.deepEqual(await shop.units(1), [null, 0, 0]);
  await shop.adjust(1, -2, 'sold');
  const reverts = rows.map(({ petId, sequence }) => ({ petId, revert: sequence }));
  await shop.ok('POST', '/inventory/batch', { changes: reverts });
  assert.deepEqual(
    [await shop.units(1), await shop.units(2)],
    [
      [8, 0, 8],
      [8, 0, 8],
    ],
  );
});

once(
  'the undo of a delivery has its units on their way again, also after the supplier was changed',
  async (t) => {
    const shop = await reorderShop(t);
    await shop.order(1, { supplier: 'Zoo', ordered: 6, expectedOn: '2030-12-03' });
    const { sequence } = await shop.adjust(1, 6, 'received');
    await shop.order(1, { supplier: 'Reef' });
    assert.deepEqual(await shop.units(1), [null, 0, 0]);
    await shop.ok('POST', `/movements/${sequence}/revert`);
    assert.deepEqual(await shop.units(1), [6, 0, 6]);
    const { supplier, expectedOn } = await shop.ok('GET', '/reorders/1');
    assert.deepEqual([supplier, expectedOn], ['Reef', '2030-12-03']);
  },
);

test('a deleted pet leaves nothing that is ordered', async (t) => {
  const shop = await reorderShop(t);
  await shop.ok('POST', '/pets', { petId: 2, quantity: 3 });
  await shop.order(2, { ordered: 5, supplier: 'Zoo' });
  await shop.ok('DELETE', '/pets/2');
  assert.deepEqual(idsOf(await shop.read()), [1]);
  assert.deepEqual(await shop.app.database.rows('SELECT pet_id FROM reorders'), []);
  await shop.ok('POST', '/pets', { petId: 2, quantity: 3 });
  const again = await shop.ok('GET', '/reorders/2');
  assert.deepEqual([again.ordered, again.supplier], [null, null]);
});

test('a pet that is low at the largest quantity has a number at which it would be enough', async (t) => {
  const shop = await reorderShop(t, [petRow(1, { quantity: 4 })]);
  await shop.ok('PATCH', '/pets/1', { lowStockAt: Number.MAX_SAFE_INTEGER });
  const { enough, suggested } = await shop.ok('GET', '/reorders/1');
  assert.deepEqual([enough, suggested], [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 4]);
});

test('sums of the largest quantities stay numbers', async (t) => {
  const largest = Number.MAX_SAFE_INTEGER;
  const shop = await reorderShop(t, [petRow(1, { quantity: 0 })]);
  await shop.order(1, { ordered: largest });
  const up = {
    kind: 'set',
    petId: 1n,
    quantity: largest,
    explanation: { ...NONE, reason: 'received' },
  } as const;
  const down = { ...up, quantity: 0, explanation: { ...NONE, reason: 'sold' } } as const;
  const changes = Array.from({ length: 1_040 }, (_, i) => (i % 2 === 0 ? up : down));
  for (let i = 0; i < 2; i += 1) {
    await shop.app.admin.write(
      { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false },
      CLI_AUTHOR,
    );
  }
  assert.deepEqual(await shop.units(1), [null, 0, 0]);
});

once('hostile requests are refused with a sentence, and change nothing', async (t) => {
  const shop = await reorderShop(t);
  const bodies: readonly (readonly [unknown, RegExp])[] = [
    [{ ordered: 0 }, /ordered.*whole number from 1/],
    [{ ordered: 1.5 }, /ordered/],
    [{ ordered: -1 }, /ordered/],
    [{ ordered: 2 ** 53 }, /ordered/],
    [{ ordered: '5' }, /ordered/],
    [{ ordered: 5, expectedOn: '2026-02-30' }, /expectedOn.*a day such as 2026-12-03/],
    [{ ordered: 5, expectedOn: '2026-12-03T00:00:00Z' }, /expectedOn/],
    [{ ordered: 5, expectedOn: '+02026-12-03' }, /expectedOn/],
    [{ expectedOn: '2026-12-03' }, /nothing is ordered of this pet; send ordered too/],
    [{ supplier: 'x'.repeat(101) }, /supplier/],
    [{ supplier: 'a\nb' }, /supplier.*line break/],
    [{ supplier: 7 }, /supplier/],
    [{ quantity: 5 }, /quantity/],
    [[], /JSON object/],
  ];
  for (const [body, message] of bodies) {
    const answer = await shop.send('PATCH', '/admin/v1/reorders/1', body as object);
    assert.deepEqual([answer.status, answer.code], [400, 'validation_failed'], JSON.stringify(body));
    assert.match(answer.text, message);
  }
  for (const target of ['/reorders/404', '/reorders/404']) {
    assert.equal((await shop.send('GET', `/admin/v1${target}`)).status, 404);
  }
  assert.equal((await shop.send('PATCH', '/admin/v1/reorders/404', { ordered: 5 })).status, 404);
  const cursors = ['x', '4::1', '2:x:1', '2:1', '2:1:1:1', '2:01:1', `2:${'9'.repeat(40)}:1`, '2:1:1.5'];
  const queries = [
    ...cursors.map((text) => `cursor=${Buffer.from(text).toString('base64url')}`),
    ...['state=low', `supplier=${'x'.repeat(101)}`, 'category=', 'limit=0', 'supplier=%00'],
  ];
  for (const query of queries) {
    shop.app.clock.nowMs += 1_000;
    const answer = await shop.send('GET', `/admin/v1/reorders?${query}`);
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_parameter'], query);
  }
  const viewer = await shop.app.makeAdminKey('viewer');
  const refused = await shop.app.request('PATCH', '/admin/v1/reorders/1', { key: viewer.key, body: '{}' });
  assert.equal(refused.status, 403);
  assert.deepEqual(await shop.app.database.rows('SELECT pet_id FROM reorders'), []);
});

test('an order of which more was taken back than has arrived has received nothing', async (t) => {
  const { app, order, units } = await reorderShop(t);
  await order(1, { ordered: 10 });
  await app.database.run('UPDATE reorders SET received = -3');
  const [ordered, received] = await units(1);
  assert.deepEqual([ordered, received], [10, 0]);
});
