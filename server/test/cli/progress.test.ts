import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { type ProgressStream, withProgress } from '../../src/cli/terminal/progress.ts';

class Stream implements ProgressStream {
  readonly isTTY: boolean;
  text = '';

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write(text: string): void {
    this.text += text;
  }
}

function commandOf(...words: string[]): Command {
  return new Command().option('--json').parse(words, { from: 'user' });
}

test('a terminal shows each step with its seconds, and the line is erased at the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const stream = new Stream(true);
  const result = await withProgress(
    commandOf(),
    async (progress) => {
      progress.show('Reading pets.csv');
      progress.show('Importing 2 pets');
      t.mock.timers.tick(1_000);
      return 'done';
    },
    stream,
  );
  assert.equal(result, 'done');
  const lines = stream.text.split('\r').map((line) => line.replace('\u001B[K', ''));
  assert.deepEqual(lines, [
    '',
    'Reading pets.csv … 0 s',
    'Importing 2 pets … 0 s',
    'Importing 2 pets … 0 s',
    '',
  ]);
});

test('the line is erased before an error is reported', async () => {
  const stream = new Stream(true);
  const failing = withProgress(
    commandOf(),
    async (progress) => {
      progress.show('Verifying');
      throw new Error('no such file');
    },
    stream,
  );
  await assert.rejects(failing, /no such file/);
  assert.ok(stream.text.endsWith('\r\u001B[K'));
});

test('nothing is shown without a terminal, or with --json', async () => {
  for (const [command, isTTY] of [
    [commandOf(), false],
    [commandOf('--json'), true],
  ] as const) {
    const stream = new Stream(isTTY);
    await withProgress(command, async (progress) => progress.show('Verifying'), stream);
    assert.equal(stream.text, '');
  }
});
