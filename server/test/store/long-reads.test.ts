import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdmin } from '../../src/store/open-admin.ts';
import { LedgerDatabase } from '../ledger/ledger-database.ts';
import { petRow } from '../support/pet-rows.ts';

const PETS = 60_000;

test('totals requested during a summation of all stock include every change before their request', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  await ledger.fill(PETS, PETS);
  const admin = await openAdmin(ledger.database.url);
  t.after(() => admin.close());
  const reader = ledger.reader();
  const before = await ledger.reader().stockTotals();

  const first = reader.stockTotals();
  await admin.importPets([petRow(1n, 1_000_000, 'pending')], 'cli', Date.now());
  const others = Array.from({ length: 5 }, async () => reader.stockTotals());

  const after = { ...before, sold: before.sold - 2n, pending: 1_000_000n };
  for (const totals of await Promise.all(others)) assert.equal(totals.pending, 1_000_000n);
  assert.deepEqual(await reader.stockTotals(), after);
  // It began before the change, and is of one moment.
  const { pending } = await first;
  assert.deepEqual(await first, pending === 0n ? before : after);
});
