import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startService } from '../../server/test/blackbox/service.ts';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { pack } from '../../test/release/packages.ts';
import { runCommand } from './generated-clients/run-command.ts';

const DENO = 'deno@2.9.6';
const LARGE = 9007199254740993n;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** List, set, watch and webhooks, as the README shows them. Deno checks its types too. */
const PROGRAM = `
import { type InventoryChange, PetstoreClient, PetstoreError, verifyWebhook } from '@petstore-inventory/client';
const [baseUrl = '', apiKey = '', secret = '', body = '', headers = '{}'] = Deno.args;
const petstore = new PetstoreClient({ baseUrl, apiKey });
for (const { petId, quantity } of await petstore.listInventory()) console.log('listed', petId, quantity);
const stock = await petstore.watchInventory();
const changes = stock.changes();
await petstore.updateInventory(${LARGE}n, { quantity: 40 });
const { value } = await changes.next() as { value: InventoryChange };
console.log('watched', value.item.petId, value.before?.quantity, value.item.quantity);
stock.close();
const event = await verifyWebhook({ body, headers: JSON.parse(headers), secret });
if (event.type === 'inventory.changed') console.log('event', event.data.petId);
const forged = verifyWebhook({ body: body + ' ', headers: JSON.parse(headers), secret });
console.log('forged', await forged.catch((error: unknown) => error instanceof PetstoreError && error.code));
`;

function signedMessage(): readonly [body: string, headers: string] {
  const now = new Date();
  const body = `{"id":"1.0-a","type":"inventory.changed","timestamp":"${now.toISOString()}","data":{"petId":${LARGE}}}`;
  const headers = {
    'webhook-id': '1.0-a',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('1.0-a', now, body),
  };
  return [body, JSON.stringify(headers)];
}

test('the packed client works in Deno, its types too, with no permission but the network', async (t) => {
  const folder = temporaryFolder(t);
  const dependencies = { '@petstore-inventory/client': '*' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  try {
    await runCommand(tools, 'npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', DENO]);
  } catch (error) {
    t.diagnostic(`Deno could not be installed, so nothing was proved: ${(error as Error).message}`);
    return;
  }
  const target = join(folder, 'node_modules/@petstore-inventory/client');
  mkdirSync(target, { recursive: true });
  await runCommand(folder, 'tar', ['xzf', pack('client', folder).path, '-C', target, '--strip-components=1']);
  writeFileSync(join(folder, 'program.ts'), PROGRAM);

  const pets = [7n, LARGE].map((petId) => ({ petId, quantity: 5 }));
  const { url, key } = await startService(t, { pets });
  const deno = (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    runCommand(folder, join(tools, 'node_modules/.bin/deno'), words, {
      DENO_DIR: join(folder, 'cache'),
      DENO_NO_UPDATE_CHECK: '1',
      ...variables,
    });
  await deno(['check', 'program.ts']);
  const permissions = ['--no-prompt', `--allow-net=${new URL(url).host}`];
  const printed = await deno(['run', ...permissions, 'program.ts', url, key, SECRET, ...signedMessage()]);
  assert.deepEqual(printed.trim().split('\n'), [
    'listed 7n 5',
    `listed ${LARGE}n 5`,
    `watched ${LARGE}n 5 40`,
    `event ${LARGE}n`,
    'forged invalid_signature',
  ]);
  const petstore = join(target, 'bin/petstore.js');
  const variables = { PETSTORE_URL: url, PETSTORE_API_KEY: key };
  assert.match(
    await deno(['run', '--allow-all', petstore, 'get', String(LARGE), '--json'], variables),
    /"petId":9007199254740993,/,
  );
});
