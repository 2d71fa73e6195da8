import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VARIABLES } from '../src/config.ts';
import { temporaryFolder } from './command-line.ts';
import { startUntil } from './launched.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** A `$ curl` line of the README as a request: its options are those that the README uses. */
function requestOf(command: string, key: string, url: string): Request {
  const words = [...command.replaceAll('$KEY', key).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const headers = new Headers();
  const init: RequestInit = { headers };
  let address = '';
  while (words.length > 0) {
    const word = words.shift();
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(': ');
      headers.set(name, value);
    } else if (word === '-X') init.method = words.shift() ?? '';
    else if (word === '-d') init.body = words.shift() ?? '';
    else address = word ?? '';
  }
  return new Request(address.replace('http://localhost:8080', url), init);
}

/** Compares with an answer in which … stands for anything. */
function assertLike(answer: string, shown: string): void {
  const pattern = shown
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  assert.match(answer, new RegExp(`^${pattern}$`, 's'));
}

test('each curl of the README gets the answer that it shows', async (t) => {
  const started = await startUntil(t, temporaryFolder(t), ['start', '--json'], (said) => said.endsWith('\n'));
  const { url, key } = JSON.parse(started.text) as { url: string; key: string };
  const [, examples = ''] = /```console\n([\s\S]*?)```/.exec(readme) ?? [];
  const lines = examples.trim().split('\n');
  assert.ok(lines.length >= 12);
  for (let i = 0; i < lines.length; i += 2) {
    const command = (lines[i] as string).replace(/^\$ curl /, '');
    const response = await fetch(requestOf(command, key, url));
    assertLike(await response.text(), lines[i + 1] as string);
  }
  assert.equal(await started.stop(), 0);
});

test('the README lists every variable with its default and meaning', () => {
  const rows = Object.values(VARIABLES).map(({ name, default: byDefault, meaning }) => {
    return `| \`${name}\` | ${byDefault === '' ? '' : `\`${byDefault}\``} | ${meaning} |`;
  });
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  assert.ok(readme.includes(table), `README.md must hold this table:\n${table}`);
});
