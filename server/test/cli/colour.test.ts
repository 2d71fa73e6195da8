import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { isColoured, Paint } from '@petstore-inventory/shared/terminal/paint';
import { safeLines } from '@petstore-inventory/shared/terminal/safe-text';
import { table } from '@petstore-inventory/shared/terminal/table';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const RED = '\u001B[31mrevoked\u001B[39m';

for (const [title, isTTY, variables, expected] of [
  ['a terminal', true, {}, true],
  ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, false],
  ['a file', false, {}, false],
  ['a file with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
] as const) {
  test(`${title} has ${expected ? '' : 'no '}colours`, () => {
    const isOn = isColoured({ isTTY }, variables);
    assert.equal(isOn, expected);
    assert.equal(new Paint(isOn).state('revoked'), expected ? RED : 'revoked');
  });
}

test('only the first word of a state has a colour, and an unknown state has none', () => {
  const paint = new Paint(true);
  assert.equal(paint.state('failing (3 attempts)'), '\u001B[31mfailing\u001B[39m (3 attempts)');
  for (const text of ['', 'checking', 'constructor', '__proto__']) assert.equal(paint.state(text), text);
});

test('lines keep the colours of this program, and nothing else that a terminal obeys', () => {
  const paint = new Paint(true);
  const own = ['revoked', 'low', 'active', 'archived'].map((state) => paint.state(state)).join('\n');
  const text = `${paint.style('bold', 'STATE')}\n${own}`;
  assert.equal(safeLines(text), text);
  assert.equal(
    safeLines('\u001B[8m \u001B[2J \u009B31m\u202E\r'),
    '\\u001b[8m \\u001b[2J \\u009b31m\\u202e\\u000d',
  );
});

test('a table has the same layout with colours and without', () => {
  const tableOf = (paint: Paint) => {
    const rows = Array.from({ length: 5 }, (_, i) => [
      'a long name '.repeat(i * 4).trim(),
      paint.state(i % 2 ? 'revoked' : 'failing (3 attempts)'),
      '1,000'.slice(i),
    ]);
    return table(['NAME', 'STATE', 'USED'], rows, paint, { maxWidth: 120 });
  };
  const plain = tableOf(new Paint(false));
  const shown = tableOf(new Paint(true));
  assert.notEqual(shown, plain);
  assert.equal(stripVTControlCharacters(shown).replaceAll(/ +$/gm, ''), plain);
});

test('with --json there are no colours, also with FORCE_COLOR; without it, text has them', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const cli = commandLine(folder, { runtime: 'node', env: { FORCE_COLOR: '1' } });
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  const { id } = await json(cli, 'keys', 'create', '--account', 'shop');
  await json(cli, 'keys', 'revoke', '--yes', String(id));
  assert.ok((await cli('keys', 'list')).stdout.includes(RED));
  assert.ok(!(await cli('keys', 'list', '--json')).stdout.includes('\u001B'));
});
