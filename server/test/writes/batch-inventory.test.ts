import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import {
  adjust,
  batch,
  getItem,
  type MovementJson,
  outcome,
  revert,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const LARGE = 9_007_199_254_740_993n;
const PETS = [petRow(1n, 10), petRow(2n, 20), petRow(3n, 0, 'sold'), petRow(LARGE, 5), petRow(LARGE - 1n, 6)];

interface Stock {
  readonly quantity: number;
  readonly reserved: number;
  readonly status: string;
  readonly version: number;
  readonly etag: string | null;
}

interface Row {
  readonly petId: number | bigint;
  readonly code: string;
  readonly message: string | null;
  readonly before: Stock | null;
  readonly after: Stock | null;
  readonly sequence: number | null;
}

interface Result {
  readonly planId: string;
  readonly dryRun: boolean;
  readonly applied: number;
  readonly rows: readonly Row[];
}

function resultOf(answer: Answer): Result {
  assert.equal(answer.status, 200, answer.text);
  return answer.json as unknown as Result;
}

function codesOf({ rows }: Result): string[] {
  return rows.map(({ code }) => code);
}

async function listText({ request }: TestApp): Promise<string> {
  return (await request('GET', '/v1/inventory')).text;
}

const MIXED = [
  { petId: 1, quantity: 12 },
  { petId: 99, quantity: 1 },
  { petId: 2, delta: -21, reason: 'sold' },
  { petId: 2, delta: -5, reason: 'sold', changeFromQuantity: 20 },
  { petId: 2, delta: -5, reason: 'sold', changeFromQuantity: 20 },
  { petId: 3, quantity: 4, ifMatch: '"x"' },
  { petId: 3, quantity: 4, ifMatch: '*' },
];
const MIXED_CODES = [
  'done',
  'not_found',
  'insufficient_stock',
  'done',
  'conflict',
  'precondition_failed',
  'done',
];

test('200: sets and adjustments are applied in order, each with its movement', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const changes = [
    { petId: 1, quantity: 12, note: 'counted' },
    { petId: 2, delta: -5, reason: 'sold' },
    { petId: 1, delta: 3, reason: 'received' },
    { petId: 1, quantity: 15 },
  ];
  const tag = await tagOf(app, 1);
  const result = resultOf(await batch(app, { changes }));
  assert.equal(result.rows[0]?.before?.etag, tag);
  assert.equal(result.rows[2]?.before?.etag, result.rows[0]?.after?.etag);
  assert.equal(result.rows[3]?.after?.etag, await tagOf(app, 1));
  // Besides the stock, the tag of the item names the days for which it lasts after a sale.
  assert.equal(result.rows[1]?.after?.etag, (await tagOf(app, 2))?.replace(/\.\w+"$/, '"'));
  assert.deepEqual(
    { ...result, planId: '', rows: result.rows.map(withoutTags) },
    {
      planId: '',
      dryRun: false,
      applied: 4,
      rows: [
        row(1, [10, 1], [12, 2], 6),
        row(2, [20, 1], [15, 2], 7),
        row(1, [12, 2], [15, 3], 8),
        row(1, [15, 3], [15, 3], null),
      ],
    },
  );
  const ledger = (await wholeLedger(app)).slice(5);
  assert.deepEqual(
    ledger.map(({ petId, kind, delta, reason, note }) => [petId, kind, delta, reason, note]),
    [
      [1, 'set', 2, null, 'counted'],
      [2, 'adjust', -5, 'sold', null],
      [1, 'adjust', 3, 'received', null],
    ],
  );
  assert.equal(new Set(ledger.map(({ requestId }) => requestId)).size, 1, 'one request made them all');
  assert.match((await getItem(app, 1)).text, /"quantity":15,"status":"available",.*"version":3/);
});

function row(
  petId: number,
  [quantity, version]: [number, number],
  [newQuantity, newVersion]: [number, number],
  sequence: number | null,
): Row {
  const status = 'available';
  const before = { quantity, reserved: 0, status, version, etag: null };
  const after = { quantity: newQuantity, reserved: 0, status, version: newVersion, etag: null };
  return { petId, code: 'done', message: null, before, after, sequence };
}

function withoutTags({ before, after, ...others }: Row): Row {
  return { ...others, before: before && { ...before, etag: null }, after: after && { ...after, etag: null } };
}

async function tagOf(app: TestApp, petId: number): Promise<string | null> {
  return (await getItem(app, petId)).headers.get('ETag');
}

test('a refusal reports the committed stock of the refused row’s pet, and links to its movements', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const seen = (await tagOf(app, 2)) as string;
  await update(app, 2, { quantity: 25 });
  await update(app, 2, { quantity: 20 });
  const location = {
    ETag: await tagOf(app, 2),
    'Inventory-Quantity': '20',
    'Inventory-Version': '3',
  };
  const take = { petId: 2, delta: -15, reason: 'sold' };
  for (const [changes, code, message, since] of [
    [
      [
        { petId: 1, quantity: 3 },
        { ...take, ifMatch: seen },
      ],
      'precondition_failed',
      /version 3\. Noth/,
      'after=2',
    ],
    [
      [take, take],
      'insufficient_stock',
      /quantity 5 .* at version 4 after the rows before it\. Noth/,
      'order=desc',
    ],
    [
      [take, { petId: 2, quantity: 1, changeFromQuantity: 20 }],
      'conflict',
      /is 20, but .* before it\. N/,
      'after=7',
    ],
    [
      [{ petId: 2, quantity: 1, changeFromQuantity: 25 }],
      'conflict',
      /quantity 20 .* at version 3\. Noth/,
      'after=6',
    ],
  ] as const) {
    const answer = await batch(app, { changes });
    assert.equal(answer.code, code, answer.text);
    assert.match(answer.text, message);
    for (const [name, value] of Object.entries(location)) assert.equal(answer.headers.get(name), value, name);
    const link = `<${app.config.baseUrl}/inventory/2/movements?${since}>; rel="version-history"`;
    assert.equal(answer.headers.get('Link'), link);
  }
  const unknown = await batch(app, { changes: [{ petId: 99, quantity: 1 }] });
  assert.deepEqual(
    [unknown.status, unknown.headers.get('ETag'), unknown.headers.get('Link')],
    [404, null, null],
  );
});

test('reject_everything: the first row that fails is the answer, and nothing is changed', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const before = await listText(app);
  const expected: readonly (readonly [number, number, RegExp])[] = [
    [
      1,
      404,
      /^changes\[1\] \(petId 99\): There is no pet with petId 99\. Nothing was changed\. Send "dryRun": true to see every row\.$/,
    ],
    [2, 409, /^changes\[1\] \(petId 2\): The stock is not enough: petId 2 has quantity 20 .*\. Nothing/],
    [
      4,
      409,
      /^changes\[2\] \(petId 2\): changeFromQuantity is 20, but petId 2 has quantity 15 .* after the rows before it/,
    ],
    [
      5,
      412,
      /^changes\[1\] \(petId 3\): If-Match names another state: petId 3 has quantity 0 and status sold/,
    ],
  ];
  for (const [place, status, message] of expected) {
    const changes = place === 4 ? [MIXED[0], MIXED[3], MIXED[4]] : [MIXED[0], MIXED[place]];
    const answer = await batch(app, { changes });
    assert.deepEqual(outcome(answer), [status, MIXED_CODES[place]]);
    assert.match((answer.json as { message: string }).message, message);
    assert.equal(answer.headers.get('Retry-After'), null);
  }
  assert.equal(await listText(app), before);
  assert.equal((await wholeLedger(app)).length, PETS.length);
});

test('reject_failed_rows: valid rows are applied, and each row has its result', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const result = resultOf(await batch(app, { changes: MIXED, errorPolicy: 'reject_failed_rows' }));
  assert.deepEqual(codesOf(result), MIXED_CODES);
  assert.equal(result.applied, 3);
  assert.deepEqual(
    result.rows.map(({ sequence }) => sequence),
    [6, null, null, 7, null, null, 8],
  );
  for (const { code, message, after, before, petId } of result.rows) {
    assert.equal(message === null, code === 'done');
    assert.equal(after === null, code !== 'done');
    assert.equal(before === null, petId === 99);
  }
  assert.match((await getItem(app, 2)).text, /"quantity":15,/);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('dryRun: 200 with each row’s before and after, for any policy, without a change', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const before = await listText(app);
  for (const errorPolicy of ['reject_everything', 'reject_failed_rows']) {
    const result = resultOf(await batch(app, { changes: MIXED, errorPolicy, dryRun: true }));
    assert.deepEqual(codesOf(result), MIXED_CODES);
    assert.deepEqual([result.dryRun, result.applied], [true, 0]);
    assert.ok(result.rows.every(({ sequence }) => sequence === null));
    const planned = { quantity: 15, reserved: 0, status: 'available', version: 2, etag: null };
    assert.deepEqual(result.rows[3]?.after, planned);
    assert.deepEqual(
      result.rows[4]?.before,
      result.rows[3]?.after,
      'a row sees the result of the previous row',
    );
    assert.equal(result.rows[3]?.before?.etag, await tagOf(app, 2), 'an existing pet has a tag');
  }
  assert.equal(await listText(app), before);
  assert.equal((await wholeLedger(app)).length, PETS.length);
});

test('a plan is applied while its pets are unchanged, and otherwise refused with 409 without a change', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const changes = [
    { petId: 1, quantity: 12 },
    { petId: 2, delta: -5, reason: 'sold', occurredAt: '2026-07-01T12:00:00Z' },
  ];
  const planOf = async (body: object) => resultOf(await batch(app, { ...body, dryRun: true })).planId;
  const planId = await planOf({ changes });
  assert.equal(await planOf({ changes }), planId, 'the same question about the same stock is the same plan');
  await update(app, 3, { quantity: 1 });
  const applied = resultOf(await batch(app, { changes, planId }));
  assert.deepEqual([applied.planId, applied.applied, applied.dryRun], [planId, 2, false]);

  const before = await listText(app);
  assert.deepEqual(outcome(await batch(app, { changes, planId })), [409, 'conflict'], 'it was applied');
  const next = await planOf({ changes });
  await update(app, 2, { quantity: 16 });
  await update(app, 2, { quantity: 15 });
  for (const body of [
    { changes, planId: next },
    { changes: changes.slice(1), planId: await planOf({ changes }) },
    { changes: changes.toReversed(), planId: await planOf({ changes }) },
    { changes: [{ petId: 1, quantity: 13 }, changes[1]], planId: await planOf({ changes }) },
    { changes: [changes[0], { ...changes[1], reason: 'damaged' }], planId: await planOf({ changes }) },
    { changes, errorPolicy: 'reject_failed_rows', planId: await planOf({ changes }) },
    { changes, planId: 'none_of_ours' },
    { changes, planId: next, dryRun: true },
  ]) {
    const answer = await batch(app, body);
    assert.deepEqual(outcome(answer), [409, 'conflict'], JSON.stringify(body));
    assert.match(answer.text, /Nothing was changed\. Make a new dry run\./);
  }
  assert.equal(await listText(app), before);
});

test('ifMatch of a row: the item’s tag after the previous rows', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const tag = (await getItem(app, 1)).headers.get('ETag') as string;
  const changes = [
    { petId: 1, quantity: 11, ifMatch: tag },
    { petId: 1, quantity: 12, ifMatch: tag },
    { petId: 2, quantity: 21, ifMatch: `W/${tag}` },
    { petId: 2, quantity: 21, ifMatch: tag },
  ];
  const result = resultOf(await batch(app, { changes, errorPolicy: 'reject_failed_rows' }));
  assert.deepEqual(codesOf(result), ['done', ...Array(3).fill('precondition_failed')]);
});

test('a petId in a body names exactly one pet, in any notation, over the whole of int64', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const spellings = {
    '9007199254740993': LARGE,
    '9007199254740993.0': LARGE,
    '9.007199254740993e15': LARGE,
    '90071992547409930e-1': LARGE,
    '9007199254740992': LARGE - 1n,
    '0.9007199254740992E+16': LARGE - 1n,
    '9007199254740994': 'not_found',
    '1e0': 1n,
    '-9223372036854775808': 'not_found',
    '9223372036854775807': 'not_found',
    '-0': 'not_found',
  };
  for (const [spelling, petId] of Object.entries(spellings)) {
    const body = `{"dryRun":true,"changes":[{"quantity":8,"petId":${spelling}}]}`;
    const [only] = resultOf(await batch(app, body)).rows;
    if (petId === 'not_found') assert.equal(only?.code, 'not_found', spelling);
    else assert.deepEqual([BigInt(only?.petId ?? 0), only?.code], [petId, 'done'], spelling);
  }
  const refused = [
    ...[
      '9223372036854775808',
      '-9223372036854775809',
      '1.5',
      '9007199254740993.5',
      '1e400',
      '1e19',
      '1e-400',
    ],
    ...['"1"', 'null', 'true', '[1]', '{}'],
  ];
  for (const spelling of refused) {
    const answer = await batch(
      app,
      `{"changes":[{"petId":1,"quantity":8},{"petId":${spelling},"quantity":8}]}`,
    );
    assert.deepEqual(outcome(answer), [400, 'validation_failed'], spelling);
    assert.match(
      answer.text,
      /changes\[1\]\.petId (?:must be a 64-bit integer\.|is the text .*; send \d+ without quotes\.)/,
    );
  }
});

test('a thousand changes with the longest explanations fit in a batch, and 413 begins at 1 MiB', async (t) => {
  const app = await startApp(t, { pets: petRows(1_000), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const changes = petRows(1_000).map(({ petId, quantity }) => ({
    petId,
    quantity: quantity + 1,
    note: 'x'.repeat(800),
  }));
  const result = resultOf(await batch(app, { changes }));
  assert.equal(result.applied, 1_000);
  const ofLength = (bytes: number) => {
    const body = '{"changes":[{"petId":1,"quantity":1}]}';
    return body + ' '.repeat(bytes - body.length);
  };
  assert.equal((await batch(app, ofLength(1_048_576))).status, 200);
  const tooLarge = await batch(app, ofLength(1_048_577));
  assert.deepEqual(outcome(tooLarge), [413, 'body_too_large']);
  assert.match(tooLarge.text, /at most 1048576 bytes/);
  const other = await update(app, 1, `{"quantity":5,"comment":"${'x'.repeat(16_384)}"}`);
  assert.match(other.text, /at most 16384 bytes/);
});

test('a batch takes one request from the quota', async (t) => {
  const app = await startApp(t, { pets: PETS, limits: { perMinute: 10, perDay: 100 } });
  const { headers } = await batch(app, { changes: Array(500).fill({ petId: 1, delta: 1, reason: 'other' }) });
  assert.equal(headers.get('X-RateLimit-Remaining'), '9');
});

test('a batch has the same result as its changes in sequence', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(4), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const change = fc.oneof(
    fc.record({ petId: fc.integer({ min: 1, max: 5 }), quantity: fc.nat(20) }),
    fc.record({
      petId: fc.integer({ min: 1, max: 5 }),
      delta: fc.integer({ min: -20, max: 20 }).filter((delta) => delta !== 0),
      reason: fc.constant('other'),
    }),
  );
  const quantities = async () =>
    new Map(
      ((await app.request('GET', '/v1/inventory')).json as { petId: number; quantity: number }[]).map(
        ({ petId, quantity }) => [petId, quantity],
      ),
    );
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 1, maxLength: 12 }),
    fc.boolean(),
    async (changes, isStrict) => {
      const model = await quantities();
      const errorPolicy = isStrict ? 'reject_everything' : 'reject_failed_rows';
      const codes = changes.map((wish) => {
        const location = model.get(wish.petId);
        if (location === undefined) return 'not_found';
        const wanted = 'delta' in wish ? location + wish.delta : wish.quantity;
        if (wanted < 0) return 'insufficient_stock';
        model.set(wish.petId, wanted);
        return 'done';
      });
      const before = await quantities();
      const dry = resultOf(await batch(app, { changes, errorPolicy, dryRun: true }));
      assert.deepEqual(codesOf(dry), codes);
      const answer = await batch(app, { changes, errorPolicy, planId: dry.planId });
      const isRefused = isStrict && codes.some((code) => code !== 'done');
      assert.equal(answer.status === 200, !isRefused, answer.text);
      if (!isRefused) assert.deepEqual(codesOf(resultOf(answer)), codes);
      assert.deepEqual(await quantities(), isRefused ? before : model);
    },
  );
  await fc.assert(property, { numRuns: 60, seed: 7 });
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('a batch of changes and reverts has the same result as each of them alone', async (t) => {
  if (isSkippedDaily(t)) return;
  const options = { pets: petRows(4), config: { PETSTORE_LOG_LEVEL: 'error' } };
  const together = await startApp(t, options);
  const alone = await startApp(t, options);
  const petId = fc.integer({ min: 1, max: 4 });
  const wish = fc.oneof(
    fc.record({
      petId,
      delta: fc.integer({ min: -6, max: 6 }).filter((delta) => delta !== 0),
      reason: fc.constantFrom('sold', 'received'),
    }),
    fc.record({ petId, quantity: fc.nat(9), reason: fc.constantFrom('sold', 'cycle_count') }),
    // Back from the movement that the fourth row can make.
    fc.record({ petId, back: fc.nat(10) }),
  );
  const property = fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 10 }), async (wishes) => {
    const before = await wholeLedger(together);
    const changes = wishes.map((one) => {
      if (!('back' in one)) return one;
      const sequence = Math.max(1, before.length + 4 - one.back);
      return { petId: Number(before[sequence - 1]?.petId ?? one.petId), revert: sequence };
    });
    const codes = codesOf(resultOf(await batch(together, { changes, errorPolicy: 'reject_failed_rows' })));
    const codesAlone: string[] = [];
    for (const change of changes) {
      const sequence = 'revert' in change ? change.revert : 0;
      const ofOther = (await wholeLedger(alone))[sequence - 1]?.petId;
      const isOfOther = ofOther !== undefined && Number(ofOther) !== change.petId;
      const answer =
        sequence === 0
          ? await batch(alone, { changes: [change] })
          : isOfOther || (await revert(alone, sequence));
      codesAlone.push(answer === true ? 'not_found' : (answer.code ?? 'done'));
    }
    assert.deepEqual(codes, codesAlone, JSON.stringify(changes));
    const facts = ({ sequence, petId: pet, kind, delta, statusAfter, revertedSequence }: MovementJson) =>
      [sequence, pet, kind, delta, statusAfter, revertedSequence].join();
    assert.deepEqual((await wholeLedger(together)).map(facts), (await wholeLedger(alone)).map(facts));
  });
  await fc.assert(property, { numRuns: 40, seed: 9 });
  const sales = 'SELECT pet_id, units FROM sales ORDER BY pet_id';
  assert.deepEqual(await together.database.rows(sales), await alone.database.rows(sales));
  assert.deepEqual((await together.admin.verify()).faults, []);
});

test('200: rows revert movements of their pets, which takes sales back', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const daysOf = async (petId: number) =>
    ((await getItem(app, petId)).json as { daysOfStock: number | null }).daysOfStock;
  const changes = [1, 2].map((petId) => ({ petId, delta: -4, reason: 'sold' }));
  const sold = resultOf(await batch(app, { changes }));
  assert.deepEqual([await daysOf(1), await daysOf(2)], [1.5, 4]);
  const reverts = sold.rows.map(({ petId, sequence, after }) => {
    return { petId, revert: sequence, ifMatch: after?.etag };
  });
  const dryRun = resultOf(await batch(app, { changes: reverts, dryRun: true }));
  assert.deepEqual([codesOf(dryRun), await daysOf(1)], [['done', 'done'], 1.5]);
  const undone = resultOf(await batch(app, { changes: reverts, planId: dryRun.planId }));
  assert.deepEqual(undone.rows.map(withoutTags), [row(1, [6, 2], [10, 3], 8), row(2, [16, 2], [20, 3], 9)]);
  assert.deepEqual([await daysOf(1), await daysOf(2)], [null, null]);
  const ledger = (await wholeLedger(app)).slice(7);
  assert.deepEqual(
    ledger.map(({ petId, kind, delta, revertedSequence }) => [petId, kind, delta, revertedSequence]),
    [
      [1, 'revert', 4, 6],
      [2, 'revert', 4, 7],
    ],
  );
  // The revert of a revert makes the sale again.
  await batch(app, { changes: [{ petId: 1, revert: 8 }] });
  assert.deepEqual([await daysOf(1), await daysOf(2)], [1.5, null]);
});

test('a row that cannot revert its movement is refused with the reason, and the others are applied', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await adjust(app, 1, { delta: 3 });
  await adjust(app, 2, { delta: 3 });
  await adjust(app, 2, { delta: -3 });
  await revert(app, 6);
  await update(app, 3, { quantity: 5 });
  await update(app, 3, { quantity: 2 });
  const changes = [
    { petId: 1, revert: 6 },
    { petId: 1, revert: 7 },
    { petId: 1, revert: 99 },
    { petId: 77, revert: 7 },
    { petId: 2, revert: 7, ifMatch: '"x"' },
    { petId: 2, revert: 7 },
    { petId: 2, revert: 7 },
    { petId: 2, revert: 8 },
    { petId: 3, revert: 10 },
  ];
  const result = resultOf(await batch(app, { changes, errorPolicy: 'reject_failed_rows' }));
  assert.deepEqual(codesOf(result), [
    'conflict',
    'not_found',
    'not_found',
    'not_found',
    'precondition_failed',
    'done',
    'conflict',
    'done',
    'insufficient_stock',
  ]);
  assert.deepEqual(
    [0, 1, 2].map((i) => result.rows[i]?.message),
    ['Movement 6 was reverted before.', 'petId 1 has no movement 7.', 'petId 1 has no movement 99.'],
  );
  assert.deepEqual(outcome(await batch(app, { changes: [changes[1]] })), [404, 'not_found']);
});

test('a revert in a batch needs the scope of reverts', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await setStatus(app, 1, { status: 'pending' });
  const { key } = await app.makeKey({ scopes: ['inventory:batch'] });
  const send = (change: object) =>
    app.request('POST', '/v1/inventory/batch', { key, body: JSON.stringify({ changes: [change] }) });
  assert.deepEqual(outcome(await send({ petId: 1, revert: 6 })), [403, 'insufficient_scope']);
  assert.equal((await send({ petId: 1, delta: 1, reason: 'received' })).status, 200);
});
