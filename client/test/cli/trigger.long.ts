import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../../server/test/support/machine-environment.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { verifyWebhook } from '../../src/index.ts';
import { bundleOf } from './support/bundle.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
const RUNTIMES = { 'node of the machine': 'node', 'node of the repository': process.execPath, bun: BUN };

async function receive(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  test(`petstore trigger on ${name} sends an event, and gives up a receiver that does not respond`, async (t) => {
    const { file } = await bundleOf(t);
    const env = { ...machineEnvironment(), PETSTORE_WEBHOOK_SECRET: SECRET };
    const trigger = (url: string) => run(runtime, [file, 'trigger', 'inventory.low', '--url', url], '.', env);
    let id = '';
    const taking = await receive(t, (request, response) => {
      void buffer(request).then(async (body) => {
        ({ id } = await verifyWebhook({ body, headers: request.headers, secret: SECRET }));
        response.writeHead(204).end();
      });
    });
    const taken = await trigger(taking);
    assert.equal(taken.code, EXIT.done, taken.stderr);
    assert.ok(taken.stdout.startsWith(`inventory.low ${id} was taken: 204`), taken.stdout);

    // Headers without an end of the body are no complete response either.
    for (const listener of [
      () => {},
      (_request, response) => void response.write('x'),
    ] as RequestListener[]) {
      const silent = await trigger(await receive(t, listener));
      assert.equal(silent.code, EXIT.unreachable);
      assert.match(silent.stderr, /there was no complete response within 10 s\.$/m);
    }
  });
}
