import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import { OperatorError } from '../../src/domain/errors.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const once = testOnceIn();

const LARGE = 9_007_199_254_740_993n;
const FILE = `petId,name,category,quantity,status,lowStockAt,restockAt
${LARGE},Rex,Dogs,5,pending,2,4
1,Tom,Cats,3,,,
2,,,7,,,
3,,,1,,none,
-9223372036854775808,,,0,sold,,
`;

const values = {
  name: null,
  category: null,
  quantity: 1,
  status: 'available',
  lowStockAt: null,
  restockAt: null,
  sku: null,
  barcodes: [],
  supplier: null,
} as const;

test('a file is planned, shown, and applied with its author', async (t) => {
  const shop = await ImportShop.open(t);
  const thresholds = { lowStockAt: 1, restockAt: null };
  await shop.importRows([petRow(1, { name: 'Tim' }), petRow(2, { quantity: 7 }), petRow(3, { thresholds })]);
  const planned = await shop.planned(FILE);
  assert.equal(planned.state, 'planned');
  assert.deepEqual(planned.counts, { new: 2, changed: 2, unchanged: 1 });
  assert.equal(planned.readBytes, Buffer.byteLength(FILE));
  assert.deepEqual([planned.faults, planned.faultCount, planned.actor], [[], 0, STAFF.actor]);
  const { id } = planned;
  const rows = await shop.rows(id);
  assert.deepEqual(rows, [
    {
      petId: -(2n ** 63n),
      line: 6,
      element: null,
      effect: 'new',
      before: null,
      after: { ...values, quantity: 0, status: 'sold' },
    },
    {
      petId: 1n,
      line: 3,
      element: null,
      effect: 'changed',
      before: { ...values, name: 'Tim' },
      after: { ...values, name: 'Tom', category: 'Cats', quantity: 3 },
    },
    { petId: 2n, line: 4, element: null, effect: 'unchanged', before: null, after: null },
    {
      petId: 3n,
      line: 5,
      element: null,
      effect: 'changed',
      before: { ...values, lowStockAt: 1 },
      after: values,
    },
    {
      petId: LARGE,
      line: 2,
      element: null,
      effect: 'new',
      before: null,
      after: {
        ...values,
        name: 'Rex',
        category: 'Dogs',
        quantity: 5,
        status: 'pending',
        lowStockAt: 2,
        restockAt: 4,
      },
    },
  ]);
  assert.deepEqual(
    await shop.store.imports.rows(id, { effect: 'changed', after: 1n, limit: 1 }),
    rows.slice(3, 4),
  );
  assert.deepEqual(await shop.store.imports.rows(id, { after: LARGE, limit: 10 }), []);

  const applied = await shop.apply(id);
  assert.equal(applied.state, 'applied');
  assert.deepEqual(applied.counts, planned.counts);
  assert.equal(applied.appliedBy, STAFF.actor);
  assert.deepEqual(
    await shop.database.rows(
      'SELECT pet_id, kind, actor, request_id, reference_id, quantity_after FROM movements WHERE sequence > 3 ORDER BY sequence',
    ),
    [
      [-(2n ** 63n), 'import', STAFF.actor, STAFF.requestId, id, 0],
      [1, 'import', STAFF.actor, STAFF.requestId, id, 3],
      [3, 'import', STAFF.actor, STAFF.requestId, id, 1],
      [LARGE, 'import', STAFF.actor, STAFF.requestId, id, 5],
    ],
  );
  assert.deepEqual((await shop.store.verify()).faults, []);
  assert.deepEqual(await shop.actions(), [
    ['pets.import', 'cli'],
    ['imports.create', STAFF.actor],
    ['imports.apply', STAFF.actor],
  ]);
});

test('a row that changes one value alone is a change of that value', async (t) => {
  const shop = await ImportShop.open(t);
  const header = 'petId,name,category,quantity,status,lowStockAt,restockAt,sku,barcodes,supplier\n';
  const first = ['1', 'Rex', 'Dogs', '5', 'available', '2', '4', 'A-1', '4006381333931', 'Zoo'];
  await shop.apply((await shop.planned(`${header}${first.join()}\n`)).id);
  const other = ['Max', 'Cats', '6', 'sold', '1', '9', 'B-1', '96385074', 'Reef'];
  for (const [i, value] of other.entries()) {
    const name = header.trim().split(',')[i + 1] ?? '';
    const { id, counts } = await shop.planned(`${header}${first.with(i + 1, value).join()}\n`);
    assert.deepEqual(counts, { new: 0, changed: 1, unchanged: 0 }, name);
    const [{ before, after } = assert.fail()] = await shop.rows(id);
    const changed = Object.entries(after ?? {}).filter(
      ([field, now]) => String(now) !== String(before?.[field as keyof typeof before]),
    );
    assert.deepEqual(
      changed.map(([field, now]) => [field, String(now)]),
      [[name, value]],
    );
    await shop.apply(id);
    const back = await shop.planned(`${header}${first.join()}\n`);
    assert.equal(back.counts.changed, 1, `${name} was written`);
    await shop.apply(back.id);
  }
  const expected = 1 + 2 * other.length;
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[expected]]);
});

once('the same file twice changes nothing, in each format', async (t) => {
  const shop = await ImportShop.open(t);
  const object = '{"petId":1,"quantity":5,"name":"Rex"}';
  for (const [format, content] of [
    ['csv', 'petId,quantity,name\n1,5,Rex\n'],
    ['json', `[${object}]`],
    ['ndjson', object],
  ] as const) {
    const { id, counts } = await shop.planned(content, format);
    const isFirst = format === 'csv';
    assert.deepEqual(counts, { new: isFirst ? 1 : 0, changed: 0, unchanged: isFirst ? 0 : 1 });
    assert.equal((await shop.apply(id)).state, 'applied');
  }
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[1]]);
});

test('a wrong file is invalid, with its faults by line and column, and cannot be applied', async (t) => {
  const shop = await ImportShop.open(t);
  const { id, state, faults, faultCount } = await shop.planned(
    'petId,quantity\n1,1\nx,2\n2,-1\n1,5\n3,3\n2,9007199254740992\n',
  );
  assert.equal(state, 'invalid');
  assert.deepEqual(
    faults.map(({ line, field }) => [line, field]),
    [
      [3, 'petId'],
      [4, 'quantity'],
      [5, 'petId'],
      [7, 'quantity'],
    ],
  );
  assert.equal(faults[2]?.message, '1 is on line 2 already; keep one of the two rows.');
  assert.equal(faultCount, 4);
  for (const act of ['apply', 'plan', 'cancel'] as const) {
    await assert.rejects(shop.store.imports[act](id, STAFF), /it is invalid/);
  }
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[0]]);
});

once('a hundred faults are kept, the others counted, and what ends the file is among them', async (t) => {
  const shop = await ImportShop.open(t);
  const wrong = await shop.planned(`petId,quantity\n${'x,1\n'.repeat(5_000)}`);
  assert.deepEqual([wrong.faults.length, wrong.faultCount], [100, 5_000]);
  const open = await shop.planned(`petId,quantity\n${'x,1\n'.repeat(500)}1,"`);
  assert.deepEqual([open.faults.length, open.faultCount], [100, 501]);
  assert.equal(open.faults.at(-1)?.line, 502);
  const repeated = await shop.planned(`petId,quantity\n${'1,1\n'.repeat(5_000)}`);
  assert.deepEqual([repeated.faults.length, repeated.faultCount], [100, 4_999]);
});

once('an element of an array is named, also when several share a line', async (t) => {
  const shop = await ImportShop.open(t);
  const { faults } = await shop.planned('[{"petId":1,"quantity":1},{"petId":"1","quantity":2}]', 'json');
  assert.deepEqual(faults, [
    {
      line: 1,
      element: 2,
      field: 'petId',
      ...importProblem('repeated_pet', { petId: 1, earlierLine: 1 }),
      row: '{"petId":"1","quantity":2}',
    },
  ]);
});

test('a plan whose stock changed is refused with those rows, and can be planned again', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1), petRow(2), petRow(3)]);
  const { id } = await shop.planned('petId,quantity\n1,5\n2,1\n3,7\n4,1\n5,1\n');
  await shop.importRows([petRow(2, { quantity: 9 }), petRow(4)]);
  const stale = await shop.apply(id);
  assert.equal(stale.state, 'stale');
  assert.deepEqual(
    stale.faults.map(({ line, message }) => [line, message]),
    [
      [3, 'pet 2 changed after the plan; plan again.'],
      [5, 'pet 4 changed after the plan; plan again.'],
    ],
  );
  assert.equal(stale.faultCount, 2);
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[5]]);
  await assert.rejects(shop.store.imports.apply(id, STAFF), /it is stale: plan it again/);

  await shop.store.imports.plan(id, STAFF);
  await shop.runJobs();
  const { state, counts, faultCount } = await shop.find(id);
  assert.deepEqual([state, counts, faultCount], ['planned', { new: 1, changed: 3, unchanged: 1 }, 0]);
  assert.equal((await shop.apply(id)).state, 'applied');
  assert.deepEqual(await shop.database.rows('SELECT pet_id, quantity FROM inventory ORDER BY pet_id'), [
    [1, 5],
    [2, 1],
    [3, 7],
    [4, 1],
    [5, 1],
  ]);
});

test('one of two concurrent applies is refused, and the rows are written one time', async (t) => {
  const shop = await ImportShop.open(t);
  const { id } = await shop.planned('petId,quantity\n1,5\n');
  const results = await Promise.allSettled([
    shop.store.imports.apply(id, STAFF),
    shop.store.imports.apply(id, STAFF),
  ]);
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await Promise.all([shop.runJobs(), shop.runJobs()]);
  assert.equal((await shop.find(id)).state, 'applied');
  await assert.rejects(shop.store.imports.apply(id, STAFF), /it is applied/);
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[1]]);
});

once('a quantity above the limit of the shop is a fault', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload('petId,quantity\n1,5\n2,6\n');
  await shop.runJobs(undefined, 5);
  const { state, faults } = await shop.find(id);
  assert.equal(state, 'invalid');
  assert.deepEqual(faults, [
    {
      line: 3,
      element: null,
      field: 'quantity',
      code: 'quantity_too_large',
      values: { quantity: '6', maximum: '5' },
      message: '6 is above PETSTORE_MAX_QUANTITY (5).',
      row: '2,6',
    },
  ]);
});

once('an import that is not there is not found', async (t) => {
  const { store } = await ImportShop.open(t);
  for (const act of ['plan', 'apply', 'cancel', 'delete'] as const) {
    await assert.rejects(store.imports[act]('imp_none', STAFF), (error) => {
      assert.ok(error instanceof OperatorError);
      assert.equal(error.code, 'not_found');
      return true;
    });
  }
  assert.equal(await store.imports.find('imp_none'), undefined);
  assert.deepEqual(await store.imports.rows('imp_none', { limit: 1 }), []);
});

once('a pet that was archived after the plan is restored when the import gives it stock', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: 0 }), petRow(2, { quantity: 0 })]);
  const { id } = await shop.planned('petId,quantity\n1,5\n2,0\n');
  for (const petId of [1n, 2n]) await shop.store.pets.archive(petId, STAFF);
  assert.equal((await shop.apply(id)).state, 'applied');
  const archived = async (petId: bigint) => (await shop.store.pets.find(petId)).archivedAtMs !== null;
  assert.deepEqual([await archived(1n), await archived(2n)], [false, true]);
});

once('an archived pet of which units arrived stays archived when a file says what it has', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: 0 }), petRow(2, { quantity: 0 }), petRow(3, { quantity: 0 })]);
  for (const petId of [1n, 2n, 3n]) {
    await shop.store.pets.archive(petId, STAFF);
    await shop.store.write({ kind: 'change', change: { kind: 'set', petId, quantity: 3 } }, STAFF);
  }
  const { id, counts } = await shop.planned('petId,name,quantity\n1,,3\n2,Rex,3\n3,,2\n');
  assert.deepEqual([counts.unchanged, counts.changed], [1, 2]);
  assert.equal((await shop.apply(id)).state, 'applied');
  for (const petId of [1n, 2n, 3n])
    assert.notEqual((await shop.store.pets.find(petId)).archivedAtMs, null, `pet ${petId}`);
});

test('an import names the newest one of the same bytes and mode that was applied before', async (t) => {
  const shop = await ImportShop.open(t);
  const before = async (id: string) => (await shop.find(id)).appliedBefore;
  // Read twice, because its second number proves what the first one means.
  const delivery = 'petId;name;category;quantity\n1;Rex;Dogs;1.200\n2;Luna;Cats;7,0\n';
  const first = await shop.upload(delivery, { mode: 'add', partBytes: 7 });
  const second = await shop.upload(delivery, { mode: 'add' });
  const replacing = await shop.upload(delivery, { mode: 'set' });
  const other = await shop.upload(delivery.replace('1.200', '1.300'), { mode: 'add' });
  await shop.runJobs();
  assert.equal((await shop.find(first)).state, 'planned');
  assert.equal(await before(second), null, 'none is applied');
  assert.equal((await shop.apply(first)).state, 'applied');
  assert.deepEqual(await Promise.all([first, second, replacing, other].map(before)), [
    null,
    first,
    null,
    null,
  ]);
  assert.equal((await shop.apply(second)).state, 'stale');
  await shop.store.imports.plan(second, STAFF);
  await shop.runJobs();
  assert.equal((await shop.apply(second)).state, 'applied');
  const third = await shop.planned(delivery, 'csv', 'add');
  assert.deepEqual(await Promise.all([first, second, third.id].map(before)), [null, first, second]);
  assert.deepEqual(
    (await shop.store.imports.list({ limit: 10 })).find(({ id }) => id === third.id),
    third,
  );
  await shop.store.imports.delete(second, STAFF);
  assert.equal(await before(third.id), first);
  // Of a file that cannot be read, nothing can be applied.
  const unreadable = await shop.planned('petId,quantity\n1,"5\n');
  assert.deepEqual([unreadable.state, unreadable.appliedBefore], ['invalid', null]);
});
