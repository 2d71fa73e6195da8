import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationsOf } from '../../../web/src/docs/document.ts';
import { openSampleShop } from './sample-shop.ts';

/** These never end by themselves. */
const ENDLESS = new Set(['streamMovements']);

for (const language of ['shell', 'typescript', 'python']) {
  test(`each sample for ${language} runs as it is shown`, async (t) => {
    const shop = await openSampleShop(t);
    const operations = operationsOf(shop.document).map(({ operation }) => operation.operationId);
    assert.ok(operations.length > 30);
    for (const operationId of operations.filter((id) => !ENDLESS.has(id))) {
      const { code, stdout, stderr } = await shop.run(operationId, language);
      const isRefused = /"status":4\d\d,|"status":5\d\d,/.test(stdout);
      assert.deepEqual([code, isRefused], [0, false], `${operationId}: ${stdout}${stderr}`);
    }
  });
}
