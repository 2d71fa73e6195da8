import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FIRST_HASH } from '../src/domain/ledger.ts';
import { petRow } from './command-line.ts';
import { startApp } from './harness.ts';

const page = readFileSync(new URL('../../docs/ledger.md', import.meta.url), 'utf8');

type DocumentedHash = (previousHash: string, movement: { readonly hash: string }) => string;

test('the hash that docs/ledger.md gives is the one of every movement that the history tells', async (t) => {
  const { admin, request } = await startApp(t);
  await admin.importPets([petRow(1), petRow(2)], 'cli', 1);
  const explained = {
    reason: 'received',
    note: 'Grüße "quoted" \u0001',
    referenceDocumentUri: 'https://shop.example/deliveries/9',
    referenceId: 'delivery 9',
    occurredAt: '2026-02-28T23:59:59.5+01:00',
  };
  await request('POST', '/v1/inventory/1/adjustments', { body: JSON.stringify({ delta: 5, ...explained }) });
  await request('PUT', '/v1/inventory/2/status', { body: JSON.stringify({ status: 'pending' }) });
  await request('POST', '/v1/movements/3/revert');
  const { text } = await request('GET', '/v1/movements');
  const movements = JSON.parse(text) as { hash: string; kind: string }[];
  assert.deepEqual(
    movements.map(({ kind }) => kind),
    ['import', 'import', 'adjust', 'status', 'revert'],
  );
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const documented = new Function('createHash', `${code}; return movementHash;`)(
    createHash,
  ) as DocumentedHash;
  let hash = FIRST_HASH;
  for (const movement of movements) {
    hash = documented(hash, movement);
    assert.equal(movement.hash, hash);
  }
});
