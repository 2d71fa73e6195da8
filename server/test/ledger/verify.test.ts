import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { bytesLiteral, hashesOf, rehash } from './tampering.ts';

/** Three pets; the second one has three movements: 2, 4 and 5. */
async function shop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1), petRow(2, { quantity: 5 }), petRow(9007199254740993n)], 'cli', 1);
  await store.importPets([petRow(2, { quantity: 7 })], 'cli', 2);
  await store.importPets([petRow(2, { quantity: 7, status: 'pending' })], 'cli', 3);
  const { head, ...found } = await store.verify();
  assert.deepEqual(found, {
    pets: 3,
    movements: 5,
    hashesChecked: 5,
    retentionStart: { sequence: 0, recordedAtMs: 0 },
    prunes: [],
    firstBadSequence: null,
    faults: [],
    findings: [],
  });
  assert.deepEqual(head, { sequence: 5, hash: (await hashesOf(database))[4] });
  const damage = async (sql: string) => {
    await database.unguard();
    await database.run(sql);
  };
  return { store, database, damage };
}

interface Damage {
  readonly sql: string;
  readonly faults: readonly RegExp[];
  readonly firstBad: number | null;
}

const NEW_MOVEMENT = `INSERT INTO movements (sequence, pet_id, version, kind, quantity_before, quantity_after, status_after,
reserved_before, reserved_after, actor, recorded_at, reverted_sequence, hash)`;
/** The hash of `NEW_MOVEMENT`. */
const ANY_HASH = '(SELECT hash FROM ledger_start)';

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a movement taken out of the middle': {
    sql: 'DELETE FROM movements WHERE sequence = 4',
    faults: [/ledger has no movement 4\./, /Movement 5 of pet 2 names movement 4 .* which is 2\./],
    firstBad: 4,
  },
  'movements taken out at the beginning': {
    sql: 'DELETE FROM movements WHERE sequence <= 2',
    faults: [
      /ledger has no movement 1 to 2\./,
      /Movement 4 of pet 2 names movement 2 .* none/,
      /Pet 1 has stock, but no movement/,
    ],
    firstBad: 1,
  },
  'the newest movement taken out': {
    sql: 'DELETE FROM movements WHERE sequence = 5',
    faults: [/Pet 2 has status pending, but the ledger says available/],
    firstBad: 5,
  },
  'a movement before the first': {
    sql: `${NEW_MOVEMENT} VALUES (0, 1, 1, 'set', 0, 0, 'available', 0, 0, 'x', 0, NULL, ${ANY_HASH})`,
    faults: [/Movement 0 stands before the ledger begins/],
    firstBad: 0,
  },
  'a movement put after the newest': {
    sql: `${NEW_MOVEMENT} VALUES (6, 77, 1, 'import', 0, 1, 'available', 0, 0, 'x', 3, NULL, ${ANY_HASH})`,
    faults: [/Movement 6 does not match its hash/, /Pet 77 has movements, but no stock/],
    firstBad: 6,
  },
  'a quantity changed in the ledger': {
    sql: 'UPDATE movements SET quantity_after = 6 WHERE sequence = 2',
    faults: [
      /Movement 2 does not match its hash: it was changed, or movement 1\./,
      /Movement 4 of pet 2 begins at quantity 5, but the pet stood at 6/,
    ],
    firstBad: 2,
  },
  'a first movement that does not begin at nothing': {
    sql: 'UPDATE movements SET quantity_before = 1 WHERE sequence = 3',
    faults: [
      /Movement 3 does not match its hash/,
      /Movement 3 of pet 9007199254740993 begins at quantity 1, but the pet stood at 0/,
    ],
    firstBad: 3,
  },
  'a status changed in the ledger': {
    sql: "UPDATE movements SET status_after = 'sold' WHERE sequence = 4",
    faults: [
      /Movement 4 does not match its hash/,
      /Movement 5 of pet 2 begins at status available, but the pet stood at sold/,
    ],
    firstBad: 4,
  },
  'a first movement with a status before it': {
    sql: "UPDATE movements SET status_before = 'sold' WHERE sequence = 1",
    faults: [
      /Movement 1 does not match its hash: it was changed\./,
      /Movement 1 of pet 1 begins at status sold, but the pet stood at none/,
    ],
    firstBad: 1,
  },
  'a chain that skips a movement': {
    sql: 'UPDATE movements SET previous_sequence = 2 WHERE sequence = 5',
    faults: [/Movement 5 does not match its hash/, /Movement 5 of pet 2 names movement 2 .* which is 4/],
    firstBad: 5,
  },
  'a version that skips one': {
    sql: 'UPDATE movements SET version = 4 WHERE sequence = 5',
    faults: [
      /Movement 5 does not match its hash/,
      /Movement 5 of pet 2 makes version 4, but the pet stood at version 2/,
      /Pet 2 has version 3, but the ledger says 4/,
    ],
    firstBad: 5,
  },
  'an actor changed in the ledger': {
    sql: "UPDATE movements SET actor = 'key_other' WHERE sequence = 3",
    faults: [/Movement 3 does not match its hash: it was changed, or movement 2\./],
    firstBad: 3,
  },
  'a note put into the ledger': {
    sql: "UPDATE movements SET note = 'as agreed' WHERE sequence = 1",
    faults: [/Movement 1 does not match its hash/],
    firstBad: 1,
  },
  'a moment before that of the movement before': {
    sql: 'UPDATE movements SET recorded_at = 0 WHERE sequence = 4',
    faults: [/Movement 4 was recorded before movement 3/, /Movement 4 does not match its hash/],
    firstBad: 4,
  },
  'the taking back of a movement that is not there': {
    sql: 'UPDATE movements SET reverted_sequence = -1 WHERE sequence = 5',
    faults: [/Movement 5 does not match/, /Movement 5 of pet 2 takes back movement -1, which is not there/],
    firstBad: 5,
  },
  'the taking back of a later movement': {
    sql: 'UPDATE movements SET reverted_sequence = 5 WHERE sequence = 4',
    faults: [
      /Movement 4 does not match/,
      /Movement 4 of pet 2 takes back movement 5, which does not come before it/,
    ],
    firstBad: 4,
  },
  'the taking back of another pet’s movement': {
    sql: 'UPDATE movements SET reverted_sequence = 3 WHERE sequence = 5',
    faults: [/Movement 5 does not match/, /takes back movement 3, which is of pet 9007199254740993\./],
    firstBad: 5,
  },
  'the taking back of a movement twice': {
    sql: 'DROP INDEX movements_reverts; UPDATE movements SET reverted_sequence = 2 WHERE sequence >= 4',
    faults: [
      /Movement 4 does not match/,
      /Movement 5 does not match/,
      /Movement 5 of pet 2 takes back movement 2, which was taken back before/,
    ],
    firstBad: 4,
  },
  'a balance that is not the ledger’s': {
    sql: 'UPDATE inventory SET quantity = 8 WHERE pet_id = 9007199254740993',
    faults: [/Pet 9007199254740993 has quantity 8, but the ledger says 1/],
    firstBad: 3,
  },
  'a status that is not the ledger’s': {
    sql: "UPDATE inventory SET status = 'sold' WHERE pet_id = 1",
    faults: [/Pet 1 has status sold, but the ledger says available/],
    firstBad: 1,
  },
  'a balance that names an older movement': {
    sql: 'UPDATE inventory SET last_sequence = 4 WHERE pet_id = 2',
    faults: [/Pet 2 names movement 4 as its newest, which is 5/],
    firstBad: 5,
  },
  'a balance that names a future movement': {
    sql: 'UPDATE inventory SET last_sequence = 4000 WHERE pet_id = 1',
    faults: [/Pet 1 names movement 4000 as its newest, which is 1/],
    firstBad: 6,
  },
  'a version that is not the ledger’s': {
    sql: 'UPDATE inventory SET version = 2 WHERE pet_id = 2',
    faults: [/Pet 2 has version 2, but the ledger says 3/],
    firstBad: 5,
  },
  'a moment that is not the ledger’s': {
    sql: 'UPDATE inventory SET updated_at = 4 WHERE pet_id = 2',
    faults: [/Pet 2 was changed at another moment than its newest movement, 5/],
    firstBad: 5,
  },
  'stock that nothing explains': {
    sql: "INSERT INTO pets (pet_id) VALUES (77); INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at) VALUES (77, 1, 'available', 1, 1, 0, 0, 0)",
    faults: [/Pet 77 has stock, but no movement/],
    firstBad: null,
  },
  'movements of a pet without stock': {
    sql: 'DELETE FROM inventory WHERE pet_id = 1',
    faults: [/Pet 1 has movements, but no stock/],
    firstBad: 1,
  },
  'a ledger without a retention start': {
    sql: 'DELETE FROM ledger_start',
    faults: [/The ledger has no retention start/],
    firstBad: null,
  },
  'a ledger whose start is after its end': {
    sql: 'UPDATE ledger_start SET sequence = 5; DELETE FROM movements WHERE sequence IN (2, 4)',
    faults: [
      /The ledger begins after movement 5, but no prune was recorded/,
      /ledger has no movement 2\./,
      /ledger has no movement 4\./,
      /Movement 5 of pet 2 names movement 4 .* none/,
    ],
    firstBad: 2,
  },
};

for (const [what, { sql, faults: expected, firstBad }] of Object.entries(DAMAGES)) {
  test(`verify names ${what}, and nothing else`, async (t) => {
    const { store, damage } = await shop(t);
    await damage(sql);
    const { faults, firstBadSequence } = await store.verify();
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const fault of expected)
      assert.ok(
        faults.some((text) => fault.test(text)),
        `${fault} in\n${faults.join('\n')}`,
      );
    assert.equal(firstBadSequence, firstBad);
  });
}

test('verify names two hashes that were swapped', async (t) => {
  const { store, database, damage } = await shop(t);
  const [, second, , fourth] = await hashesOf(database);
  await damage(`UPDATE movements SET hash = ${bytesLiteral(database, fourth)} WHERE sequence = 2`);
  await database.run(`UPDATE movements SET hash = ${bytesLiteral(database, second)} WHERE sequence = 4`);
  const { faults, firstBadSequence } = await store.verify();
  const sequences = faults.map((fault) => /^Movement (\d) does not match its hash/.exec(fault)?.[1]);
  assert.deepEqual(sequences, ['2', '3', '4', '5']);
  assert.equal(firstBadSequence, 2);
});

test('a rewritten movement with a matching hash is found by the hash of the next movement', async (t) => {
  const { store, database, damage } = await shop(t);
  await damage("UPDATE movements SET actor = 'key_other' WHERE sequence = 3");
  await rehash(database, 3);
  const { faults, firstBadSequence } = await store.verify();
  assert.deepEqual(faults, ['Movement 4 does not match its hash: it was changed, or movement 3.']);
  assert.equal(firstBadSequence, 4);
});

test('a number that no pet or movement can have ends in a sentence', async (t) => {
  const { store, damage } = await shop(t);
  await damage('UPDATE movements SET occurred_at = 9007199254740993 WHERE sequence = 4');
  const { faults } = await store.verify();
  assert.equal(faults.length, 1);
  assert.match(faults[0] ?? '', /is damaged and cannot be read on: .*9007199254740993/);
});

test('an endless number of faults is cut short', async (t) => {
  const { store, damage } = await shop(t);
  await store.importPets(
    Array.from({ length: 500 }, (_, i) => petRow(1_000 + i)),
    'cli',
    4,
  );
  await damage('UPDATE inventory SET quantity = 99 WHERE pet_id BETWEEN 1000 AND 2000');
  const { faults, firstBadSequence } = await store.verify();
  assert.equal(faults.length, 101);
  assert.match(faults.at(-1) ?? '', /and more/);
  assert.equal(firstBadSequence, 6);
});
