import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGroup, MAX_GROUPS } from '../../src/domain/management/reports/report-groups.ts';
import { strFromU8, unzipSync } from 'fflate';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { reportTexts } from '../../src/domain/management/reports/report-file.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/command-line.ts';
import { reportShop } from './report-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** The rows of a CSV file without quotes and separators in its texts, by their heading. */
function csvRows(text: string, separator = ','): readonly Readonly<Record<string, string>>[] {
  assert.ok(text.endsWith('\r\n'), text);
  const [headings = [], ...rows] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(separator).map((field) => field.replace(/^"(.*)"$/, '$1')));
  return rows.map((row) => Object.fromEntries(headings.map((heading, i) => [heading, row[i] ?? ''])));
}

test('the files of a report have its rows, as CSV and as a workbook', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await reportShop(t);
  const { stocktakes } = shop.app.admin;
  const { id } = await stocktakes.start({ name: 'Autumn', scope: {}, posting: 'at_close' }, CLI_AUTHOR);
  const counted = { petId: 1n, counted: 3, note: null, occurredAtMs: null };
  await stocktakes.count(id, counted, { ...CLI_AUTHOR, actorName: 'cli' });
  for (const name of ['stock', 'movements', 'variance']) {
    for (const by of ['total', 'category', 'pet']) {
      const { rows } = await shop.read(`${name}?by=${by}&limit=1000`);
      const file = await shop.get(`/admin/v1/reports/${name}/export?by=${by}`);
      assert.equal(file.headers.get('Content-Type'), 'text/csv');
      assert.equal(file.headers.get('Content-Disposition'), `attachment; filename="${name}.csv"`);
      const found = csvRows(file.text);
      const columns = Object.keys(found[0] ?? {});
      const shown = (value: unknown) => (value === null ? '' : String(value === '=1+1' ? "'=1+1" : value));
      const wanted = rows.map((row) =>
        Object.fromEntries(columns.map((column) => [column, shown(row[column])])),
      );
      assert.deepEqual(found, wanted, `${name} by ${by}`);
      assert.deepEqual(
        ['petId', 'category'].filter((column) => columns.includes(column)),
        { total: [], category: ['category'], pet: ['petId', 'category'] }[by],
      );
      const book = await shop.get(`/admin/v1/reports/${name}/export?by=${by}&format=xlsx`);
      assert.equal(book.headers.get('Content-Disposition'), `attachment; filename="${name}.xlsx"`);
      const sheet = strFromU8(unzipSync(book.bytes)['xl/worksheets/sheet1.xml'] as Uint8Array);
      assert.equal(sheet.split('<row').length - 1, rows.length + 1, `${name} by ${by}`);
    }
  }
  const semicolons = await shop.get('/admin/v1/reports/stock/export?separator=semicolon');
  assert.deepEqual(semicolons.bytes.subarray(0, 3), Buffer.from('\ufeff'));
  assert.equal(csvRows(semicolons.text.slice(1), ';').length, 3);
});

test('a sheet has at most its number of rows', async () => {
  const parts = (async function* () {
    yield [{ pets: 1 }];
    yield [{ pets: 2 }];
  })();
  const texts = reportTexts({ format: 'xlsx', columns: ['pets'] }, parts, 2);
  await assert.rejects(async () => {
    for await (const _ of texts);
  }, /^OperatorError: A sheet has 2 rows with the headings, and the report has more; export CSV/);
});

test('hostile parameters of reports are refused with a sentence', async (t) => {
  const { app, send } = await adminShop(t, 'viewer', { nowMs: 'now', pets: [petRow(1)] });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const invalid = [
    ...['stock?by=shop', 'stock?asOf=yesterday', `stock?asOf=${later}`, 'stock?atSequence=-1'],
    ...['stock?atSequence=2', `stock?atSequence=${'9'.repeat(400)}`, 'stock?petId=1.5', 'stock?timeZone=UTC'],
    'stock?asOf=2026-01-01T00:00:00Z&atSequence=1',
    ...['stock?cursor=x', 'stock?by=pet&cursor=9:1', 'stock?by=pet&cursor=0:1:2', 'stock?by=pet&cursor=1:x'],
    ...['movements?timeZone=', 'movements?timeZone=Mars/Base', 'movements?timeZone=%2B25:00'],
    `movements?timeZone=${'A/'.repeat(5_000)}B`,
    'movements?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    ...[
      'movements?cursor=2:1:1:1',
      'movements?cursor=0:1:0:1',
      'movements?cursor=0:1:1',
      'movements?limit=0',
    ],
    'variance?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    ...[
      'variance?cursor=stk_1:1',
      'variance?cursor=stk_4fQ2n8Zk1bXw0aLr:x',
      'variance?by=pet&cursor=stk_4fQ2n8Zk1bXw0aLr:1',
      'variance?asOf=2026-01-01',
    ],
    ...['stock/export?format=pdf', 'stock/export?separator=x', 'stock/export?limit=1'],
  ];
  // A cursor is a text in base64.
  const get = (target: string) => {
    app.clock.nowMs += 1_000;
    const sent = target.replace(/(?<=cursor=).*/, (text) => Buffer.from(text).toString('base64url'));
    return send('GET', `/admin/v1/reports/${sent}`);
  };
  for (const target of invalid) {
    const answer = await get(target);
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_parameter'], `${target}: ${answer.text}`);
  }
  const stock = '/admin/v1/reports/stock?by=pet';
  const { headers } = await send('GET', stock);
  const held = { 'If-None-Match': headers.get('ETag') ?? '' };
  assert.equal((await send('GET', stock, undefined, held)).status, 304);
  assert.equal((await get('movements?timeZone=+02:00')).status, 200);
  for (const empty of ['stock?by=category&category=None', 'movements?petId=9', 'variance?by=pet']) {
    assert.deepEqual(JSON.parse((await get(empty)).text).rows, [], empty);
  }
  assert.equal((await get('stock?by=pet&cursor=1:9223372036854775807')).status, 200);
});

test('a report in groups has at most its number of rows, also where one of them grows', () => {
  const groups = new Map<number, string>();
  for (let key = 0; key < MAX_GROUPS; key += 1) addGroup(groups, key, 'row');
  addGroup(groups, 0, 'more of it');
  assert.equal(groups.size, MAX_GROUPS);
  assert.throws(() => addGroup(groups, MAX_GROUPS, 'row'), /The report has more than 20000 rows\. Choose/);
});
