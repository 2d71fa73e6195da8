import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import {
  adjust,
  batch,
  bodyOf,
  outcome,
  type RequestHeaders,
  revert,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';

const PETS = [petRow(7n, 10), petRow(8n, 5)];
const DAY_MS = 24 * 3_600_000;

function under(key: string): RequestHeaders {
  return { 'Idempotency-Key': key };
}

type Write = (app: TestApp, headers: RequestHeaders, variant?: number) => Promise<Answer>;

/** Each operation that writes; another variant is another request. */
const WRITES: Readonly<Record<string, Write>> = {
  updateInventory: (app, headers, variant = 0) => update(app, 7, { quantity: 20 + variant }, headers),
  adjustInventory: (app, headers, variant = 0) => adjust(app, 7, { delta: 1 + variant }, headers),
  setInventoryStatus: (app, headers, variant = 0) =>
    setStatus(app, 7, { status: variant === 0 ? 'sold' : 'pending' }, headers),
  batchInventory: (app, headers, variant = 0) =>
    batch(app, { changes: [{ petId: 7, delta: 3 + variant, reason: 'other' }] }, headers),
  revertMovement: (app, headers, variant = 0) => revert(app, 3, { note: `${variant}` }, headers),
};
/** Headers of a single request, independent of its outcome. */
const OF_THE_REQUEST = ['x-request-id', 'date', 'idempotency-replayed'];

async function startShop(t: Parameters<typeof startApp>[0], config = {}): Promise<TestApp> {
  const app = await startApp(t, { pets: PETS, config });
  await adjust(app, 7, { delta: 2 });
  return app;
}

function withoutRequest({ status, text, headers }: Answer): unknown {
  const kept = [...headers].filter(([name]) => !OF_THE_REQUEST.includes(name) && !name.includes('ratelimit'));
  return { status, text, headers: Object.fromEntries(kept) };
}

/** Asserts that two answers are identical bytes, and that the second is marked as a replay. */
function assertReplayed(first: Answer, second: Answer): void {
  assert.deepEqual(withoutRequest(second), withoutRequest(first));
  assert.equal(first.headers.get('Idempotency-Replayed'), null);
  assert.equal(second.headers.get('Idempotency-Replayed'), 'true');
}

for (const [operation, write] of Object.entries(WRITES)) {
  test(`${operation}, sent again with its key, is not applied again, and gets the same answer`, async (t) => {
    const app = await startShop(t);
    const first = await write(app, under('k1'));
    assert.ok(first.status < 300, first.text);
    const { length } = await wholeLedger(app);
    app.clock.nowMs += 5_000;
    await update(app, 7, { quantity: 500 });
    await setStatus(app, 7, { status: 'available', reason: 'other' });
    const between = (await wholeLedger(app)).length;
    for (let i = 0; i < 3; i += 1) assertReplayed(first, await write(app, under('k1')));
    assert.equal((await wholeLedger(app)).length, between);
    assert.ok(length < between);
  });

  test(`${operation}, with the key of another request, is 422 and changes nothing`, async (t) => {
    const app = await startShop(t);
    await write(app, under('k1'));
    const { length } = await wholeLedger(app);
    assert.deepEqual(outcome(await write(app, under('k1'), 1)), [422, 'idempotency_key_reused']);
    if (operation !== 'batchInventory') {
      const conditional = await write(app, { ...under('k1'), 'If-Match': '*' });
      assert.deepEqual(
        outcome(conditional),
        [422, 'idempotency_key_reused'],
        'If-Match is part of the request',
      );
    }
    assert.equal((await wholeLedger(app)).length, length);
  });

  test(`${operation}: of many concurrent requests with one key one is applied, the others wait or get a conflict`, async (t) => {
    const app = await startShop(t, { PETSTORE_LOG_LEVEL: 'error' });
    const before = (await wholeLedger(app)).length;
    const answers = await Promise.all(Array.from({ length: 12 }, () => write(app, under('k2'))));
    const other = await Promise.all([write(app, under('k3')), write(app, under('k3'), 1)]);
    assert.ok(other.some(({ status }) => status === 422));
    const done = answers.filter(({ status }) => status < 300);
    assert.ok(done.length >= 1);
    for (const { status, code, headers } of answers.filter((answer) => !done.includes(answer))) {
      assert.deepEqual([status, code], [409, 'idempotency_in_progress']);
      assert.equal(headers.get('Retry-After'), '1');
    }
    const once = (await wholeLedger(app)).slice(before).filter(({ requestId }) => {
      return answers.some(({ headers }) => headers.get('X-Request-Id') === requestId);
    });
    assert.equal(once.length, 1);
    assertReplayed(done[0] as Answer, await write(app, under('k2')));
  });
}

test('decided refusals are stored too, word for word, for any later state', async (t) => {
  const app = await startShop(t);
  const tries: readonly (() => Promise<Answer>)[] = [
    () => update(app, 99, { quantity: 1 }, under('a')),
    () => update(app, 7, { quantity: 1 }, { ...under('b'), 'If-Match': '"1-1-abc"' }),
    () => update(app, 7, { quantity: 1, changeFromQuantity: 10 }, under('c')),
    () => adjust(app, 7, { delta: -100 }, under('d')),
    () => revert(app, 99, undefined, under('e')),
    () => batch(app, { changes: [{ petId: 7, delta: -100, reason: 'sold' }] }, under('f')),
    () => batch(app, { changes: [{ petId: 7, quantity: 1 }], planId: 'none' }, under('g')),
    () =>
      batch(
        app,
        {
          changes: [
            { petId: 99, quantity: 1 },
            { petId: 7, delta: -100, reason: 'sold' },
          ],
          dryRun: true,
        },
        under('h'),
      ),
  ];
  const first = [];
  for (const attempt of tries) first.push(await attempt());
  assert.deepEqual(
    first.map(({ status }) => status),
    [404, 412, 409, 409, 404, 409, 409, 200],
  );
  app.clock.nowMs += 1_000;
  await app.admin.importPets([petRow(99n)], 'cli', app.clock.nowMs);
  await update(app, 7, { quantity: 5_000 });
  for (const [i, attempt] of tries.entries()) assertReplayed(first[i] as Answer, await attempt());
  assert.match((await app.request('GET', '/v1/inventory/7')).text, /"quantity":5000,/);
});

test('a second revert of a movement is refused, with the same answer for each repetition', async (t) => {
  const app = await startShop(t);
  await revert(app, 3);
  const first = await revert(app, 3, undefined, under('again'));
  assert.equal(first.status, 409);
  await revert(app, 4);
  assertReplayed(first, await revert(app, 3, undefined, under('again')));
});

test('an undecided answer is not stored: a corrected request may reuse the key', async (t) => {
  const app = await startShop(t);
  const scopeless = await app.makeKey({ scopes: [] });
  assert.equal((await update(app, 7, '{"quantity":', under('k'))).status, 400);
  assert.equal((await update(app, 7, { quantity: -1 }, under('k'))).status, 400);
  assert.equal((await update(app, 7, { quantity: 1 }, { ...under('k'), 'If-Match': 'x' })).status, 400);
  assert.equal(
    (await update(app, 7, { quantity: 1 }, { ...under('k'), 'Content-Type': 'text/plain' })).status,
    415,
  );
  assert.equal((await update(app, 7, `{"x":"${'x'.repeat(20_000)}"}`, under('k'))).status, 413);
  const headers = { ...under('k'), Authorization: `Bearer ${scopeless.key}` };
  assert.equal((await update(app, 7, { quantity: 1 }, headers)).status, 403);
  const done = await update(app, 7, { quantity: 1 }, under('k'));
  assert.deepEqual([done.status, done.headers.get('Idempotency-Replayed')], [200, null]);
});

test('a request is the same for any spelling; another value makes another request', async (t) => {
  const app = await startShop(t);
  const first = await update(
    app,
    7,
    '{"quantity":20,"note":"x","occurredAt":"2026-07-01T12:00:00Z"}',
    under('k'),
  );
  for (const body of [
    '{ "occurredAt":"2026-07-01T14:00:00.000+02:00", "note":"\\u0078","quantity":2e1 }',
    '{"quantity":20,"note":"x","occurredAt":"2026-07-01T12:00:00Z","reason":null,"unknown":[1]}',
  ]) {
    assertReplayed(first, await update(app, 7, body, under('k')));
  }
  assertReplayed(
    first,
    await update(app, '%37', '{"quantity":20,"note":"x","occurredAt":"2026-07-01T12:00:00Z"}', under('k')),
  );
  for (const body of ['{"quantity":20}', '{"quantity":20,"note":"x","occurredAt":"2026-07-01T12:00:01Z"}']) {
    assert.equal((await update(app, 7, body, under('k'))).status, 422, body);
  }
});

test('a key is of its account, its operation and its path', async (t) => {
  const app = await startShop(t);
  const sameAccount = await app.makeKey();
  const elsewhere = await app.makeKey({ accountId: await app.makeAccount() });
  const first = await adjust(app, 7, { delta: 1 }, under('k'));
  const as = (key: string) => ({ ...under('k'), Authorization: `Bearer ${key}` });
  assertReplayed(first, await adjust(app, 7, { delta: 1 }, as(sameAccount.key)));
  for (const answer of [
    await adjust(app, 7, { delta: 1 }, as(elsewhere.key)),
    await adjust(app, 8, { delta: 1 }, under('k')),
    await update(app, 7, { quantity: 3 }, under('k')),
  ]) {
    assert.ok(answer.status < 300, answer.text);
    assert.equal(answer.headers.get('Idempotency-Replayed'), null);
  }
});

test('a key may be bare or quoted, and both spellings are the same key', async (t) => {
  const app = await startShop(t);
  const bare = await adjust(app, 7, { delta: 1 }, under('a"b\\c'));
  assertReplayed(bare, await adjust(app, 7, { delta: 1 }, under('"a\\"b\\\\c"')));
  const longest = '~'.repeat(255);
  const first = await adjust(app, 7, { delta: 1 }, under(`"${longest}"`));
  assertReplayed(first, await adjust(app, 7, { delta: 1 }, under(longest)));
});

test('400 invalid_idempotency_key for an invalid key, before any other work', async (t) => {
  const app = await startShop(t);
  const { length } = await wholeLedger(app);
  for (const key of ['', '""', 'a b', 'a\tb', 'é', '"a', '"a"b', '"a\\x"', '"a b"', 'x'.repeat(256), '"']) {
    for (const write of Object.values(WRITES)) {
      assert.deepEqual(
        outcome(await write(app, under(key))),
        [400, 'invalid_idempotency_key'],
        key.slice(0, 20),
      );
    }
  }
  assert.equal((await wholeLedger(app)).length, length);
});

test('a key is stored for 24 hours, and can be reused afterwards', async (t) => {
  const app = await startShop(t);
  const first = await adjust(app, 7, { delta: 1 }, under('k'));
  app.clock.nowMs += DAY_MS - 1;
  assertReplayed(first, await adjust(app, 7, { delta: 1 }, under('k')));
  app.clock.nowMs += 1;
  const later = await adjust(app, 7, { delta: 2 }, under('k'));
  assert.deepEqual([later.status, later.headers.get('Idempotency-Replayed')], [201, null]);
});

test('a replay takes from the quota like any request', async (t) => {
  const app = await startApp(t, { pets: PETS, limits: { perMinute: 10, perDay: 100 } });
  const remaining = [];
  for (let i = 0; i < 3; i += 1) {
    const { headers } = await adjust(app, 7, { delta: 1 }, under('k'));
    remaining.push(headers.get('X-RateLimit-Remaining'));
  }
  assert.deepEqual(remaining, ['9', '8', '7']);
});

test('a change that is repeated was made, whatever has become of the largest quantity', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const changes = [
    { petId: 8, delta: 1, reason: 'other' },
    { petId: 8, quantity: 30 },
  ];
  const order = { lines: [{ petId: 7, quantity: 18 }] };
  const writes: readonly Write[] = [
    (to, headers) => update(to, 7, { quantity: 20 }, headers),
    (to, headers) => batch(to, { changes }, headers),
    (to, headers) => adjust(to, 8, { delta: 40 }, headers),
    (to, headers) => to.request('POST', '/v1/store/orders', { body: bodyOf(order), headers }),
  ];
  const first: Answer[] = [];
  for (const [i, write] of writes.entries()) {
    const answer = await write(app, under(`limit-${i}`));
    assert.ok(answer.status < 300, answer.text);
    first.push(answer);
  }
  const limited = await app.restart({ PETSTORE_MAX_QUANTITY: '15' });
  for (const [i, write] of writes.entries()) {
    assertReplayed(first[i] as Answer, await write(limited, under(`limit-${i}`)));
  }
  const ledger = await wholeLedger(limited);
  const refusals: readonly (readonly [Answer, string])[] = [
    [await update(limited, 7, { quantity: 20 }), 'quantity'],
    [await update(limited, 7, { quantity: 20 }, under('new')), 'quantity'],
    [await update(limited, 7, { quantity: 20 }, under('new')), 'quantity'],
    [await update(limited, 7, { quantity: 21 }, under('limit-0')), 'quantity'],
    [await batch(limited, { changes }, under('new-batch')), 'changes[1].quantity'],
    [await batch(limited, { changes, dryRun: true }), 'changes[1].quantity'],
  ];
  for (const [answer, field] of refusals) {
    assert.deepEqual([answer.status, answer.code], [400, 'validation_failed'], answer.text);
    assert.match(
      answer.text,
      new RegExp(`"${RegExp.escape(field)} must be a whole number from 0 to 15\\. It is \\d+\\.`),
    );
  }
  assert.deepEqual(await wholeLedger(limited), ledger, 'no refusal changes the ledger');
  // A refusal of the limit is no result: the key is free.
  assert.equal((await update(limited, 7, { quantity: 12 }, under('new'))).status, 200);
});
