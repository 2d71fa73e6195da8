import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  placeOf,
  reorderPage,
  type ReorderPlace,
  type ReorderQuery,
  type ReorderRow,
  reorderRows,
  type ReorderStore,
} from '../../src/domain/management/reorders.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';

const PETS = 90;
const QUERY = { state: 'all' } as const;

/** Pets of each alert level and without one, of any age, some without sales, and some of which units are on their way. */
async function placesShop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const pets = Array.from({ length: PETS }, (_, i) => petRow(i + 1, { quantity: (i * 7) % 11 }));
  await store.importPets(pets, 'cli');
  await database.run(`UPDATE inventory SET created_at = created_at - 86400000 * CAST(pet_id % 41 AS bigint),
reserved = CASE WHEN pet_id % 5 = 1 THEN quantity + 3 ELSE 0 END,
alert_level = CASE pet_id % 5 WHEN 0 THEN 'out' WHEN 1 THEN 'oversold' WHEN 4 THEN NULL ELSE 'low' END`);
  const day = Math.floor(Date.now() / 86_400_000);
  await database.run(`INSERT INTO sales (pet_id, day, units)
SELECT pet_id, ${day} - pet_id % 9, 1 + pet_id % 4 FROM inventory WHERE pet_id % 3 <> 0`);
  await database.run(`INSERT INTO reorders (pet_id, ordered, after_sequence, ordered_by, ordered_at)
SELECT pet_id, 5, ${PETS}, 'cli', 1 FROM inventory WHERE pet_id % 5 > 2`);
  const rows: ReorderRow[] = [];
  for await (const part of reorderRows(store.reorders, QUERY)) rows.push(...part);
  return { reorders: store.reorders, rows, all: rows.map(placeOf) };
}

const idsOf = (places: readonly { readonly petId: bigint }[]) => places.map(({ petId }) => petId);

test('places within bounds are all there, and few others are read', async (t) => {
  const { reorders, all } = await placesShop(t);
  assert.equal(all.length, PETS);
  assert.deepEqual([...new Set(all.map(({ rank }) => rank))], [0, 1, 2, 3]);
  let read = 0;
  for (const [i, after] of all.entries()) {
    const wanted = all.slice(i + 1, i + 4);
    const { places } = await reorders.places({ ...QUERY, after, upTo: wanted.at(-1) });
    const found = new Set(idsOf(places));
    for (const { petId } of wanted)
      assert.ok(found.has(petId), `pet ${petId} comes after pet ${after.petId}`);
    read += places.length;
  }
  assert.ok(read < (PETS * PETS) / 4, `${read} places`);
});

/** A store that gives few pets per call. @param onPlaces Receives the places of each call. */
function inParts(
  reorders: Pick<ReorderStore, 'places' | 'rows'>,
  onPlaces: (places: readonly ReorderPlace[]) => void,
): Pick<ReorderStore, 'places' | 'rows'> {
  return {
    rows: (petIds) => reorders.rows(petIds),
    places: async ({ beyond = 0n, ...query }) => {
      const last = beyond + 20n;
      const { places } = await reorders.places(query);
      const part = places.filter(({ petId }) => petId > beyond && petId <= last);
      onPlaces(part);
      return last < PETS ? { places: part, next: last } : { places: part };
    },
  };
}

test('pages have all rows once and in order, also of pets that are read in parts', async (t) => {
  const { reorders, rows } = await placesShop(t);
  for (const limit of [1, 7, 89, 90, 91]) {
    const sizes: number[] = [];
    const store = inParts(reorders, (places) => sizes.push(places.length));
    const paged: ReorderRow[] = [];
    let after: ReorderPlace | undefined;
    do {
      const { items, next } = await reorderPage(store, QUERY, { limit, after });
      assert.ok(items.length === limit || next === undefined);
      paged.push(...items);
      after = next;
    } while (after && paged.length <= PETS);
    assert.deepEqual(idsOf(paged), idsOf(rows), `pages of ${limit}`);
    if (limit > 1) continue;
    const read = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(read < (PETS * PETS) / 4, `${read} places of single rows`);
  }
});

test('other pets take the place of those that leave the list while a page is read', async (t) => {
  const { reorders, rows } = await placesShop(t);
  const gone = new Set(idsOf(rows.slice(2, 5)));
  const store = {
    ...inParts(reorders, () => undefined),
    rows: async (petIds: readonly bigint[]) => reorders.rows(petIds.filter((petId) => !gone.has(petId))),
  };
  const { items, next } = await reorderPage(store, QUERY, { limit: 6 });
  assert.deepEqual(idsOf(items), idsOf([...rows.slice(0, 2), ...rows.slice(5, 9)]));
  assert.equal(next?.petId, rows[8]?.petId);
});

test('the list of a supplier has its pets of the whole list, also of one with many pets, whose others are not read', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1)], 'cli');
  // Of 6,600 pets every 11th is low, and of every 100th some units are ordered.
  const ids = `WITH RECURSIVE ids (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM ids WHERE id < 6600) SELECT`;
  await database.run(`INSERT INTO pets (pet_id) ${ids} id FROM ids`);
  await database.run(`INSERT INTO inventory
(pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level, created_at)
${ids} id, 5, 'available', 1, 1, 1, 0, CASE id % 11 WHEN 0 THEN 'low' END, 1 FROM ids`);
  await database.run(`INSERT INTO reorders (pet_id, supplier, ordered, after_sequence, ordered_by, ordered_at)
${ids} id, CASE WHEN id % 2000 = 0 THEN 'Few' WHEN id % 11 = 3 THEN NULL WHEN id % 10 = 0 THEN 'Some' ELSE 'Many' END,
CASE id % 100 WHEN 0 THEN 5 END, 1, 'cli', 1 FROM ids`);
  const list = async (query: ReorderQuery) =>
    idsOf((await Array.fromAsync(reorderRows(store.reorders, query))).flat());
  const suppliers = new Map<string, bigint[]>();
  for (const { petId, supplier } of (await Array.fromAsync(reorderRows(store.reorders, QUERY))).flat()) {
    suppliers.set(supplier ?? '', [...(suppliers.get(supplier ?? '') ?? []), petId]);
  }
  for (const supplier of ['Few', 'Some', 'Many'])
    assert.deepEqual(await list({ ...QUERY, supplier }), suppliers.get(supplier) ?? [], supplier);
  assert.deepEqual(await list({ ...QUERY, supplier: 'few' }), []);
  assert.deepEqual(await list({ ...QUERY, supplier: 'Few\0' }), []);
  assert.deepEqual(await list({ ...QUERY, category: 'Fish\0' }), []);
  const ordered = await list({ ...QUERY, state: 'ordered', supplier: 'Few' });
  assert.deepEqual(ordered, [2_000n, 4_000n, 6_000n]);
  const sizes = await database.rows('SELECT count(*) FROM reorders GROUP BY supplier ORDER BY 1');
  // Few, without one, some and many: with one call, with several, and with reads of all pets at first.
  assert.deepEqual(sizes.flat(), [3, 597, 600, 5399]);
  const { places, next } = await store.reorders.places({ ...QUERY, supplier: 'Few' });
  assert.deepEqual([places.length, next], [3, undefined], 'one call reads no pets of others');
  const none = await store.reorders.places({ state: 'to_order', supplier: 'Few' });
  assert.deepEqual(none.places, [], 'a pet that is not in the list has no place');

  await database.run("UPDATE inventory SET alert_level = 'low'");
  const sizesOf = async (
    query: ReorderQuery & { readonly after?: ReorderPlace; readonly upTo?: ReorderPlace },
  ) => {
    const parts: number[] = [];
    let beyond: bigint | undefined;
    do {
      const part = await store.reorders.places({ ...query, beyond });
      parts.push(part.places.length);
      beyond = part.next;
    } while (beyond !== undefined);
    return parts;
  };
  assert.deepEqual(await sizesOf(QUERY), [5_000, 1_600]);
  // What cannot be in the list is not read: one call is enough for the 66 pets of which units are ordered.
  assert.deepEqual(await sizesOf({ ...QUERY, state: 'ordered' }), [66]);
  assert.deepEqual(await sizesOf({ ...QUERY, after: { rank: 3, daysOfStock: null, petId: 0n } }), [0]);
});
