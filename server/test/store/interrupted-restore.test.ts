import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MAIN } from '../support/bundle/service-program.ts';
import { commandLine, environmentOf, json, temporaryFolder } from '../support/command-line.ts';

const INTERRUPTED =
  /A restore of \S+petstore\.db was interrupted\. Nothing is lost: the database that was there is (\S+)\. Run petstore-server restore with --replace again/;

/** A shop with a movement after its backup. */
async function newShop(t: TestContext) {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const set = (quantity: number) => {
    writeFileSync(join(folder, 'pets.csv'), `petId,name,quantity\n1,Rex,${quantity}\n`);
    return json(cli, 'pets', 'import', 'pets.csv');
  };
  await set(1);
  await json(cli, 'backup', 'backup.db');
  await set(2);
  const database = join(folder, 'petstore.db');
  const names = () => readdirSync(folder).filter((name) => /replaced|restore/.test(name));
  return { folder, cli, database, names };
}

/**
 * Restores in a process of its own, in which a call of rename does not return.
 * @param call Its number.
 * @param end What happens instead of the call, as a statement.
 */
async function restoreUntil(folder: string, call: number, end: string) {
  const preload = join(folder, 'ended.cjs');
  writeFileSync(
    preload,
    `const fs = require('node:fs');
const { renameSync } = fs;
let calls = 0;
fs.renameSync = (...paths) => {
  calls += 1;
  if (calls === ${call}) { ${end} }
  return renameSync(...paths);
};
require('node:module').syncBuiltinESMExports();
`,
  );
  const words = ['--require', preload, MAIN, 'restore', 'backup.db', '--replace'];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: environmentOf(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const signal = await new Promise((resolve) => child.once('close', (_code, ended) => resolve(ended)));
  return { signal, stderr };
}

const KILL = `process.kill(process.pid, 'SIGKILL'); for (;;);`;
const FAIL = `throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' });`;

test(
  'a restore that is killed at any rename loses nothing: everything refuses the empty place, and a restore completes',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { folder, cli, database, names } = await newShop(t);
    const whole = await json(cli, 'verify');
    // Of the copy, of the database, and of the copy into its place.
    for (const [call, isMoved] of [
      [1, false],
      [2, false],
      [3, true],
    ] as const) {
      assert.equal((await restoreUntil(folder, call, KILL)).signal, 'SIGKILL');
      assert.equal(existsSync(database), !isMoved);
      for (const command of [['verify'], ['migrate'], ['migrate', '--dry-run'], ['serve']] as const) {
        if (!isMoved && command[0] === 'serve') continue;
        const { code, stderr } = await cli(...command);
        assert.equal(code, isMoved ? 1 : 0, `${command}: ${stderr}`);
        if (isMoved) assert.match(stderr, INTERRUPTED);
      }
      assert.equal(existsSync(database), !isMoved, 'no command makes a new database there');
      if (!isMoved) assert.deepEqual(await json(cli, 'verify'), whole);
    }
    const refused = await cli('restore', 'backup.db');
    assert.match(refused.stderr, /is there already\. Add --replace/);
    assert.deepEqual(await json(cli, 'verify'), whole, 'it is in its place again');
    assert.deepEqual(
      names().filter((name) => !name.includes('.restore-')),
      [],
    );
    const { kept, lost } = await json(cli, 'restore', 'backup.db', '--replace');
    assert.deepEqual(lost, { from: 2, to: 2 });
    assert.deepEqual(names(), [String(kept).split('/').at(-1)]);
    const pepper = readFileSync(`${database}.pepper`, 'utf8').trim();
    const keptShop = commandLine(folder, {
      env: { PETSTORE_DATABASE: `sqlite:${kept}`, PETSTORE_PEPPER: pepper },
    });
    assert.deepEqual(await json(keptShop, 'verify'), whole);
  },
);

test(
  'a rename that fails leaves a database that does not open, with its log, in its place',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { folder, cli, database, names } = await newShop(t);
    rmSync(database);
    mkdirSync(database);
    const files: readonly (readonly [string, string])[] = [
      [join(database, 'inside'), 'a folder in the place of a file'],
      [`${database}-wal`, 'a log'],
    ];
    for (const [file, text] of files) writeFileSync(file, text);
    const assertUnchanged = () => {
      for (const [file, text] of files) assert.equal(readFileSync(file, 'utf8'), text);
    };
    for (let call = 1; call <= 4; call += 1) {
      const { stderr } = await restoreUntil(folder, call, FAIL);
      assert.match(stderr, /could not be replaced \(EIO: i\/o error, rename\)\. Nothing was changed\./);
      assertUnchanged();
      assert.deepEqual(names(), []);
    }
    // It cannot be put back either.
    const { stderr } = await restoreUntil(folder, 4, FAIL.replace('throw', 'calls -= 1; throw'));
    const [, kept = ''] = INTERRUPTED.exec(stderr) ?? [];
    assert.deepEqual(readdirSync(kept), ['inside']);
    assert.match((await cli('migrate')).stderr, INTERRUPTED);
    const again = await json(cli, 'restore', 'backup.db', '--replace');
    for (const [file, text] of files) {
      assert.equal(readFileSync(file.replace(database, String(again.kept)), 'utf8'), text);
    }
    assert.equal((await json(cli, 'verify')).movements, 1);
  },
);
