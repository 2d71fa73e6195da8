import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagementStore } from '../../src/domain/admin-store.ts';
import { setThresholds } from '../../src/http/admin/thresholds.ts';
import { bindOperation, perform } from '../../src/http/request/bound-operation.ts';
import { RequestContext } from '../../src/http/request/request-context.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { listen } from '../listen/listening.ts';
import { startApp } from '../support/harness.ts';
import { until } from '../support/until.ts';

const BODY = '{"lowStockAt":3,"restockAt":5}';
const REQUEST = `PUT /admin/v1/thresholds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

test('a change of the thresholds of a large shop sends spaces, so that no proxy ends it', async (t) => {
  const app = await startApp(t);
  const { principal } = await app.makeAdminKey('staff');
  const { promise: changed, resolve: finish } = Promise.withResolvers<number>();
  const jobs = { setDefaultThresholds: () => changed } as unknown as ManagementStore;
  assert.ok(setThresholds.management);
  const services = { baseUrl: '', management: jobs, jobs, quietMs: 50 };
  const operation = bindOperation(setThresholds.management, services);
  const { windows } = await app.store.limitStatus(app.principal, app.clock.nowMs);
  const { port } = await listen(t, (request) => {
    const call = new RequestContext(request, app.clock.nowMs, { isDraining: false });
    call.principal = principal;
    call.windows = windows;
    return perform(operation, call, () => '');
  });
  const socket = await RawSocket.open(port);
  t.after(() => socket.destroy());
  socket.send(REQUEST);
  await until(() => /\r\n\r\n(?:1\r\n \r\n){3}/.test(socket.unread), 'three spaces came');
  finish(7);
  const answer = await socket.next();
  assert.equal(answer?.status, 200);
  assert.match(answer.body.toString(), /^ {3,}\{"lowStockAt":3,"restockAt":5,"movements":7\}$/);
});
