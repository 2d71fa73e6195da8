/** Receives the events of a webhook endpoint, each once. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { PetstoreError, verifyWebhook } from '@petstore-inventory/client';

const { WEBHOOK_SECRET: secret = '', PORT = '9000' } = process.env;
const MAX_BYTES = 1_000_000;
/** In production: a table with a unique key, written in the transaction of your own change. */
const processed = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (Number(request.headers['content-length'] ?? MAX_BYTES + 1) > MAX_BYTES) {
      response.writeHead(413, { Connection: 'close' }).end();
      return;
    }
    const event = await verifyWebhook({ body: await buffer(request), headers: request.headers, secret });
    if (!processed.has(event.id)) {
      if (event.type === 'inventory.low' || event.type === 'inventory.out') {
        console.log(`pet ${event.data.petId}: ${event.data.alert}, ${event.data.quantityAfter} left`);
      } else {
        console.log(`${event.type} ${event.id}`);
      }
      // After the work: an event whose work failed is not lost, because the service sends it again.
      processed.add(event.id);
    }
    response.writeHead(204).end();
  } catch (error) {
    const isForged = error instanceof PetstoreError && error.code === 'invalid_signature';
    response.writeHead(isForged ? 401 : 500).end();
  }
}

const server = createServer((request, response) => void receive(request, response));
server.listen(Number(PORT), () => {
  const address = server.address();
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`);
});
