import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_HASH } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { filledShop, prunedShop } from './prune/pruned-shop.ts';

const OTHER_HASH = '5'.repeat(64);

test('a ledger contains each hash that it once ended with, as far as its movements and prunes go back', async (t) => {
  const { store, take, intact, database } = await filledShop(t);
  const noted = [{ sequence: 0, hash: FIRST_HASH }, (await intact()).head];
  await take({ 1: 4 }, 40);
  noted.push((await intact()).head);
  await store.pruneMovements(30, CLI_AUTHOR);
  noted.push((await intact()).head);
  await take({ 1: 5 }, 50);
  noted.push((await intact()).head);
  await store.pruneMovements(1_000, CLI_AUTHOR);
  noted.push((await intact()).head);
  assert.deepEqual(
    noted.map(({ sequence }) => sequence),
    [0, 10, 11, 11, 12, 12],
  );
  await take({ 1: 6, 2: 6 }, 60);
  await store.pruneMovements(1_000, CLI_AUTHOR);
  // Movements 11 and 12 are gone, but prunes were made after both and have their hashes.
  const sequences = (await database.rows('SELECT sequence FROM movements ORDER BY sequence')).flat();
  assert.deepEqual(sequences, [4, 7, 8, 13, 14]);
  const prunes = (await intact()).prunes.map(({ afterSequence, hash }) => ({
    sequence: afterSequence,
    hash,
  }));
  for (const point of noted) {
    const { faults } = await store.verify([point, ...prunes]);
    if (point.sequence !== 10) assert.deepEqual(faults, [], JSON.stringify(point));
    else assert.match(faults.join(), /movement 10 cannot be confirmed: prune 2 deleted the movement/);
  }
});

test('an expected hash that the ledger does not contain is a fault with a reason', async (t) => {
  const { store, report, take } = await prunedShop(t);
  const faultsOf = async (sequence: number, hash: string) =>
    (await store.verify([{ sequence, hash }])).faults.join();
  for (const sequence of [7, 8, 10, 11, 12, 13]) {
    assert.match(await faultsOf(sequence, OTHER_HASH), /is not there: the ledger has another hash/);
  }
  assert.match(await faultsOf(14, OTHER_HASH), /movement 14 is not there: the ledger ends at movement 13/);
  assert.match(
    await faultsOf(5, OTHER_HASH),
    /movement 5 cannot be confirmed: prune 1 deleted the movement \(\d{4}-.*Z, by cli\)/,
  );
  assert.match(await faultsOf(0, OTHER_HASH), /cannot be confirmed|is not there/);
  assert.equal(await faultsOf(13, report.head.hash), '');
  await take({ 1: 9 }, 60);
  assert.equal(await faultsOf(13, report.head.hash), '');
});

test('verify accepts a noted point, in text and in JSON, and exits with 1 if the ledger does not contain it', async (t) => {
  const cli = commandLine(temporaryFolder(t));
  await cli('migrate');
  const { head } = (await json(cli, 'verify', '--expect', `0:${FIRST_HASH}`)) as {
    head: { sequence: number; hash: string };
  };
  assert.deepEqual(head, { sequence: 0, hash: FIRST_HASH });
  const { code, stdout, stderr } = await cli('verify', '--expect', `4711:${OTHER_HASH.toUpperCase()}`);
  assert.equal(code, 1, stderr);
  assert.match(stdout, /The expected hash of movement 4711 is not there: the ledger ends at movement 0/);
  for (const wrong of ['4711', `4711:${'5'.repeat(63)}`, `-1:${OTHER_HASH}`, `1e3:${OTHER_HASH}`]) {
    const refused = await cli('verify', '--expect', wrong);
    assert.equal(refused.code, 2, wrong);
    assert.match(refused.stderr, /give a sequence and a hash of 64 hexadecimal digits/);
  }
});

test('the output of prune and verify for a pruned ledger names the prune and the checked part', async (t) => {
  const { database, report } = await prunedShop(t);
  const cli = commandLine(temporaryFolder(t), { env: { PETSTORE_DATABASE: database.url } });
  const { stdout } = await cli('verify');
  assert.match(stdout, /^5 pets, 6 movements: everything is as the ledger says\.\n4 of 6 hashes checked\.\n/);
  assert.match(stdout, /begins after movement 10, recorded .*; 2 prunes, the newest made .* by cli\./);
  assert.match(stdout, /retained 3 movements from before, which match its digest/);
  assert.match(stdout, new RegExp(`ends at movement 13, hash ${report.head.hash}`));
  const pruned = await json(cli, 'movements', 'prune', '--yes', '--before', '1970-01-02', '--accept-clock');
  const { hash, number, afterSequence } = pruned.prune as Record<string, unknown>;
  assert.deepEqual([number, afterSequence], [3, 13]);
  const verified = await json(cli, 'verify');
  assert.deepEqual(verified.head, { sequence: 13, hash });
  assert.equal(verified.hashesChecked, 2);
  assert.deepEqual(pruned.start, verified.retentionStart);
});
