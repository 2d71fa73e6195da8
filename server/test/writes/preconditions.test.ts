import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceUnavailable } from '../../src/domain/errors.ts';
import { parseEntityTags } from '../../src/http/request/entity-tags.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import {
  adjust,
  batch,
  getItem,
  movementsOf,
  type RequestHeaders,
  revert,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';

const PETS = [petRow(7n, 10), petRow(8n, 5)];

type Write = (app: TestApp, headers: RequestHeaders, condition?: object) => Promise<Answer>;

/** A change of pet 7 by each operation that changes one pet. */
const WRITES: Readonly<Record<string, Write>> = {
  updateInventory: (app, headers, condition) => update(app, 7, { quantity: 11, ...condition }, headers),
  adjustInventory: (app, headers, condition) => adjust(app, 7, { delta: 1, ...condition }, headers),
  setInventoryStatus: (app, headers, condition) =>
    setStatus(app, 7, { status: 'sold', ...condition }, headers),
  revertMovement: async (app, headers, condition) => revert(app, 3, condition, headers),
};

/** A shop in which movement 3 took 5 from pet 7; it has 10. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(t, { pets: [petRow(7n, 15), petRow(8n, 5)] });
  assert.equal((await adjust(app, 7, { delta: -5 })).status, 201);
  return app;
}

async function tagOf(app: TestApp, petId = 7): Promise<string> {
  return (await getItem(app, petId)).headers.get('ETag') as string;
}

for (const [operation, write] of Object.entries(WRITES)) {
  test(`${operation} is done when If-Match names the item, or any, and nothing else`, async (t) => {
    const app = await startShop(t);
    const tag = await tagOf(app);
    const length = (await wholeLedger(app)).length;
    for (const ifMatch of [
      '"other"',
      `W/${tag}`,
      `"a", W/${tag}, "b"`,
      await tagOf(app, 8),
      tag.replace(/"$/, '0"'),
    ]) {
      const { status, code, text } = await write(app, { 'If-Match': ifMatch });
      assert.deepEqual([status, code], [412, 'precondition_failed'], ifMatch);
      assert.match(text, /petId 7 has quantity 10 and status available at version 2/);
    }
    assert.equal((await wholeLedger(app)).length, length, 'nothing was changed');
    const { status, headers } = await write(app, { 'If-Match': `"a",, ${tag} ,"b"` });
    assert.ok(status === 200 || status === 201, String(status));
    assert.equal(headers.get('ETag'), await tagOf(app));
    assert.equal((await write(app, { 'If-Match': tag })).status, operation === 'revertMovement' ? 409 : 412);
  });

  test(`${operation} refuses an If-Match that is not a list of entity tags`, async (t) => {
    const app = await startShop(t);
    for (const ifMatch of ['x', '', ',', '"a" "b"', '"a', 'w/"a"', '*, "a"', '"a", *', "'a'", '"a";"b"']) {
      const { status, code, text } = await write(app, { 'If-Match': ifMatch });
      assert.deepEqual([status, code], [400, 'invalid_parameter'], ifMatch);
      assert.match(text, /If-Match/);
    }
    assert.equal((await wholeLedger(app)).length, 3);
  });

  test(`${operation} is refused when If-None-Match names the item, or any, and done otherwise`, async (t) => {
    const app = await startShop(t);
    const tag = await tagOf(app);
    const length = (await wholeLedger(app)).length;
    for (const ifNoneMatch of ['*', tag, `W/${tag}`, `"a",, ${tag} ,W/"b"`]) {
      const headers = { 'If-None-Match': ifNoneMatch };
      for (const more of [{}, { 'If-Match': tag }, { 'Idempotency-Key': `k${ifNoneMatch.length}` }]) {
        const { status, code, text, headers: received } = await write(app, { ...headers, ...more });
        assert.deepEqual([status, code], [412, 'precondition_failed'], ifNoneMatch);
        assert.match(text, /If-None-Match names the current state: petId 7 has quantity 10/);
        assert.equal(received.get('ETag'), tag);
      }
    }
    const both = await write(app, { 'If-Match': '"x"', 'If-None-Match': '*' });
    assert.match(both.text, /If-Match names another state/, 'If-Match is first');
    for (const ifNoneMatch of ['x', '', '"a" "b"', '*, "a"']) {
      const { status, code, text } = await write(app, { 'If-None-Match': ifNoneMatch });
      assert.deepEqual([status, code], [400, 'invalid_parameter'], ifNoneMatch);
      assert.match(text, /If-None-Match must be/);
    }
    assert.equal((await wholeLedger(app)).length, length, 'nothing was changed');
    const { status } = await write(app, { 'If-None-Match': `"a", ${await tagOf(app, 8)}` });
    assert.ok(status === 200 || status === 201, String(status));
  });

  test(`${operation} under a key is another request with another If-None-Match`, async (t) => {
    const app = await startShop(t);
    const under = (ifNoneMatch: string) => ({ 'Idempotency-Key': 'k', 'If-None-Match': ifNoneMatch });
    const first = await write(app, under('*'));
    const again = await write(app, under('*'));
    assert.deepEqual([again.status, again.text], [412, first.text]);
    assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
    assert.equal((await write(app, under('"x"'))).code, 'idempotency_key_reused');
    assert.equal((await write(app, { 'Idempotency-Key': 'k' })).code, 'idempotency_key_reused');
  });

  test(`${operation} is applied when changeFromQuantity is the current quantity, and refused otherwise`, async (t) => {
    const app = await startShop(t);
    for (const changeFromQuantity of [9, 0, 11, 9_007_199_254_740_991]) {
      const { status, code, text } = await write(app, {}, { changeFromQuantity });
      assert.deepEqual([status, code], [409, 'conflict'], String(changeFromQuantity));
      assert.match(
        text,
        new RegExp(`changeFromQuantity is ${changeFromQuantity}, but petId 7 has quantity 10`),
      );
    }
    for (const changeFromQuantity of [-1, 1.5, 'ten', null, true]) {
      const { status, code, text } = await write(app, {}, { changeFromQuantity });
      assert.deepEqual([status, code], [400, 'validation_failed'], String(changeFromQuantity));
      assert.match(text, /changeFromQuantity must be a whole number/);
    }
    const answer = await write(app, {}, { changeFromQuantity: 10 });
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
  });

  test(`${operation} reports the current stock in headers, and links to later movements`, async (t) => {
    const app = await startShop(t);
    const seen = await tagOf(app);
    await update(app, 8, { quantity: 6 });
    await update(app, 7, { quantity: 12 });
    await adjust(app, 7, { delta: 8 });
    const refused = [
      await write(app, { 'If-Match': seen }),
      await write(app, { 'If-Match': `"x", ${seen}` }),
      await write(app, { 'If-Match': `W/${seen}` }),
      await write(app, {}, { changeFromQuantity: 10 }),
    ];
    for (const { status, headers } of refused) {
      assert.ok(status === 412 || status === 409, String(status));
      assert.equal(headers.get('ETag'), await tagOf(app));
      assert.equal(headers.get('Inventory-Quantity'), '20');
      assert.equal(headers.get('Inventory-Version'), '4');
      const link = headers.get('Link') ?? '';
      assert.equal(link, `<${app.config.baseUrl}/inventory/7/movements?after=3>; rel="version-history"`);
      const since = await app.request('GET', link.replace(/^<.*\/v1(.*)>.*$/, '/v1$1'));
      assert.deepEqual(
        movementsOf(since).map(({ sequence }) => sequence),
        [5, 6],
      );
    }
    // An unknown precondition links to the newest movements.
    for (const [headers, condition] of [
      [{ 'If-Match': '"1-999999-abc"' }, undefined],
      [{ 'If-Match': '"x"' }, undefined],
      [{}, { changeFromQuantity: 77 }],
    ] as const) {
      const answer = await write(app, headers, condition);
      assert.equal(
        answer.headers.get('Link'),
        `<${app.config.baseUrl}/inventory/7/movements?order=desc>; rel="version-history"`,
      );
    }
  });
}

test('conditions are checked where nothing would change too', async (t) => {
  const app = await startApp(t, { pets: PETS });
  assert.equal((await update(app, 7, { quantity: 10 }, { 'If-Match': '"x"' })).status, 412);
  assert.equal((await update(app, 7, { quantity: 10, changeFromQuantity: 9 })).status, 409);
  assert.equal((await setStatus(app, 7, { status: 'available' }, { 'If-Match': '"x"' })).status, 412);
  assert.equal(
    (await update(app, 7, { quantity: 10, changeFromQuantity: 10 }, { 'If-Match': '*' })).status,
    200,
  );
  assert.equal((await wholeLedger(app)).length, 2);
});

test('a client that has seen the current quantity gets a link to later movements', async (t) => {
  const app = await startShop(t);
  const answer = await adjust(app, 7, { delta: -11, changeFromQuantity: 10 });
  assert.equal(answer.code, 'insufficient_stock');
  const link = `<${app.config.baseUrl}/inventory/7/movements?after=3>; rel="version-history"`;
  assert.equal(answer.headers.get('Link'), link);
});

test('a refusal is returned, and replayed, where the history of its link cannot be read', async (t) => {
  const app = await startShop(t);
  const send = () => update(app, 7, { quantity: 1, changeFromQuantity: 5 }, { 'Idempotency-Key': 'sale-1' });
  const reading = t.mock.method(app.store.ledger, 'lastSequenceWith', () => {
    throw serviceUnavailable('The database cannot be read now.');
  });
  const refused = await send();
  assert.deepEqual([refused.status, refused.code, reading.mock.callCount()], [409, 'conflict', 1]);
  assert.match(refused.headers.get('Link') ?? '', /movements\?order=desc>/);
  reading.mock.restore();
  const replayed = await send();
  assert.deepEqual([replayed.text, replayed.headers.get('Idempotency-Replayed')], [refused.text, 'true']);
});

test('404 comes before conditions, and 400 before 404', async (t) => {
  const app = await startApp(t, { pets: PETS });
  assert.equal((await update(app, 9, { quantity: 1 }, { 'If-Match': '"x"' })).status, 404);
  assert.equal((await update(app, 9, { quantity: 1, changeFromQuantity: 3 })).status, 404);
  assert.equal((await update(app, 9, { quantity: 1 }, { 'If-Match': 'x' })).status, 400);
});

test('If-None-Match is compared inside the write, with the state after earlier writes', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_LOG_LEVEL: 'error' } });
  // All but the first are sent before it is done, and refuse the state that it changes.
  const tag = await tagOf(app);
  const version = (await getItem(app, 7)).json as unknown as { version: number };
  assert.equal(version.version, 1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      update(app, 7, { quantity: 100 + i }, i === 0 ? {} : { 'If-None-Match': tag }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});

test('a batch refuses both headers, for each names one item', async (t) => {
  const app = await startApp(t, { pets: PETS });
  for (const name of ['If-Match', 'If-None-Match']) {
    const refused = await batch(app, { changes: [{ petId: 7, quantity: 1 }] }, { [name]: '*' });
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_parameter']);
    assert.match(refused.text, new RegExp(`${name} names one item`));
  }
  assert.equal((await wholeLedger(app)).length, 2);
});

test('exactly one of many writers with the same tag succeeds, in each round', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_LOG_LEVEL: 'error' } });
  for (let round = 0; round < 10; round += 1) {
    const tag = await tagOf(app);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        update(app, 7, { quantity: 100 * round + i }, { 'If-Match': tag }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 412)]);
  }
  assert.match((await getItem(app, 7)).text, /"version":11,/);
});

test('a list of entity tags is read as RFC 9110 has it', () => {
  assert.equal(parseEntityTags(' * '), '*');
  assert.deepEqual(parseEntityTags('"a","b" ,\t"c"'), ['a', 'b', 'c']);
  assert.deepEqual(parseEntityTags(',, "a",'), ['a']);
  assert.deepEqual(parseEntityTags('"a,b", "", W/"c", "W/"'), ['a,b', '', 'W/"c"', 'W/']);
  assert.deepEqual(parseEntityTags('W/"a", W/"b"'), ['W/"a"', 'W/"b"']);
  for (const text of ['', ' ', ',', 'a', '"a" x', '"a"b"', 'W/a', 'W/ "a"', '"a b"', '*,*']) {
    assert.equal(parseEntityTags(text), undefined, text);
  }
});

test('a write compares the state in the tag of an item, not its days of stock', async (t) => {
  const app = await startShop(t);
  assert.equal((await adjust(app, 7, { delta: -1, reason: 'sold' })).status, 201);
  const tag = await tagOf(app);
  assert.match(tag, /^"[^.]+\.[0-9a-z]+"$/, 'with its days of stock');
  const otherDays = tag.replace(/\.[0-9a-z]+"$/, '.zzz"');
  const { status } = await update(app, 7, { quantity: 20 }, { 'If-Match': otherDays });
  assert.equal(status, 200);
  const stale = await update(app, 7, { quantity: 21 }, { 'If-Match': tag });
  assert.equal(stale.status, 412);
  const excluded = { 'If-None-Match': await tagOf(app) };
  assert.equal((await update(app, 7, { quantity: 22 }, excluded)).status, 412);
});
