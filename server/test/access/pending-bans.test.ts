import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ban } from '../../src/domain/access/bans.ts';
import { PendingBans } from '../../src/store/access/bans.ts';

const BAN: Ban = { keyId: 'key_1', level: 1, bannedAtMs: 0, endsAtMs: 300_000 };
const OTHER: Ban = { ...BAN, keyId: 'key_2' };

test('a ban that cannot be saved applies in addition to saved bans until it is saved', async () => {
  let isDatabaseThere = false;
  const errors: string[] = [];
  const written: Ban[] = [];
  const bans = new PendingBans(
    async (ban) => {
      if (!isDatabaseThere) throw new Error('The database is gone.');
      written.push(ban);
    },
    (message) => errors.push(message),
  );
  bans.save(BAN);
  await bans.drain();
  assert.deepEqual(bans.mergeWith([OTHER]), [OTHER, BAN]);
  assert.equal(errors.length, 1);
  bans.retry();
  await bans.drain();
  assert.deepEqual([bans.mergeWith([]), errors.length], [[BAN], 2]);
  isDatabaseThere = true;
  bans.retry();
  await bans.drain();
  assert.deepEqual([written, bans.mergeWith([OTHER])], [[BAN], [OTHER]]);
  bans.retry();
  await bans.drain();
  assert.equal(written.length, 1, 'and not twice');
});
