import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  IMPORT_KEPT_MS,
  MAX_UNFINISHED_IMPORTS,
  MAX_UNFINISHED_IMPORTS_PER_KEY,
} from '../../src/domain/management/imports.ts';
import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import { testOnceIn } from '../support/test-database.ts';
import { workbook } from '../support/workbook.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const once = testOnceIn();

const FILE = `petId,quantity\n${Array.from({ length: 10_000 }, (_, i) => `${i},1\n`).join('')}`;

const FACTS = {
  encoding: null,
  separator: null,
  headingLine: null,
  sheet: null,
  decimal: null,
  leftOut: [],
  mapping: null,
};

async function purge({ store }: ImportShop): Promise<void> {
  while (await store.importJobs.purge());
}

/** The rows of the tables of imports. */
async function counts({ database }: ImportShop): Promise<unknown> {
  const tables = ['imports', 'import_parts', 'import_rows'];
  const [row] = await database.rows(
    `SELECT ${tables.map((name) => `(SELECT count(*) FROM ${name})`).join(', ')}`,
  );
  return row;
}

test('an upload is shown while it arrives, and leaves nothing when it is abandoned', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports } = shop.store;
  const id = await imports.begin({ format: 'csv', mode: 'set', fileName: null, actor: STAFF.actor });
  await imports.addPart(id, 0, Buffer.from('petId'));
  const [listed] = await imports.list({ limit: 10 });
  assert.deepEqual([listed?.id, listed?.state, listed?.byteCount], [id, 'receiving', 5]);
  await assert.rejects(imports.apply(id, STAFF), /cannot be applied: it is being received/);
  await shop.runJobs();
  await imports.abandon(id);
  await purge(shop);
  assert.deepEqual(await counts(shop), [0, 0, 0]);
  await assert.rejects(imports.addPart(id, 1, Buffer.from('x')), /interrupted for too long/);
  await assert.rejects(imports.complete(id, STAFF), /interrupted for too long/);
  assert.deepEqual(await shop.actions(), []);
});

test('an upload that is complete is neither abandoned nor completed again', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports } = shop.store;
  const { id, state } = await shop.planned(FILE);
  assert.equal(state, 'planned');
  await imports.abandon(id);
  await assert.rejects(imports.complete(id, STAFF), /interrupted for too long/);
  assert.equal((await shop.find(id)).state, 'planned');
});

once(
  'an upload can be cancelled and deleted while it arrives, and nothing more of it is stored',
  async (t) => {
    const shop = await ImportShop.open(t);
    const { imports } = shop.store;
    for (const end of ['cancel', 'delete'] as const) {
      const id = await imports.begin({ format: 'csv', mode: 'set', fileName: null, actor: STAFF.actor });
      await imports.addPart(id, 0, Buffer.from('petId'));
      await imports[end](id, STAFF);
      await assert.rejects(imports.addPart(id, 1, Buffer.from('x')), /cancelled or deleted/);
      await purge(shop);
      assert.equal(((await counts(shop)) as number[])[1], 0, 'its parts are deleted');
    }
  },
);

once('an upload of a process that died leaves nothing after a minute', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.store.imports.begin({
    format: 'csv',
    mode: 'set',
    fileName: null,
    actor: STAFF.actor,
  });
  await shop.store.imports.addPart(id, 0, Buffer.from('petId'));
  await purge(shop);
  assert.deepEqual(await counts(shop), [1, 1, 0]);
  await shop.endLeases();
  await purge(shop);
  assert.deepEqual(await counts(shop), [0, 0, 0]);
});

test('an import that failed too often does not keep the one after it from its runner', async (t) => {
  const shop = await ImportShop.open(t);
  const { importJobs } = shop.store;
  // The database returns the rows of an owner in any order, so more than one try.
  for (let round = 0; round < 8; round += 1) {
    const failing = await shop.upload(FILE);
    await shop.database.run(`UPDATE imports SET attempts = 10, created_at = 0 WHERE id = '${failing}'`);
    const waiting = await shop.upload(FILE);
    assert.equal((await importJobs.claim())?.id, waiting);
    assert.equal((await shop.find(failing)).state, 'failed');
    await shop.store.imports.delete(waiting, STAFF);
  }
});

once('an import is cancelled in each state that is not final', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports } = shop.store;
  const checking = await shop.upload(FILE);
  assert.equal((await imports.cancel(checking, STAFF)).state, 'cancelled');
  const { id: planned } = await shop.planned(FILE);
  assert.equal((await imports.cancel(planned, STAFF)).state, 'cancelled');
  const { id: applying } = await shop.planned(FILE);
  await imports.apply(applying, STAFF);
  assert.equal((await imports.cancel(applying, STAFF)).state, 'cancelled');
  const { id: stale } = await shop.planned('petId,quantity\n1,1\n');
  await shop.apply((await shop.planned('petId,quantity\n1,2\n')).id);
  assert.equal((await shop.apply(stale)).state, 'stale');
  assert.equal((await imports.cancel(stale, STAFF)).state, 'cancelled');
  await shop.runJobs();
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[1]]);
  for (const id of [checking, planned, applying, stale]) {
    for (const act of ['plan', 'apply', 'cancel'] as const)
      await assert.rejects(imports[act](id, STAFF), /it is cancelled/);
  }
});

once('a check ends when its import is cancelled or deleted between two pieces', async (t) => {
  const shop = await ImportShop.open(t);
  for (const act of ['cancel', 'delete'] as const) {
    const id = await shop.upload(FILE);
    let pieces = 0;
    const add = shop.store.importJobs.addRows.bind(shop.store.importJobs);
    shop.store.importJobs.addRows = async (...values) => {
      pieces += 1;
      if (pieces === 2) await shop.store.imports[act](id, STAFF);
      return add(...values);
    };
    await shop.runJobs();
    assert.equal(pieces, 2);
    shop.store.importJobs.addRows = add;
  }
  await purge(shop);
  assert.deepEqual(await counts(shop), [1, 0, 2_000]);
});

once('an import cannot be cancelled or deleted while its transaction may run', async (t) => {
  const shop = await ImportShop.open(t);
  const { id } = await shop.planned('petId,quantity\n1,1\n');
  await shop.store.imports.apply(id, STAFF);
  const task = await shop.store.importJobs.claim();
  assert.ok(task);
  await assert.rejects(shop.store.imports.cancel(id, STAFF), /it is being applied/);
  await assert.rejects(shop.store.imports.delete(id, STAFF), /it is being applied/);
  assert.equal(await shop.store.importJobs.claim(), undefined);
  await shop.store.importJobs.apply(task);
  assert.equal((await shop.find(id)).state, 'applied');
  await shop.store.importJobs.apply(task);
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[1]]);
});

test('a runner that lost its lease writes nothing', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload('petId,quantity\n1,1\n');
  const late = await shop.store.importJobs.claim();
  assert.ok(late);
  assert.ok(await shop.store.importJobs.clearRows(late));
  await shop.endLeases();
  await shop.runJobs();
  assert.equal((await shop.find(id)).state, 'planned');
  const row = { petId: 2n, name: null, category: null, quantity: 1, status: null };
  assert.equal(
    await shop.store.importJobs.addRows(late, [{ row, line: 2, element: null }], {
      readBytes: 1,
      maxQuantity: 9,
      badRows: 'x',
    }),
    undefined,
  );
  assert.equal(await shop.store.importJobs.clearRows(late), false);
  await shop.store.importJobs.finishCheck(late, {
    faults: [],
    faultCount: 0,
    badRowCount: 0,
    fileHash: undefined,
    facts: FACTS,
  });
  assert.deepEqual((await shop.find(id)).counts, { new: 1, changed: 0, unchanged: 0 });

  await shop.store.imports.apply(id, STAFF);
  const first = await shop.store.importJobs.claim();
  await shop.endLeases();
  const second = await shop.store.importJobs.claim();
  assert.ok(first && second);
  await shop.store.importJobs.apply(first);
  assert.equal((await shop.find(id)).state, 'applying');
  await shop.store.importJobs.apply(second);
  assert.equal((await shop.find(id)).state, 'applied');
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[1]]);
});

test('an import that ends its runner ten times has failed, and can be planned again', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload('petId,quantity\n1,1\n');
  for (let time = 0; time < 10; time += 1) {
    assert.ok(await shop.store.importJobs.claim());
    await shop.endLeases();
  }
  assert.equal(await shop.store.importJobs.claim(), undefined);
  const { state, failure } = await shop.find(id);
  assert.deepEqual([state, failure], ['failed', 'interrupted']);
  await shop.store.imports.plan(id, STAFF);
  await shop.runJobs();
  const planned = await shop.find(id);
  assert.deepEqual([planned.state, planned.failure], ['planned', null]);
});

test('a runner keeps the lease of a file that has no rows for long, and hears that it must stop', async (t) => {
  const shop = await ImportShop.open(t);
  const content = `<w>${'<a></a>'.repeat(300_000)}</w>`;
  const extra = { 'xl/worksheets/sheet1.xml': content };
  const bytes = workbook([{ name: 'Pets', rows: [] }], { extra });
  const id = await shop.upload(bytes, { format: 'xlsx' });
  const { importJobs } = shop.store;
  const add = importJobs.addRows.bind(importJobs);
  let [looks, renewals, elapsedMs, isStopping] = [0, 0, 0, false];
  importJobs.addRows = (...values) => {
    renewals += 1;
    return add(...values);
  };
  const look = () => {
    looks += 1;
    // The checks of a second, in a moment.
    elapsedMs += 1_000;
    return isStopping;
  };
  const runner = new ImportRunner(importJobs, 1_000, look, undefined, () => elapsedMs);
  setTimeout(() => {
    isStopping = true;
  });
  assert.equal(await runner.runNext(), true);
  assert.equal((await shop.find(id)).state, 'checking');
  assert.ok(await importJobs.claim(), 'it was released');
  await shop.endLeases();
  [looks, renewals, isStopping] = [0, 0, false];
  assert.equal(await runner.runNext(), true);
  const { state, faults } = await shop.find(id);
  assert.deepEqual([state, faults.map(({ code }) => code)], ['invalid', ['no_pets']]);
  assert.ok(looks > 20 && renewals > looks / 5 && renewals < looks / 2, `${renewals} of ${looks}`);
});

test('a stopped runner leaves its import to the next one', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload(FILE);
  let looks = 0;
  await shop.runJobs(() => {
    looks += 1;
    return looks > 2;
  });
  assert.equal((await shop.find(id)).state, 'checking');
  await shop.runJobs();
  assert.deepEqual((await shop.find(id)).counts, { new: 10_000, changed: 0, unchanged: 0 });
});

test('a key has five unfinished imports at most, and all keys twenty, also of uploads that begin together', async (t) => {
  const shop = await ImportShop.open(t);
  const upload = { format: 'csv', mode: 'set', fileName: null, actor: STAFF.actor } as const;
  const begin = async (actor: string) => {
    const many = Array.from({ length: MAX_UNFINISHED_IMPORTS_PER_KEY + 2 });
    const begun = await Promise.allSettled(many.map(() => shop.store.imports.begin({ ...upload, actor })));
    return begun.filter((one) => one.status === 'fulfilled');
  };
  const begun = await begin(STAFF.actor);
  assert.equal(begun.length, MAX_UNFINISHED_IMPORTS_PER_KEY);
  await assert.rejects(shop.store.imports.begin(upload), /This key has 5 unfinished imports already/);
  for (const other of ['key_2', 'key_3', 'key_4']) {
    assert.equal((await begin(other)).length, MAX_UNFINISHED_IMPORTS_PER_KEY);
  }
  assert.equal((await shop.store.imports.list({ limit: 100 })).length, MAX_UNFINISHED_IMPORTS);
  assert.equal((await begin('key_5')).length, 0);
  await shop.store.imports.abandon(begun[0]?.value ?? '');
  const { id } = await shop.planned('petId,quantity\nx,1\n');
  assert.equal((await shop.find(id)).state, 'invalid');
  await shop.store.imports.begin(upload);
});

test('imports are listed in pages, the newest first', async (t) => {
  const shop = await ImportShop.open(t);
  const ids: string[] = [];
  for (let i = 0; i < 4; i += 1) ids.unshift((await shop.planned(`petId,quantity\nx${i},1\n`)).id);
  const listed = await shop.store.imports.list({ limit: 100 });
  assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(ids));
  const order = listed.map(({ id }) => id);
  const first = await shop.store.imports.list({ limit: 3 });
  const second = await shop.store.imports.list({ limit: 3, before: first[2] });
  // The page continues also after the last import of the page before was deleted.
  await shop.store.imports.delete(order[2] ?? '', STAFF);
  await purge(shop);
  assert.deepEqual(await shop.store.imports.list({ limit: 3, before: first[2] }), second);
  assert.deepEqual(
    [...first, ...second].map(({ id }) => id),
    order,
  );
});

test('a deleted import goes with its rows; an old one too; the file of an applied one is not kept', async (t) => {
  const shop = await ImportShop.open(t);
  const { id } = await shop.planned(FILE);
  await shop.apply(id);
  await purge(shop);
  assert.deepEqual(await counts(shop), [1, 0, 10_000]);
  await shop.store.imports.delete(id, STAFF);
  assert.equal(await shop.store.imports.find(id), undefined);
  await purge(shop);
  assert.deepEqual(await counts(shop), [0, 0, 0]);

  await shop.planned('petId,quantity\n1,9\n');
  await shop.database.run(`UPDATE imports SET updated_at = updated_at - ${IMPORT_KEPT_MS - 60_000}`);
  await purge(shop);
  assert.deepEqual(await counts(shop), [1, 1, 1]);
  await shop.database.run('UPDATE imports SET updated_at = updated_at - 60001');
  await purge(shop);
  assert.deepEqual(await counts(shop), [0, 0, 0]);
  assert.deepEqual((await shop.actions()).at(-2), ['imports.delete', STAFF.actor]);
});
