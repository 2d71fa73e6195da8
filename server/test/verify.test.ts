import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newAdminStore, petRow } from './command-line.ts';

/** Three pets; the second one has three movements: 2, 4 and 5. */
async function shop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1), petRow(2, { quantity: 5 }), petRow(9007199254740993n)], 'cli', 1);
  await store.importPets([petRow(2, { quantity: 7 })], 'cli', 2);
  await store.importPets([petRow(2, { quantity: 7, status: 'pending' })], 'cli', 3);
  assert.deepEqual(await store.verify(), { pets: 3, movements: 5, faults: [] });
  const damage = async (sql: string) => {
    await database.unguard();
    await database.run(sql);
  };
  return { store, damage };
}

const DAMAGES: Readonly<Record<string, { sql: string; faults: readonly RegExp[] }>> = {
  'a movement taken out of the middle': {
    sql: 'DELETE FROM movements WHERE sequence = 4',
    faults: [/ledger has no movement 4\./, /Movement 5 of pet 2 names movement 4 .* which is 2\./],
  },
  'movements taken out at the beginning': {
    sql: 'DELETE FROM movements WHERE sequence <= 2',
    faults: [
      /ledger has no movement 1 to 2\./,
      /Movement 4 of pet 2 names movement 2 .* none/,
      /Pet 1 has stock, but no movement/,
    ],
  },
  'the newest movement taken out': {
    sql: 'DELETE FROM movements WHERE sequence = 5',
    faults: [/Pet 2 has status pending, but the ledger says available/],
  },
  'a movement before the first': {
    sql: "INSERT INTO movements VALUES (0, NULL, 1, 'set', 0, 0, NULL, 'available', NULL, 'x', NULL, 0)",
    faults: [/Movement 0 stands before the ledger begins/, /Movement 1 of pet 1 names movement none/],
  },
  'a quantity changed in the ledger': {
    sql: 'UPDATE movements SET quantity_after = 6 WHERE sequence = 2',
    faults: [/Movement 4 of pet 2 begins at quantity 5, but the pet stood at 6/],
  },
  'a first movement that does not begin at nothing': {
    sql: 'UPDATE movements SET quantity_before = 1 WHERE sequence = 3',
    faults: [/Movement 3 of pet 9007199254740993 begins at quantity 1, but the pet stood at 0/],
  },
  'a status changed in the ledger': {
    sql: "UPDATE movements SET status_after = 'sold' WHERE sequence = 4",
    faults: [/Movement 5 of pet 2 begins at status available, but the pet stood at sold/],
  },
  'a first movement with a status before it': {
    sql: "UPDATE movements SET status_before = 'sold' WHERE sequence = 1",
    faults: [/Movement 1 of pet 1 begins at status sold, but the pet stood at none/],
  },
  'a chain that skips a movement': {
    sql: 'UPDATE movements SET previous_sequence = 2 WHERE sequence = 5',
    faults: [/Movement 5 of pet 2 names movement 2 .* which is 4/],
  },
  'a balance that is not the ledger’s': {
    sql: 'UPDATE inventory SET quantity = 8 WHERE pet_id = 9007199254740993',
    faults: [/Pet 9007199254740993 has quantity 8, but the ledger says 1/],
  },
  'a status that is not the ledger’s': {
    sql: "UPDATE inventory SET status = 'sold' WHERE pet_id = 1",
    faults: [/Pet 1 has status sold, but the ledger says available/],
  },
  'a balance that names an older movement': {
    sql: 'UPDATE inventory SET last_sequence = 4 WHERE pet_id = 2',
    faults: [/Pet 2 names movement 4 as its newest, which is 5/],
  },
  'stock that nothing explains': {
    sql: "INSERT INTO pets VALUES (77, NULL, NULL); INSERT INTO inventory VALUES (77, 1, 'available', 1, 1, 0)",
    faults: [/Pet 77 has stock, but no movement/],
  },
  'movements of a pet without stock': {
    sql: 'DELETE FROM inventory WHERE pet_id = 1',
    faults: [/Pet 1 has movements, but no stock/],
  },
};

for (const [what, { sql, faults: expected }] of Object.entries(DAMAGES)) {
  test(`verify names ${what}, and nothing else`, async (t) => {
    const { store, damage } = await shop(t);
    await damage(sql);
    const { faults } = await store.verify();
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const fault of expected)
      assert.ok(
        faults.some((text) => fault.test(text)),
        `${fault} in\n${faults.join('\n')}`,
      );
  });
}

test('an endless number of faults is cut short', async (t) => {
  const { store, damage } = await shop(t);
  await store.importPets(
    Array.from({ length: 500 }, (_, i) => petRow(1_000 + i)),
    'cli',
    4,
  );
  await damage('UPDATE inventory SET quantity = 99 WHERE pet_id >= 1000');
  const { faults } = await store.verify();
  assert.equal(faults.length, 101);
  assert.match(faults.at(-1) ?? '', /and more/);
});
