import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceUnavailable } from '../../src/domain/errors.ts';
import type { AuditReport } from '../../src/domain/ledger-store.ts';
import { auditLedger } from '../../src/http/movements/audit-ledger.ts';
import { bindOperation, perform } from '../../src/http/request/bound-operation.ts';
import { RequestContext } from '../../src/http/request/request-context.ts';
import { Audits } from '../../src/management/audits.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { listen } from '../listen/listening.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRows } from '../support/pet-rows.ts';
import { until } from '../support/until.ts';

const REQUEST = 'GET /v1/ledger/audit HTTP/1.1\r\nHost: localhost\r\n\r\n';
const QUIET_MS = 50;
const SOCKET_TIMEOUT_SECONDS = 0.04;

/** Serves only the audit; the test decides when it ends. */
async function serveAudit(t: Parameters<typeof listen>[0], app: TestApp, gate: Promise<void>) {
  const signals: AbortSignal[] = [];
  const reports: AuditReport[] = [];
  const audit = async (signal?: AbortSignal) => {
    if (signal) signals.push(signal);
    await gate;
    return app.audits.next();
  };
  assert.ok(auditLedger.client);
  const operation = bindOperation(auditLedger.client, {
    baseUrl: '',
    audits: { next: audit },
    onAudit: (report) => reports.push(report),
    quietMs: QUIET_MS,
  });
  const windows = (await app.store.limitStatus(app.principal, app.clock.nowMs)).windows;
  const { port } = await listen(t, (request) => {
    // Shorter than the audit. Before the request it would close connections on a busy machine.
    request.allowSilence?.(SOCKET_TIMEOUT_SECONDS);
    const call = new RequestContext(request, app.clock.nowMs, { isDraining: false });
    call.principal = app.principal;
    call.windows = windows;
    return perform(operation, call, () => '');
  });
  return { port, signals, reports };
}

test('a slow audit sends spaces first, and its report at the end', async (t) => {
  const app = await startApp(t, { pets: petRows(10) });
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { port, reports } = await serveAudit(t, app, gate);
  const socket = await RawSocket.open(port);
  socket.send(REQUEST);
  await until(() => (/\r\n\r\n(?:1\r\n \r\n){3}/.exec(socket.unread) ?? []).length > 0, 'three spaces came');
  release();
  const answer = await socket.next();
  assert.equal(answer?.status, 200);
  assert.match(answer.body.toString(), /^ {3,}\{"pets":10,/);
  assert.deepEqual(
    reports.map(({ pets }) => pets),
    [10],
    'the metrics get the report',
  );
  assert.equal((JSON.parse(answer.body.toString()) as { isIntact: boolean }).isIntact, true);
  socket.send(REQUEST);
  assert.equal((await socket.next())?.status, 200, 'the connection is of use');
  socket.destroy();
});

test('an audit that fails after its first space has no end that could be taken for one', async (t) => {
  const app = await startApp(t, { pets: petRows(10) });
  const { promise: gate, reject: fail } = Promise.withResolvers<void>();
  const { port } = await serveAudit(t, app, gate);
  const socket = await RawSocket.open(port);
  socket.send(REQUEST);
  await until(() => socket.unread.includes('\r\n\r\n1\r\n \r\n'), 'a space came');
  fail(new Error('the database is gone'));
  await assert.rejects(socket.next(), /ended inside a response/);
});

test('a client that goes away needs its audit no more', async (t) => {
  const app = await startApp(t, { pets: petRows(10) });
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { port, signals } = await serveAudit(t, app, gate);
  const socket = await RawSocket.open(port);
  socket.send(REQUEST);
  await until(() => socket.unread.includes('\r\n\r\n'), 'the headers came');
  socket.destroy();
  await until(() => signals[0]?.aborted === true, 'the signal is aborted');
  release();
});

test('an audit without a waiting client does not start', async () => {
  const { promise: rested, resolve: endRest } = Promise.withResolvers<void>();
  let begun = 0;
  const fail = async () => {
    begun += 1;
    throw serviceUnavailable('The ledger is unavailable.');
  };
  let nowMs = 0;
  const audits = new Audits(fail, { elapsedMs: () => nowMs++, rest: () => rested });
  const refused = (code: string, signal?: AbortSignal) => assert.rejects(audits.next(signal), { code });
  await refused('service_unavailable');
  const begunBefore = begun;
  const clients = [new AbortController(), new AbortController()];
  const waiting = clients.map(({ signal }) => refused('request_timeout', signal));
  for (const client of clients) client.abort();
  endRest();
  await Promise.all(waiting);
  assert.equal(begun, begunBefore);
  const kept = [refused('service_unavailable', AbortSignal.abort()), refused('service_unavailable')];
  await Promise.all(kept);
  assert.ok(begun > begunBefore, 'one of two still waits');
});
