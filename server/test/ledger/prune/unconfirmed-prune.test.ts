import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_HASH, movementHash } from '../../../src/domain/ledger/ledger.ts';
import type { Prune } from '../../../src/domain/ledger/prunes.ts';
import type { ChainPoint } from '../../../src/domain/ledger-store.ts';
import { commandLine, json, temporaryFolder } from '../../support/command-line.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import { bytesLiteral, movementsOf } from '../tampering.ts';
import { addPrune, digestUpTo, filledShop, prunedShop } from './pruned-shop.ts';

const AFTER_EXPECTED =
  /^Prune 1 \(\d{4}-.*Z, by cli\) was recorded after the expected hash\. What is up to movement 8, .*pass the hash that it printed as another --expect\. If you did not, the ledger was rewritten\.$/;
const DEPENDS = (sequence: number) =>
  `The expected hash of movement ${sequence} cannot be confirmed: it depends on a prune that no expected hash covers.`;

/** Rewrites the past of `filledShop` up to movement 8, and adds a prune at the end that matches. */
async function forgePast(database: TestDatabase): Promise<Prune> {
  await database.run(`DELETE FROM movements WHERE sequence <= 3;
UPDATE movements SET quantity_after = 77, actor = 'key_other' WHERE sequence = 4; UPDATE inventory SET quantity = 77 WHERE pet_id = 4`);
  const movements = await movementsOf(database);
  const start = movements.find(({ sequence }) => sequence === 8)!;
  const end = movements.at(-1)!;
  return addPrune(database, {
    number: 1,
    afterSequence: end.sequence,
    start: { sequence: 8, recordedAtMs: start.recordedAtMs, hash: start.hash },
    decidedSequence: end.sequence,
    retained: 5,
    retainedDigest: await digestUpTo(database, 8),
    deleted: 3,
    actor: 'cli',
    recordedAtMs: 70,
    previousHash: end.hash,
  });
}

test('a past that was rewritten under an added prune is not confirmed by a hash noted before', async (t) => {
  const { store, database, take, intact } = await filledShop(t);
  const noted = (await intact()).head;
  await take({ 1: 8 }, 60);
  const newest = (await intact()).head;
  await database.unguard();
  const prune = await forgePast(database);
  assert.deepEqual((await store.verify()).faults, []);
  for (const expected of [[noted], [newest], [noted, newest], [{ sequence: 0, hash: FIRST_HASH }]]) {
    const { faults } = await store.verify(expected);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0]!, AFTER_EXPECTED);
  }
  // The movement exists, but only the prune confirms its hash.
  const [retained] = await movementsOf(database);
  const { faults } = await store.verify([{ sequence: 4, hash: retained!.hash }]);
  assert.equal(faults[0], DEPENDS(4));
  assert.match(faults[1]!, AFTER_EXPECTED);

  const cli = commandLine(temporaryFolder(t), { env: { PETSTORE_DATABASE: database.url } });
  const point = ({ sequence, hash }: ChainPoint) => ['--expect', `${sequence}:${hash}`];
  const { code, stdout } = await cli('verify', ...point(noted));
  assert.equal(code, 1, stdout);
  assert.match(stdout, /^Prune 1 .* was recorded after the expected hash/m);
  // A caller that passes the hash of the prune confirms the prune.
  const own = { sequence: prune.afterSequence, hash: prune.hash };
  assert.deepEqual((await json(cli, 'verify', ...point(noted), ...point(own))).faults, []);
});

test('a ledger that was rebuilt after a noted hash is not confirmed by a prune that repeats the hash', async (t) => {
  const { store, database } = await filledShop(t);
  const start = (await movementsOf(database)).find(({ sequence }) => sequence === 8)!;
  await database.unguard();
  await database.run("UPDATE movements SET note = 'as agreed' WHERE sequence > 8");
  let before = start.hash;
  for (const movement of (await movementsOf(database)).slice(8)) {
    before = movementHash(before, movement);
    await database.run(
      `UPDATE movements SET hash = ${bytesLiteral(database, before)} WHERE sequence = ${movement.sequence}`,
    );
  }
  await forgePast(database);
  assert.deepEqual((await store.verify()).faults, []);
  const { faults } = await store.verify([{ sequence: 8, hash: start.hash }]);
  assert.equal(faults[0], DEPENDS(8));
  assert.match(faults[1]!, AFTER_EXPECTED);
});

test('each prune after a noted hash is expected too, or covered by a later noted movement', async (t) => {
  const { store, report, database } = await prunedShop(t);
  const [first, second] = report.prunes.map(({ afterSequence: sequence, hash }) => ({ sequence, hash }));
  const eleventh = (await movementsOf(database)).find(({ sequence }) => sequence === 11)!;
  const early = { sequence: 0, hash: FIRST_HASH };
  const unexpected = async (...expected: ChainPoint[]) =>
    (await store.verify(expected)).faults.map((fault) => /^Prune (\d) /.exec(fault)?.[1] ?? fault);
  assert.deepEqual(await unexpected(report.head), []);
  assert.deepEqual(await unexpected(early, report.head), []);
  assert.deepEqual(await unexpected(second!), []);
  assert.deepEqual(await unexpected(eleventh, second!), []);
  assert.deepEqual(await unexpected(early, first!, second!), []);
  assert.deepEqual(await unexpected(first!), ['2']);
  assert.deepEqual(await unexpected(eleventh), ['2']);
  assert.deepEqual(await unexpected(early, first!), ['2']);
  assert.deepEqual(await unexpected(early, second!), ['1']);
  // The hash of the retention start is in prune 2 alone.
  const start = { sequence: 10, hash: report.prunes[1]!.start.hash };
  assert.deepEqual(await unexpected(start, first!, second!), []);
  assert.deepEqual(await unexpected(start), [DEPENDS(10), '1', '2']);
  const another = { sequence: 13, hash: '5'.repeat(64) };
  assert.match((await unexpected(another))[0]!, /movement 13 is not there: the ledger has another hash/);
});
