import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSampleShop } from './sample-shop.ts';

test('samples of the documentation run as they are shown', async (t) => {
  const shop = await openSampleShop(t);
  for (const language of ['shell', 'typescript', 'python', 'bash']) {
    for (const operationId of ['adjustInventory', 'getInventoryItem']) {
      const { code, stdout, stderr } = await shop.run(operationId, language);
      assert.deepEqual(
        [code, /pet ?id|pet 7/i.test(stdout)],
        [0, true],
        `${operationId}, ${language}: ${stdout}${stderr}`,
      );
    }
  }
});
