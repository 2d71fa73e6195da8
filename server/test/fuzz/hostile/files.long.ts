import { test } from 'node:test';
import { assertFilesLinear } from './files.ts';

test('a file of pets in any hostile shape is read in time linear in its size', async (t) => {
  await assertFilesLinear(t, 32 * 1_024, 1);
});
