import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/domain/errors.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { DOCUMENTS, operationsIn } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { sampleOf } from '../support/sample-requests.ts';
import { until } from '../support/until.ts';
import { EFFECTIVE_REQUESTS } from './effective-requests.ts';
import { ADMIN_REQUESTS, pathOf } from './requests.ts';

const YEAR_MS = 365 * 86_400_000;
const REQUESTS = { ...ADMIN_REQUESTS, ...EFFECTIVE_REQUESTS };

test('with a clock that is a year ahead no operation of the management records or deletes a movement', async (t) => {
  const pets = [1n, 2n, 3n, 4n, 5n].map((petId) => petRow(petId, 5));
  const app = await startApp(t, { nowMs: 'now', pets, elapsed: [() => 0] });
  const bounds = () => app.database.rows('SELECT count(*), max(sequence) FROM movements');
  const { key } = await app.makeAdminKey('administrator');
  const document = DOCUMENTS.find(({ base }) => base === '/admin/v1')?.document;
  assert.ok(document);
  const refused: string[] = [];
  for (const { operation, method } of operationsIn(document)) {
    const { operationId } = operation;
    if (method === 'GET' || /session/i.test(operationId)) continue;
    const request = sampleOf(REQUESTS, operationId);
    const { body } = request;
    const path = await pathOf(app, request);
    const sent = typeof body === 'function' ? await body(app) : body;
    const before = await bounds();
    const rightMs = app.clock.nowMs;
    app.clock.nowMs += YEAR_MS;
    const answer = await app
      .request(method, `/admin/v1${path}`, { key, ...(sent && { body: sent }) })
      .catch(abortOf);
    app.clock.nowMs = rightMs;
    assert.deepEqual(await bounds(), before, operationId);
    if (answer.code !== 'service_unavailable') continue;
    assert.match(answer.text, /The clock of the service is wrong; nothing was changed\./, operationId);
    refused.push(operationId);
  }
  const expected = [
    'applyBulkChange',
    'applyImport',
    'cancelStocktake',
    'closeStocktake',
    'createPet',
    'countPet',
    'deliverOrder',
    'pruneLedger',
    'setThresholds',
    'updateReorder',
    'undoStocktake',
  ];
  assert.deepEqual(
    expected.filter((name) => !refused.includes(name)),
    [],
    refused.join(),
  );
  assert.ok(!refused.some((name) => /key|ban/i.test(name)), 'keys and bans can be ended');
});

/** A response that began on a busy machine before the service refused. */
function abortOf(error: unknown): { readonly code: string; readonly text: string } {
  if (!(error instanceof ApiError)) throw error;
  return { code: error.code, text: error.message };
}

/** Uploads a file. @returns What reads the state of its import. */
async function upload({ request, makeAdminKey, admin }: TestApp) {
  const { key } = await makeAdminKey('staff');
  const file = { key, body: 'petId,quantity\n1,50\n', headers: { 'Content-Type': 'text/csv' } };
  const { json, status, text } = await request('POST', '/admin/v1/imports', file);
  assert.equal(status, 202, text);
  const { id } = json as unknown as { id: string };
  return async () => (await admin.imports.find(id))?.state;
}

test('an import that waits when the clock jumps ahead continues after the clock is right', async (t) => {
  const start = () => startApp(t, { nowMs: 'now', pets: [petRow(1n, 5)], elapsed: [() => 0] });
  const [app, other] = [await start(), await start()];
  const rightMs = app.clock.nowMs;
  app.clock.nowMs += YEAR_MS;
  const state = await upload(app);
  const isPlanned = await upload(other);
  await until(async () => (await isPlanned()) === 'planned', 'a shop with a right clock checks a later file');
  assert.equal(await state(), 'checking', 'nothing works on it');
  app.clock.nowMs = rightMs;
  // Any later one wakes the thread.
  await upload(app);
  await until(async () => (await state()) === 'planned', 'the file is checked');
});
