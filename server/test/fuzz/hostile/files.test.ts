import { test } from 'node:test';
import { assertFilesLinear } from './files.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

test('a file of pets in any hostile shape is read in time linear in its size', async (t) => {
  if (isSkippedDaily(t)) return;
  await assertFilesLinear(t, 8 * 1_024, 29);
});
