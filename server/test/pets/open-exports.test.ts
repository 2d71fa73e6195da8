import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_OPEN_EXPORTS, OpenExports } from '../../src/http/admin/open-exports.ts';
import type { RequestContext } from '../../src/http/request/request-context.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRows } from '../support/pet-rows.ts';
import { assertNoticed } from '../support/test-database.ts';
import { fetchFrom } from '../support/web-exchange.ts';

test('a key has a number of open exports, each until it is read, cancelled, or its client has gone', async (t) => {
  const { app, key } = await adminShop(t, 'viewer', { pets: petRows(3) });
  const { key: other } = await app.makeAdminKey('viewer');
  for (const path of ['/admin/v1/pets/export', '/admin/v1/pets/rows']) {
    const open = async (init: RequestInit = {}) => {
      const headers = { Authorization: `Bearer ${key}`, ...init.headers };
      return fetchFrom(app.app, new Request(`http://localhost${path}`, { ...init, headers }));
    };
    const get = (sent = key) => app.request('GET', path, { key: sent });
    const gone = new AbortController();
    const opened = [await open({ signal: gone.signal })];
    while (opened.length < MAX_OPEN_EXPORTS) opened.push(await open());
    const refused = await get();
    assert.deepEqual([refused.status, refused.code], [503, 'service_unavailable'], path);
    assert.equal((await get(other)).status, 200, `${path}: each key has its own`);
    assert.equal((await open({ method: 'HEAD' })).status, 200, `${path}: HEAD opens none`);

    const endings: Readonly<Record<string, () => unknown>> = {
      'the client disconnects': () => gone.abort(),
      'the body is cancelled': () => opened[1]?.body?.cancel(),
      'the body is read': () => opened[2]?.text(),
    };
    for (const [ending, end] of Object.entries(endings)) {
      await end();
      opened.push(await open());
      assert.equal(opened.at(-1)?.status, 200, `${path}: ${ending}`);
      assert.equal((await get()).status, 503, `${path}: ${ending}, and only one place is free`);
    }
    for (const { body } of opened.slice(3)) await body?.cancel();
    assert.equal((await open({ headers: { 'If-None-Match': '*' } })).status, 304);
    for (let i = 0; i <= MAX_OPEN_EXPORTS; i += 1) assert.equal((await get()).status, 200, path);
  }
});

test('an export ends when its key is revoked', async (t) => {
  const { app } = await adminShop(t, 'viewer', { pets: petRows(3) });
  for (const path of ['/admin/v1/pets/export', '/admin/v1/pets/rows']) {
    const { key, principal } = await app.makeAdminKey('viewer');
    const headers = { Authorization: `Bearer ${key}` };
    const { status, body } = await fetchFrom(app.app, new Request(`http://localhost${path}`, { headers }));
    assert.equal(status, 200);
    const reader = body?.getReader();
    assert.equal((await reader?.read())?.done, false);
    await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
    await assertNoticed(async () => (await app.request('GET', path, { key })).code, 'revoked_api_key');
    await assert.rejects(async () => reader?.read(), /was revoked/, path);
  }
});

test('the query of an export chooses the format, whatever Accept says', async (t) => {
  const { app, key } = await adminShop(t, 'viewer', { pets: petRows(3) });
  const typeOf = async (path: string, accept: string) => {
    const answer = await app.request('GET', `/admin/v1/${path}`, { key, headers: { Accept: accept } });
    return [answer.status, answer.headers.get('Content-Type')];
  };
  for (const list of ['pets', 'reports/stock', 'reports/movements', 'reports/variance', 'reorders']) {
    assert.deepEqual(await typeOf(`${list}/export`, 'application/json'), [200, 'text/csv'], list);
  }
  assert.deepEqual(await typeOf('pets/export?format=json', 'text/csv'), [200, 'application/json']);
  assert.equal((await typeOf('pets', 'text/csv'))[0], 406);
});

interface Reading {
  readonly operation?: string;
  readonly signal?: AbortSignal;
}

/** Opens a file of one key, which is refused with an error. */
function openerOf(openExports: OpenExports) {
  return (
    texts: AsyncGenerator<string>,
    { operation = 'exportPets', signal = new AbortController().signal }: Reading = {},
  ) => {
    const [principal, request] = [{ key: { id: 'key_1' } }, { signal }];
    const context = { isHead: false, operation, principal, request, requireStillValid: () => {} };
    return openExports.bodyOf(context as unknown as RequestContext, texts)?.getReader();
  };
}

async function* file(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function* failingFile(): AsyncGenerator<string> {
  yield 'a';
  throw new Error('The database does not answer.');
}

test('each operation has its own files, and one that ends twice gives its place back one time', async () => {
  const open = openerOf(new OpenExports());
  const refused = { code: 'service_unavailable' };
  for (let i = 0; i <= MAX_OPEN_EXPORTS; i += 1) open(file('a'), { signal: AbortSignal.abort() });
  const gone = new AbortController();
  const failed = open(failingFile(), gone);
  for (let i = 1; i < MAX_OPEN_EXPORTS; i += 1) open(file('a'));
  assert.throws(() => open(file('a')), refused);
  open(file('a'), { operation: 'listPetRows' });
  await failed?.read();
  await assert.rejects(async () => failed?.read(), /does not answer/);
  open(file('a'));
  gone.abort();
  assert.throws(() => open(file('a')), refused);
});

test('nothing is read for a client that has gone', async () => {
  const gone = new AbortController();
  const reader = openerOf(new OpenExports())(file('a', 'b'), gone);
  await reader?.read();
  gone.abort();
  await assert.rejects(async () => reader?.read(), { name: 'AbortError' });
});
