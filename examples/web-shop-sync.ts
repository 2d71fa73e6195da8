/** Keeps a web shop informed: posts the stock of each pet to SHOP_URL, first of all and then of each that changes. */
import { type InventoryItem, PetstoreClient } from '@petstore-inventory/client';

const { PETSTORE_URL: baseUrl = 'http://localhost:8080', PETSTORE_API_KEY: apiKey = '' } = process.env;
const { SHOP_URL: shopUrl = 'http://localhost:3000/stock' } = process.env;
const petstore = new PetstoreClient({ baseUrl, apiKey });
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

async function publish({ petId, quantity, status }: InventoryItem): Promise<void> {
  // A number would round the petId.
  const body = JSON.stringify({
    sku: String(petId),
    quantity,
    isForSale: status === 'available' && quantity > 0,
  });
  const response = await fetch(shopUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  if (!response.ok) throw new Error(`The shop answered ${response.status} for pet ${petId}.`);
  console.log(`pet ${petId}: ${quantity}`);
}

const stock = await petstore.watchInventory({ signal: stop.signal });
const changes = stock.changes();
for (const item of stock.items.values()) await publish(item);
try {
  // A shop that is slower than the sales gets the newest stock of each pet, and skips those before.
  for await (const { item } of changes) await publish(item);
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
