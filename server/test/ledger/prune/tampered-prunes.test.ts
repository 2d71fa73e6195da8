import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_HASH, movementHash } from '../../../src/domain/ledger/ledger.ts';
import type { Prune } from '../../../src/domain/ledger/prunes.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import { bytesLiteral, movementsOf } from '../tampering.ts';
import { addPrune, digestUpTo, filledShop, forgePrune, interruptPrune, prunedShop } from './pruned-shop.ts';

type Attack = readonly [
  what: string,
  attack: string | ((database: TestDatabase, prunes: readonly Prune[]) => Promise<void>),
  ...faults: readonly RegExp[],
];

const FIRST_BYTES = (database: TestDatabase) => bytesLiteral(database, FIRST_HASH);
const MOVED_START = (
  sequence: number,
) => `UPDATE ledger_start SET (sequence, recorded_at, hash, deleted_sequence, deleted_hash) =
(SELECT sequence, recorded_at, hash, sequence, hash FROM movements WHERE sequence = ${sequence})`;
const RETAINED = /The \d movements before the retention start are not the 3 that prune 2 retained/;

/** A change of `prunedShop`, and the faults that an audit must report. */
const ATTACKS: readonly Attack[] = [
  ['a start moved forwards', MOVED_START(12), /begins after movement 12, but prune 2 recorded movement 10/],
  ['a start moved backwards', MOVED_START(8), /begins after movement 8, but prune 2 recorded movement 10/],
  [
    'a start at another time',
    'UPDATE ledger_start SET recorded_at = 29',
    /begins at another time or hash than prune 2/,
  ],
  [
    'a ledger without its prunes',
    async (database) =>
      database.run(`DELETE FROM prunes; UPDATE ledger_start SET sequence = 0, recorded_at = 0,
hash = ${FIRST_BYTES(database)}, deleted_sequence = 0, deleted_hash = ${FIRST_BYTES(database)}`),
    /The ledger has no movement 1 to 3\./,
    /Movement 11 does not match its hash|The ledger has no movement 9 to 10/,
    /Movement 13 does not match its hash/,
  ],
  [
    'the newest prune deleted',
    'DELETE FROM prunes WHERE number = 2',
    /begins after movement 10, but prune 1 recorded movement 8/,
    /Movement 13 does not match its hash/,
  ],
  [
    'the newest prune deleted, with the start of the previous one',
    `DELETE FROM prunes WHERE number = 2; ${MOVED_START(8)}`,
    /The ledger has no movement 9 to 10/,
    /Movement 13 does not match its hash/,
  ],
  [
    'the first prune deleted',
    'DELETE FROM prunes WHERE number = 1',
    /has prune 2 where prune 1 is expected/,
    /Prune 2 does not match its hash/,
  ],
  [
    'the first prune deleted, the second renumbered',
    'DELETE FROM prunes WHERE number = 1; UPDATE prunes SET number = 1',
    /Prune 1 does not match its hash/,
  ],
  [
    'a prune changed',
    "UPDATE prunes SET actor = 'key_other' WHERE number = 1",
    /Prune 1 does not match its hash: it was changed/,
  ],
  [
    'a first prune changed, with a matching hash',
    (database, prunes) => forgePrune(database, prunes, 1, { actor: 'key_other' }),
    /Prune 2 does not match its hash: it was changed, or prune 1/,
    /Movement 11 does not match its hash: it was changed, or prune 1/,
  ],
  [
    'a newest prune changed, with a matching hash',
    (database, prunes) => forgePrune(database, prunes, 2, { deleted: 1_000 }),
    /Movement 13 does not match its hash: it was changed, or prune 2/,
  ],
  [
    'a prune moved to another place, with a matching hash',
    (database, prunes) => forgePrune(database, prunes, 2, { afterSequence: 11 }),
    /Prune 2 does not follow from movement 11/,
    /Movement 12 does not match its hash/,
  ],
  ['a retained movement changed', "UPDATE movements SET note = 'as agreed' WHERE sequence = 7", RETAINED],
  [
    'a retained movement changed with the stock that it explains',
    'UPDATE movements SET quantity_after = 77 WHERE sequence = 4; UPDATE inventory SET quantity = 77 WHERE pet_id = 4',
    RETAINED,
  ],
  [
    'a retained movement changed whose neighbours are there',
    "UPDATE movements SET actor = 'key_other' WHERE sequence = 8",
    RETAINED,
    /Movement 8 does not match its hash/,
  ],
  [
    'a hash of a retained movement changed',
    (database) => database.run(`UPDATE movements SET hash = ${FIRST_BYTES(database)} WHERE sequence = 4`),
    RETAINED,
  ],
  [
    'a retained movement deleted with all of its pet',
    'DELETE FROM movements WHERE sequence = 4; DELETE FROM inventory WHERE pet_id = 4; DELETE FROM pets WHERE pet_id = 4',
    RETAINED,
  ],
  [
    'a retained movement added with a pet',
    (database) =>
      database.run(`INSERT INTO movements (sequence, pet_id, version, kind, quantity_before, quantity_after, status_after,
reserved_before, reserved_after, actor, recorded_at, hash) VALUES (3, 77, 1, 'import', 0, 5, 'available', 0, 0, 'cli', 10, ${FIRST_BYTES(database)});
INSERT INTO pets (pet_id) VALUES (77); INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at) VALUES (77, 5, 'available', 1, 3, 10, 0, 10)`),
    RETAINED,
  ],
  [
    'a digest forged alone',
    async (database) => {
      await database.run("UPDATE movements SET note = 'as agreed' WHERE sequence = 7");
      const digest = bytesLiteral(database, await digestUpTo(database, 10));
      await database.run(`UPDATE prunes SET retained_digest = ${digest} WHERE number = 2`);
    },
    /Prune 2 does not match its hash/,
  ],
  [
    'a retained movement, its digest and its prune forged',
    async (database, prunes) => {
      await database.run("UPDATE movements SET note = 'as agreed' WHERE sequence = 7");
      await forgePrune(database, prunes, 2, { retainedDigest: await digestUpTo(database, 10) });
    },
    /Movement 13 does not match its hash/,
  ],
  [
    'a prune marked as interrupted, so that a movement could be added',
    async (database) => {
      await interruptPrune(database, 0);
      await database.run(
        "UPDATE movements SET note = 'as agreed' WHERE sequence = 7; DELETE FROM movements WHERE sequence = 8",
      );
    },
    /Movements that prune 1 retained were changed, added or deleted/,
  ],
  [
    'the end cut off before the newest prune',
    'DELETE FROM movements WHERE sequence >= 12; UPDATE inventory SET quantity = 2, version = 2, last_sequence = 7, updated_at = 20 WHERE pet_id = 3',
    /Prune 2 was made after movement 12, which is not there/,
  ],
  [
    'all of the ledger after the retention start cut off',
    'DELETE FROM movements WHERE sequence > 10',
    /The ledger has no movement 11\./,
  ],
];

for (const [what, attack, ...expected] of ATTACKS) {
  test(`an audit finds ${what}`, async (t) => {
    const { store, database, report } = await prunedShop(t);
    await database.unguard();
    await (typeof attack === 'string' ? database.run(attack) : attack(database, report.prunes));
    const { faults } = await store.verify();
    for (const fault of expected) {
      assert.ok(
        faults.some((text) => fault.test(text)),
        `${fault} in\n${faults.join('\n')}`,
      );
    }
  });
}

test('a movement with a wrong hash is not pruned, so that no prune can hide it', async (t) => {
  const attacks: readonly (readonly [sql: string, reason: RegExp])[] = [
    ["UPDATE movements SET note = 'forged' WHERE sequence = 4", RETAINED],
    ["UPDATE movements SET note = 'forged' WHERE sequence = 11", /Movement 11 does not match its hash/],
    ["UPDATE movements SET note = 'forged' WHERE sequence = 12", /Movement 12 does not match its hash/],
    ["UPDATE prunes SET actor = 'key_other' WHERE number = 1", /Prune 1 does not match its hash/],
    [MOVED_START(11), /begins after movement 11, but prune 2/],
    ['DELETE FROM prunes', /The ledger has no movement 1 to 3/],
    ['DELETE FROM ledger_start', /has no retention start/],
  ];
  for (const [sql, reason] of attacks) {
    const { store, database } = await prunedShop(t);
    await database.unguard();
    await database.run(sql);
    const before = await movementsOf(database);
    await assert.rejects(store.pruneMovements(1_000, CLI_AUTHOR), (error: Error) => {
      assert.match(error.message, /[Nn]othing was pruned/);
      assert.match(error.message, reason);
      return true;
    });
    assert.deepEqual(await movementsOf(database), before);
  }
});

test('the last movement before the new start is checked by the one after it, also with a hash that fits', async (t) => {
  const { store, database } = await filledShop(t);
  const [before, last] = (await movementsOf(database)).slice(6, 8);
  const hash = movementHash(before!.hash, { ...last!, note: 'forged' });
  await database.unguard();
  await database.run(
    `UPDATE movements SET note = 'forged', hash = ${bytesLiteral(database, hash)} WHERE sequence = 8`,
  );
  await assert.rejects(store.pruneMovements(25, CLI_AUTHOR), /Movement 9 does not match its hash/);
  assert.equal((await movementsOf(database)).length, 10);
});

test('an audit reports the checked part of a pruned ledger', async (t) => {
  const { report } = await prunedShop(t);
  const { movements, hashesChecked, retentionStart, prunes } = report;
  assert.deepEqual([movements, hashesChecked], [6, 4]);
  assert.deepEqual(retentionStart, { sequence: 10, recordedAtMs: 30 });
  assert.deepEqual(
    prunes.map((prune) => [prune.afterSequence, prune.start.sequence, prune.retained, prune.deleted]),
    [
      [10, 8, 3, 5],
      [12, 10, 3, 2],
    ],
  );
});

test('a moved start in a ledger without prunes hides no rewritten movement', async (t) => {
  const { store, database, intact } = await filledShop(t);
  const { head } = await intact();
  await database.unguard();
  await database.run(`${MOVED_START(9)};
UPDATE movements SET quantity_after = 100 WHERE sequence IN (3, 5, 7); UPDATE inventory SET quantity = 100 WHERE pet_id = 3`);
  const { faults, firstBadSequence, ...report } = await store.verify();
  assert.ok(faults.some((fault) => /begins after movement 9, but no prune was recorded/.test(fault)));
  for (const sequence of [3, 5, 7]) {
    assert.ok(faults.some((fault) => fault.startsWith(`Movement ${sequence} does not match its hash`)));
  }
  assert.equal(firstBadSequence, 3);
  assert.deepEqual(report.head, head);
});

test('an invented prune before the newest movement breaks the chain', async (t) => {
  const { store, database, take, intact } = await filledShop(t);
  const noted = (await intact()).head;
  await take({ 1: 8 }, 60);
  await database.unguard();
  await database.run('DELETE FROM movements WHERE sequence <= 3');
  const start = (await movementsOf(database)).find(({ sequence }) => sequence === 8)!;
  await addPrune(database, {
    number: 1,
    afterSequence: 10,
    start: { sequence: 8, recordedAtMs: start.recordedAtMs, hash: start.hash },
    decidedSequence: 10,
    retained: 5,
    retainedDigest: await digestUpTo(database, 8),
    deleted: 3,
    actor: 'cli',
    recordedAtMs: 70,
    previousHash: noted.hash,
  });
  assert.match((await store.verify()).faults.join('\n'), /Movement 11 does not match its hash/);
});

test('a completely rebuilt ledger is intact, but does not contain a point noted before', async (t) => {
  const { store, database, report } = await prunedShop(t);
  await database.unguard();
  await database.run("UPDATE movements SET note = 'as agreed' WHERE sequence = 11");
  const movements = await movementsOf(database);
  const [, second] = report.prunes;
  let before = report.prunes[0]!.hash;
  for (const movement of movements.filter(({ sequence }) => sequence > 10)) {
    const hash = movementHash(before, movement);
    await database.run(
      `UPDATE movements SET hash = ${bytesLiteral(database, hash)} WHERE sequence = ${movement.sequence}`,
    );
    before = hash;
    if (movement.sequence !== second!.afterSequence) continue;
    await forgePrune(database, report.prunes, 2, { previousHash: hash });
    const [[forged] = []] = await database.rows('SELECT hash FROM prunes WHERE number = 2');
    before = Buffer.from(forged as Uint8Array).toString('hex');
  }
  const { faults, head } = await store.verify();
  assert.deepEqual(faults, []);
  assert.notEqual(head.hash, report.head.hash);
  assert.deepEqual((await store.verify([report.head])).faults, [
    'The expected hash of movement 13 is not there: the ledger has another hash, so it was rewritten up to there.',
  ]);
});
