import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { PET_ROW_COLUMNS } from '../../src/domain/management/pet-rows.ts';
import { adminShop } from '../support/admin-shop.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';

test('all pets come in one response, in the order of petId, with the members of the list', async (t) => {
  const edges = [MIN_INT64, -1n, 0n, MAX_INT64];
  // More than one part, and a last part that is full.
  const many = Array.from({ length: 9_996 }, (_, i) => petRow(BigInt(10 + i), i));
  const app = await startApp(t, { pets: [...edges.map((petId) => petRow(petId, 0)), ...many] });
  await app.admin.pets.archive(0n, CLI_AUTHOR);
  const { key } = await app.makeAdminKey('viewer');
  const [head] = (await app.request('GET', '/admin/v1/movements?order=desc&limit=1', { key })).json as [
    { sequence: number },
  ];
  const answer = await app.request('GET', '/admin/v1/pets/rows', { key });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Inventory-Sequence'), String(head.sequence));
  const [names, ...rows] = answer.text.trimEnd().split('\n');
  assert.deepEqual(JSON.parse(names ?? ''), PET_ROW_COLUMNS);
  assert.equal(rows.length, 10_000);
  const found = await app.admin.pets.findAll([MIN_INT64, -1n, 0n, 10n, 10_005n, MAX_INT64]);
  const lines = [rows[0], rows[1], rows[2], rows[3], rows[9_998], rows[9_999]];
  for (const [i, pet] of found.entries()) {
    const expected = PET_ROW_COLUMNS.map((name) => (name === 'petId' ? String(pet.petId) : pet[name]));
    assert.deepEqual(JSON.parse(lines[i] ?? ''), expected);
  }
});

test('a row has each text as it is', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 0)] });
  const strange = '["quoted", \\ \u2028 é 🐕 null]';
  const texts = {
    name: strange,
    category: `${strange}2`,
    sku: 'A"\\]',
    barcodes: ['4006381333931', 'B"]', '],['],
  };
  const unset = { quantity: 0, status: 'available', lowStockAt: null, restockAt: null } as const;
  await app.admin.pets.create({ petId: 2n, ...unset, ...texts }, CLI_AUTHOR);
  await app.admin.pets.create({ petId: 3n, ...unset, name: null, category: null, sku: ']]' }, CLI_AUTHOR);
  const { key } = await app.makeAdminKey('viewer');
  const { text } = await app.request('GET', '/admin/v1/pets/rows', { key });
  const [, ...lines] = text.trimEnd().split('\n');
  const found = await app.admin.pets.findAll([1n, 2n, 3n]);
  const rows = lines.map((line) => JSON.parse(line) as unknown[]);
  assert.deepEqual(
    rows,
    found.map((pet) => PET_ROW_COLUMNS.map((name) => (name === 'petId' ? String(pet.petId) : pet[name]))),
  );
  const [, second] = found;
  assert.deepEqual([second?.name, second?.category, second?.sku], [texts.name, texts.category, texts.sku]);
});

test('a shop without pets has no rows', async (t) => {
  const { app, key } = await adminShop(t, 'viewer');
  const { text } = await app.request('GET', '/admin/v1/pets/rows', { key });
  assert.equal(text, `${JSON.stringify(PET_ROW_COLUMNS)}\n`);
  assert.equal((await app.request('GET', '/admin/v1/pets/rows?limit=1', { key })).status, 400);
});
