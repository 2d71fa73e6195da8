import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { coloured, heading } from '@petstore-inventory/shared/terminal/colour';
import { table } from '@petstore-inventory/shared/terminal/table';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';

const RED = '\u001B[31mrevoked\u001B[39m';

/** A stream with what Node reads of a terminal. */
function terminal(): NodeJS.WritableStream {
  const getColorDepth = () => WriteStream.prototype.getColorDepth(process.env);
  return Object.assign(new PassThrough(), { isTTY: true, getColorDepth });
}

function withVariables(t: TestContext, variables: Readonly<Record<string, string>>): void {
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  process.env = { TERM: 'xterm-256color', ...variables };
}

for (const [title, variables, stream, isColoured] of [
  ['a terminal', {}, terminal(), true],
  ['a terminal with NO_COLOR', { NO_COLOR: '1' }, terminal(), false],
  ['a file', {}, new PassThrough(), false],
  ['a file with FORCE_COLOR', { FORCE_COLOR: '1' }, new PassThrough(), true],
  ['a terminal with FORCE_COLOR=0', { FORCE_COLOR: '0' }, terminal(), false],
] as const) {
  test(`${title} has ${isColoured ? '' : 'no '}colours`, (t) => {
    withVariables(t, variables);
    assert.equal(coloured('revoked', stream), isColoured ? RED : 'revoked');
    assert.equal(heading('STATE', stream), isColoured ? '\u001B[1mSTATE\u001B[22m' : 'STATE');
  });
}

test('only the first word of a state has a colour, and an unknown state has none', (t) => {
  withVariables(t, {});
  const failing = coloured('failing (3 attempts)', terminal());
  assert.equal(failing, '\u001B[31mfailing\u001B[39m (3 attempts)');
  for (const text of ['', 'checking', 'constructor', '__proto__'])
    assert.equal(coloured(text, terminal()), text);
});

test('a table has the same layout with colours and without', (t) => {
  const rowsOf = (stream: NodeJS.WritableStream) =>
    Array.from({ length: 5 }, (_, i) => [
      'a long name '.repeat(i * 4).trim(),
      coloured(i % 2 ? 'revoked' : 'failing (3 attempts)', stream),
      '1,000'.slice(i),
    ]);
  const headings = ['NAME', 'STATE', 'USED'];
  const plain = table(headings, rowsOf(new PassThrough()));
  withVariables(t, { FORCE_COLOR: '1' });
  const shown = table(headings, rowsOf(terminal()));
  assert.notEqual(shown, plain);
  assert.equal(stripVTControlCharacters(shown).replaceAll(/ +$/gm, ''), plain);
});

test('with --json there are no colours, also with FORCE_COLOR; without it, text has them', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder, { runtime: 'node', env: { FORCE_COLOR: '1' } });
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  const { id } = await json(cli, 'keys', 'create', '--account', 'shop');
  await json(cli, 'keys', 'revoke', String(id));
  assert.ok((await cli('keys', 'list')).stdout.includes(RED));
  assert.ok(!(await cli('keys', 'list', '--json')).stdout.includes('\u001B'));
});
