import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { isTooSlow } from '../../src/http/admin/imports/receive-file.ts';
import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import { SqlImportStore } from '../../src/store/imports/import-store.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { importJson } from '../../src/wire/import-json.ts';
import { type Answer, startApp } from '../support/harness.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const MEBIBYTE = 1_048_576;
const ROW = '1,1\n';

/** A file in pieces, whose length is not declared. */
function undeclared(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const piece = new Uint8Array(Math.min(left, 65_536)).fill(0x20);
      left -= piece.length;
      controller.enqueue(piece);
    },
  });
}

test('an upload leaves the reserve of the disk to changes, by its declared length and while it arrives', async (t) => {
  const reserve = 10 * MEBIBYTE;
  const disk = { freeBytes: reserve + ROW.length };
  const app = await startApp(t, {
    freeBytes: () => disk.freeBytes,
    config: { PETSTORE_DISK_RESERVE: String(reserve) },
  });
  const { secret: key } = await createKey(app.config, app.admin, {
    role: 'staff',
    name: 'staff',
    scopes: null,
    expiresAtMs: null,
  });
  const upload = (body: string | ReadableStream<Uint8Array>): Promise<Answer> =>
    app.request('POST', '/admin/v1/imports', {
      key,
      body,
      headers: {
        'Content-Type': 'text/csv',
        ...(typeof body === 'string' && { 'Content-Length': String(body.length) }),
      },
    });

  const declared = await upload(`${ROW} `);
  assert.deepEqual([declared.status, declared.code], [507, 'disk_full']);
  assert.match(declared.text, /disk of the database is full/);
  assert.equal(declared.headers.get('Connection'), 'close');
  // A part is in the log and in the database for a while.
  disk.freeBytes = reserve + 2 * MEBIBYTE - 1;
  assert.equal((await upload(undeclared(MEBIBYTE))).code, 'disk_full');
  disk.freeBytes += 1;
  assert.equal((await upload(undeclared(MEBIBYTE))).status, 202);
  const states = await app.database.rows(`SELECT state FROM imports WHERE state <> 'deleted'`);
  assert.equal(states.length, 1, 'nothing is left of what was refused');
});

test('a check and an application that would take the reserve end as failed, and leave no plan', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload('petId,quantity\n1,1\n2,2\n');
  const disk = { reserveBytes: 1_000, capacityBytes: undefined };
  let free = 1_000;
  const { importJobs, imports } = shop.store;
  importJobs.freeBytes = async () => free;
  const run = () => new ImportRunner(importJobs, Number.MAX_SAFE_INTEGER, () => false, disk).runNext();
  await run();
  const checked = await shop.find(id);
  assert.equal(checked.state, 'failed');
  const { failure, failureCode } = importJson(checked) as Readonly<Record<string, unknown>>;
  assert.equal(failureCode, 'disk_full');
  assert.match(String(failure), /disk of the database has no room/);
  assert.deepEqual(await shop.rows(id), []);

  free = 100_000_000;
  await imports.plan(id, STAFF);
  await run();
  assert.equal((await shop.find(id)).state, 'planned');
  // 1,000 bytes per changed pet.
  for (const [left, state] of [
    [2_999, 'failed'],
    [3_000, 'applied'],
  ] as const) {
    free = 100_000_000;
    await imports.plan(id, STAFF);
    await run();
    free = left;
    await imports.apply(id, STAFF);
    await run();
    assert.equal((await shop.find(id)).state, state);
  }
});

test('a body may begin slowly, and must then arrive with 1,000 bytes per second', () => {
  assert.equal(isTooSlow(0, 30_000), false);
  assert.equal(isTooSlow(30, 30_100), true);
  assert.equal(isTooSlow(999, 31_000), true);
  assert.equal(isTooSlow(1_000, 31_000), false);
  assert.equal(isTooSlow(75_000 * 3_600, 3_600_000), false);
});

test('an import is cancelled on a full disk with the reserve, because that frees the disk', async (t) => {
  const shop = await ImportShop.open(t);
  const { id } = await shop.planned('petId,quantity\n1,5\n');
  const engine = await openAdminEngine(shop.database.url);
  t.after(() => engine.close());
  engine.keepReserve();
  const { transaction } = engine;
  const imports = new SqlImportStore(engine);
  let attempts = 0;
  t.mock.method(engine, 'transaction', (command: () => Promise<unknown>) => {
    attempts += 1;
    if (attempts > 1) return transaction.call(engine, command);
    return Promise.reject(Object.assign(new Error('database or disk is full'), { errcode: 13 }));
  });
  await imports.cancel(id, STAFF);
  assert.deepEqual([attempts, (await shop.find(id)).state], [2, 'cancelled']);
});
