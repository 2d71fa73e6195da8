/** Prints every pet that becomes low, out of stock or oversold, and those that are back. Ctrl-C ends it. */
import { PetstoreClient, type PetstoreError } from '@petstore-inventory/client';

const { PETSTORE_URL: baseUrl = 'http://localhost:8080', PETSTORE_API_KEY: apiKey = '' } = process.env;
// A watcher outlives a restart of the service, also one at its own start.
const forever = Number.POSITIVE_INFINITY;
const petstore = new PetstoreClient({ baseUrl, apiKey, maxRetries: forever, maxWaitMs: forever });
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

const onDisconnect = ({ message }: PetstoreError) => console.error(`${message} Connecting again.`);
try {
  const { data: low, inventorySequence } = await petstore
    .listInventory({ alert: ['low', 'out', 'oversold'] }, { signal: stop.signal })
    .withResponse();
  for (const { petId, quantity } of low) console.log(`pet ${petId}: ${quantity} left`);

  // The stream continues the list without a gap.
  const options = { signal: stop.signal, onDisconnect };
  for await (const movement of petstore.streamMovements({ after: inventorySequence }, options)) {
    if (movement.alert) {
      const available = movement.quantityAfter - movement.reservedAfter;
      console.log(`pet ${movement.petId}: ${movement.alert}, ${available} available`);
    }
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
