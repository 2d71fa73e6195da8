import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type CommandLine, commandLine, json, temporaryFolder } from '../support/command-line.ts';

const URL_TEXT = 'https://shop.example/hooks';

async function newShop(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  const cli = commandLine(temporaryFolder(t), { env });
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  return cli;
}

async function make(cli: CommandLine, url = URL_TEXT, ...words: string[]): Promise<string> {
  const { endpoint } = await json(cli, 'webhooks', 'create', url, '--account', 'shop', ...words);
  return (endpoint as { id: string }).id;
}

test('an endpoint is made, listed, shown, changed and deleted', async (t) => {
  const cli = await newShop(t);
  const filters = ['--type', 'inventory.low', 'inventory.out', '--pet', '9223372036854775807', '--pet', '-1'];
  const made = await cli('webhooks', 'create', URL_TEXT, '--account', 'shop', ...filters, '--json');
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /"petIds":\[-1,9223372036854775807\]/);
  assert.match(made.stdout, /"secret":"whsec_/);
  const id = /whe_\w{16}/.exec(made.stdout)?.[0] ?? '';
  const listed = await cli('webhooks', 'list', '--account', 'shop');
  assert.match(listed.stdout, new RegExp(`${id} +acc_\\w+ +active +0\\.1 +${URL_TEXT}`));
  const shown = await cli('webhooks', 'show', id);
  assert.match(shown.stdout, /types +inventory\.low, inventory\.out\npets +-1, 9223372036854775807/);
  assert.doesNotMatch(shown.stdout, /whsec_/);
  const updated = await json(cli, 'webhooks', 'update', id, '--all-pets', '--status', 'sold');
  assert.deepEqual([updated.petIds, updated.statuses, updated.version], [null, ['sold'], 2]);
  assert.equal((await cli('webhooks', 'update', id)).code, 2);
  const dry = await json(cli, 'webhooks', 'delete', id, '--dry-run');
  assert.equal(dry.dryRun, true);
  const unconfirmed = await cli('webhooks', 'delete', id);
  assert.equal(unconfirmed.code, 1);
  assert.match(unconfirmed.stderr, /Add --yes to confirm/);
  await json(cli, 'webhooks', 'delete', id, '--yes');
  const gone = await cli('webhooks', 'show', id);
  assert.deepEqual([gone.code, gone.stderr], [1, `error: There is no webhook endpoint ${id}.\n`]);
  assert.match((await cli('webhooks', 'list')).stdout, /There are no webhook endpoints/);
});

test('an endpoint is paused, resumed, rotated and replayed', async (t) => {
  const cli = await newShop(t);
  const id = await make(cli);
  assert.equal((await json(cli, 'webhooks', 'pause', id)).pauseReason, 'requested');
  assert.match((await cli('webhooks', 'list')).stdout, /paused \(requested\)/);
  assert.equal((await json(cli, 'webhooks', 'resume', id)).pausedAt, null);
  assert.match(String((await json(cli, 'webhooks', 'rotate', id, '--overlap', '1h')).secret), /^whsec_/);
  const ended = (await cli('webhooks', 'rotate', id, '--overlap', '0')).stdout;
  assert.match(ended, /^Webhook endpoint whe_\w+ has a new secret\. The old one signs nothing more\.\n/);
  const overlaps = (await cli('webhooks', 'rotate', id)).stdout;
  assert.match(overlaps, /The old one signs too until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\nThe secret is shown/);
  const dry = await json(cli, 'webhooks', 'replay', id, '--after', '0.0', '--dry-run');
  assert.equal((dry.endpoint as { lastEventId: string }).lastEventId, '0.1');
  assert.equal((await json(cli, 'webhooks', 'replay', id, '--after', '0.0')).lastEventId, '0.0');
  for (const words of [['--dry-run'], []]) {
    const future = await cli('webhooks', 'replay', id, '--after', '9.0', ...words);
    assert.equal(future.code, 1);
    assert.match(future.stderr, /there is no event 9\.0 yet/);
  }
  assert.equal((await cli('webhooks', 'replay', id, '--after', 'x')).code, 2);
});

test('a URL that is not allowed is refused, and the maximum of endpoints holds', async (t) => {
  const cli = await newShop(t, { PETSTORE_MAX_WEBHOOK_ENDPOINTS: '1' });
  for (const url of ['http://shop.example/', 'https://10.0.0.1/', 'shop.example']) {
    const refused = await cli('webhooks', 'create', url, '--account', 'shop');
    assert.equal(refused.code, 1, url);
    assert.match(refused.stderr, /cannot be used\. /);
  }
  const id = await make(cli);
  assert.match(
    (await cli('webhooks', 'create', URL_TEXT, '--account', 'shop')).stderr,
    /has 1 webhook endpoint, and may have 1; delete 1 first/,
  );
  assert.equal((await cli('webhooks', 'update', id, '--url', 'https://127.1/')).code, 1);
});

test('a test message and one event again are sent and logged, and a failure is exit code 1', async (t) => {
  let status = 204;
  const events: string[] = [];
  const receiver = createServer((request, response) => {
    void readJson(request).then((body) => {
      events.push((body as { type: string }).type);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => receiver.close());
  const cli = await newShop(t, { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' });
  await json(cli, 'pets', 'create', '7', '--quantity', '5');
  const id = await make(cli, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  const sent = await cli('webhooks', 'test', id);
  assert.equal(sent.code, 0, sent.stderr);
  assert.match(sent.stdout, /delivered \(204\)/);
  const again = await cli('webhooks', 'resend', id, '--event', '1.0');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /Event 1\.0-\w{8} to http:\S+: delivered \(204\)/);
  assert.deepEqual(events, ['webhook.test', 'inventory.changed']);
  const future = await cli('webhooks', 'resend', id, '--event', '9.0');
  assert.deepEqual([future.code, events.length], [1, 2]);
  assert.match(future.stderr, /There is no event 9\.0/);
  status = 500;
  for (const command of [['test'], ['resend', '--event', '1.0']]) {
    assert.equal((await cli('webhooks', ...command, id, '--json')).code, 1);
  }
  const attempts = await cli('webhooks', 'deliveries', id);
  assert.match(attempts.stdout, /status 500\.[^]*status 500\.[^]*delivered \(204\)/);
});
