import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAdminKey } from '../../server/test/blackbox/operator.ts';
import { startService } from '../../server/test/blackbox/service.ts';
import { until } from '../../server/test/support/until.ts';
import { AdminClient, type PetstoreError } from '../src/admin.ts';
import { PetstoreClient } from '../src/index.ts';

const LARGE = 9007199254740993n;
const pets = [
  { petId: 7n, quantity: 5 },
  { petId: LARGE, quantity: 3 },
];

test('the client of the management API on a service', async (t) => {
  const service = await startService(t, { pets });
  const baseUrl = `http://127.0.0.1:${service.port}`;
  const apiKey = await makeAdminKey(service, 'administrator');
  const admin = new AdminClient({ baseUrl, apiKey });

  await t.test('makes an account with a key, with which a client works', async () => {
    const account = await admin.createAccount({ name: 'Harbour shop', plan: 'pro' });
    const made = await admin.createKey({ accountId: account.id, name: 'till' });
    const client = new PetstoreClient({ baseUrl, apiKey: made.key });
    assert.equal((await client.getInventoryItem(LARGE)).quantity, 3);
    const names: string[] = [];
    for await (const { name } of admin.listAccounts({ limit: 1 })) names.push(name);
    assert.ok(names.length > 1 && names.includes('Harbour shop'), 'all pages');
    assert.equal((await admin.revokeKey(made.id)).id, made.id);
    await assert.rejects(client.getInventoryItem(7), { code: 'revoked_api_key' });
  });

  await t.test('changes stock with exact petIds, and only once', async () => {
    const change = { delta: -1, reason: 'sold' } as const;
    const { quantityAfter } = await admin.adjustInventory(LARGE, change, { idempotencyKey: 'one' });
    assert.equal(quantityAfter, 2);
    const again = admin.adjustInventory(LARGE, change, { idempotencyKey: 'one' });
    assert.equal((await again.withResponse()).isReplayed, true);
    assert.deepEqual(await admin.listPets({ alert: ['low', 'out', 'oversold'] }), []);
    assert.deepEqual(
      (await admin.listPets({ petId: [LARGE, 7] })).map(({ petId }) => petId),
      [7n, LARGE],
    );
  });

  await t.test('a refused stock-take names the pets that are in the way', async () => {
    const { id } = await admin.startStocktake({ name: 'By mistake' });
    await admin.countPet(id, { petId: LARGE, counted: 6 });
    await admin.adjustInventory(LARGE, { delta: -5, reason: 'sold' });
    await assert.rejects(admin.cancelStocktake(id), ({ code, details }: PetstoreError) => {
      assert.deepEqual([code, details.petCount], ['insufficient_stock', 1]);
      assert.deepEqual(details.pets, [{ petId: LARGE, quantity: 1, result: -3n }]);
      return true;
    });
    await admin.adjustInventory(LARGE, { delta: 5, reason: 'returned' });
    assert.equal((await admin.cancelStocktake(id)).state, 'cancelled');
    assert.equal((await admin.getInventoryItem(LARGE)).quantity, 2);
  });

  await t.test('imports a file, and exports one', async () => {
    const file = `petId,quantity,name\n${LARGE},9,Rex\n`;
    const [text, bytes, blob] = [file, new TextEncoder().encode(file), new Blob([file])];
    for (const sent of [text, bytes, blob]) {
      const { id } = await admin.createImport(sent, { fileName: 'pets.csv' });
      const stateOf = async () => (await admin.getImport(id)).state;
      await until(async () => (await stateOf()) === 'planned', 'the plan');
      if (sent === blob) {
        await admin.applyImport(id);
        await until(async () => (await stateOf()) === 'applied', 'the import');
      } else assert.equal((await admin.cancelImport(id)).state, 'cancelled');
    }
    const reorder = await admin.updateReorder(LARGE, { ordered: 5, expectedOn: '2026-12-03' });
    assert.deepEqual([reorder.petId, reorder.outstanding], [LARGE, 5]);
    assert.match(
      await admin.exportReorders({ state: 'ordered' }),
      new RegExp(`^${LARGE},Rex,dogs,.*,5,0,5,2026-12-03,`, 'm'),
    );
    assert.match(await admin.exportPets(), new RegExp(`^${LARGE},Rex,dogs,9,`, 'm'));
    assert.match(await admin.exportPets({ format: 'ndjson' }), new RegExp(`"petId":${LARGE},`));
    const workbook = await admin.exportPets({ format: 'xlsx' });
    const { id } = await admin.createImport(
      workbook,
      { fileName: 'pets.xlsx' },
      { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    );
    const read = async () => admin.getImport(id);
    await until(async () => (await read()).state === 'planned', 'the plan of the workbook');
    const { format, counts, errorCount } = await read();
    assert.deepEqual([format, counts.changed, counts.new, errorCount], ['xlsx', 0, 0, 0]);
    assert.ok(counts.unchanged > 0);
    for (const report of [
      await admin.exportReorders({ format: 'xlsx' }),
      await admin.exportStockReport({ format: 'xlsx' }),
    ]) {
      assert.deepEqual(report.slice(0, 4), new TextEncoder().encode('PK\u0003\u0004'));
    }
    const { data, headers } = await admin.listPetRows().withResponse();
    assert.match(data, new RegExp(`${LARGE}`));
    assert.match(headers.get('Content-Type') ?? '', /ndjson/);
    await assert.rejects(admin.createImport(7 as never), { code: 'invalid_argument' });
    const refused = admin.createImport('{}', {}, { contentType: 'text/plain' as never });
    await assert.rejects(refused, { code: 'unsupported_media_type', status: 415 });
  });

  await t.test('remembers mappings under any name', async () => {
    const columns = [
      { heading: 'Best.Nr', field: 'petId' },
      { heading: 'lagernd', field: 'quantity' },
    ] as const;
    for (const name of ['Zoo Wholesale', 'Söhne & 50 % / Lager?#', '…']) {
      assert.equal((await admin.setImportMapping(name, { columns })).name, name);
      assert.equal((await admin.getImportMapping(name)).name, name);
    }
    const { id } = await admin.createImport(`Best.Nr;lagernd\n${LARGE};9\n`, { mapping: 'Zoo Wholesale' });
    await until(async () => (await admin.getImport(id)).state !== 'checking', 'the plan of the mapping');
    assert.equal((await admin.getImport(id)).reading?.mapping, 'Zoo Wholesale');
    assert.equal(await admin.listImportBadRows(id), 'import_problem\r\n');
    await admin.deleteImport(id);
    for (const { name } of await admin.listImportMappings()) await admin.deleteImportMapping(name);
    assert.deepEqual(await admin.listImportMappings(), []);
    for (const name of ['', '.', '..', '\ud800', 7 as never])
      await assert.rejects(admin.getImportMapping(name), { code: 'invalid_argument' }, String(name));
  });

  await t.test('the owner of a code is an exact petId', async () => {
    await admin.updatePet(LARGE, { sku: 'CAT-7' });
    const { id } = await admin.createBulkChange({ petIds: [7], set: { sku: 'CAT-{petId}' } });
    await until(async () => (await admin.getBulkChange(id)).state === 'planned', 'the plan');
    const [pet] = await admin.listBulkChangePets(id);
    assert.deepEqual([pet?.petId, pet?.reason, pet?.codeOwner], [7n, 'code_in_use', LARGE]);
    await admin.cancelBulkChange(id);
  });

  await t.test('follows the movements', async () => {
    for await (const { petId, quantityAfter } of admin.streamMovements({ after: 0 })) {
      if (petId === LARGE && quantityAfter === 9) break;
    }
  });

  await t.test('costly operations have a limit of their own', async () => {
    assert.equal((await admin.auditLedger()).isIntact, true);
    assert.equal(admin.rateLimits.minute?.limit, 1_200);
    const limits = (await admin.auditLedger().withResponse()).headers.get('RateLimit-Policy');
    assert.match(limits ?? '', /q=60;/);
  });

  await t.test('takes the address of the service in each form', async () => {
    for (const end of ['', '/', '/v1', '/admin/v1', '/admin/v1/'])
      assert.ok(await new AdminClient({ baseUrl: baseUrl + end, apiKey }).getSystem(), end);
  });

  await t.test('refuses keys of clients, addresses and ids that cannot work', async () => {
    const invalid = { code: 'invalid_argument' };
    assert.throws(() => new AdminClient({ baseUrl, apiKey: service.key }), {
      ...invalid,
      message: 'apiKey must begin with psa_.',
    });
    assert.throws(() => new AdminClient({ baseUrl, apiKey: `${apiKey}\n` }), {
      ...invalid,
      message: 'apiKey must have no spaces or line breaks.',
    });
    for (const wrong of ['', 'stock.example', 'ftp://a', 'http://a?b', undefined as never])
      assert.throws(() => new AdminClient({ baseUrl: wrong, apiKey }), invalid, wrong);
    for (const id of ['', '.', '..', 'a/b', 'a?b', 7 as never]) {
      await assert.rejects(async () => admin.getAccount(id), invalid, id);
      await assert.rejects(admin.listImportBadRows(id), invalid, id);
    }
    await assert.rejects(admin.getAccount('acc_0000000000000000'), ({ code, status }: PetstoreError) => {
      assert.deepEqual([code, status], ['not_found', 404]);
      return true;
    });
  });
});
