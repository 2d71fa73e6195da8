import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenExports } from '../../src/http/admin/open-exports.ts';
import { answerFile } from '../../src/http/admin/reports/report-files.ts';
import type { RequestContext } from '../../src/http/request/request-context.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRows } from '../support/pet-rows.ts';

interface Report {
  readonly sequence: number;
  readonly rows: readonly unknown[];
}

test('the pages of a report are of one moment, whatever is sold meanwhile', async (t) => {
  const { send } = await adminShop(t, 'administrator', { nowMs: 'now', pets: petRows(3) });
  for (const name of ['stock', 'movements']) {
    const whole = (await send('GET', `/admin/v1/reports/${name}?by=pet`)).json as unknown as Report;
    let target: string | undefined = `/admin/v1/reports/${name}?by=pet&limit=1`;
    const rows: unknown[] = [];
    while (target !== undefined) {
      const answer = await send('GET', target);
      const page = answer.json as unknown as Report;
      assert.deepEqual([answer.status, page.sequence], [200, whole.sequence], name);
      rows.push(...page.rows);
      target = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      for (const petId of [2, 3]) {
        const change = { delta: 1, reason: 'received' };
        assert.equal((await send('POST', `/admin/v1/inventory/${petId}/adjustments`, change)).status, 201);
      }
    }
    assert.deepEqual(rows, whole.rows, name);
  }
});

test('the file of a report has its headings and each of its rows', async (t) => {
  const { send } = await adminShop(t, 'viewer', { nowMs: 'now', pets: petRows(3) });
  const { text } = await send('GET', '/admin/v1/reports/stock/export?by=pet');
  assert.deepEqual(
    text.split('\r\n').map((line) => line.split(',')[0]),
    ['petId', '1', '2', '3', ''],
  );
});

test('the refusal of a whole report is the response, not the end of a file', async () => {
  const failed = new Error('The report has too many groups.');
  const rows = async function* (): AsyncGenerator<readonly { readonly pets: number }[]> {
    yield await Promise.reject(failed);
  };
  const file = answerFile('stock', {
    context: { respond: () => assert.fail('a response began') } as unknown as RequestContext,
    openExports: new OpenExports(),
    form: { format: 'csv' },
    columns: ['pets'],
    rows: rows(),
    membersOf: ({ pets }) => ({ pets }),
  });
  await assert.rejects(file, failed);
});
