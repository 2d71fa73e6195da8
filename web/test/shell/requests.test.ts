import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { api, handleSignedOut, isReached } from '../../src/api/client.ts';
import { nextCursor } from '../../src/api/pages.ts';

/** Answers all requests of the pages, and returns their options. */
function answer(t: TestContext, respond: (turn: number, init: RequestInit) => Promise<Response>) {
  const sent: RequestInit[] = [];
  t.mock.method(globalThis, 'fetch', (_url: string, init: RequestInit) => {
    sent.push(init);
    return respond(sent.length, init);
  });
  return sent;
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message: '' }, { status, headers: { 'Petstore-Version': '1', ...headers } });

test('no request is sent before the longest Retry-After has passed, because it would be a strike', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
  const late = Promise.withResolvers<void>();
  const sent = answer(t, async (turn) => {
    if (turn === 3) await late.promise;
    return turn > 3
      ? Response.json({ turn })
      : refusal(429, 'rate_limit_exceeded', { 'Retry-After': ['2', '1', '5'][turn - 1] as string });
  });
  const limited = { code: 'rate_limit_exceeded' };
  const refusals = ['/1', '/2', '/3'].map((path) => assert.rejects(api('GET', path), limited));
  await Promise.all(refusals.slice(0, 2));
  const left = new AbortController();
  const given = assert.rejects(api('GET', '/c', { signal: left.signal }), { name: 'AbortError' });
  const held = api('GET', '/d');
  await settled();
  left.abort();
  t.mock.timers.tick(1_999);
  await settled();
  assert.equal(sent.length, 3);
  // The last one of the requests that were sent together says a later moment.
  late.resolve();
  await Promise.all(refusals);
  t.mock.timers.tick(4_999);
  await settled();
  assert.equal(sent.length, 3);
  t.mock.timers.tick(1);
  assert.deepEqual(await held, { turn: 4 });
  await given;
});

test('a refused sign-in does not ask for a sign-in', async (t) => {
  let asked = 0;
  handleSignedOut(async () => {
    asked += 1;
    return asked < 2;
  });
  t.after(() => handleSignedOut(async () => false));
  const sent = answer(t, async () => refusal(401, 'invalid_management_key'));
  await assert.rejects(api('POST', '/session', { body: {} }), { code: 'invalid_management_key' });
  assert.deepEqual([asked, sent.length], [0, 1]);
});

test('the service is reached if it answers within 2 s, also by a refusal, and a proxy is not it', async (t) => {
  let response = new Response('{}');
  const sent = answer(t, async () => response);
  const isReachedBy = (each: Response) => {
    response = each;
    return isReached();
  };
  assert.equal(await isReachedBy(refusal(401, 'session_ended')), true);
  assert.equal(await isReachedBy(refusal(503, 'service_unavailable')), true);
  assert.equal(sent[0]?.cache, 'no-store');
  for (const status of [502, 503, 504]) assert.equal(await isReachedBy(new Response('', { status })), false);
  t.mock.restoreAll();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  answer(
    t,
    (_turn, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  const found: boolean[] = [];
  void isReached().then((isThere) => found.push(isThere));
  t.mock.timers.tick(2_000);
  await settled();
  assert.deepEqual(found, [false]);
});

test('a file may take hours to send, as long as parts of it arrive', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let progress = () => {};
  const done = Promise.withResolvers<Response>();
  const upload = (body: string) =>
    api('POST', '/imports', {
      raw: {
        body: new Blob([body]),
        type: 'text/csv',
        send: (_url, { signal }, onProgress) => {
          progress = onProgress;
          signal?.addEventListener('abort', () => done.reject(signal.reason));
          return done.promise;
        },
      },
    });
  const sending = upload('petId');
  await settled();
  for (let minutes = 0; minutes < 180; minutes += 1) {
    t.mock.timers.tick(59_000);
    progress();
  }
  done.resolve(Response.json({ id: 'imp_1' }));
  assert.deepEqual(await sending, { id: 'imp_1' });
});

test('the next page is found in the link of any list', () => {
  const linkOf = (query: string) => `</admin/v1/pets?limit=2&${query}>; rel="next"`;
  assert.equal(nextCursor(linkOf('cursor=a%2Bb')), 'a+b');
  assert.equal(nextCursor(linkOf('before=41')), '41');
  assert.equal(nextCursor(linkOf('after=42')), '42');
  assert.equal(nextCursor('</admin/v1/pets>; rel="first"'), undefined);
  assert.equal(nextCursor(null), undefined);
});

test('an error names the request that was refused, which describes a conflict', async (t) => {
  answer(t, async () => refusal(409, 'conflict'));
  await assert.rejects(api('DELETE', '/pets/5', { query: { note: 'x' } }), { request: 'DELETE /pets/5' });
});
