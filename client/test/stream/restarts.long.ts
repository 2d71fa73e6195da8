import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Service, startService } from '../../../server/test/blackbox/service.ts';
import { temporaryFolder } from '../../../server/test/support/command-line.ts';
import { until } from '../../../server/test/support/until.ts';
import { SYSTEM_CLOCK } from '../../src/clock.ts';
import { PetstoreClient } from '../../src/index.ts';
import { petstoreOf } from '../cli/support/petstore.ts';

const pets = Array.from({ length: 20 }, (_, i) => ({
  petId: 9007199254740993n + BigInt(i),
  quantity: 1_000,
}));
const forever = { maxRetries: Number.POSITIVE_INFINITY, maxWaitMs: Number.POSITIVE_INFINITY };
/** With little jitter, so that nothing waits long. */
const clock = { ...SYSTEM_CLOCK, random: () => 0.05 };

/** A service that starts again on the same port and the same database. */
async function restartable(t: TestContext) {
  const databaseDir = join(temporaryFolder(t), 'shop');
  mkdirSync(databaseDir);
  const first = await startService(t, { databaseDir, pets });
  const options = { databaseDir, key: first.key, env: { PORT: String(first.port) } };
  const client = new PetstoreClient({ baseUrl: first.url, apiKey: first.key, clock });
  return { databaseDir, first, client, start: () => startService(t, options) };
}

/** Sells one unit after another until `stop`, through every restart. Returns how many. */
function selling(client: PetstoreClient) {
  let isOn = true;
  const work = (async () => {
    let sold = 0;
    for (; isOn; sold += 1) {
      const { petId } = pets[sold % pets.length] as (typeof pets)[number];
      await client.adjustInventory(petId, { delta: -1, reason: 'sold' }, forever);
    }
    return sold;
  })();
  return () => {
    isOn = false;
    return work;
  };
}

test('the stream, a copy and petstore watch survive SIGTERM and kill -9 without a gap or a repetition', async (t) => {
  const { first, client, start } = await restartable(t);
  const env = { PETSTORE_URL: first.url, PETSTORE_API_KEY: first.key };
  const petstore = petstoreOf(t, undefined, { env });
  const stock = await client.watchInventory();
  t.after(() => stock.close());
  const interruption = new AbortController();
  t.after(() => interruption.abort());
  let printed = 0;
  const watch = petstore.run('watch --after 0 --json', {
    signal: interruption.signal,
    onOutput: (text) => {
      printed += text.split('\n').length - 1;
    },
  });
  const sequences: number[] = [];
  const follow = (async () => {
    for await (const { sequence } of client.streamMovements({ after: 0 }, { signal: interruption.signal }))
      sequences.push(sequence);
  })();
  follow.catch(() => {});

  const stop = selling(client);
  let service: Service = first;
  for (const how of ['stop', 'kill9'] as const) {
    const before = sequences.length;
    await until(() => sequences.length > before + 20, 'units are sold');
    await service[how]();
    service = await start();
  }
  const again = sequences.length;
  await until(() => sequences.length > again, 'the stream continues');
  const head = pets.length + (await stop());
  await until(() => sequences.length >= head && stock.sequence >= head, 'all movements have arrived');
  await until(() => printed >= head, 'all movements are printed');
  interruption.abort();
  const list = Array.from({ length: head }, (_, i) => i + 1);
  assert.deepEqual(sequences, list);
  const { stdout } = await watch;
  const watched = stdout.trimEnd().split('\n');
  assert.deepEqual(
    watched.map((line) => (JSON.parse(line) as { sequence: number }).sequence),
    list,
  );
  assert.deepEqual([...stock.items.values()], await client.listInventory());
});

test('on an older backup that has grown past it, a stream ends and a copy is loaded again', async (t) => {
  const { databaseDir, first, client, start } = await restartable(t);
  const { petId } = pets[0] as (typeof pets)[number];
  await first.stop();
  const backup = join(temporaryFolder(t), 'backup');
  cpSync(databaseDir, backup, { recursive: true });
  const lost = await start();
  const stock = await client.watchInventory();
  t.after(() => stock.close());
  const stream = client.streamMovements({ after: stock.sequence });
  await client.adjustInventory(petId, { delta: 1, reason: 'received' });
  await until(() => stock.sequence === 21, 'the copy has the change');
  assert.equal((await stream.next()).value?.sequence, 21);
  const next = stream.next();
  // It is not unhandled while the service restarts.
  next.catch(() => {});
  await lost.kill9();
  rmSync(databaseDir, { recursive: true });
  cpSync(backup, databaseDir, { recursive: true });
  const operator = await start();
  const { url, key } = operator;
  // Past the place of the readers, before they connect again.
  const other = new PetstoreClient({ baseUrl: url, apiKey: key });
  await other.adjustInventory(petId, { delta: -7, reason: 'sold' });
  await other.adjustInventory(petId, { delta: -7, reason: 'sold' });
  await assert.rejects(next, { code: 'ledger_replaced' });
  await until(() => stock.get(petId)?.quantity === 986, 'the copy is that of the backup');
  assert.deepEqual([...stock.items.values()], await other.listInventory());
});
