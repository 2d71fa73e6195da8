import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { until } from '../../server/test/support/until.ts';
import { startService } from '../../server/test/blackbox/service.ts';
import { ROOT } from '../../test/docs/pages.ts';
import { PetstoreClient } from '../src/index.ts';
import { runExample, startProgram } from './support/programs.ts';

const LARGE = '9007199254740993';
const pets = [
  { petId: 7n, quantity: 5 },
  { petId: BigInt(LARGE), quantity: 3 },
];

async function startShop(t: TestContext) {
  const { port, key, cli } = await startService(t, { pets });
  const variables = { PETSTORE_URL: `http://127.0.0.1:${port}`, PETSTORE_API_KEY: key };
  return { variables, cli, client: new PetstoreClient({ baseUrl: variables.PETSTORE_URL, apiKey: key }) };
}

test('the examples on one service', async (t) => {
  const { variables, client, cli } = await startShop(t);

  await t.test('a till sells each receipt once, and no more than there is', async () => {
    const input = `${LARGE} 2 r-1\n${LARGE} 2 r-1\n${LARGE} 2 r-2\n1 1 r-3\n7 -2 r-4\n7\n`;
    const output = await runExample('examples/till.ts', variables, input);
    assert.deepEqual(output.trimEnd().split('\n').slice(0, 3), [
      `r-1: sold 2 of pet ${LARGE}, 1 left`,
      `r-1: sold 2 of pet ${LARGE}, 1 left`,
      `r-2: only 1 of pet ${LARGE} left`,
    ]);
    assert.match(output, /r-3: .*1/);
    assert.match(output, /^not a sale: 7 -2 r-4\nnot a sale: 7$/m);
  });

  await t.test('a recount shows the changes and makes them', async () => {
    const output = await runExample(
      'examples/nightly-recount.ts',
      variables,
      `petId,quantity\n7,40\n7,\n${LARGE},1\n99,1\n`,
    );
    assert.match(output, /^pet 7: 5 -> 40$/m);
    assert.match(output, /^2 of 3 counts applied$/m);
    assert.equal((await client.getInventoryItem(7)).quantity, 40);
  });

  await t.test('a watcher sees what becomes low', async () => {
    await cli('pets', 'thresholds', '--default', '--low', '3');
    const watcher = startProgram(t, 'examples/low-stock-watcher.ts', variables);
    await watcher.line(new RegExp(`pet ${LARGE}: 1 left`));
    await client.updateInventory(7, { quantity: 2 });
    await watcher.line(/pet 7: low, 2 available/);
    watcher.child.kill('SIGTERM');
    await new Promise((resolve) => watcher.child.once('exit', resolve));
    assert.equal(watcher.child.exitCode, 0);
  });

  await t.test('a web shop learns the stock and each change', async () => {
    const bodies: string[] = [];
    const faults: string[] = ['break', 'refuse', 'lose'];
    const shop = createServer((request, response) => {
      void text(request).then((body) => {
        const fault = faults.shift();
        if (fault !== 'break' && fault !== 'refuse') bodies.push(body);
        if (fault === 'refuse') response.writeHead(503).end();
        else if (fault === undefined) response.end();
        else request.socket.destroy();
      });
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    t.after(() => shop.close().closeAllConnections());
    const SHOP_URL = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const sync = startProgram(t, 'examples/web-shop-sync.ts', { ...variables, SHOP_URL });
    await sync.line(new RegExp(`pet ${LARGE}: 1`));
    await client.updateInventory(LARGE, { quantity: 0 });
    await sync.line(new RegExp(`pet ${LARGE}: 0`));
    assert.deepEqual(bodies.at(-1), `{"sku":"${LARGE}","quantity":0,"isForSale":false}`);
    sync.child.kill('SIGTERM');
    await new Promise((resolve) => sync.child.once('exit', resolve));
    assert.equal(sync.child.exitCode, 0);
  });
});

for (const name of ['low-stock-watcher', 'web-shop-sync']) {
  test(`Ctrl-C ends the example ${name} while it waits for a service that restarts`, async (t) => {
    let isAsked = false;
    const service = createServer((_, response) => {
      isAsked = true;
      response.writeHead(503, { 'Retry-After': '60' }).end();
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    t.after(() => service.close().closeAllConnections());
    const PETSTORE_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const variables = { PETSTORE_URL, PETSTORE_API_KEY: 'psk_live_example' };
    const { child } = startProgram(t, `examples/${name}.ts`, variables);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await until(() => isAsked, 'a request');
    child.kill('SIGINT');
    assert.equal(await exited, 0);
  });
}

test('a receiver takes each event once, and no forged one', async (t) => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const receiver = startProgram(t, 'examples/webhook-receiver.ts', { WEBHOOK_SECRET: secret, PORT: '0' });
  const [, port] = await receiver.line(/^listening on (\d+)$/);
  const data = { petId: 0, alert: 'low', quantityAfter: 2 };
  const body = JSON.stringify({ id: '9.1-0', type: 'inventory.low', timestamp: '', data }).replace(
    '"petId":0',
    `"petId":${LARGE}`,
  );
  const send = async (signed = body) => {
    const now = new Date();
    const headers = {
      'webhook-id': '9.1-0',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('9.1-0', now, signed),
    };
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
  };
  assert.deepEqual([await send(), await send(), await send('forged')], [204, 204, 401]);
  await receiver.line(new RegExp(`pet ${LARGE}: low, 2 left`));
  assert.equal(receiver.lines.length, 2);
});

test('every example is short', () => {
  const files = globSync('examples/*.ts', { cwd: ROOT });
  assert.equal(files.length, 5);
  for (const file of files) {
    assert.ok(readFileSync(join(ROOT, file), 'utf8').split('\n').length < 60, file);
  }
});
