import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledShop } from './prune/pruned-shop.ts';
import { bytesLiteral } from './tampering.ts';

test('a movement is never changed, and only deleted if the ledger does not keep it', async (t) => {
  const { database } = await filledShop(t);
  const refused = (sql: string, reason: RegExp) => assert.rejects(database.run(sql), reason, sql);
  await refused('UPDATE movements SET note = NULL WHERE sequence = 1', /never changed/);
  await refused('DELETE FROM movements WHERE sequence = 1', /never deleted/);
  if (!database.url.startsWith('sqlite:')) {
    await refused('TRUNCATE movements', /never changed, deleted or cut off/);
    await refused('TRUNCATE movements, ledger_start', /never changed, deleted or cut off/);
    const zeros = bytesLiteral(database, '00'.repeat(32));
    await refused(`INSERT INTO ledger_start VALUES (0, 0, '\\x00', 0, ${zeros})`, /check|unique/);
    await refused('INSERT INTO ledger_start SELECT * FROM ledger_start', /unique/);
  }
  await database.run('UPDATE ledger_start SET sequence = 4');
  await refused('DELETE FROM movements WHERE sequence IN (4, 5)', /never deleted/);
  await database.run('DELETE FROM movements WHERE sequence <= 4');
  assert.deepEqual(await database.rows('SELECT min(sequence), max(sequence) FROM movements'), [[5, 10]]);
  await refused('DELETE FROM movements', /never deleted/);
});
