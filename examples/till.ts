/** A till: sells what the lines of its input name, such as `7 2 receipt-1001`. */
import { createInterface } from 'node:readline';
import { PetstoreClient, PetstoreError } from '@petstore-inventory/client';

const { PETSTORE_URL: baseUrl = 'http://localhost:8080', PETSTORE_API_KEY: apiKey = '' } = process.env;
const petstore = new PetstoreClient({ baseUrl, apiKey, userAgent: 'till/1.0' });

for await (const line of createInterface(process.stdin)) {
  const [, petId, units, receipt] = /^(\S+) ([1-9]\d*) (\S+)$/.exec(line.trim()) ?? [];
  if (petId === undefined || receipt === undefined) {
    console.log(`not a sale: ${line}`);
    continue;
  }
  try {
    // The receipt is the name of the change: a line that is entered again sells nothing again.
    const sale = await petstore.adjustInventory(
      petId,
      { delta: -Number(units), reason: 'sold', referenceId: receipt },
      { idempotencyKey: receipt },
    );
    console.log(`${receipt}: sold ${-sale.delta} of pet ${petId}, ${sale.quantityAfter} left`);
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error;
    if (error.code === 'insufficient_stock') {
      console.log(`${receipt}: only ${error.details.quantity} of pet ${petId} left`);
    } else if (error.mayHaveChanged) {
      console.log(`${receipt}: not confirmed, enter it again`);
    } else {
      console.log(`${receipt}: ${error.message}`);
    }
  }
}
