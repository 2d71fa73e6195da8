import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { until } from '../../../server/test/support/until.ts';
import { petstoreOf } from './support/petstore.ts';

const LARGE = 9007199254740993n;
const SMALLEST = -(2n ** 63n);
const pets = [petRow(7n), petRow(8n, 3), petRow(LARGE), petRow(SMALLEST)];

test('lists the stock with exact petIds, as a table and as JSON lines', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const lines = (await petstore.text('list')).trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^ +PET +QUANTITY +STATUS$/);
  assert.match(lines[1] ?? '', /^-9223372036854775808 +\d+ +available$/);
  assert.match(lines[4] ?? '', /^ +9007199254740993 +\d+ +available$/);
  const items = await petstore.list<{ petId: bigint }>('list');
  assert.deepEqual(
    items.map(({ petId }) => petId),
    [SMALLEST, 7n, 8n, LARGE],
  );
  assert.equal((await petstore.list('list --limit 3')).length, 3);
  assert.deepEqual(await petstore.list(`list --pet 8,${LARGE} --max-quantity 3`), [
    { petId: 8n, quantity: 3, status: 'available' },
  ]);
  assert.equal(await petstore.text('list --status sold'), 'No pets match.\n');
});

test('every filter of the list reaches the service', async (t) => {
  const app = await startApp(t, { pets });
  const queries: string[] = [];
  const recording: typeof fetch = (input) => {
    const { pathname, search } = new URL(String(input));
    if (pathname === '/v1/inventory') queries.push(decodeURIComponent(search));
    return Promise.resolve(Response.json([]));
  };
  const petstore = petstoreOf(t, app, {
    env: { PETSTORE_URL: 'http://localhost', PETSTORE_API_KEY: app.key },
    fetch: recording,
  });
  const line =
    'list --pet 1 --pet 2,3 --status sold --alert out,low --min-quantity 1 --max-quantity 9 --max-available -2 --since 2026-06-01 --as-of 2026-07-01T12:00Z --limit 5';
  await petstore.text(line);
  const asParameters =
    'list --pet-id 1,2,3 --quantity-gte 1 --quantity-lte=9 --available-lte -2 --updated-since 2026-06-01';
  await petstore.text(asParameters);
  assert.deepEqual(queries, [
    '?petId=1,2,3&status=sold&alert=low,out&quantityGte=1&quantityLte=9&availableLte=-2&updatedSince=2026-06-01T00:00:00.000Z&asOf=2026-07-01T12:00:00.000Z&limit=5',
    '?petId=1,2,3&quantityGte=1&quantityLte=9&availableLte=-2&updatedSince=2026-06-01T00:00:00.000Z',
  ]);
});

test('shows a pet with its etag, and changes it under that condition', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const { etag, petId } = await petstore.json<{ etag: string; petId: bigint }>(`get ${LARGE}`);
  assert.equal(petId, LARGE);
  assert.match(await petstore.text('get 8'), /^Pet 8, Pet 8: 3 on hand, available\n[\s\S]*\n {2}etag +"/);
  const guarded = [
    'set',
    `${LARGE}`,
    '40',
    '--if-match',
    etag,
    '--note',
    'counted',
    '--reason',
    'cycle_count',
  ];
  const changed = await petstore.run(guarded);
  assert.deepEqual(changed, { code: 0, stdout: `Pet ${LARGE} has 40 units, available.\n`, stderr: '' });
  const refused = await petstore.run(guarded);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /^error: .*Its ETag is ".*" now\.\n$/);
  assert.match(await petstore.text('set 8 --status pending'), /^Pet 8 has 3 units, pending\.\n$/);
});

test('adjusts a pet, also one with a negative id, and lists its history', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const movement = await petstore.json<{ petId: bigint; quantityAfter: number }>(
    `adjust ${SMALLEST} -1 --reason sold`,
  );
  assert.equal(movement.petId, SMALLEST);
  assert.match(
    await petstore.text('adjust 8 24 --reason received --reference delivery-4711 --note "two crates"'),
    /^Pet 8: \+24, 3 -> 27 \(movement \d+\)\.\n$/,
  );
  const history = await petstore.list<{ note: string | null }>('history 8');
  assert.deepEqual([history.length, history[0]?.note], [2, 'two crates']);
  assert.match(await petstore.text('history 8'), /received +\S+ +two crates\n/);
  assert.equal((await petstore.list('history --kind adjust --all')).length, 2);
  assert.equal((await petstore.list('history --oldest-first --limit 3')).length, 3);
  assert.equal(await petstore.text('history --reason damaged'), 'No movements match.\n');
  assert.equal(await petstore.text('history 8 --reason damaged'), 'No movements match.\n');
});

test('the history of a pet that does not exist is an error, and that of a deleted pet is shown', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  const missing = await petstore.run('history 4711');
  assert.deepEqual(missing, { code: 4, stdout: '', stderr: 'error: There is no pet with petId 4711.\n' });
  const { key } = await app.makeAdminKey('staff');
  await app.request('POST', '/admin/v1/pets', { key, body: '{"petId":4711,"quantity":0}' });
  assert.equal((await app.request('DELETE', '/admin/v1/pets/4711', { key })).status, 204);
  assert.equal((await petstore.list('history 4711')).length, 2);
});

test('a write with the same idempotency key happens once', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const line = 'adjust 8 -1 --reason sold --idempotency-key receipt-1';
  assert.equal(await petstore.text(line), await petstore.text(line));
  assert.equal((await petstore.list<{ quantity: number }>('list --pet 8'))[0]?.quantity, 2);
});

test('shows the limits, which takes nothing from them', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets, plan: 'free' }));
  await petstore.text('list');
  const text = await petstore.text('limits');
  assert.match(text, /^Plan free\n\nWINDOW +LIMIT +REMAINING +RESETS\nminute +60 +59 +in \S+ s\nday +/);
  assert.equal((await petstore.json<{ minute: { remaining: number } }>('limits')).minute.remaining, 59);
});

test('watches movements, of some pets only, from a place in the past', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  await petstore.text('adjust 8 -1 --reason sold');
  const movements = await petstore.list<{ petId: bigint; kind: string }>('watch --after 0 --pet 8 --count 2');
  assert.deepEqual(
    movements.map(({ petId, kind }) => [petId, kind]),
    [
      [8n, 'import'],
      [8n, 'adjust'],
    ],
  );
  assert.match(
    await petstore.text('watch --after 4 --count 1'),
    /^\d\d:\d\d:\d\d {2}pet 8 {2}adjust {2}-1 {2}3 -> 2 {2}sold {2}by test\n$/,
  );
});

test('watch says which pets do not exist', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const { code, stderr } = await petstore.run('watch --after 0 --pet 8,4711 --count 1');
  assert.equal(code, 0);
  assert.equal(stderr, 'There is no pet with petId 4711 now. Its movements appear when there are any.\n');
});

test('watch reports on a terminal that the connection broke, and nothing in a pipe', async (t) => {
  for (const isTTY of [true, false]) {
    const app = await startApp(t, { pets });
    const interruption = new AbortController();
    let output = '';
    const watch = petstoreOf(t, app).run('watch --after 3', {
      isTTY,
      signal: interruption.signal,
      onOutput: (text) => {
        output += text;
      },
    });
    await until(() => output.includes('import'), 'the stream is open');
    app.app.startDraining();
    if (isTTY) await until(() => output.includes('connecting again'), 'the break is reported');
    interruption.abort();
    const { code, stderr } = await watch;
    assert.equal(code, 130);
    // A second attempt may fail before the interruption.
    if (isTTY) assert.match(stderr, /^(?:The connection broke \(.*\); connecting again …\n)+$/);
    else assert.equal(stderr, '');
  }
});

test('a history that is a part says so, to programs on standard error, unless they gave the limit', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  for (let i = 0; i < 21; i += 1) await petstore.text('adjust 8 1 --reason received');
  const more = 'There are more; --limit shows more of them, --all shows all.\n';
  const part = await petstore.run('history 8 --json');
  assert.deepEqual([part.stdout.trim().split('\n').length, part.stderr], [20, more]);
  assert.ok((await petstore.text('history 8')).endsWith(`\n${more}`));
  assert.equal((await petstore.run('history 8 --limit 3 --json')).stderr, '');
  assert.equal((await petstore.run('history 8 --all --json')).stderr, '');
  assert.equal((await petstore.list('list --all')).length, (await petstore.list('list')).length);
});
