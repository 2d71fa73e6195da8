import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, createId, hashApiKey } from '../../src/domain/access/api-key.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { Authenticator } from '../../src/http/access/authenticator.ts';
import { bytesOf, sequenceOf } from '../inventory/list-store.ts';
import { principalOf } from '../support/principals.ts';
import { useEngine } from '../support/test-database.ts';
import { startHeldStore } from './held-store.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { NOW_MS, setQuantity } from './support/shared-stores.ts';

useEngine(new PostgresEngine());

const PEPPER = Buffer.from('0123456789abcdef0123456789abcdef');

test('a list does not use a read that began before its request', async (t) => {
  const { answers, store } = await startHeldStore(t);
  await setQuantity(store, 1n, 1_111);
  const isHeld = answers.hold('"quantity":1111');
  const first = store.listInventory();
  await isHeld;
  await setQuantity(store, 1n, 2_222);
  const second = store.listInventory({ sequence: 7, recordedAtMs: 0 });
  answers.release();
  assert.equal(sequenceOf(await first), 6);
  assert.match(bytesOf((await second).json()).toString(), /"petId":1,"quantity":2222,/);
});

test('a key is not cached in its state before a change during its lookup', async (t) => {
  const { admin, answers, store } = await startHeldStore(t);
  const accountId = createId('acc');
  const limits = { perMinute: 100, perDay: 100 };
  await admin.accounts.create(
    { id: accountId, name: 'shop', plan: 'enterprise', limits, createdAtMs: NOW_MS },
    CLI_AUTHOR,
  );
  const secret = createApiKey('production');
  const id = createId('key');
  const fields = { role: null, name: 'till', hint: '', scopes: null, createdAtMs: NOW_MS, expiresAtMs: null };
  await admin.keys.create({ ...fields, id, accountId, hash: hashApiKey(secret, PEPPER) }, CLI_AUTHOR);
  const identifier = new Authenticator(store, 'production', PEPPER);
  const codeOf = async () => {
    const identity = await identifier.authenticate(`Bearer ${secret}`, NOW_MS);
    return identity instanceof ApiError ? identity.code : undefined;
  };

  const isHeld = answers.hold(id);
  const looking = codeOf();
  await isHeld;
  await admin.keys.revoke(id, NOW_MS, CLI_AUTHOR);
  const version = store.accessVersion();
  // A charge on another connection reports the change.
  await store.admit(principalOf(id, accountId, limits));
  assert.notEqual(store.accessVersion(), version);
  answers.release();
  assert.equal(await looking, undefined, 'it was valid when it was looked up');
  assert.equal(await codeOf(), 'revoked_api_key');
});
