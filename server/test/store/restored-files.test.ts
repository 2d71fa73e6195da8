import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';

const INTERRUPTED = /A restore of \S+petstore\.db was interrupted/;
/** As `restore` makes it. */
const KEPT = '.replaced-20270131T120000.000Z';

/** A shop with one pet, and a backup of it. */
async function newShop(t: TestContext) {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  writeFileSync(join(folder, 'pets.csv'), 'petId,name,quantity\n1,Rex,1\n');
  await json(cli, 'pets', 'import', 'pets.csv');
  await json(cli, 'backup', 'backup.db');
  return { folder, cli, database: join(folder, 'petstore.db') };
}

test(
  'a restored database is for its owner alone, who may write to it, whatever the mode of the backup is',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { folder, cli, database } = await newShop(t);
    for (const mode of [0o644, 0o444]) {
      chmodSync(join(folder, 'backup.db'), mode);
      await json(cli, 'restore', 'backup.db', '--replace');
      assert.equal((statSync(database).mode & 0o777).toString(8), '600');
    }
  },
);

test(
  'a place that a killed restore left empty is refused through a link too, and a restore fills it',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { folder, database } = await newShop(t);
    mkdirSync(join(folder, 'links'));
    symlinkSync('petstore.db', join(folder, 'second.db'));
    const link = join(folder, 'links', 'first.db');
    symlinkSync('../second.db', link);
    copyFileSync(join(folder, 'backup.db'), `${database}${KEPT}.restore-77`);
    renameSync(database, `${database}${KEPT}`);
    const cli = commandLine(folder, { env: { PETSTORE_DATABASE: `sqlite:${link}` } });
    assert.match((await cli('migrate')).stderr, INTERRUPTED);
    assert.equal(existsSync(database), false);
    await json(cli, 'restore', 'backup.db', '--replace');
    assert.equal(databaseFile(`sqlite:${link}`), databaseFile(`sqlite:${database}`), 'the links stay');
    assert.equal((await json(cli, 'verify')).pets, 1);
  },
);

test(
  'a link to nothing names its target, but a circle of links and one into a folder that is not there name themselves',
  { skip: process.platform === 'win32' },
  (t) => {
    const folder = temporaryFolder(t);
    const targets: readonly (readonly [link: string, target: string, found: string])[] = [
      ['new', 'target.db', 'target.db'],
      ['circle', 'circle', 'circle'],
      ['unmounted', 'nowhere/target.db', 'unmounted'],
    ];
    for (const [link, target, found] of targets) {
      symlinkSync(target, join(folder, link));
      assert.equal(basename(databaseFile(`sqlite:${join(folder, link)}`)), found);
    }
  },
);

test('a restore takes no other file for a copy of its own: not the backup, a dated file, or those of another database', async (t) => {
  const { folder, cli, database } = await newShop(t);
  const backup = (name: string) => {
    copyFileSync(join(folder, 'backup.db'), join(folder, name));
    return name;
  };
  const [own, dated] = [backup('petstore.db.restore-1'), backup('petstore.db.restore-20270131')];
  backup(`${dated}-wal`);
  const foreign = [backup('petstore.db.old.restore-7'), backup(`petstore.db.old${KEPT}.restore-7`)];
  backup(`petstore.db.old${KEPT}`);
  await json(cli, 'restore', own, '--replace');
  for (const name of [own, dated, ...foreign]) assert.equal(existsSync(join(folder, name)), true, name);

  renameSync(database, join(folder, 'moved.db'));
  await json(cli, 'restore', own);
  assert.equal((await json(cli, 'verify')).pets, 1);
  const left = readdirSync(folder).filter((name) => name.startsWith('petstore.db.old'));
  assert.deepEqual(left.length, 3, 'a killed restore of another database is left to that');
});
