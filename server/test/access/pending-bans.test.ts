import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ban } from '../../src/domain/access/bans.ts';
import type { Admission } from '../../src/domain/store.ts';
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

test('the next ban of a key waits for its own write, also while that of the ban before hangs', async () => {
  const writes: (() => void)[] = [];
  const bans = new PendingBans(
    () => new Promise((resolve) => writes.push(resolve)),
    () => undefined,
  );
  const next: Ban = { ...BAN, level: 2, bannedAtMs: 400_000, endsAtMs: 900_000 };
  bans.save(BAN);
  bans.save(next);
  const refused: Admission = {
    ...{ windows: [], atMs: 400_000 },
    refusal: { code: 'api_key_banned', retryAtMs: next.endsAtMs },
  };
  let isSent = false;
  const sending = Promise.resolve(bans.whenSaved(BAN.keyId, refused)).then(() => (isSent = true));
  writes[0]?.();
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([isSent, bans.mergeWith([])], [false, [next]]);
  assert.ok(bans.whenSaved(BAN.keyId, refused) instanceof Promise, 'it is not durable yet');
  bans.retry();
  assert.equal(writes.length, 2, 'its write goes on');
  writes[1]?.();
  await sending;
  assert.deepEqual(bans.mergeWith([]), []);
});
