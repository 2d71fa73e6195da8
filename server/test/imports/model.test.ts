import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import {
  IMPORT_FORMATS,
  IMPORT_MODES,
  type ImportFormat,
  PET_STATUSES,
} from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { ImportModel } from './import-model.ts';
import { type BuiltCell, workbook } from '../support/workbook.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const RUNS = 20;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const PET_IDS = [
  0n,
  1n,
  2n,
  9_007_199_254_740_992n,
  9_007_199_254_740_993n,
  -(2n ** 63n),
  2n ** 63n - 1n,
] as const;
const NAMES = [null, 'Rex', 'Änne', '=1+1', "'apostrophe", 'a "quoted", one', '🐕', '0', 'none'] as const;

const ROW = fc.record({
  petId: fc.constantFrom(...PET_IDS),
  name: fc.constantFrom(...NAMES),
  category: fc.constantFrom(...NAMES),
  quantity: fc.constantFrom(0, 1, 2, -1, MAX_SAFE),
  status: fc.constantFrom(null, ...PET_STATUSES),
  thresholds: fc.constantFrom(
    undefined,
    { lowStockAt: null, restockAt: null },
    { lowStockAt: 0, restockAt: null },
    { lowStockAt: 1, restockAt: 2 },
  ),
  supplier: fc.constantFrom(undefined, undefined, null, 'Zoo', '=1+1'),
});
type GivenRow = typeof ROW extends fc.Arbitrary<infer T> ? T : never;
const ROWS = fc.uniqueArray(ROW, { minLength: 1, selector: ({ petId }) => petId });

/** A file that sets quantities has no negative ones. */
const settable = <Row extends { readonly quantity: number }>(row: Row): Row => ({
  ...row,
  quantity: Math.max(row.quantity, 0),
});

/** One import: its file, and what another client imports between its plan and its application. */
const IMPORTS = fc.array(
  fc.record({
    rows: ROWS,
    format: fc.constantFrom(...IMPORT_FORMATS),
    mode: fc.constantFrom(...IMPORT_MODES),
    between: fc.option(ROWS),
  }),
  { minLength: 1, maxLength: 4 },
);

function fieldsOf({
  petId,
  name,
  category,
  quantity,
  status,
  thresholds,
  supplier,
}: GivenRow): Record<string, unknown> {
  const low = thresholds && (thresholds.lowStockAt ?? 'none');
  return {
    petId,
    name,
    category,
    quantity,
    status,
    lowStockAt: low ?? null,
    restockAt: thresholds?.restockAt ?? null,
    supplier: supplier === null ? 'none' : (supplier ?? null),
  };
}

/** A row as the importers take it: what it does not change is no member. */
function petRow({ thresholds, supplier, ...row }: GivenRow): PetRow {
  return { ...row, ...(thresholds && { thresholds }), ...(supplier !== undefined && { supplier }) };
}

function fileOf(rows: readonly GivenRow[], format: ImportFormat): string | Uint8Array {
  const all = rows.map(fieldsOf);
  if (format === 'xlsx') {
    const cells = all.map((fields) =>
      Object.values(fields).map((value): BuiltCell =>
        typeof value === 'number' ? value : String(value ?? ''),
      ),
    );
    return workbook([{ name: 'Pets', rows: [Object.keys(all[0] ?? {}), ...cells] }]);
  }
  if (format === 'csv') {
    const lines = all.map((fields) => Object.values(fields).map(csvField).join());
    return `${Object.keys(all[0] ?? {}).join()}\n${lines.join('\n')}\n`;
  }
  const objects = all.map(({ petId, ...fields }) => `{"petId":${petId},${JSON.stringify(fields).slice(1)}`);
  return format === 'json' ? `[${objects.join(',\n')}]` : objects.join('\n');
}

function csvField(value: unknown): string {
  if (typeof value !== 'string') return String(value ?? '');
  return `"${value.replaceAll('"', '""')}"`;
}

async function assertStock({ database }: ImportShop, model: ImportModel): Promise<void> {
  const sql = `SELECT inventory.pet_id, quantity, status, name, supplier FROM inventory
LEFT JOIN pets ON pets.pet_id = inventory.pet_id LEFT JOIN reorders ON reorders.pet_id = inventory.pet_id ORDER BY inventory.pet_id`;
  const normal = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(String));
  assert.deepEqual(normal(await database.rows(sql)), normal(model.stock));
  assert.deepEqual(await database.rows('SELECT count(*) FROM movements'), [[model.movements]]);
}

/** The numbers of the pets that an import found changed. */
function petIdsOf(faults: readonly { readonly message: string }[]): bigint[] {
  return faults.map(({ message }) =>
    BigInt(/^pet (-?\d+) changed after the plan; plan again\.$/.exec(message)?.[1] ?? ''),
  );
}

function sorted(petIds: readonly bigint[]): bigint[] {
  return petIds.toSorted((a, b) => (a < b ? -1 : 1));
}

test('random files are applied exactly as the model says, or refused with exactly the rows that changed', async (t) => {
  const shop = await ImportShop.open(t);
  const { store } = shop;
  // Each run continues with the shop of the run before.
  const model = new ImportModel();
  let [stale, invalid] = [0, 0];
  await fc.assert(
    fc.asyncProperty(IMPORTS, async (imports) => {
      for (const { rows: drawn, format, mode, between } of imports) {
        const given = mode === 'set' ? drawn.map(settable) : drawn;
        const file = fileOf(given, format);
        let rows = model.settingRows(given.map(petRow), mode);
        const wrong = rows.filter(({ quantity }) => quantity < 0 || quantity > MAX_SAFE);
        const { id, state, counts, faults } = await shop.planned(file, format, mode);
        if (wrong.length > 0) {
          invalid += 1;
          assert.deepEqual([state, faults.length], ['invalid', wrong.length], String(file));
          continue;
        }
        let plan = model.plan(rows);
        assert.deepEqual([state, faults], ['planned', []], String(file));
        const effects = (await shop.rows(id)).map(({ petId, effect }) => [petId, effect]);
        assert.deepEqual(new Map(effects as [bigint, 'new'][]), plan.effects, String(file));
        assert.equal(counts.new + counts.changed + counts.unchanged, rows.length);

        const other = (between ?? []).map(settable).map(petRow);
        if (other.length > 0) await shop.importRows(other);
        model.apply(other);
        const changed = model.staleRows(plan);
        if (changed.length > 0) {
          stale += 1;
          const refused = await shop.apply(id);
          assert.equal(refused.state, 'stale');
          assert.deepEqual(sorted(petIdsOf(refused.faults)), sorted(changed));
          await assertStock(shop, model);
          await store.imports.plan(id, STAFF);
          await shop.runJobs();
          rows = model.settingRows(given.map(petRow), mode);
          if (rows.some(({ quantity }) => quantity < 0 || quantity > MAX_SAFE)) {
            assert.equal((await shop.find(id)).state, 'invalid');
            continue;
          }
          plan = model.plan(rows);
        }
        assert.equal((await shop.apply(id)).state, 'applied');
        model.apply(rows);
        await assertStock(shop, model);

        if (mode === 'add') continue;
        const again = await shop.planned(file, format);
        assert.deepEqual(again.counts, { new: 0, changed: 0, unchanged: rows.length });
        assert.equal((await shop.apply(again.id)).state, 'applied');
        await assertStock(shop, model);
      }
    }),
    { numRuns: RUNS, seed: 12 },
  );
  assert.ok(invalid > 4, `only ${invalid} sums were wrong`);
  assert.ok(stale > 4, `only ${stale} plans were stale`);
  assert.deepEqual((await store.verify()).faults, []);
});
