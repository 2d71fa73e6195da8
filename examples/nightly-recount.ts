/** A recount: shows what the counts of its input, such as `7,40`, would change, and then sets them. */
import { text } from 'node:stream/consumers';
import { type BatchChange, PetstoreClient, PetstoreError } from '@petstore-inventory/client';

const { PETSTORE_URL: baseUrl = 'http://localhost:8080', PETSTORE_API_KEY: apiKey = '' } = process.env;
// At night there is time to wait for the next day's quota, and for a service that restarts.
const forever = Number.POSITIVE_INFINITY;
const petstore = new PetstoreClient({ baseUrl, apiKey, maxRetries: forever, maxWaitMs: forever });
const ROWS_PER_BATCH = 1_000;
const errorPolicy = 'reject_failed_rows';

/** Shows and sets the counts of a batch. Refused if a sale comes between the two: then the plan no longer shows the truth. */
async function recount(changes: readonly BatchChange[]): Promise<void> {
  const plan = await petstore.batchInventory({ changes, errorPolicy, dryRun: true });
  for (const { petId, before, after, message } of plan.rows) {
    if (message !== null) console.log(`pet ${petId}: ${message}`);
    else if (before?.quantity !== after?.quantity) {
      console.log(`pet ${petId}: ${before?.quantity} -> ${after?.quantity}`);
    }
  }
  const { applied } = await petstore.batchInventory({ changes, errorPolicy, planId: plan.planId });
  console.log(`${applied} of ${changes.length} counts applied`);
}

const lines = (await text(process.stdin)).split('\n').map((line) => line.trim());
const changes = lines.flatMap((line) => {
  const [, petId, quantity] = /^(\d+),(\d+)$/.exec(line) ?? [];
  // No number is not zero units.
  if (line !== '' && petId === undefined) console.error(`not a count: ${line}`);
  return petId === undefined ? [] : [{ petId, quantity: Number(quantity), reason: 'cycle_count' as const }];
});

for (let i = 0; i < changes.length;) {
  const batch = changes.slice(i, i + ROWS_PER_BATCH);
  try {
    await recount(batch);
    i += batch.length;
  } catch (error) {
    if (!(error instanceof PetstoreError && error.code === 'conflict')) throw error;
    console.log('the stock changed meanwhile: planned again');
  }
}
