import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VARIABLES } from '../../src/config.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { startUntil } from '../support/launched.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

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
    else if (word !== '-N') address = word ?? '';
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

interface Example {
  readonly command: string;
  readonly shown: string;
}

/** The commands of all console blocks, each with what it prints. */
function examplesOf(text: string): Example[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^\$ curl /m).slice(1))
    .map((example) => {
      const end = example.indexOf('\n');
      return { command: example.slice(0, end), shown: example.slice(end + 1).trimEnd() };
    });
}

/** The body of an answer; of one that does not end, as much as is shown. */
async function bodyOf(response: Response, shown: string): Promise<string> {
  if (response.headers.get('Content-Type') !== 'text/event-stream') return response.text();
  let text = '';
  const lines = shown.split('\n').length;
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.trimEnd().split('\n').length >= lines) break;
  }
  return text.trimEnd();
}

test('each curl of the README gets the answer that it shows', async (t) => {
  const started = await startUntil(t, temporaryFolder(t), ['start', '--json'], (said) => said.endsWith('\n'));
  const { url, key } = JSON.parse(started.text) as { url: string; key: string };
  const examples = examplesOf(readme);
  assert.ok(examples.length >= 18);
  for (const { command, shown } of examples) {
    const body = await bodyOf(await fetch(requestOf(command, key, url)), shown);
    assertLike(body.trimEnd(), shown);
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
