import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { keepReserve, withReserve } from '../../src/store/sqlite/file/disk-reserve.ts';
import { temporaryFolder } from '../support/command-line.ts';

const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 });

/** Work that fails until the reserve of a file is gone. */
function needingRoom(file: string): () => string {
  return () => {
    if (existsSync(`${file}-reserve`)) throw FULL;
    return 'done';
  };
}

test('a clean-up on a full disk takes the reserve, and only for a full disk', async (t) => {
  const file = `${temporaryFolder(t)}/petstore.db`;
  const engine = SqliteAdminEngine.open(file, { create: true });
  t.after(() => engine.close());
  keepReserve(file);
  assert.equal(statSync(`${file}-reserve`).size, 8_388_608);
  assert.equal(statSync(`${file}-reserve`).mode & 0o777, 0o600);
  const other = () => {
    throw new Error('other');
  };
  assert.throws(() => withReserve(file, other), /other/);
  await assert.rejects(
    engine.cleanUp(async () => other()),
    /other/,
  );
  assert.ok(existsSync(`${file}-reserve`));

  assert.equal(withReserve(file, needingRoom(file)), 'done');
  engine.keepReserve();
  assert.equal(await engine.cleanUp(async () => needingRoom(file)()), 'done');
  await assert.rejects(
    engine.cleanUp(async () => {
      throw FULL;
    }),
    /disk is full/,
  );
});
