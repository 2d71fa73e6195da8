import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { matchesQuery, petWords, queryWords } from '../../src/domain/management/pet-words.ts';
import { ARCHIVED_FILTERS, type PetQuery } from '../../src/domain/management/pets.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { allPets, assertIndexed } from './indexed-pets.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PIECES = [
  'a',
  'ab',
  'abc',
  'abd',
  'b',
  'ba',
  'Rex',
  'rexy',
  '1',
  '12',
  '-3',
  '%',
  '_',
  "'",
  '"',
  '\\',
  '*',
  'ä',
  'a\u0308',
  'ß',
  'ς',
  'Σ',
  '猫',
  '猫咪',
  'שלום',
  '\u202E',
  '🐶',
  '𐐨',
  '\u200D',
  'x'.repeat(33),
  'x'.repeat(32),
  'OR',
  'NULL',
  '$1',
] as const;

const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ', '-')), { maxLength: 5 })
  .map((pieces) => pieces.flat().join('').trim());

const pet = fc.record({
  petId: fc.oneof(
    fc.integer({ min: -20, max: 20 }).map(BigInt),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n),
  ),
  name: fc.option(text),
  category: fc.option(text),
  isArchived: fc.boolean(),
});

test('search finds what a filter of all pets finds, with any limit', async (t) => {
  const { store, database } = await newAdminStore(t);
  const model = new Map<bigint, { name: string | null; category: string | null; isArchived: boolean }>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(pet, { maxLength: 12 }),
      fc.array(text, { minLength: 4, maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      async (pets, queries, limit) => {
        for (const { petId, isArchived, name, category } of pets) {
          const texts = { name: name || null, category: category || null };
          const before = model.get(petId);
          if (!before) await store.importPets([petRow(petId, { ...texts, quantity: 0 })], 'cli');
          else await store.pets.update(petId, texts, CLI_AUTHOR);
          await (isArchived ? store.pets.archive(petId, CLI_AUTHOR) : store.pets.restore(petId, CLI_AUTHOR));
          model.set(petId, { ...texts, isArchived });
        }
        for (const query of queries) {
          for (const archived of ARCHIVED_FILTERS) {
            const found = await allPets(store.pets, { query, archived, limit });
            assert.equal(new Set(found).size, found.length, 'each pet once');
            const isNumber = /^(?:0|-?[1-9]\d*)$/.test(query);
            const words = queryWords(query);
            const expected = [...model].filter(([petId, one]) => {
              if (archived !== 'include' && one.isArchived !== (archived === 'only')) return false;
              if (isNumber && String(petId) === query) return true;
              return words.length > 0 && matchesQuery(petWords(one), words);
            });
            const sorted = (petIds: Iterable<bigint>) => [...petIds].toSorted((a, b) => (a < b ? -1 : 1));
            assert.deepEqual(sorted(found), sorted(expected.map(([petId]) => petId)), query);
            if (isNumber && found.some((petId) => String(petId) === query)) {
              assert.equal(String(found[0]), query);
            }
          }
        }
      },
    ),
    { numRuns: 25 },
  );
  await assertIndexed(database);
});

test('a page reads a bounded number of rows, also where two common words never meet', async (t) => {
  if (isSkippedDaily(t)) return;
  const { store } = await newAdminStore(t);
  const rows = Array.from({ length: 8_000 }, (_, i) =>
    petRow(i, { name: i % 2 === 0 ? 'common even' : 'common odd', category: i === 7_777 ? 'rare' : 'kind' }),
  );
  await store.importPets(rows, 'cli');
  const list = (query: string, limit = 10) => store.pets.list({ query, archived: 'exclude', limit });
  const never = await list('even odd');
  assert.deepEqual(never.pets, []);
  assert.ok(never.next);
  assert.deepEqual(await allPets(store.pets, { query: 'even odd', archived: 'exclude' }), []);
  assert.deepEqual(
    (await list('common rar')).pets.map(({ petId }) => petId),
    [7_777n],
  );
  assert.equal((await list('common rar')).next, undefined);
  assert.equal((await list('c', 100)).pets.length, 100);
  assert.equal((await allPets(store.pets, { query: 'c o', archived: 'include', limit: 999 })).length, 4_000);
  assert.deepEqual(await list('nothing'), { pets: [] });
  assert.deepEqual(await list('🐶 %'), { pets: [] });
});

test('a frequent word leaves room for the pets of other words', async (t) => {
  const { store } = await newAdminStore(t);
  const rows = Array.from({ length: 490 }, (_, i) => petRow(i + 1, { name: `Platy, gold ${i}` }));
  await store.importPets(
    [
      ...rows,
      petRow(600, { name: 'Goldfish', category: 'Fish' }),
      petRow(601, { name: 'Golden hamster' }),
      petRow(602, { name: 'Goldfinch', category: 'Golden' }),
    ],
    'cli',
  );
  const list = async (query: string, limit: number, perWord?: number) => {
    const found = await store.pets.list({ query, archived: 'exclude', limit, ...(perWord && { perWord }) });
    return { ...found, pets: found.pets.map(({ petId }) => petId) };
  };
  const all = await list('gold', 100);
  assert.equal(Math.max(...all.pets.map(Number)), 100, 'the page has one word');
  const some = await list('gold', 100, 20);
  const first = Array.from({ length: 20 }, (_, i) => BigInt(i + 1));
  assert.deepEqual(some, { pets: [...first, 601n, 602n, 600n] });
  assert.deepEqual((await list('gold', 100, 1)).pets, [1n, 601n, 600n], 'Goldfinch is found by Golden');
  assert.deepEqual((await list('gold fi', 100, 20)).pets, [600n]);
  // A page that is full goes on where it ended.
  const full = await list('gold', 21, 20);
  assert.deepEqual([full.pets.at(-1), full.next], [601n, { word: 'golden', petId: 601n }]);
  assert.deepEqual((await list('600', 9, 1)).pets, [600n]);
  // Pets that another word of theirs finds do not take the rows of the words after it.
  const twice = Array.from({ length: 1_500 }, (_, i) => petRow(1_000 + i, { name: 'Gup guppies' }));
  await store.importPets([...twice, petRow(9_000, { name: 'Guzzler' })], 'cli');
  const found = (await list('gu', 100, 20)).pets;
  assert.deepEqual([found.length, found.at(-1)], [21, 9_000n]);
  // Pets that a filter leaves out do not take the place of those behind them.
  const first150 = Array.from({ length: 150 }, (_, i) => petRow(10_000 + i, { name: 'Molly', quantity: 0 }));
  await store.importPets([...first150, petRow(10_150, { name: 'Molly', status: 'sold' })], 'cli');
  const sold = await store.pets.list({
    query: 'mol',
    status: 'sold',
    archived: 'exclude',
    limit: 100,
    perWord: 20,
  });
  assert.deepEqual(
    sold.pets.map(({ petId }) => petId),
    [10_150n],
  );
  for (const { petId } of first150) await store.pets.archive(petId, CLI_AUTHOR);
  assert.deepEqual((await list('mol', 100, 20)).pets, [10_150n]);
});

test('filters join the words, and a category has its pets', async (t) => {
  const { store } = await newAdminStore(t);
  const thresholds = { lowStockAt: 5, restockAt: null };
  await store.importPets(
    [
      petRow(1, { name: 'Rex', category: 'Dogs', quantity: 9 }),
      petRow(2, { name: 'Dogsled Rex', category: 'dogs', quantity: 9 }),
      petRow(3, { name: 'Max', category: 'Dogs', quantity: 0, status: 'sold' }),
      petRow(4, { name: 'Dogs', category: 'Big Dogs', quantity: 3, thresholds }),
      petRow(5, { name: 'Tux', category: '🐧', quantity: 9, status: 'sold' }),
      ...Array.from({ length: 1_200 }, (_, i) => petRow(100 + i, { category: 'Cats', quantity: 9 })),
    ],
    'cli',
  );
  const list = (query: Partial<Omit<PetQuery, 'limit'>>, limit = 1) =>
    allPets(store.pets, { archived: 'exclude', limit, ...query });
  assert.deepEqual(await list({ category: 'Dogs' }), [1n, 3n]);
  assert.deepEqual(await list({ category: 'Big Dogs' }), [4n]);
  assert.deepEqual(await list({ category: '🐧' }, 10), [5n]);
  assert.deepEqual(await list({ query: 'do', category: 'dogs' }), [2n]);
  assert.deepEqual(await list({ query: 'rex dogs', category: 'Dogs' }), [1n]);
  assert.deepEqual(await list({ query: '🐧', category: 'Dogs' }), []);
  assert.deepEqual(await list({ query: '3', category: 'Cats' }), []);
  assert.deepEqual(await list({ query: '3', category: 'Dogs' }), [3n]);
  assert.deepEqual(await list({ status: 'sold' }, 10), [3n, 5n]);
  assert.deepEqual(await list({ alertLevels: ['low'] }, 10), [4n]);
  assert.deepEqual((await list({ alertLevels: ['out', 'low'], query: 'dogs' }, 10)).toSorted(), [3n, 4n]);
  assert.equal((await list({ category: 'Cats' }, 100)).length, 1_200);
  // Of one statement all pets but this one are left out, and it is behind them.
  await store.importPets([petRow(500, { category: 'Cats', quantity: 9, status: 'sold' })], 'cli');
  assert.deepEqual(await list({ category: 'Cats', status: 'sold' }), [500n]);
  assert.deepEqual(await list({ category: 'Dogs', petIds: [1n, 2n] }), [1n]);
  for (const category of ['Dogs\0', '\ud800']) assert.deepEqual(await list({ category }), []);
  await store.pets.archive(3n, CLI_AUTHOR);
  assert.deepEqual(await list({ category: 'Dogs', archived: 'only' }), [3n]);
  assert.deepEqual(await list({ category: 'Dogs', archived: 'include' }), [1n, 3n]);
  assert.deepEqual(await list({ category: 'Dogs' }), [1n]);
  const page = await store.pets.list({ archived: 'exclude', limit: 10, status: 'pending' });
  assert.deepEqual(page.pets, []);
  assert.ok(page.next, 'a page reads a bounded number of pets');
});

test('a supplier has its pets, and an empty one those without', async (t) => {
  const { store } = await newAdminStore(t);
  const rows = Array.from({ length: 1_300 }, (_, i) =>
    petRow(100 + i, { name: 'Guppy', category: 'Fish', quantity: 9 }),
  );
  await store.importPets(
    [petRow(1, { name: 'Rex', category: 'Dogs' }), petRow(2, { category: 'Dogs' }), ...rows],
    'cli',
  );
  const by = { actor: 'cli', requestId: null };
  await store.pets.update(1n, { sku: 'S1' }, CLI_AUTHOR);
  for (const petId of [1n, 700n, 1_399n]) await store.reorders.update(petId, { supplier: 'Zoo' }, by);
  await store.reorders.update(101n, { supplier: 'zoo' }, by);
  // What is ordered without a supplier is of none.
  await store.reorders.update(102n, { ordered: 5 }, by);
  const list = (query: Partial<Omit<PetQuery, 'limit'>>, limit = 2) =>
    allPets(store.pets, { archived: 'exclude', limit, ...query });
  assert.deepEqual(await list({ supplier: 'Zoo' }), [1n, 700n, 1_399n]);
  assert.deepEqual(await list({ supplier: 'zoo' }), [101n]);
  assert.deepEqual(await list({ supplier: 'nobody' }), []);
  const without = await list({ supplier: '' }, 100);
  assert.deepEqual([without.length, without.slice(0, 3)], [1_298, [2n, 100n, 102n]]);
  assert.deepEqual(await list({ supplier: 'Zoo', category: 'Dogs' }), [1n]);
  assert.deepEqual(await list({ supplier: '', category: 'Dogs' }), [2n]);
  assert.deepEqual(await list({ supplier: 'Zoo', query: 'gup' }, 10), [700n, 1_399n]);
  assert.deepEqual(await list({ supplier: 'Zoo', query: '102' }), []);
  assert.deepEqual(await list({ supplier: '', query: '102' }), [102n]);
  assert.deepEqual(await list({ supplier: 'Zoo', sku: 'S1' }), [1n]);
  assert.deepEqual(await list({ supplier: 'zoo', sku: 'S1' }), []);
  assert.deepEqual(await list({ supplier: 'Zoo', petIds: [1n, 2n, 101n, 700n] }), [1n, 700n]);
  for (const [supplier, expected] of [
    ['Zoo', '1\n700\n1399\n'],
    ['zoo', '101\n'],
  ] as const) {
    const pages: string[] = [];
    for (let after: bigint | undefined; ;) {
      const query = { format: 'csv', columns: ['petId'], archived: 'include', supplier } as const;
      const page = await store.pets.exportPage({ ...query, ...(after !== undefined && { after }) });
      pages.push(page.text);
      if (page.next === undefined) break;
      after = page.next;
    }
    assert.equal(pages.join('').replaceAll('\r\n', '\n'), expected);
  }
});

test('a category has pets whose names leave no room for its words in the index', async (t) => {
  const { store, database } = await newAdminStore(t);
  const words = Array.from({ length: 16 }, (_, i) => `w${i}`).join(' ');
  await store.importPets(
    [
      petRow(1, { name: 'Rex', category: 'Dogs' }),
      petRow(2, { name: words, category: 'Dogs' }),
      petRow(3, { name: 'Rex', category: words }),
    ],
    'cli',
  );
  const list = (query: Pick<PetQuery, 'category' | 'query'>) =>
    allPets(store.pets, { archived: 'exclude', limit: 1, ...query });
  assert.deepEqual(await list({ category: 'Dogs' }), [1n, 2n]);
  assert.deepEqual(await list({ category: 'Dogs', query: 'w3' }), [2n]);
  assert.deepEqual(await list({ category: words }), [3n]);
  await assertIndexed(database);
});
