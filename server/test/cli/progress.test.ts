import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProgressStream, withProgress } from '@petstore-inventory/shared/terminal/progress';
import { Command } from 'commander';

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

test('a step with a total has a bar with right-aligned counts', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const stream = new Stream(true);
  await withProgress(
    commandOf(),
    async (progress) => {
      progress.show('Importing 1,000 pets', 1_000);
      const taken = [];
      for (const item of progress.count(Array.from({ length: 1_000 }, (_, i) => i))) {
        taken.push(item);
        nowMs += 1;
      }
      assert.deepEqual([taken.length, taken.at(-1)], [1_000, 999]);
    },
    stream,
  );
  const lines = stream.text.split('\r').map((line) => line.replace('\u001B[K', ''));
  assert.equal(lines.length, 13, 'no more than ten lines a second');
  assert.deepEqual(lines.slice(1, 4), [
    'Importing 1,000 pets … [--------------------]     0 of 1,000, 0 s',
    'Importing 1,000 pets … [##------------------]   100 of 1,000, 0 s',
    'Importing 1,000 pets … [####----------------]   200 of 1,000, 0 s',
  ]);
  assert.equal(lines.at(-2), 'Importing 1,000 pets … [####################] 1,000 of 1,000, 1 s');
});
