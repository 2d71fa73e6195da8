import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { moveDatabase, previewMove } from '../../../src/store/move.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { allPets } from '../../pets/indexed-pets.ts';
import { newAdminStore, petRow, TEST_PEPPER } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const DAY_MS = 86_400_000;
const AUTHOR = { actor: 'key_none', requestId: 'request "1" ☂' };
const MOVED = [
  'usage_history',
  'quota_notices',
  'events',
  'webhook_endpoints',
  'webhook_attempts',
  'activity',
  'pet_words',
  'pet_codes',
  'stocktakes',
  'stocktake_counts',
  'stocktake_lines',
];
const PETS = 6_000;

/** A shop with rows in every table of usage, webhooks and activity. */
async function newShop(t: Parameters<typeof newAdminStore>[0]) {
  const { store, database } = await newAdminStore(t);
  const limits = { perMinute: 60, perDay: 1_000 };
  const account = { name: 'Zoë’s', plan: 'free', limits, createdAtMs: 0 } as const;
  await store.accounts.create({ ...account, id: 'acc_one' }, CLI_AUTHOR);
  await store.accounts.create({ ...account, id: 'acc_two', name: 'two' }, AUTHOR);
  await store.importPets(
    Array.from({ length: PETS }, (_, i) => petRow(i, { name: `Pet É${i % 9} \\ "x"` })),
    'cli',
    1,
  );
  const codes = { sku: 'É "1"', barcodes: ['036000291452', 'a"b\\'] };
  await store.pets.update(3n, codes, AUTHOR);
  await store.importPets([petRow(4, { quantity: 0 })], 'cli', 1);
  await store.pets.update(4n, { sku: 'taken' }, AUTHOR);
  await store.pets.archive(4n, AUTHOR);
  await store.pets.update(5n, { sku: 'taken', takeCodes: true }, AUTHOR);
  const counter = { ...AUTHOR, actorName: 'none' };
  const { id: stocktakeId } = await store.stocktakes.start(
    { name: 'É "1"', scope: { category: 'Dogs' }, posting: 'at_close' },
    AUTHOR,
  );
  const counted = { petId: 6n, counted: 7, note: null, occurredAtMs: null };
  await store.stocktakes.count(stocktakeId, counted, counter);
  await database.run(
    `INSERT INTO stocktake_lines VALUES ('${stocktakeId}', -9223372036854775808, 1, 2, 3, 4, 5, 'cli', 6)`,
  );
  const filter = { types: ['inventory.low'], petIds: [-1n, 2n ** 63n - 1n] } as const;
  const { endpoint, secret } = await store.webhooks.create(
    { accountId: 'acc_one', url: 'https://shop.example/☂', description: 'a\tb', ...filter },
    20,
    AUTHOR,
  );
  await store.webhooks.rotateSecret(endpoint.id, DAY_MS, CLI_AUTHOR);
  const attempt = {
    eventId: '3.0',
    eventType: 'inventory.low',
    attempt: 2,
    attemptedAtMs: 5,
    durationMs: 7,
  } as const;
  await store.webhooks.logAttempt(
    endpoint.id,
    'test',
    {
      ...attempt,
      statusCode: 500,
      error: 'HTTP 500',
      errorCode: 'error_status',
      errorDetail: null,
      response: 'two\nlines "☂" \\',
    },
    AUTHOR,
  );
  const periods = ['acc_one', 'acc_two'].flatMap((id) =>
    Array.from({ length: 2_000 }, (_, i) => `('${id}', 'minute', ${i * 60_000}, ${i + 1})`),
  );
  await database.run(`INSERT INTO usage_history VALUES ${periods.join()}, ('acc_one', 'hour', 0, 9007199254740991), ('acc_one', 'day', 0, 3);
INSERT INTO quota_notices VALUES ('acc_one', 19000, 80), ('acc_one', 19000, 100), ('acc_two', 19001, 80);
INSERT INTO events VALUES (3, 2, 'quota.reached', 'acc_one', '{"percent":80}', 5), (3, 3, 'api_key.banned', 'acc_two', '{"hint":"…☂"}', 6)`);
  return { store, url: database.url, endpointId: endpoint.id, secret };
}

test('usage, quota notices, events, webhook endpoints and activity move as they are', async (t) => {
  const { store, url, endpointId } = await newShop(t);
  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  const name = new URL(to).pathname.slice(1);
  const options = { from: url, to, acceptedUnsafe: [], checkIdentity: () => {} };

  const expected = await previewMove(options);
  const tables = 'SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace';
  assert.deepEqual(await server.query(tables, name), [{ count: '0' }], 'a dry run makes no table');
  for (const table of MOVED) assert.ok((expected[table] ?? 0) > 0, table);

  const steps = new Map<string, number[]>();
  const progress = (step: string, done: number, total: number) => {
    steps.set(step, [...(steps.get(step) ?? []), done]);
    assert.ok(done <= total, `${step}: ${done} of ${total}`);
  };
  assert.deepEqual(await moveDatabase({ ...options, progress }), expected);
  assert.deepEqual(
    [...steps.keys()],
    [
      'Verifying movements of the file',
      'Verifying pets of the file',
      'Copying rows',
      'Comparing rows',
      'Verifying movements',
      'Verifying pets',
    ],
  );
  for (const [step, done] of steps) {
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
      step,
    );
    assert.ok((done.at(-1) ?? 0) >= PETS, step);
  }

  const target = await openAdmin(to, { pepper: () => TEST_PEPPER });
  t.after(() => target.close());
  const range = { sinceMs: 0, untilMs: DAY_MS * 365 };
  for (const id of ['acc_one', 'acc_two']) {
    for (const unit of USAGE_UNITS) {
      const [here, there] = await Promise.all(
        [store, target].map(({ usage }) => usage.read(id, { unit, ...range })),
      );
      assert.deepEqual(
        there?.map((period) => ({ ...period })),
        here?.map((period) => ({ ...period })),
      );
    }
  }
  const page = { limit: 100 };
  const [stocktake] = await store.stocktakes.list(page);
  assert.deepEqual(await target.stocktakes.list(page), [stocktake]);
  const lines = await target.stocktakes.lines(stocktake?.id ?? '', page);
  assert.deepEqual(lines, await store.stocktakes.lines(stocktake?.id ?? '', page));
  assert.equal(lines.lines[0]?.counted, 7);
  assert.deepEqual(await target.activity.list(page), await store.activity.list(page));
  assert.deepEqual(
    await target.webhooks.findWithSecrets(endpointId),
    await store.webhooks.findWithSecrets(endpointId),
  );
  assert.deepEqual(
    await target.webhooks.attempts(endpointId),
    (await store.webhooks.attempts(endpointId)).map((row) => ({ ...row })),
  );
  const events = await server.query('SELECT sequence, number, data FROM events ORDER BY number', name);
  assert.deepEqual(
    events.map((row) => Object.values(row)),
    [
      ['3', '2', '{"percent":80}'],
      ['3', '3', '{"hint":"…☂"}'],
    ],
  );
  const notices = await server.query('SELECT count(*) FROM quota_notices', name);
  assert.deepEqual(notices, [{ count: '3' }]);
  for (const petId of [3n, 4n, 5n]) {
    assert.deepEqual(await target.pets.find(petId), { ...(await store.pets.find(petId)) });
  }
  assert.deepEqual((await target.pets.restore(4n, CLI_AUTHOR)).takenCodes, [
    { kind: 'sku', code: 'taken', petId: 5n },
  ]);
  assert.deepEqual(await allPets(target.pets, { archived: 'exclude', barcode: '0036000291452' }), [3n]);
  await target.webhooks.pause(endpointId, CLI_AUTHOR);
  // The machine of the file may be ahead of the server, and the list is in the order of time.
  const entries = (await target.activity.list(page)).toSorted((a, b) => b.id - a.id);
  const [newest, before] = entries;
  assert.deepEqual([newest?.action, newest?.id], ['webhooks.pause', (before?.id ?? 0) + 1]);
});

test('a dry run refuses what the move refuses', async (t) => {
  if (isSkippedDaily(t)) return;
  const { url } = await newShop(t);
  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  const options = { from: url, to, acceptedUnsafe: [], checkIdentity: () => {} };
  await moveDatabase(options);
  await assert.rejects(previewMove(options), /holds accounts already; name an empty database/);
});
