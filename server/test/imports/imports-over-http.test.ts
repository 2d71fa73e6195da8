import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '@petstore-inventory/shared/words';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { petRow } from '../support/command-line.ts';
import { workbook } from '../support/workbook.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { until } from '../support/until.ts';

const FILE = 'petId,quantity,name\n9007199254740993,5,Rex\n1,7,\n2,1,\n';

interface ImportJson {
  readonly id: string;
  readonly state: string;
  readonly counts: unknown;
  readonly errors: readonly {
    readonly line: number;
    readonly field: string;
    readonly code: string;
    readonly values: Readonly<Record<string, string>>;
  }[];
  readonly appliedBy: string | null;
}

/** An app with a management key, and its requests to `/admin/v1/imports`. */
async function importing(t: TestContext, config: Record<string, string> = {}) {
  const app = await startApp(t, { pets: [petRow(1), petRow(2)], config });
  const makeKey = async (role: Role) => {
    const fields = { role, name: role, scopes: null, expiresAtMs: null };
    return createKey(app.config, app.admin, fields);
  };
  const { secret: key, principal } = await makeKey('staff');
  const send = (method: string, path: string, sending: Parameters<TestApp['request']>[2] = {}) =>
    app.request(method, `/admin/v1/imports${path}`, { key, ...sending });
  const upload = (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
    type = 'text/csv',
    query = '',
  ) => send('POST', query, { body, headers: { 'Content-Type': type } });
  const settled = async (id: string): Promise<ImportJson> => {
    for (;;) {
      const found = importOf(await send('GET', `/${id}`));
      if (found.state !== 'checking' && found.state !== 'applying') return found;
      await delay(20);
    }
  };
  return { app, send, upload, settled, makeKey, keyId: principal.key.id };
}

function importOf({ json }: Answer): ImportJson {
  return json as unknown as ImportJson;
}

test('a file is sent, planned, shown in pages and applied', async (t) => {
  const { app, send, upload, settled, keyId } = await importing(t);
  const created = await upload(FILE, 'text/csv; charset=utf-8;');
  assert.equal(created.status, 202);
  const { id } = importOf(created);
  assert.match(created.headers.get('Location') ?? '', new RegExp(`/admin/v1/imports/${id}$`));
  const planned = await settled(id);
  assert.equal(planned.state, 'planned');
  assert.deepEqual(JSON.parse(JSON.stringify(planned.counts)), { new: 1, changed: 1, unchanged: 1 });

  const first = await send('GET', `/${id}/rows?limit=2`);
  const [, next] = /<[^>]*(\/rows\?[^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? [];
  const second = await send('GET', `/${id}${next}`);
  assert.match(second.text, /^\[\{"petId":9007199254740993,"line":2,/);
  assert.equal(second.headers.get('Link'), null);
  const changed = await send('GET', `/${id}/rows?effect=changed`);
  assert.equal((changed.json as unknown[]).length, 1);
  assert.equal((await send('GET', `/${id}/rows?effect=other`)).code, 'invalid_parameter');

  assert.equal((await send('POST', `/${id}/apply`)).status, 202);
  const applied = await settled(id);
  assert.equal(applied.state, 'applied');
  assert.equal(applied.appliedBy, keyId);
  assert.equal((await send('POST', `/${id}/apply`)).code, 'conflict');
  const item = await app.request('GET', '/v1/inventory/9007199254740993');
  assert.match(item.text, /"quantity":5/);
  const listed = await send('GET', '?limit=1');
  assert.equal((listed.json as unknown as ImportJson[])[0]?.id, id);
  assert.equal((await send('DELETE', `/${id}`)).status, 204);
  assert.equal((await send('GET', `/${id}`)).code, 'not_found');
  assert.equal((await send('GET', `/${id}/rows`)).code, 'not_found');
});

test('errors name line and column; a stale plan names its rows, and is planned again', async (t) => {
  const { app, send, upload, settled } = await importing(t);
  const wrong = await settled(importOf(await upload('petId,quantity\n1,1\n2,x\n')).id);
  assert.equal(wrong.state, 'invalid');
  assert.deepEqual([Number(wrong.errors[0]?.line), wrong.errors[0]?.field], [3, 'quantity']);
  const [{ code, values } = assert.fail()] = wrong.errors;
  assert.deepEqual([code, values.value], ['invalid_quantity', '"x"']);

  const { id } = await settled(importOf(await upload('{"petId":1,"quantity":9}', 'application/x-ndjson')).id);
  await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":4}' });
  await send('POST', `/${id}/apply`);
  const stale = await settled(id);
  assert.equal(stale.state, 'stale');
  assert.equal(Number(stale.errors[0]?.line), 1);
  assert.equal((await send('POST', `/${id}/plan`)).status, 202);
  assert.equal((await settled(id)).state, 'planned');
  assert.equal(importOf(await send('POST', `/${id}/cancel`)).state, 'cancelled');
});

test('a file with quantities to add is planned with their sums', async (t) => {
  const { send, upload, settled } = await importing(t);
  const created = await upload('petId,quantity\n1,6\n2,-9\n', 'text/csv', '?mode=add');
  assert.match(created.text, /"mode":"add"/);
  const { state, errors } = await settled(importOf(created).id);
  assert.deepEqual([state, errors.length], ['invalid', 1]);
  const { id } = await settled(importOf(await upload('petId,quantity\n1,6\n', 'text/csv', '?mode=add')).id);
  assert.match((await send('GET', `/${id}/rows`)).text, /"quantity":7,/);
  for (const query of ['?mode=', '?mode=sub', '?mode=add&mode=set']) {
    assert.equal((await upload(FILE, 'text/csv', query)).code, 'invalid_parameter', query);
  }
});

test('a file that is too large, of another type, or that ends early leaves nothing', async (t) => {
  const { app, send, upload } = await importing(t, { PETSTORE_MAX_IMPORT_BYTES: '1000' });
  const large = await upload('x'.repeat(1_001));
  assert.deepEqual([large.status, large.code], [413, 'body_too_large']);
  assert.equal(large.headers.get('Connection'), 'close');
  const pieces = (count: number, error?: Error) => {
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent <= count) controller.enqueue(new Uint8Array(100));
        else if (error) controller.error(error);
        else controller.close();
      },
    });
  };
  assert.equal((await upload(pieces(11))).code, 'body_too_large');
  assert.equal((await upload(pieces(2, new Error('gone')))).code, 'malformed_request');
  for (const type of ['text/plain', 'application/json; charset=latin1', 'text/csv; x=y']) {
    const refused = await upload(FILE, type);
    assert.deepEqual([refused.code, type], ['unsupported_media_type', type]);
  }
  assert.equal((await send('POST', '?other=1', { body: FILE })).code, 'invalid_parameter');
  assert.equal((await send('POST', '?fileName=%07', { body: FILE })).code, 'invalid_parameter');
  assert.deepEqual((await send('GET', '')).json, []);
  const parts = async () => (await app.database.rows('SELECT count(*) FROM import_parts'))[0]?.[0];
  await until(async () => Number(await parts()) === 0, 'the deletion of what had arrived');
  assert.deepEqual(await app.database.rows(`SELECT count(*) FROM imports WHERE state <> 'deleted'`), [[0]]);
});

test('the sixth unfinished import is refused before its file is read', async (t) => {
  const { upload } = await importing(t);
  for (let i = 0; i < 5; i += 1) assert.equal((await upload(`petId,quantity\n${i},1\n`)).status, 202);
  const refused = await upload(FILE);
  assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
});

test('viewers read imports and change none', async (t) => {
  const { send, upload, makeKey } = await importing(t);
  const { id } = importOf(await upload(FILE));
  const { secret: key } = await makeKey('viewer');
  assert.equal((await send('GET', '', { key })).status, 200);
  assert.equal((await send('GET', `/${id}`, { key })).status, 200);
  assert.equal((await send('GET', `/${id}/rows`, { key })).status, 200);
  for (const [method, path] of [
    ['POST', ''],
    ['POST', `/${id}/plan`],
    ['POST', `/${id}/apply`],
    ['POST', `/${id}/cancel`],
    ['DELETE', `/${id}`],
  ] as const) {
    assert.equal((await send(method, path, { key })).code, 'insufficient_scope');
  }
});

test('a request answers the questions of a file, and leaves columns out', async (t) => {
  const { upload, settled } = await importing(t);
  const file = 'Tiernummer;Bestand;Preis, netto;Lager\r\n1;1.200;9;A\r\n';
  const state = async (query: string) => {
    const { state: found, errors } = await settled(importOf(await upload(file, 'text/csv', query)).id);
    return [found, ...errors.map(({ code }) => code)];
  };
  assert.deepEqual(await state(''), ['invalid', 'unknown_column']);
  assert.deepEqual(await state('?ignore=Lager'), ['invalid', 'unknown_column']);
  const named = file.replace('Preis, netto', 'Preis');
  const sent = await upload(named, 'text/csv', '?ignore=Lager,%20Preis');
  assert.deepEqual((await settled(importOf(sent).id)).errors[0]?.code, 'ambiguous_number');
  const answered = await upload(named, 'text/csv', '?ignore=Lager,Preis&decimal=comma&encoding=utf-8');
  assert.equal((await settled(importOf(answered).id)).state, 'planned');
  for (const query of ['?decimal=dot', '?encoding=latin1', '?ignore='])
    assert.equal((await upload(named, 'text/csv', query)).status, 400, query);
});

test('a workbook is sent with its type, and a sheet of it is named', async (t) => {
  const { upload, settled } = await importing(t);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const rows = [['Liste'], ['Tiernummer', 'Bestand'], [1, 1200], ['9007199254740993', 3]];
  const content = workbook(['Nord', 'Süd'].map((name) => ({ name, rows })));
  const question = await settled(importOf(await upload(content, type)).id);
  assert.deepEqual([question.state, question.errors[0]?.code], ['invalid', 'several_sheets']);
  const planned = await settled(importOf(await upload(content, type, '?sheet=S%C3%BCd')).id);
  assert.deepEqual(
    [planned.state, { ...(planned.counts as object) }],
    ['planned', { new: 1, changed: 1, unchanged: 0 }],
  );
  const asText = await settled(importOf(await upload(content, 'text/csv')).id);
  assert.equal(asText.errors[0]?.code, 'spreadsheet_file');
  assert.equal((await upload(content, type, '?sheet=')).status, 400);
});

test('the file of bad rows has none while the import is checked, whatever the check has found', async (t) => {
  const { app, send, upload, settled } = await importing(t);
  const { id } = importOf(await upload('petId,quantity\n1,x\n'));
  assert.equal((await settled(id)).state, 'invalid');
  await app.database.rows(
    `INSERT INTO import_bad_rows (import_id, number, content) VALUES ('${id}', 1, 'later') RETURNING number`,
  );
  assert.match((await send('GET', `/${id}/bad-rows`)).text, /,1,x\r\nlater$/);
  const elsewhere = `state = 'checking', lease_owner = 'other', lease_until = ${Number.MAX_SAFE_INTEGER}`;
  await app.database.rows(`UPDATE imports SET ${elsewhere} WHERE id = '${id}' RETURNING id`);
  assert.equal((await send('GET', `/${id}/bad-rows`)).text, '\ufeffimport_problem\r\n');
});

test('the name of the file of bad rows is one of letters, whatever was sent', async (t) => {
  const { send, upload, settled } = await importing(t);
  const fileName = encodeURIComponent('Bestand "ü"; x=1.csv');
  const { id } = importOf(await upload('petId,quantity\n1,x\n', 'text/csv', `?fileName=${fileName}`));
  await settled(id);
  const { headers } = await send('GET', `/${id}/bad-rows`);
  assert.equal(headers.get('Content-Disposition'), 'attachment; filename="Bestand______x_1.bad.csv"');
});

test('an applied import is undone by another one, which staff plans and applies', async (t) => {
  const { app, send, upload, settled, makeKey, keyId } = await importing(t);
  const { id } = importOf(await upload(FILE));
  await settled(id);
  const early = await send('POST', `/${id}/undo`);
  assert.deepEqual([early.status, early.code], [409, 'conflict']);
  await send('POST', `/${id}/apply`);
  await settled(id);
  const { secret: viewer } = await makeKey('viewer');
  assert.equal((await send('POST', `/${id}/undo`, { key: viewer })).status, 403);

  const made = await send('POST', `/${id}/undo`);
  assert.equal(made.status, 202);
  const undoId = importOf(made).id;
  assert.match(made.headers.get('Location') ?? '', new RegExp(`/admin/v1/imports/${undoId}$`));
  const plan = (await settled(undoId)) as unknown as Record<string, unknown>;
  assert.deepEqual(
    [plan.state, plan.undoes, plan.undoneBy, plan.mode, plan.byteCount, plan.reading, plan.createdBy],
    ['planned', id, null, 'add', 0, null, keyId],
  );
  assert.equal(importOf(await send('POST', `/${id}/undo`)).id, undoId, 'it waits');
  assert.equal((await send('GET', `/${undoId}/bad-rows`)).text, '\ufeffimport_problem\r\n');
  await send('POST', `/${undoId}/apply`);
  assert.equal((await settled(undoId)).state, 'applied');
  assert.match((await send('GET', `/${id}`)).text, new RegExp(`"undoneBy":"${undoId}"`));
  const again = await send('POST', `/${id}/undo`);
  assert.deepEqual([again.status, again.code], [409, 'conflict']);
  assert.match(again.text, new RegExp(`undone already, by ${undoId}; undo ${undoId} to apply it again`));
  const item = await app.request('GET', '/v1/inventory/9007199254740993');
  assert.match(item.text, /"quantity":0/);
  const log = await app.request('GET', '/admin/v1/activity?action=imports.undo', { key: viewer });
  assert.match(log.text, new RegExp(`"target":"${undoId}".*"undoes":"${id}"`));
});
