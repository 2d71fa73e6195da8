import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from '@hono/zod-openapi';
import type { Role } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../src/domain/errors.ts';
import { header } from '../../src/http/openapi/headers.ts';
import { EMPTY } from '../../src/http/operation/body.ts';
import { type Operation, operationsWith } from '../../src/http/operation/operation.ts';
import {
  list,
  nothing,
  one,
  page,
  pageOf,
  revalidated,
  tagged,
  view,
} from '../../src/http/operation/output.ts';
import { anyText, choice, oneMore, PAGE, positive } from '../../src/http/operation/parameter.ts';
import { bindOperation } from '../../src/http/request/bound-operation.ts';
import { RequestContext } from '../../src/http/request/request-context.ts';
import { Routes } from '../../src/http/router.ts';
import type { Answer, IncomingRequest } from '../../src/listen/exchange.ts';
import { principalOf } from '../support/principals.ts';

const NOW_MS = Date.parse('2026-07-01T12:00:00Z');

const operation = operationsWith<unknown>({ tag: 'Things' });
const THING = view(
  'TestThing',
  z.object({ id: z.string().openapi({ maxLength: 50, description: 'Its id.' }) }),
  (id: string) => ({ id }),
);
const TEXT = { schema: { type: 'string', maxLength: 50 }, description: 'A text.' };
const COMMON = {
  summary: 'A thing',
  description: 'A thing.',
  access: { scope: 'orders:read' },
  output: one(THING, { description: 'A thing.' }),
  handle: () => 'a',
} as const;

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a management key. */
  readonly role?: Role;
}

/** The answer of an operation to a request for this target below the path of its interface. */
async function answer(
  { client, management }: Operation<unknown>,
  target: string,
  { method = 'GET', headers = {}, role }: Sent = {},
): Promise<Answer> {
  const definition = role === undefined ? client : management;
  assert.ok(definition, 'the interface has the operation');
  const path = role === undefined ? '/v1' : '/admin/v1';
  const request: IncomingRequest = {
    method,
    target: path + target,
    remoteAddress: '127.0.0.1',
    isSecure: false,
    signal: AbortSignal.timeout(10_000),
    header: (name) => headers[name] ?? null,
    readBody: () => Promise.resolve(new Uint8Array()),
    readPieces: () => assert.fail('no operation here reads a file'),
  } as IncomingRequest;
  const context = new RequestContext(request, NOW_MS, { isDraining: false });
  const principal = principalOf('key_4fQ2n8Zk1bXw0aLr', 'acc_4fQ2n8Zk1bXw0aLr', { perMinute: 1, perDay: 1 });
  context.principal = role === undefined ? principal : { ...principal, key: { ...principal.key, role } };
  context.windows = [{ name: 'minute', limit: 1, remaining: 1, resetAtMs: NOW_MS + 1_000 }];
  return new Routes(path, [bindOperation(definition, { baseUrl: 'https://shop.example/v1' })]).answer(
    context,
  );
}

test('a definition that contradicts itself is refused while its module loads', () => {
  const at = 'GET /things/{thingId}';
  const path = { thingId: anyText({ ...TEXT }) };
  assert.throws(() => operation({ ...COMMON, id: 'a', at }), /read exactly the parameters/);
  assert.throws(
    () => operation({ ...COMMON, id: 'a', at, path: { id: path.thingId } }),
    /exactly the parameters/,
  );
  assert.throws(
    () =>
      operation({
        ...COMMON,
        id: 'a',
        at: 'GET /things',
        output: page(THING, COMMON),
        handle: () => ({ items: [] }),
      }),
    /must have a limit/,
  );
  const ofTag = { ...COMMON, output: one(THING, { ...COMMON, headers: [tagged(() => '"a"', {})] }) };
  assert.throws(() => operation({ ...ofTag, id: 'a', at: 'POST /things' }), /must be a read/);
  const cached = { ...COMMON, output: one(THING, { ...COMMON, headers: [revalidated] }) };
  assert.throws(() => operation({ ...cached, id: 'a', at: 'GET /things' }), /component of its 304/);
  assert.doesNotThrow(() => operation({ ...COMMON, id: 'a', at, path }));
});

test('operations share a component of the document, and two components of one name are refused', () => {
  const level = (description: string) =>
    choice(['low', 'out'], { component: 'TestLevel', description, schema: { type: 'string' } });
  const queries = [level('A level.').optional(), level('A level.').orElse('out')];
  for (const [i, one] of queries.entries()) {
    assert.doesNotThrow(() =>
      operation({ ...COMMON, id: `level${i}`, at: 'GET /things', query: { level: one } }),
    );
  }
  assert.throws(
    () => operation({ ...COMMON, id: 'other', at: 'GET /things', query: { level: level('Another level.') } }),
    /two components .*TestLevel/,
  );
});

test('a path and a query become values, and a text against the rule is refused with the name of its parameter', async () => {
  const seen: unknown[] = [];
  const reading = operation({
    ...COMMON,
    id: 'reading',
    at: 'GET /things/{thingId}',
    path: { thingId: positive({ component: 'TestThingId', ...TEXT }) },
    query: {
      level: choice(['low', 'out'], { component: 'TestLevelOrNone', ...TEXT }).optional(),
      name: anyText({ component: 'TestName', ...TEXT }).alone(),
      order: choice(['asc', 'desc'], { component: 'TestOrder', ...TEXT }).orElse('asc'),
    },
    handle: (_services, { path, query }) => {
      seen.push([path, query]);
      return 'a';
    },
  });
  assert.equal((await answer(reading, '/things/7?level=low')).body, '{"id":"a"}');
  assert.deepEqual(seen, [[{ thingId: 7 }, { level: 'low', name: undefined, order: 'asc' }]]);
  assert.equal((await answer(reading, '/things/7?name=b')).status, 200);
  const refusals: [target: string, message: RegExp][] = [
    ['/things/0', /^thingId must be a whole number from 1/],
    ['/things/7?level=high', /^level must be one of low, out\. It is "high"\.$/],
    ['/things/7?level=', /^level must be one of low, out\. It is ""\.$/],
    ['/things/7?name=b&order=asc', /^name excludes all other parameters\.$/],
    ['/things/7?order=asc&order=asc', /^Send the query parameter order once\.$/],
    ['/things/7?name=%00', /^name must not contain U\+0000\.$/],
    ['/things/7?toString=1', /"toString" is unknown here\. Known are: level, name, order\.$/],
  ];
  for (const [target, message] of refusals) {
    await assert.rejects(answer(reading, target), { code: 'invalid_parameter', message }, target);
  }
});

test('a page leads to the next one with the query as sent, and the cursor is that of its own parameter', async () => {
  const ids = ['a', 'b', 'c'].map((letter) => `tst_${letter.repeat(16)}`);
  const paging = operation({
    ...COMMON,
    id: 'paging',
    at: 'GET /things/{thingId}/parts',
    path: { thingId: anyText({ component: 'TestPartsOf', ...TEXT }) },
    query: { kind: anyText({ component: 'TestKind', ...TEXT }).optional(), ...PAGE },
    output: page(THING, { description: 'Things.' }),
    handle: (_services, { query }) => {
      const { after = '', limit } = oneMore(query);
      return pageOf(ids.filter((id) => id > after).slice(0, limit), query.limit, (id) => id);
    },
  });
  const first = await answer(paging, '/things/a%2Fb/parts?limit=2&kind=x');
  assert.deepEqual(JSON.parse(String(first.body)), [{ id: ids[0] }, { id: ids[1] }]);
  const cursor = Buffer.from(ids[1] ?? '').toString('base64url');
  assert.equal(
    first.headers.Link,
    `<https://shop.example/v1/things/a%2Fb/parts?limit=2&kind=x&cursor=${cursor}>; rel="next"`,
  );
  for (const limit of ['0', '1001', '1e2', '01']) {
    const message = new RegExp(`^limit must be a whole number from 1 to 1000\\. It is "${limit}"\\.$`);
    await assert.rejects(answer(paging, `/things/a/parts?limit=${limit}`), { message }, limit);
  }
  const second = await answer(paging, `/things/a/parts?limit=2&cursor=${cursor}`);
  assert.deepEqual([JSON.parse(String(second.body)), second.headers.Link], [[{ id: ids[2] }], undefined]);
  assert.equal((await answer(paging, '/things/a/parts?limit=3')).headers.Link, undefined);
  for (const wrong of ['x', `${cursor}=`, Buffer.from('tst_a').toString('base64url')]) {
    const message = `cursor must come from the Link header of the page before. It is "${wrong}".`;
    await assert.rejects(answer(paging, `/things/a/parts?cursor=${wrong}`), { message }, wrong);
  }
});

test('a next page whose parameter the operation does not have is an error, not a link that is refused', async () => {
  const lost = operation({
    ...COMMON,
    id: 'lost',
    at: 'GET /things',
    query: PAGE,
    output: page(THING, { description: 'Things.' }),
    handle: () => ({ items: ['a'], next: { after: 4 } }),
  });
  await assert.rejects(answer(lost, '/things'), /no parameter after for its next page/);
});

test('a client sees the resources of its account, and a manager those of all accounts, by the interface alone', async () => {
  const owned = operation({
    ...COMMON,
    id: 'owned',
    at: 'GET /things',
    access: { scope: 'webhooks:manage', role: 'viewer' },
    handle: (_services, call) => String(call.accountId),
  });
  assert.equal((await answer(owned, '/things')).body, '{"id":"acc_4fQ2n8Zk1bXw0aLr"}');
  assert.equal((await answer(owned, '/things', { role: 'staff' })).body, '{"id":"undefined"}');
});

test('each form of access is mounted where it belongs, for the keys that it names', () => {
  const accessible = (access: Parameters<typeof operation>[0]['access']) => {
    const { client, management } = operation({ ...COMMON, id: 'a', at: 'GET /things', access });
    return [client && [client.scope, client.role], management && [management.scope, management.role]];
  };
  assert.deepEqual(accessible({ scope: 'orders:read' }), [
    ['orders:read', undefined],
    [null, 'viewer'],
  ]);
  assert.deepEqual(accessible({ scope: 'orders:read', role: 'administrator' }), [
    ['orders:read', undefined],
    [null, 'administrator'],
  ]);
  assert.deepEqual(accessible({ scope: 'orders:read', role: null }), [['orders:read', undefined], undefined]);
  assert.deepEqual(accessible({ role: 'staff' }), [undefined, [null, 'staff']]);
  assert.deepEqual(accessible('any-key'), [[null, undefined], undefined]);
  assert.deepEqual(accessible('open'), [undefined, [null, undefined]]);
  const { client, management } = operation({ ...COMMON, id: 'a', at: 'GET /things', access: 'open' });
  assert.deepEqual([client, management?.isOpen], [undefined, true]);
});

test('the refusal of an operator is a response with its code', async () => {
  const refused = operation({
    ...COMMON,
    id: 'refused',
    at: 'POST /things',
    body: EMPTY,
    handle: () => Promise.reject(new OperatorError('The thing is used.', { code: 'conflict' })),
  });
  const expected = { code: 'conflict', status: 409, message: 'The thing is used.' };
  await assert.rejects(answer(refused, '/things', { method: 'POST' }), expected);
});

test('a refusal has its headers, and one of a store that cannot serve says when to come again', async () => {
  for (const [code, headers, expected] of [
    ['conflict', { 'Inventory-Pet-Count': '2' }, { 'Inventory-Pet-Count': '2' }],
    ['service_unavailable', {}, { 'Retry-After': '5' }],
  ] as const) {
    const handle = () => Promise.reject(new OperatorError('Not now.', { code, headers }));
    const refused = operation({ ...COMMON, id: 'refused', at: 'POST /things', body: EMPTY, handle });
    await assert.rejects(answer(refused, '/things', { method: 'POST' }), { code, headers: expected });
  }
});

test('a read with a tag returns 304 to a client that has it, and says so in its document', async () => {
  const headers = [tagged(() => '"a1"', {})];
  const tag = operation({
    ...COMMON,
    id: 'tag',
    at: 'GET /things',
    output: one(THING, { description: 'A thing.', notModified: 'TestThingNotModified', headers }),
  });
  assert.ok(tag.client?.route.responses[304]);
  assert.equal(tag.client.route.parameters?.length, 2, 'both preconditions');
  const fresh = await answer(tag, '/things', { headers: { 'if-none-match': '"a0"' } });
  assert.deepEqual([fresh.status, fresh.headers.ETag], [200, '"a1"']);
  const held = await answer(tag, '/things', { headers: { 'if-none-match': '"a0", "a1"' } });
  assert.deepEqual([held.status, held.body, held.headers['Content-Type']], [304, null, undefined]);
  assert.equal(held.headers['Cache-Control'], 'private, no-cache');
});

test('no cache stores a response whose operation does not allow it', async () => {
  const all = operation({
    ...COMMON,
    id: 'all',
    at: 'GET /things',
    output: list(THING, { description: 'Things.' }),
    handle: () => ['a', 'b'],
  });
  const { headers, body } = await answer(all, '/things');
  assert.deepEqual([headers['Cache-Control'], body], ['no-store', '[{"id":"a"},{"id":"b"}]']);
});

test('a response without content has the header that the operation documents', async () => {
  const output = nothing('The thing is deleted.', 'TestThingDeleted', {
    documented: header('Set-Cookie', 'TestCookie', { description: 'A cookie.', schema: { type: 'string' } }),
    of: (cookie: string) => ({ 'Set-Cookie': cookie }),
  });
  const deleting = operation({ ...COMMON, id: 'deleting', at: 'DELETE /things', output });
  assert.deepEqual(Object.keys(output.headers), ['Set-Cookie']);
  const { status, body, headers } = await answer(deleting, '/things', { method: 'DELETE' });
  assert.deepEqual([status, body, headers['Set-Cookie']], [204, null, 'a']);
});

test('a view has the members of its schema and no others', () => {
  const schema = z.object({ id: z.string() });
  // @ts-expect-error a member that the schema does not have
  view('TestSurplus', schema, (id: string) => ({ id, secret: 'a' }));
  // @ts-expect-error a member is missing
  view('TestIncomplete', schema, (_id: string) => ({}));
  // @ts-expect-error a member in one of two forms
  view('TestForms', schema, (id: string) => (id === '' ? { id } : { id, secret: 'a' }));
  assert.equal(view('TestExact', schema, (id: string) => ({ id })).json('a'), '{"id":"a"}');
});
