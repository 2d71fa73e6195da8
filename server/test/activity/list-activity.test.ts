import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startManaged } from '../usage/managed-app.ts';

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
}

const HOSTILE_QUERIES = [
  'actor=',
  'actor=%00',
  `action=${'a'.repeat(201)}`,
  'target=a&target=b',
  'since=now',
  'until=2026-02-30T00:00:00Z',
  'limit=0',
  'limit=1001',
  'cursor=%27',
  `cursor=${Buffer.from('9223372036854775807').toString('base64url')}`,
  'order=asc',
];

test('the log lists actions newest first, in pages, with their authors', async (t) => {
  const { app, get } = await startManaged(t);
  for (let i = 0; i < 5; i += 1) await app.makeAccount();
  const whole = (await get('/admin/v1/activity?action=accounts.create')).json as unknown as Entry[];
  assert.ok(whole.length >= 5);
  assert.ok(whole.every(({ actor, action }) => actor === 'cli' && action === 'accounts.create'));
  const paged: Entry[] = [];
  let target: string | undefined = '/admin/v1/activity?action=accounts.create&limit=2';
  while (target !== undefined) {
    const { json, headers } = await get(target);
    paged.push(...(json as unknown as Entry[]));
    const [, next] = /<[^>]*(\/admin\/v1[^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    target = next;
  }
  assert.deepEqual(paged, whole);
  const [first] = whole;
  const one = (await get(`/admin/v1/activity?target=${first?.target}&actor=cli`)).json as unknown as Entry[];
  assert.deepEqual(
    one.map(({ target: id }) => id),
    [first?.target],
  );
});

test('hostile values of the filters are refused by name, or match nothing', async (t) => {
  const { get } = await startManaged(t);
  for (const query of HOSTILE_QUERIES) {
    const { status, code } = await get(`/admin/v1/activity?${query}`);
    assert.deepEqual([status, code], [400, 'invalid_parameter'], query);
  }
  for (const text of ["' OR '1'='1", '%', '_', '\u202e', '𝔠𝔩𝔦']) {
    const { status, json } = await get(`/admin/v1/activity?actor=${encodeURIComponent(text)}`);
    assert.deepEqual([status, json], [200, []], text);
  }
});
