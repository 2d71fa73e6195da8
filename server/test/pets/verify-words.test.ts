import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { isSkippedDaily } from '../support/long-test.ts';

test('verify reports words that are missing, and words that no pet has', async (t) => {
  if (isSkippedDaily(t)) return;
  const { store, database } = await newAdminStore(t);
  const faults = async () => (await store.verify()).faults;
  await store.importPets(
    [
      petRow(-(2n ** 63n), { name: 'least' }),
      ...Array.from({ length: 2_100 }, (_, i) => petRow(i, { name: `Pet n${i}`, category: 'Dogs' })),
      petRow(2n ** 63n - 1n, { name: 'greatest', category: 'Äpfel' }),
    ],
    'cli',
  );
  assert.deepEqual(await faults(), []);
  await database.run("DELETE FROM pet_words WHERE word = 'dogs' AND pet_id < 5");
  assert.deepEqual(await faults(), ['Search does not find pets by 5 words of their names and categories.']);
  await database.run("INSERT INTO pet_words (word, pet_id) VALUES ('cat', 7), ('ghost', 5000)");
  assert.deepEqual(await faults(), [
    'Search does not find pets by 5 words of their names and categories.',
    'Search finds pet 7 by "cat", which is not in its name or category.',
    'Search finds pet 5000 by "ghost", which is not in its name or category.',
  ]);
  await database.run("UPDATE pets SET category = 'Cats' WHERE pet_id >= 100");
  const all = await faults();
  assert.equal(all.length, 101);
  assert.match(all.at(-1) ?? '', /more faults/);
});
