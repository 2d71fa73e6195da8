import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { blocksIn, readPage } from '../../../test/docs/pages.ts';
import { EXIT_CODES } from '../../cli/exit-codes.ts';
import { petstoreOf } from './support/petstore.ts';

const section = readPage('client/README.md').split('\n## Command line\n')[1] ?? '';

/** A pattern of a text in which … stands for anything. */
function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

test('the commands of the page work, and print what it shows', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 9), petRow(21n, 3)] });
  const petstore = petstoreOf(t, app);
  const blocks = blocksIn(section);
  let run = 0;
  for (const [i, { language, text }] of blocks.entries()) {
    const commands = text.split('\n').filter((line) => line.startsWith('petstore '));
    if (language !== 'sh' || commands.length === 0) continue;
    let output = '';
    for (const command of commands) {
      // The page is about the folder of its reader.
      const line = command.slice('petstore '.length).replace('stock.csv', join(petstore.home, 'stock.csv'));
      output += (await petstore.text(line)).replaceAll(`${petstore.home}/`, '');
      run += 1;
    }
    const shown = blocks[i + 1];
    if (shown?.language === '') assert.match(output.trimEnd(), patternOf(shown.text), text);
  }
  assert.equal(run, 11);
});

test('the page lists the exit codes as the help does', () => {
  const rows = [...section.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, text]) => `${code} ${text}`);
  const listed = [...EXIT_CODES.matchAll(/^ {2}(\d+) +(.+)$/gm)].map(([, code, text]) => `${code} ${text}`);
  assert.deepEqual(rows, listed);
});
