import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe, safeJson } from '@petstore-inventory/shared/terminal/safe-text';
import { table } from '@petstore-inventory/shared/terminal/table';
import { readableSeconds } from '@petstore-inventory/shared/terminal/texts';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { petstoreOf } from './support/petstore.ts';

/** Sets the title of the window, in 7 and in 8 bits; reverses text; ends the line. */
const HOSTILE = '\u001b]0;owned\u0007 \u009d0;owned\u009c \u202egnp.exe \u2066 \r\n\u2028 \u007f';
/** What a terminal obeys, or what changes how text reads. */
const OBEYED = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

test('text of the service cannot command the terminal, as text or as JSON', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 5)] });
  const petstore = petstoreOf(t, app);
  await petstore.run(['adjust', '7', '-1', '--reason', 'sold', '--note', HOSTILE]);
  await petstore.run(['orders', 'place', '7=1', '--reference', HOSTILE, '--note', HOSTILE]);
  for (const line of ['history 7', 'orders list', 'orders show 1', 'watch --after 0 --count 3']) {
    for (const form of ['', ' --json']) {
      const text = await petstore.text(line + form);
      assert.doesNotMatch(text, OBEYED, line + form);
      assert.match(text, /gnp\.exe/);
    }
  }
  const [movement] = await petstore.list<{ note: string }>('history 7 --kind adjust');
  assert.equal(movement?.note, HOSTILE);
  const body = { code: 'not_found', message: `gone ${HOSTILE}`, status: 404 };
  const hostile = { fetch: () => Promise.resolve(Response.json(body, { status: 404 })) };
  for (const line of ['get 7', 'get 7 --json']) {
    const { stderr } = await petstore.run(line, hostile);
    assert.match(stderr, /gone/);
    assert.doesNotMatch(stderr, OBEYED);
  }
});

test('safe text keeps letters, emoji and digits of all scripts', () => {
  const text = 'Zoë 猫 👩‍🚀 ñ ٣';
  assert.equal(safe(text), text);
  assert.equal(safe('a\u001b[31mb\u{e0001}'), 'a\\u001b[31mb\\udb40\\udc01');
  assert.equal(JSON.parse(safeJson(JSON.stringify(HOSTILE))), HOSTILE);
});

test('colours are for terminals; NO_COLOR and FORCE_COLOR decide', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 5)] });
  const petstore = petstoreOf(t, app);
  const own = { PETSTORE_URL: 'http://localhost', PETSTORE_API_KEY: app.key };
  const colours = async (line: string, isTTY: boolean, env: Record<string, string> = {}) =>
    ((await petstore.run(line, { isTTY, env: { ...own, ...env } })).stdout.match(COLOURS) ?? []).length;
  for (const line of ['list', 'get 7', 'history', 'limits', '--help', 'orders --help']) {
    assert.ok((await colours(line, true)) > 0, line);
    assert.equal(await colours(line, false), 0, line);
  }
  assert.equal(await colours('list', true, { NO_COLOR: '1' }), 0);
  assert.equal(await colours('list', true, { TERM: 'dumb' }), 0);
  assert.ok((await colours('list', false, { FORCE_COLOR: '1' })) > 0);
  assert.equal(await colours('list', true, { FORCE_COLOR: '0' }), 0);
  assert.equal(await colours('list --json', true), 0);
});

test('tables count the columns of wide characters', () => {
  const lines = table(
    ['NAME', 'N'],
    [
      ['猫', '1,000'],
      ['Zoë', '-2'],
    ],
    new Paint(false),
  ).split('\n');
  assert.deepEqual(lines, ['NAME      N', '猫    1,000', 'Zoë      -2']);
});

test('durations are short', () => {
  assert.deepEqual([45, 600, 3_600, 12_000].map(readableSeconds), ['45 s', '10 min', '1 h', '3 h 20 min']);
});
