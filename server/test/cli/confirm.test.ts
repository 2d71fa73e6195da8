import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { isConfirmed } from '@petstore-inventory/shared/terminal/confirm';

/** What a terminal sends for Ctrl-C and Ctrl-D. */
const [INTERRUPT, END_OF_INPUT] = ['\u0003', '\u0004'];

async function answer(keys: string): Promise<boolean> {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const confirmed = isConfirmed('Delete? ', { input, output });
  input.write(keys);
  return confirmed;
}

test('only a line with yes confirms; Ctrl-C and Ctrl-D are a no, not an error', async () => {
  for (const yes of ['y\n', ' YES \r\n']) assert.equal(await answer(yes), true, JSON.stringify(yes));
  for (const no of ['\n', 'n\n', 'yy\n', INTERRUPT, END_OF_INPUT, `y${INTERRUPT}`]) {
    assert.equal(await answer(no), false, JSON.stringify(no));
  }
});
