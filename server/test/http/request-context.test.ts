import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPreconditions } from '../../src/http/request/preconditions.ts';
import { contextOf } from '../support/request-contexts.ts';

test('a refused caller has nothing left until it may retry, in whole seconds', () => {
  const context = contextOf('GET');
  const shown = () => {
    const { headers } = context.respond(200, null, {});
    return [headers['X-RateLimit-Remaining'], headers['X-RateLimit-Reset']];
  };
  assert.deepEqual(shown(), ['5', '60']);
  context.retryAtMs = 90_001;
  assert.deepEqual(shown(), ['0', '91']);
});

test('a connection closes after a response of a service that stops', () => {
  const closes = (isDraining: boolean) =>
    contextOf('GET', {}, isDraining).respond(200, null, {}).headers.Connection;
  assert.deepEqual([closes(false), closes(true)], [undefined, 'close']);
});

test('a stream that HEAD does not send is cancelled', async (t) => {
  const cancelled = t.mock.fn();
  const { headers, body } = contextOf('HEAD').respond(200, new ReadableStream({ cancel: cancelled }), {});
  assert.deepEqual([headers['Content-Length'], body, cancelled.mock.callCount()], [undefined, null, 1]);
});

test('preconditions of a read do not change a refusal', async () => {
  const context = contextOf('GET', { 'if-match': '"other"' });
  const refusal = context.respond(404, null, {});
  assert.equal(await withPreconditions(context, () => refusal), refusal);
});
