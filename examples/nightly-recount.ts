/** A recount: shows what the counts of its input, such as `7,40`, would change, and then sets them. */
import { text } from 'node:stream/consumers';
import { PetstoreClient } from '@petstore-inventory/client';

const { PETSTORE_URL: baseUrl = 'http://localhost:8080', PETSTORE_API_KEY: apiKey = '' } = process.env;
// At night there is time to wait for the next day's quota.
const petstore = new PetstoreClient({ baseUrl, apiKey, maxWaitMs: Number.POSITIVE_INFINITY });
const ROWS_PER_BATCH = 1_000;

const lines = (await text(process.stdin)).split('\n').filter((line) => line.trim() !== '');
const changes = lines.map((line) => {
  const [petId = '', quantity] = line.trim().split(',');
  return { petId, quantity: Number(quantity), reason: 'cycle_count' as const };
});

for (let i = 0; i < changes.length; i += ROWS_PER_BATCH) {
  const batch = changes.slice(i, i + ROWS_PER_BATCH);
  const errorPolicy = 'reject_failed_rows';
  const plan = await petstore.batchInventory({ changes: batch, errorPolicy, dryRun: true });
  for (const { petId, before, after, message } of plan.rows) {
    if (message !== null) console.log(`pet ${petId}: ${message}`);
    else if (before?.quantity !== after?.quantity) {
      console.log(`pet ${petId}: ${before?.quantity} -> ${after?.quantity}`);
    }
  }
  // Refused if a sale came in between: then the plan no longer shows the truth.
  const { applied } = await petstore.batchInventory({ changes: batch, errorPolicy, planId: plan.planId });
  console.log(`${applied} of ${batch.length} counts applied`);
}
