import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters, styleText } from 'node:util';
import { Paint } from '@petstore-inventory/shared/terminal/paint';
import { table } from '@petstore-inventory/shared/terminal/table';

const PLAIN = new Paint(false);

test('numbers are aligned to the right, texts to the left', () => {
  assert.equal(
    table(
      ['NAME', 'PER MINUTE', 'ID'],
      [
        ['shop', '60', 'acc_1'],
        ['corner shop', '1,000', 'acc_2'],
      ],
      PLAIN,
    ),
    ['NAME         PER MINUTE  ID', 'shop                 60  acc_1', 'corner shop       1,000  acc_2'].join(
      '\n',
    ),
  );
});

test('no line is longer than 120 columns, and every word of a long cell is still there', () => {
  const id = `key_${'x'.repeat(16)}`;
  const scopes = Array.from({ length: 9 }, (_, i) => `inventory:scope${i}`).join(',');
  const text = table(
    ['ID', 'NAME', 'SCOPES', 'EXPIRES'],
    [
      [id, 'a long name '.repeat(8).trim(), scopes, '2099-12-31 23:59 UTC'],
      [id, 'till', 'all', 'never'],
    ],
    PLAIN,
    { maxWidth: 120 },
  );
  for (const line of text.split('\n')) assert.ok(line.length <= 120, line);
  assert.equal(text.split(id).length, 3, 'an id is never split');
  for (const scope of scopes.split(',')) assert.ok(text.includes(scope), scope);
  assert.match(text.split('\n').at(-1) ?? '', new RegExp(`^${id}  till +all +never$`));
});

test('a heading is on one line, and its format ends with it', () => {
  const text = table(['URL', 'LAST EVENT'], [['x'.repeat(20), '815.0']], new Paint(true), { maxWidth: 28 });
  const [headings = '', row = ''] = text.split('\n');
  assert.equal(stripVTControlCharacters(headings), `${'URL'.padEnd(20)}  LAST EVENT`);
  assert.ok(headings.endsWith(styleText('bold', 'LAST EVENT', { validateStream: false })), headings);
  assert.equal(row, `${'x'.repeat(20)}  815.0`);
});
