import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setQuantity } from '../blackbox/api-request.ts';
import { startService } from '../blackbox/service.ts';
import { temporaryFolder } from '../support/command-line.ts';

const EXPOSED = /petstore\.db can be read or written by others than its owner; run chmod 600/;

test(
  'only the owner can read the files next to the data, for any umask',
  {
    skip: process.platform === 'win32',
  },
  async (t) => {
    const umask = process.umask(0o022);
    t.after(() => process.umask(umask));
    const databaseDir = temporaryFolder(t);
    const service = await startService(t, { databaseDir, pets: [{ petId: 1n, quantity: 5 }] });
    assert.equal((await setQuantity(service, 1, 6)).status, 200);
    await service.cli('backup', join(databaseDir, 'copy.db'));
    const own = readdirSync(databaseDir).filter((name) => name !== 'pets.csv');
    const suffixes = ['', '-serving', '-shm', '-wal', '.pepper'].map((suffix) => `petstore.db${suffix}`);
    assert.deepEqual(own.toSorted(), ['copy.db', ...suffixes]);
    for (const name of own) {
      assert.equal((statSync(join(databaseDir, name)).mode & 0o777).toString(8), '600', name);
    }
    assert.doesNotMatch(service.logs(), EXPOSED);
    await service.kill9();

    chmodSync(join(databaseDir, 'petstore.db'), 0o644);
    const again = await startService(t, { databaseDir, key: service.key });
    assert.match(again.logs(), EXPOSED);
    assert.equal(
      (statSync(join(databaseDir, 'petstore.db')).mode & 0o777).toString(8),
      '644',
      'its mode is unchanged',
    );
    await again.cli('backup', join(databaseDir, 'second.db'));
    assert.equal((statSync(join(databaseDir, 'second.db')).mode & 0o777).toString(8), '600', 'the backup');
  },
);
