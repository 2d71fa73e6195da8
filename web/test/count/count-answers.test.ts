import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Count } from '../../src/counts/count.ts';
import { sendCount } from '../../src/counts/send-count.ts';
import { undoCount } from '../../src/counts/undo-count.ts';
import { de } from '../../src/texts/de.ts';
import { errorText } from '../../src/texts/error-text.ts';
import { WAITING_COUNT } from './waiting-count.ts';

const STATUS_EDIT: Count = {
  ...WAITING_COUNT,
  edit: { details: { values: { status: 'sold' }, before: { status: 'available' } } },
};

interface Answer {
  readonly status?: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

interface Sent {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Gives these answers in their order, and returns the requests. */
function answerInTurn(t: TestContext, ...answers: readonly Answer[]): readonly Sent[] {
  const sent: Sent[] = [];
  t.mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
    const answer = answers[sent.length];
    const line = [init.method, url, init.body].filter(Boolean).join(' ');
    sent.push({ line, headers: init.headers as Record<string, string> });
    if (!answer) throw new TypeError('There is no connection.');
    const headers = { 'Petstore-Version': '1', ...answer.headers };
    return Response.json(answer.body, { status: answer.status ?? 200, headers });
  });
  return sent;
}

const refused = (status: number, code: string): Answer => ({ status, body: { code, message: '' } });
const CHANGED = refused(412, 'precondition_failed');
const TAG = { ETag: '"3-42-kx1"' };
const petNow = (quantity: number): Answer => ({
  body: { quantity, status: 'available', updatedAt: WAITING_COUNT.countedAt },
  headers: TAG,
});

/** The movement that the tag of the count names. */
const RECORDED: Answer = {
  body: { version: 2, sequence: 41, recordedAt: new Date(Number.parseInt('kx0', 36)).toISOString() },
};

/** Answers that say nothing about a change; the last one is none. */
const NO_ANSWERS = [
  [refused(401, 'session_ended')],
  [refused(503, 'service_unavailable')],
  [refused(409, 'idempotency_in_progress')],
  [],
];

test('a count waits when the answer says nothing about it', async (t) => {
  for (const answers of NO_ANSWERS) {
    answerInTurn(t, ...answers);
    assert.equal(await sendCount(WAITING_COUNT), undefined);
    t.mock.restoreAll();
  }
});

test('an undo can be repeated with its key when the answer says nothing about it', async (t) => {
  for (const answers of NO_ANSWERS) {
    const sent = answerInTurn(t, RECORDED, ...answers);
    await assert.rejects(undoCount(WAITING_COUNT), JSON.stringify(answers));
    assert.equal(sent[1]?.line, 'POST /admin/v1/movements/41/revert {"changeFromQuantity":5}');
    assert.equal(sent[1]?.headers['Idempotency-Key'], '"key-2"');
    assert.equal(sent.length, 2);
    t.mock.restoreAll();
  }
});

test('an undo that was refused is tried again with another key, and then has no problem any more', async (t) => {
  answerInTurn(t, RECORDED, refused(409, 'insufficient_stock'), petNow(5), { body: [] });
  const count = { ...WAITING_COUNT, ...(await undoCount(WAITING_COUNT)) };
  assert.deepEqual([count.problem?.code, count.undoKey], ['insufficient_stock', undefined]);
  t.mock.restoreAll();
  answerInTurn(t, RECORDED, RECORDED);
  const undone = { ...count, ...(await undoCount({ ...count, undoKey: 'key-3' })) };
  assert.deepEqual([undone.state, undone.problem], ['undone', undefined]);
});

test('a refusal keeps its request, by which the page describes a conflict in the language of the person', async (t) => {
  answerInTurn(t, refused(409, 'conflict'));
  const problem = (await sendCount({ ...WAITING_COUNT, stocktakeId: undefined }))?.problem;
  assert.equal(problem?.request, `PATCH /inventory/${WAITING_COUNT.petId}`);
  assert.equal(errorText(problem, de.errors), de.errors.conflict('updateInventory'));
});

test('a count of a pet that is not there any more is refused', async (t) => {
  answerInTurn(t, CHANGED, refused(404, 'not_found'));
  const sent = await sendCount(WAITING_COUNT);
  assert.deepEqual([sent?.state, sent?.problem?.code], ['refused', 'not_found']);
});

test('a count asks where the quantity is another one, or its movements are too many to read', async (t) => {
  answerInTurn(t, CHANGED, petNow(3), { body: [] });
  assert.deepEqual((await sendCount(WAITING_COUNT))?.tag, TAG.ETag, 'a reservation changes no quantity');
  t.mock.restoreAll();
  answerInTurn(t, CHANGED, petNow(4), { body: [] });
  assert.equal((await sendCount(WAITING_COUNT))?.state, 'conflict');
  t.mock.restoreAll();
  const next = { Link: '</admin/v1/inventory/7/movements?after=141>; rel="next"' };
  const sent = answerInTurn(t, CHANGED, petNow(3), { body: [], headers: next });
  assert.equal((await sendCount(WAITING_COUNT))?.state, 'conflict');
  assert.equal(sent[2]?.line, 'GET /admin/v1/inventory/7/movements?after=41&limit=100');
});

test('a status is sent alone, with a key, and with another key for another state of the pet', async (t) => {
  const sent = answerInTurn(t, CHANGED, petNow(3));
  const { key, ...state } = (await sendCount(STATUS_EDIT)) ?? {};
  assert.equal(sent[0]?.line, 'PUT /admin/v1/inventory/7/status {"status":"sold"}');
  const { 'If-Match': tag, 'Idempotency-Key': sentKey } = sent[0]?.headers ?? {};
  assert.deepEqual([tag, sentKey], [WAITING_COUNT.tag, '"key-1"']);
  assert.deepEqual(state, { tag: TAG.ETag, stock: 3 });
  assert.match(key ?? '', /^[\da-f]{32}$/);
});
