import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { petRow } from '../../support/pet-rows.ts';
import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { adjusting, assertLedger, newAuthor, openTwo, writeSingle } from '../support/shared-stores.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

useEngine(new PostgresEngine());

/** More than two batches of reads and writes. */
const PETS = 24_000;

/** The row of a pet in the second file; every fourth pet is unchanged. */
function changed(pet: PetRow, i: number): PetRow {
  const changes: Partial<PetRow>[] = [
    {},
    { quantity: pet.quantity + 1 },
    { name: `${pet.name} the second`, status: null },
    { category: 'Cats', name: null },
  ];
  return { ...pet, ...changes[i % changes.length] };
}

test('an import of many rows makes one chain with all other changes, also where names alone are others', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = Array.from({ length: PETS }, (_, i) => petRow(BigInt(i * 7) - 1_000n, i % 50));
  // The rows have no order.
  const shared = await openTwo(t, { pets: pets.toReversed() });
  const petId = 700n - 1_000n;
  // Ahead of the clock of the import.
  const atMs = newAuthor().atMs + 3_600_000;
  await writeSingle(shared.one, adjusting(petId, 5, { author: newAuthor({ atMs }) }));
  const rows = [...pets.map(changed), petRow(5n, 77)];
  assert.deepEqual(await shared.admin.importPets(rows, 'cli', 0), {
    created: 1,
    changed: (PETS / 4) * 3 + 1,
    unchanged: PETS / 4 - 1,
  });
  const movements = await assertLedger(shared.database);
  const imported = movements.slice(PETS + 1);
  const petIds = imported.map((movement) => movement.petId);
  assert.deepEqual(
    petIds,
    petIds.toSorted((a, b) => Number(a - b)),
  );
  for (const movement of imported) {
    const { kind, actor, requestId, recordedAtMs } = movement;
    assert.deepEqual([kind, actor, requestId, recordedAtMs], ['import', 'cli', null, atMs]);
  }
  const names = imported.filter((movement) => movement.quantityAfter === movement.quantityBefore);
  assert.equal(names.length, PETS / 2, 'a name or category alone has its movement too');
  const item = await shared.other.findItem(14n - 1_000n, Date.now());
  assert.deepEqual([item?.name, item?.version, item?.status], ['Pet -986 the second', 2, 'available']);

  assert.deepEqual(await shared.admin.importPets(rows, 'cli', 0), {
    created: 0,
    changed: 0,
    unchanged: PETS + 1,
  });
  assert.equal((await assertLedger(shared.database)).length, movements.length);
});
