import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StocktakeLine } from '../src/api/schemas.ts';
import { reportCsv } from '../src/pages/stocktakes/report-csv.ts';

test('a report has the columns of the command line, and no formula', () => {
  const line: StocktakeLine = {
    petId: '9223372036854775807',
    name: '=1+1',
    category: null,
    expected: 3,
    counted: 1,
    variance: -2,
    posted: 0,
    counts: 2,
    countedBy: { keyId: 'key_1', name: 'Ada, B.' },
    countedAt: '2026-07-01T12:00:00.000Z',
    sequence: 12,
  };
  assert.equal(
    reportCsv([line]),
    `petId,name,category,expected,counted,variance,posted,counts,countedBy,countedAt,sequence\r
9223372036854775807,'=1+1,,3,1,-2,0,2,"Ada, B.",2026-07-01T12:00:00.000Z,12\r
`,
  );
});
