/** Keeps a web shop informed: posts the stock of each pet to SHOP_URL, first of all and then of each that changes. */
import { setTimeout as pause } from 'node:timers/promises';
import { type InventoryItem, PetstoreClient, type PetstoreError } from '@petstore-inventory/client';

const { PETSTORE_URL: baseUrl = 'http://localhost:8080', PETSTORE_API_KEY: apiKey = '' } = process.env;
const { SHOP_URL: shopUrl = 'http://localhost:3000/stock' } = process.env;
const forever = Number.POSITIVE_INFINITY;
const petstore = new PetstoreClient({ baseUrl, apiKey, maxRetries: forever, maxWaitMs: forever });
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

/** Posts once. Returns the seconds that the shop asks to wait; `undefined`: the shop has the stock, or never takes it. */
async function post({ petId, quantity, status }: InventoryItem): Promise<number | undefined> {
  const response = await fetch(shopUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // A number would round the petId.
    body: JSON.stringify({
      sku: String(petId),
      quantity,
      isForSale: status === 'available' && quantity > 0,
    }),
    // A redirect would become a GET, which sets nothing.
    redirect: 'manual',
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]),
  });
  await response.body?.cancel();
  const isRefused = response.status === 408 || response.status === 429 || response.status >= 500;
  if (response.ok) console.log(`pet ${petId}: ${quantity}`);
  else console.error(`pet ${petId}: the shop answered ${response.status}`);
  return isRefused ? Number(response.headers.get('Retry-After')) || 0 : undefined;
}

/** Posts until the shop has it: what it sets is the same after a lost response, and a pet that changed meanwhile is sent as it is now. */
async function publish(item: InventoryItem, now: (id: bigint) => InventoryItem | undefined): Promise<void> {
  for (let delayMs = 500; ; delayMs = Math.min(delayMs * 2, 30_000)) {
    const waitSeconds = await post(now(item.petId) ?? item).catch((error: Error) => {
      if (stop.signal.aborted) throw error;
      console.error(`pet ${item.petId}: the shop cannot be reached (${error.message})`);
      return 0;
    });
    if (waitSeconds === undefined) return;
    await pause(Math.max(Math.random() * delayMs, waitSeconds * 1_000), undefined, { signal: stop.signal });
  }
}

const onDisconnect = ({ message }: PetstoreError) => console.error(`${message} Connecting again.`);
try {
  const stock = await petstore.watchInventory({ signal: stop.signal, onDisconnect });
  const newest = (petId: bigint) => stock.get(petId);
  const changes = stock.changes();
  for (const item of stock.items.values()) await publish(item, newest);
  // A shop that is slower than the sales gets the newest stock of each pet, and skips those before.
  for await (const { item } of changes) await publish(item, newest);
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
