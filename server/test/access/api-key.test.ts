import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, ENVIRONMENTS, hashApiKey, isWellFormedKey } from '../../src/domain/access/api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key with one replaced character is invalid without a database query', () => {
  for (const environment of ENVIRONMENTS) {
    const key = createApiKey(environment);
    assert.ok(isWellFormedKey(key, environment));
    for (let i = 0; i < key.length; i += 1) {
      const other = ALPHABET[(ALPHABET.indexOf(key[i] as string) + 1 + (i % 60)) % ALPHABET.length] as string;
      const typed = key.slice(0, i) + other + key.slice(i + 1);
      assert.equal(isWellFormedKey(typed, environment), typed === key, typed);
    }
  }
});

test('a key of another kind or environment is invalid without a database query', () => {
  const kinds = ['client', 'management'] as const;
  const all = ENVIRONMENTS.flatMap((environment) => kinds.map((kind) => ({ environment, kind })));
  for (const own of all) {
    const key = createApiKey(own.environment, own.kind);
    for (const other of all) assert.equal(isWellFormedKey(key, other.environment, other.kind), other === own);
  }
});

test('the hash of a key is HMAC-SHA-256 under the pepper', async () => {
  const key = createApiKey('production');
  const peppers = [Buffer.from('0123456789abcdef0123456789abcdef'), Buffer.alloc(48, 7)];
  for (const pepper of peppers) {
    const secret = await crypto.subtle.importKey('raw', pepper, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const expected = Buffer.from(await crypto.subtle.sign('HMAC', secret, Buffer.from(key)));
    assert.deepEqual(Buffer.from(hashApiKey(key, pepper)), expected);
  }
});
