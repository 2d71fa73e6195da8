import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { BulkChange } from '../../src/api/schemas.ts';
import { changeInParts, isShownElsewhere, settledChange } from '../../src/bulk/bulk-api.ts';

/** A service whose changes end with these states, each after it was looked at once; returns the requests. */
function answerWith(t: TestContext, ends: readonly Partial<BulkChange>[]): readonly string[] {
  const sent: string[] = [];
  let made = 0;
  let looks = 0;
  t.mock.method(globalThis, 'fetch', async (url: string, { method, body, signal }: RequestInit) => {
    signal?.throwIfAborted();
    sent.push([method, url.replace('/admin/v1/bulk-changes', ''), body].filter(Boolean).join(' '));
    const isMade = method === 'POST' && url.endsWith('/bulk-changes');
    if (isMade) made += 1;
    if (method === 'POST') looks = 0;
    else looks += 1;
    const isApplied = sent.findLast((line) => line.startsWith('POST'))?.endsWith('/apply') === true;
    const end = isApplied ? ends[made - 1] : { state: 'planned' };
    const change = { id: `blk_${made}`, failureCode: null, ...(looks < 2 ? { state: 'applying' } : end) };
    return Response.json(change, { headers: { 'Petstore-Version': '1' } });
  });
  return sent;
}

const posts = (sent: readonly string[]) => sent.filter((line) => line.startsWith('POST'));

test('a change in several parts plans and applies each, and ends with one that failed', async (t) => {
  const failed = { state: 'failed', failureCode: 'disk_full' } as const;
  const sent = answerWith(t, [{ state: 'applied' }, failed, { state: 'applied' }]);
  const ended: unknown[] = [];
  const onDone = ({ id, state }: BulkChange) => ended.push([id, state]);
  await changeInParts(['1', '2', '3', '4', '5'], { status: 'sold' }, onDone, 2);
  assert.deepEqual(ended, [
    ['blk_1', 'applied'],
    ['blk_2', 'failed'],
  ]);
  assert.deepEqual(posts(sent), [
    'POST {"petIds":[1,2],"set":{"status":"sold"}}',
    'POST /blk_1/apply',
    'POST {"petIds":[3,4],"set":{"status":"sold"}}',
    'POST /blk_2/apply',
  ]);
});

test('a change whose progress cannot be read is shown by the page again', async (t) => {
  answerWith(t, []);
  const leaving = new AbortController();
  const settled = settledChange('blk_9', () => leaving.abort(), leaving.signal);
  assert.equal(isShownElsewhere('blk_9'), true);
  await assert.rejects(settled);
  assert.equal(isShownElsewhere('blk_9'), false);
});
