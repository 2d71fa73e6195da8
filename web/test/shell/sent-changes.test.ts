import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { api, endRequests, handleSignedOut, LONG_WORK_MS } from '../../src/api/client.ts';
import type { BulkChange } from '../../src/api/schemas.ts';
import type { Count } from '../../src/counts/count.ts';
import { ATTEMPT_MS, inNameOf, sendCount, UNSURE } from '../../src/counts/send-count.ts';
import { undoCount } from '../../src/counts/undo-count.ts';
import { changeInParts, keysOf, ownChanges, togetherOf } from '../../src/bulk/bulk-api.ts';
import { finishSignOut, isSignOutOpen, signIn, signOut } from '../../src/session/session-api.ts';
import { browserStorage } from '../../src/storage/browser-storage.ts';
import { WAITING_COUNT } from '../count/waiting-count.ts';

/** Its types are those of a browser, which the tests of the server lack. */
const STRAY_CLICKS: string = '../../src/components/stray-clicks.ts';

/** The movement that the tag of the count names. */
const RECORDED = {
  version: 2,
  sequence: 41,
  recordedAt: new Date(Number.parseInt('kx0', 36)).toISOString(),
  quantityAfter: 5,
};

/** Answers all requests of the pages. Returns the requests, as method, path and body. */
function answerRequests(t: TestContext, answer: (init: RequestInit, turn: number) => Promise<Response>) {
  const requests: string[] = [];
  t.mock.method(globalThis, 'fetch', (url: string, init: RequestInit) => {
    requests.push([init.method, url, init.body].filter(Boolean).join(' '));
    return answer(init, requests.length);
  });
  return requests;
}

test('an attempt to send a count ends without an answer, and the count stays', async (t) => {
  const limits: number[] = [];
  const { timeout } = AbortSignal;
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms);
    return timeout.call(AbortSignal, 1);
  });
  answerRequests(
    t,
    ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  const sent = await Promise.race([sendCount(WAITING_COUNT), delay(2_000, 'it waits on', { ref: false })]);
  assert.equal(sent, undefined);
  assert.deepEqual(limits, [ATTEMPT_MS]);
});

test('details are sent with their tag; then a conflict is only what somebody else has set in the same ones', async (t) => {
  const values = { name: 'Rex', sku: 'R-1' };
  const edit = { details: { values, before: { name: 'Bello', sku: null }, takeCodes: true as const } };
  const pet = (name: string, sku: string | null) => ({
    quantity: 2,
    name,
    sku,
    updatedAt: '2026-06-01T12:00:02.000Z',
  });
  let now: object = {};
  const headers = { ETag: '"4-44-kx2"' };
  const renamed = {
    kind: 'import',
    delta: 0,
    actor: { name: 'Ada' },
    recordedAt: '2026-06-01T12:00:01.000Z',
  };
  const requests = answerRequests(t, async ({ method }, turn) => {
    if (method === 'PATCH')
      return Response.json({ code: 'precondition_failed', message: '' }, { status: 412 });
    return Response.json(turn === 3 ? [renamed] : now, { headers });
  });
  const send = async (after: object) => {
    now = after;
    requests.length = 0;
    const { key: _another, ...sent } = (await sendCount({ ...WAITING_COUNT, edit })) ?? {};
    return sent;
  };
  const state = { tag: '"4-44-kx2"', stock: 2 };
  assert.deepEqual(await send(pet('Rex', 'R-1')), { ...state, state: 'sent' });
  assert.deepEqual(requests, [
    'PATCH /admin/v1/pets/7 {"name":"Rex","sku":"R-1","takeCodes":true}',
    'GET /admin/v1/pets/7',
  ]);
  assert.deepEqual(await send(pet('Bello', null)), state);
  assert.deepEqual(await send(pet('Max', 'R-1')), {
    state: 'conflict',
    now: {
      quantity: 2,
      tag: state.tag,
      who: 'Ada',
      at: renamed.recordedAt,
      details: { name: 'Max' },
    },
  });
});

test('a sign-out finds that the session has ended already, and stays open where the service is busy', async (t) => {
  let status = 401;
  const requests = answerRequests(t, async () =>
    Response.json({ code: 'session_ended', message: '' }, { status }),
  );
  await signOut();
  assert.deepEqual(requests, ['DELETE /admin/v1/session']);
  assert.equal(isSignOutOpen(), false);
  status = 403;
  await assert.rejects(signOut);
  assert.equal(isSignOutOpen(), false, 'the person is told, and stays signed in');
  status = 503;
  await signOut();
  assert.equal(isSignOutOpen(), true);
  // No session begins while the one before may still run.
  await assert.rejects(signIn({ key: 'psa_live_x' }));
  assert.equal(requests.at(-1), 'DELETE /admin/v1/session');
  status = 401;
  await finishSignOut();
  assert.equal(isSignOutOpen(), false);
});

test('a sign-out ends the session also where the storage of the browser is full', async (t) => {
  t.mock.method(browserStorage, 'setItem', () => {
    throw new Error('QuotaExceededError');
  });
  let status = 503;
  const requests = answerRequests(t, async () =>
    Response.json({ code: 'service_unavailable', message: '' }, { status }),
  );
  await assert.rejects(signOut, 'it cannot be sent again after a reload, so the person sees it');
  status = 401;
  await signOut();
  assert.deepEqual(requests, ['DELETE /admin/v1/session', 'DELETE /admin/v1/session']);
});

test('a change that runs while its key is rotated is one of the key that replaced it', async (t) => {
  const made = (id: string, appliedBy: string | null, undoneBy: string | null = null) => ({
    id,
    appliedBy,
    undoneBy,
  });
  const all = [made('a', 'key_2'), made('b', 'key_x'), made('c', null), made('d', 'key_x', 'key_3')];
  answerRequests(t, async (_init, turn) => Response.json(turn === 1 ? { rotatedFrom: 'key_2' } : all));
  const keyIds = await keysOf({ keyId: 'key_3', firstKeyId: 'key_1' });
  assert.deepEqual(keyIds, ['key_3', 'key_2']);
  assert.deepEqual(
    (await ownChanges(keyIds)).map(({ id }) => id),
    ['a', 'd'],
  );
  assert.deepEqual(await keysOf({ keyId: 'key_1', firstKeyId: 'key_1' }), ['key_1'], 'no request');
});

test('an undo of a count is refused after the change of somebody else', async (t) => {
  const reverted = { version: 3, sequence: 44, recordedAt: '2026-06-01T12:00:01.000Z' };
  const requests = answerRequests(t, async ({ method }) =>
    Response.json(method === 'POST' ? reverted : RECORDED),
  );
  assert.equal((await undoCount(WAITING_COUNT)).state, 'undone');
  assert.deepEqual(requests, [
    'GET /admin/v1/movements/41',
    'POST /admin/v1/movements/41/revert {"changeFromQuantity":5}',
  ]);
});

test('an undo of a count reverts no other movement that has its sequence since a backup was restored', async (t) => {
  const other = { ...RECORDED, recordedAt: '2026-06-01T12:30:00.000Z' };
  const requests = answerRequests(t, async (_init, turn) =>
    Response.json([other, { quantity: 5, updatedAt: other.recordedAt }, []][turn - 1]),
  );
  assert.equal((await undoCount(WAITING_COUNT)).problem?.code, 'not_found');
  assert.deepEqual(
    requests.filter((request) => !request.startsWith('GET ')),
    [],
  );
});

test('a change that a session refused is made after the sign-in, and what only reads is not', async (t) => {
  let signIns = 0;
  handleSignedOut(async () => {
    signIns += 1;
    return true;
  });
  t.after(() => handleSignedOut(async () => false));
  const ended = () => Response.json({ code: 'session_ended', message: 'It ended.' }, { status: 401 });
  const requests = answerRequests(t, async (_init, turn) =>
    turn % 2 === 1 ? ended() : Response.json({ quantity: 9 }),
  );
  assert.deepEqual(await api('PATCH', '/inventory/7', { body: { quantity: 9 } }), { quantity: 9 });
  const change = 'PATCH /admin/v1/inventory/7 {"quantity":9}';
  assert.deepEqual(requests, [change, change]);
  await assert.rejects(api('GET', '/inventory/7'), { code: 'session_ended' });
  assert.deepEqual([requests.length, signIns], [3, 2]);
});

test('an answer that takes minutes is read to its end, and one that stops is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
  answerRequests(t, async ({ signal }) => {
    const start = (body: ReadableStreamDefaultController<Uint8Array>) => {
      bodies.push(body);
      signal?.addEventListener('abort', () => body.error(signal.reason));
    };
    return new Response(new ReadableStream<Uint8Array>({ start }));
  });
  const change = () => api('PUT', '/thresholds', { body: {}, limitMs: LONG_WORK_MS });
  const [whole, stopped] = [change(), assert.rejects(change(), { code: 'offline' })];
  await turn();
  for (let seconds = 0; seconds < 120; seconds += 10) {
    bodies[0]?.enqueue(Buffer.from(' '));
    await turn();
    t.mock.timers.tick(10_000);
  }
  endRequests();
  bodies[0]?.enqueue(Buffer.from('{"movements":2}'));
  bodies[0]?.close();
  assert.deepEqual(await whole, { movements: 2 });
  await stopped;
});

test('the second click of a double click reaches only the control of the first', async (t) => {
  const controls = { undo: {}, edit: {} };
  let below: object = controls.undo;
  /** Stands for the document: the control is what is below the pointer. */
  class Page extends EventTarget {
    closest() {
      return below;
    }
  }
  const page = new Page();
  const globals = globalThis as { window?: unknown; Element?: unknown };
  const before = { window: globals.window, Element: globals.Element };
  Object.assign(globals, { window: page, Element: Page });
  t.after(() => Object.assign(globals, before));
  const { ignoreStrayClicks } = (await import(STRAY_CLICKS)) as { ignoreStrayClicks: () => void };
  ignoreStrayClicks();
  const reached: object[] = [];
  page.addEventListener('click', () => reached.push(below));
  const click = (control: object, detail: number) => {
    below = control;
    page.dispatchEvent(new CustomEvent('click', { detail, cancelable: true }));
  };
  click(controls.undo, 1);
  click(controls.undo, 2);
  click(controls.edit, 1);
  click(controls.undo, 2);
  assert.deepEqual(reached, [controls.undo, controls.undo, controls.edit]);
});

test('an edit that waited is sent as it was typed: a number with the tag, a change on any quantity', async (t) => {
  const at = '2026-06-01T12:00:00.000Z';
  const sent: unknown[] = [];
  const requests = answerRequests(t, async ({ method, headers }) => {
    const { 'If-Match': ifMatch, 'Idempotency-Key': key } = headers as Record<string, string>;
    sent.push([ifMatch, key]);
    if (method === 'PATCH') return Response.json({ quantity: 5 }, { headers: { ETag: '"3-42-kx1"' } });
    const movement = { version: 4, sequence: 43, quantityAfter: 11, recordedAt: at };
    return Response.json(movement, { status: 201 });
  });
  assert.deepEqual(await sendCount({ ...WAITING_COUNT, edit: {} }), { state: 'sent', tag: '"3-42-kx1"' });
  const added = await sendCount({ ...WAITING_COUNT, edit: { delta: 2, occurredAt: at } });
  const updatedAtMs = Date.parse(at).toString(36);
  assert.deepEqual(added, { state: 'sent', tag: `"4-43-${updatedAtMs}"`, stock: 11 });
  assert.deepEqual(requests, [
    'PATCH /admin/v1/inventory/7 {"quantity":5}',
    `POST /admin/v1/inventory/7/adjustments {"delta":2,"occurredAt":"${at}","reason":"correction"}`,
  ]);
  assert.deepEqual(sent, [
    ['"2-41-kx0"', '"key-1"'],
    [undefined, '"key-1"'],
  ]);
});

test('an addition whose answer was lost is repeated as it was sent, and then on any quantity', async (t) => {
  const sent: unknown[] = [];
  answerRequests(t, async ({ headers }) => {
    const { 'If-Match': ifMatch, 'Idempotency-Key': key } = headers as Record<string, string>;
    sent.push([ifMatch, key]);
    return Response.json({ code: 'precondition_failed', message: 'It changed.' }, { status: 412 });
  });
  const tried = { ...WAITING_COUNT, isTried: true, triedAtMs: Date.now() };
  const next = await sendCount({ ...tried, edit: { delta: 2, isMatched: true } });
  assert.deepEqual(sent, [['"2-41-kx0"', '"key-1"']], 'another request with the key would be refused');
  assert.deepEqual([next?.edit, next?.isTried], [{ delta: 2 }, false]);
  assert.notEqual(next?.key, WAITING_COUNT.key);
});

test('a change that adds is not repeated when the service may have forgotten its key', async (t) => {
  const movement = { version: 4, sequence: 43, quantityAfter: 5, recordedAt: WAITING_COUNT.countedAt };
  const requests = answerRequests(t, async () => Response.json(movement, { status: 201 }));
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const old = { ...WAITING_COUNT, edit: { delta: 2 }, countedAt: hoursAgo(23.1) };
  // Whatever the clock of the service was when it was made.
  for (const hours of [23.1, -1.1]) {
    const tried = { ...old, isTried: true, countedAt: hoursAgo(6), triedAtMs: Date.parse(hoursAgo(hours)) };
    assert.equal((await sendCount(tried))?.state, 'refused');
  }
  const refused = await sendCount({ ...old, isTried: true });
  assert.deepEqual(refused, { state: 'refused', problem: { code: UNSURE, message: '' } });
  assert.deepEqual(requests, []);
  // The service cannot have what was never sent, and still has a newer key.
  assert.equal((await sendCount(old))?.state, 'sent');
  assert.equal((await sendCount({ ...old, countedAt: hoursAgo(22.9), isTried: true }))?.state, 'sent');
  // It waited for days, and its first attempt had no answer just now.
  assert.equal((await sendCount({ ...old, isTried: true, triedAtMs: Date.now() - 5_000 }))?.state, 'sent');
});

test('in the name of another person, an addition that may have arrived is not sent again', () => {
  const owner = { keyId: 'key_ben', by: 'Ben' };
  const sentBy = (changes: Partial<Count>) =>
    inNameOf({ ...WAITING_COUNT, ...changes }, { keyId: 'key_ben', name: 'Ben' });
  const refused = { ...owner, state: 'refused', problem: { code: UNSURE, message: '' } };
  assert.deepEqual(sentBy({ isTried: true, edit: { delta: 2 } }), refused);
  assert.deepEqual(sentBy({ isTried: true, edit: { delta: 2, isMatched: true } }), refused);
  // What was never sent, and a count that sets the quantity again, are made once.
  assert.deepEqual(sentBy({ edit: { delta: 2 } }), owner);
  assert.deepEqual(sentBy({ isTried: true }), owner);
});

const FOR_STOCKTAKE: Count = { ...WAITING_COUNT, stocktakeId: 'stk_0123456789abcdef' };

test('a count of a stock-take is sent to it, with its tag, its key and when it was made', async (t) => {
  const headers: unknown[] = [];
  const requests = answerRequests(t, async (init) => {
    headers.push(init.headers);
    const body = { petId: 7, counted: 5, sequence: 42, quantity: 3 };
    return Response.json(body, { status: 201, headers: { ETag: '"3-42-kx1"' } });
  });
  assert.deepEqual(await sendCount(FOR_STOCKTAKE), { state: 'sent', tag: '"3-42-kx1"', stock: 3 });
  assert.deepEqual(requests, [
    'POST /admin/v1/stocktakes/stk_0123456789abcdef/counts {"petId":7,"counted":5,"occurredAt":"2026-06-01T12:00:00.000Z"}',
  ]);
  const sent = headers[0] as Record<string, string>;
  assert.deepEqual([sent['If-Match'], sent['Idempotency-Key']], [WAITING_COUNT.tag, '"key-1"']);
});

for (const [when, recordedAt, referenceId, outcome] of [
  ['an earlier count', '2026-06-01T11:59:59.000Z', FOR_STOCKTAKE.stocktakeId, undefined],
  ['a later count', '2026-06-01T12:00:01.000Z', FOR_STOCKTAKE.stocktakeId, true],
  ['a set of a till', '2026-06-01T11:59:59.000Z', 'till-7', false],
] as const) {
  test(`after ${when} of another person a count of a stock-take ${outcome === undefined ? 'is sent again' : 'asks'}`, async (t) => {
    const movement = {
      kind: 'set',
      delta: 0,
      referenceId,
      recordedAt,
      actor: { id: 'key_ada', name: 'Ada' },
    };
    answerRequests(t, async (_init, turn) => {
      if (turn === 1) return Response.json({ code: 'precondition_failed' }, { status: 412 });
      if (turn === 3) return Response.json([movement]);
      const pet = { quantity: WAITING_COUNT.expected, updatedAt: recordedAt };
      return Response.json(pet, { headers: { ETag: '"3-42-kx1"' } });
    });
    const sent = await sendCount(FOR_STOCKTAKE);
    if (outcome === undefined) {
      assert.equal(sent?.state, undefined);
      assert.equal(sent?.tag, '"3-42-kx1"');
      assert.notEqual(sent?.key, WAITING_COUNT.key);
    } else {
      assert.equal(sent?.state, 'conflict');
      assert.deepEqual([sent?.now?.isCount ?? false, sent?.now?.who], [outcome, 'Ada']);
    }
  });
}

test('pets that are too many for one change are changed in several, until one fails, with one result', async (t) => {
  let last = 0;
  const requests = answerRequests(t, async (init) => {
    if (init.body) last += 1;
    const counts = { planned: 0, changed: last, stale: 1 };
    const failureCode = last === 3 ? 'disk_full' : null;
    return Response.json({ id: `blk_${last}`, state: 'applied', counts, failureCode });
  });
  const done: BulkChange[] = [];
  await changeInParts(['1', '2', '3', '4'], { archived: true }, (change) => void done.push(change), 1);
  const planned = requests.filter((line) => line.startsWith('POST /admin/v1/bulk-changes {'));
  assert.deepEqual(
    planned.map((line) => /"petIds":\[(.*?)\]/.exec(line)?.[1]),
    ['1', '2', '3'],
  );
  assert.deepEqual(
    requests.filter((line) => line.endsWith('/apply')),
    ['1', '2', '3'].map((id) => `POST /admin/v1/bulk-changes/blk_${id}/apply`),
  );
  assert.deepEqual(togetherOf(done), {
    ...done[2],
    counts: { planned: 0, changed: 6, stale: 3 },
  });
  assert.equal(togetherOf(done.toReversed())?.failureCode, 'disk_full', 'a later change does not hide it');
  assert.equal(togetherOf([]), undefined);
});
