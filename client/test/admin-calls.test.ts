import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminClient, type ClientOptions } from '../src/admin.ts';
import { refusal, scripted, success } from './support/scripted-service.ts';

const CSV = () => new Response('petId\n', { headers: { 'Content-Type': 'text/csv' } });
const LIST = () => success('[]');
const IMPORT = () => success('{"id":"imp_1"}');

function clientWith(answers: readonly (() => Response)[], more: Partial<ClientOptions> = {}) {
  const { options, ...seen } = scripted(answers, 'psa_test_');
  return { admin: new AdminClient({ ...options, ...more }), ...seen };
}

test('a costly operation or a file may take 10 minutes, all else a minute, unless the program says otherwise', async () => {
  const answers = [LIST, CSV, LIST, IMPORT, LIST];
  for (const [options, expected] of [
    [{}, [60_000, 600_000, 600_000, 600_000, 61_000]],
    [{ timeoutMs: 70_000 }, [70_000, 70_000, 70_000, 70_000, 61_000]],
  ] as const) {
    const { admin, timeouts, probes } = clientWith(answers, options);
    await admin.listAccounts();
    await admin.exportPets();
    await admin.listReorders();
    await admin.createImport('petId\n');
    await admin.listAccounts({}, { timeoutMs: 61_000 });
    assert.deepEqual(timeouts, expected);
    assert.deepEqual(probes, [], 'no management operation is free');
  }
});

test('each limit of a key has its own places and waits', { timeout: 20_000 }, async () => {
  const wait = () => refusal(429, 'rate_limit_exceeded', { 'Retry-After': '9' });
  const missing = () => refusal(404, 'not_found');
  const answers = [missing, missing, missing, LIST, wait, LIST];
  const { admin, requests } = clientWith(answers, { maxConcurrent: 1, maxWaitMs: 0, maxRetries: 0 });
  await assert.rejects(admin.listAccounts(), { code: 'not_found' });
  await assert.rejects(admin.listReorders(), { code: 'not_found' });
  await assert.rejects(admin.exportPets(), { code: 'not_found' });
  await admin.listReorders();
  await assert.rejects(admin.exportPets(), { status: 429 });
  await assert.rejects(admin.exportPets(), { status: 429 }, 'waits');
  await assert.rejects(admin.listReorders(), { status: 429 }, 'waits too');
  assert.equal(requests.length, 5);
  await admin.listAccounts();
});

test('a file is sent with its type, one time, and waits for its place', { timeout: 20_000 }, async () => {
  const lost = () => refusal(503, 'service_unavailable');
  const { admin, requests } = clientWith([lost, IMPORT, IMPORT], { maxConcurrent: 1 });
  await assert.rejects(admin.createImport('petId\n'), { status: 503, mayHaveChanged: true });
  await Promise.all([
    admin.createImport('{}', {}, { contentType: 'application/json' }),
    admin.createImport(new Blob(['petId\n'])),
  ]);
  assert.deepEqual(
    requests.map(({ method, headers }) => [method, headers.get('Content-Type')]),
    [
      ['POST', 'text/csv'],
      ['POST', 'application/json'],
      ['POST', 'text/csv'],
    ],
  );
  for (const file of [null, undefined, {}, 7]) {
    await assert.rejects(admin.createImport(file as never), { code: 'invalid_argument' });
  }
});

test('the pages of a list follow each other, whatever host their link has', async () => {
  const link = '<http://evil.example/admin/v1/accounts?cursor=x>; rel="next"';
  const first = () => success('[{"id":"a"}]', { Link: `<http://localhost/>; rel="self", ${link}` });
  const { admin, requests } = clientWith([first, LIST]);
  for await (const { id } of admin.listAccounts({ limit: 1 })) assert.equal(id, 'a');
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['http://localhost/admin/v1/accounts?limit=1', 'http://localhost/admin/v1/accounts?cursor=x'],
  );
});
