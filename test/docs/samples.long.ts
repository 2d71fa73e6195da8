import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationsOf } from '../../web/src/docs/document.ts';
import { COMMANDS } from '../../web/src/docs/reference/samples/command-line.ts';
import { openSampleShop } from './sample-shop.ts';

/** The samples of `streamMovements` never end by themselves. This is the movement after the one that they name. */
const FIRST_MOVEMENT = /\bsequence\W+42\b|\bpet \d+ /;

for (const language of ['shell', 'typescript', 'python', 'bash']) {
  test(`each sample for ${language} runs as it is shown`, async (t) => {
    const shop = await openSampleShop(t);
    const all = operationsOf(shop.document).map(({ operation }) => operation.operationId);
    assert.ok(all.length > 30);
    const operations = language === 'bash' ? Object.keys(COMMANDS) : all;
    for (const operationId of operations) {
      if (operationId === 'streamMovements') {
        await shop.runUntil(FIRST_MOVEMENT, operationId, language);
        continue;
      }
      const { code, stdout, stderr } = await shop.run(operationId, language);
      const isRefused = /"status":4\d\d,|"status":5\d\d,/.test(stdout);
      assert.deepEqual([code, isRefused], [0, false], `${operationId}: ${stdout}${stderr}`);
    }
  });
}
