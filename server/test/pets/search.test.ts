import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { matchesQuery, petWords, queryWords } from '../../src/domain/management/pet-words.ts';
import { ARCHIVED_FILTERS } from '../../src/domain/management/pets.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { allPets, assertIndexed } from './indexed-pets.ts';

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
