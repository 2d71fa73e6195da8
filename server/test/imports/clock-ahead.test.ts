import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportShop, STAFF } from './import-shop.ts';

const FILE = 'petId,quantity\n1,1\n';
const HOUR_MS = 3_600_000;
const UNSTARTED_MS = 30_000;

/** Has the table as it is after the clock is set back. */
async function setClockBack({ database }: ImportShop, ms: number): Promise<void> {
  await database.run(`UPDATE imports SET updated_at = updated_at + ${ms}`);
  await database.run(`UPDATE imports SET lease_until = lease_until + ${ms} WHERE lease_until > 0`);
}

async function purge({ store }: ImportShop): Promise<void> {
  while (await store.importJobs.purge());
}

test('an import whose runner was killed while the clock was ahead is continued after the clock is right', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload('petId,quantity\n1,1\n');
  assert.ok(await shop.store.importJobs.claim());
  // What the table has after the clock is set back by an hour.
  await shop.database.run('UPDATE imports SET lease_until = lease_until + 3600000');
  await shop.runJobs();
  assert.equal((await shop.find(id)).state, 'planned');
  await shop.store.imports.apply(id, STAFF);
  assert.ok(await shop.store.importJobs.claim());
  await shop.database.run('UPDATE imports SET lease_until = lease_until + 30000');
  assert.equal(await shop.store.importJobs.claim(), undefined, 'the clock was set back by half a lease');
});

for (const act of ['cancel', 'delete'] as const) {
  test(`an import whose runner was killed while the clock was ahead does not refuse to ${act} until that time`, async (t) => {
    const shop = await ImportShop.open(t);
    const { imports, importJobs } = shop.store;
    const { id } = await shop.planned(FILE);
    await imports.apply(id, STAFF);
    assert.ok(await importJobs.claim());
    await setClockBack(shop, 30_000);
    await assert.rejects(
      imports[act](id, STAFF),
      /it is being applied/,
      'the clock was set back by half a lease',
    );
    await setClockBack(shop, HOUR_MS);
    await imports[act](id, STAFF);
    await shop.runJobs();
    assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[0]]);
  });
}

test('an upload that was interrupted while the clock was ahead is deleted after its time by the right clock', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports } = shop.store;
  const upload = { format: 'csv', mode: 'set', fileName: null, actor: STAFF.actor } as const;
  await imports.begin(upload);
  const continued = await imports.begin(upload);
  await setClockBack(shop, 24 * HOUR_MS);
  await purge(shop);
  await purge(shop);
  assert.equal((await imports.list({ limit: 10 })).length, 2, 'both may be of people who still upload');
  await shop.database.run('UPDATE imports SET lease_until = lease_until - 60000');
  await imports.addPart(continued, 0, Buffer.from(FILE));
  await purge(shop);
  assert.deepEqual(
    (await imports.list({ limit: 10 })).map(({ id }) => id),
    [continued],
  );
  await imports.complete(continued, STAFF);
  await shop.runJobs();
  assert.equal((await shop.find(continued)).state, 'planned');
});

test('imports that cannot start fail also if they were requested or held while the clock was ahead', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports, importJobs } = shop.store;
  const held = await shop.upload(FILE);
  assert.ok(await importJobs.claim());
  const waiting = await shop.upload(FILE);
  await setClockBack(shop, 30_000);
  assert.equal(await imports.failUnstarted(UNSTARTED_MS), 0, 'a runner may hold the first one');
  await setClockBack(shop, HOUR_MS);
  assert.equal(await imports.failUnstarted(UNSTARTED_MS), 2);
  for (const id of [held, waiting]) assert.equal((await shop.find(id)).failure, 'not_started');
});
