import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { listJson, petRow, petRows } from '../support/pet-rows.ts';
import {
  adjust,
  type MovementJson,
  outcome,
  revert,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';
import { fetchFrom } from '../support/web-exchange.ts';
import { isSkippedDaily } from '../support/long-test.ts';

type Item = { petId: bigint; quantity: number; status: 'available' | 'pending' | 'sold'; recordedAt: string };

function list({ request }: Pick<TestApp, 'request'>, query = '', headers = {}): Promise<Answer> {
  return request('GET', `/v1/inventory${query}`, { headers });
}

/** The stock after a movement, by replaying all up to it. */
function replayed(ledger: readonly MovementJson[], sequence: number): Map<bigint, Item> {
  const items = new Map<bigint, Item>();
  for (const movement of ledger.slice(0, sequence)) {
    const petId = BigInt(movement.petId);
    items.set(petId, {
      petId,
      quantity: movement.quantityAfter,
      status: movement.statusAfter as Item['status'],
      recordedAt: movement.recordedAt,
    });
  }
  return items;
}

/** Pets, and changes of all kinds to them, one every other second; new pets arrive in between. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(t, { pets: [...petRows(20), petRow(-5n), petRow(2n ** 53n + 1n)] });
  for (let i = 0; i < 60; i += 1) {
    app.clock.nowMs += 2_000;
    const petId = ((i * 7) % 20) + 1;
    if (i === 30) await app.admin.importPets([petRow(500n, 5), petRow(3n, 77)], 'cli', app.clock.nowMs);
    else if (i % 4 === 0) await update(app, petId, { quantity: i });
    else if (i % 4 === 1) await adjust(app, petId, { delta: i });
    else if (i % 4 === 2) await setStatus(app, petId, { status: i % 8 === 2 ? 'sold' : 'pending' });
    else await revert(app, 22 + i - 2);
  }
  return app;
}

test('the list at every sequence equals a replay of the ledger up to it', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  for (let sequence = 0; sequence <= ledger.length; sequence += 1) {
    const { status, text, headers } = await list(app, `?atSequence=${sequence}`);
    assert.deepEqual([status, text], [200, listJson(replayed(ledger, sequence).values())], `at ${sequence}`);
    assert.equal(headers.get('Inventory-Sequence'), String(sequence));
    assert.equal(headers.get('Content-Length'), null, 'left to the server');
  }
  const now = await list(app);
  assert.equal((await list(app, `?atSequence=${ledger.length}`)).text, now.text);
  assert.equal(now.headers.get('Inventory-Sequence'), String(ledger.length));
  assert.equal((await list(app, '?limit=2')).headers.get('Inventory-Sequence'), String(ledger.length));
});

test('asOf is the stock after the last movement recorded at that moment or before', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  const first = Date.parse(ledger[0]?.recordedAt ?? '');
  for (let atMs = first - 1_000; atMs <= app.clock.nowMs; atMs += 1_000) {
    const asOf = new Date(atMs).toISOString();
    const sequence = ledger.findLast(({ recordedAt }) => recordedAt <= asOf)?.sequence ?? 0;
    const { text, headers } = await list(app, `?asOf=${asOf}`);
    assert.equal(headers.get('Inventory-Sequence'), String(sequence), asOf);
    assert.equal(text, listJson(replayed(ledger, sequence).values()), asOf);
  }
});

test('filters choose, alone and together, at any moment, exactly the pets that fit', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  const times = [...new Set(ledger.map(({ recordedAt }) => recordedAt))];
  const parameters = fc.record(
    {
      atSequence: fc.nat(ledger.length),
      status: fc.constantFrom('available', 'pending', 'sold'),
      quantityLte: fc.nat(80),
      quantityGte: fc.nat(60),
      updatedSince: fc.constantFrom(...times),
      petId: fc
        .array(fc.constantFrom('1', '2', '3', '500', '-5', '9007199254740993', '9007199254740992'), {
          minLength: 1,
        })
        .map((petIds) => petIds.join()),
      limit: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: [] },
  );
  const property = fc.asyncProperty(parameters, async (parameterSet) => {
    const {
      atSequence = ledger.length,
      status,
      quantityLte,
      quantityGte,
      updatedSince,
      petId,
    } = parameterSet;
    const expected = [...replayed(ledger, atSequence).values()].filter(
      (item) =>
        (status === undefined || item.status === status) &&
        (quantityLte === undefined || item.quantity <= quantityLte) &&
        (quantityGte === undefined || item.quantity >= quantityGte) &&
        (updatedSince === undefined || item.recordedAt >= updatedSince) &&
        (petId === undefined || petId.split(',').includes(String(item.petId))),
    );
    const texts = Object.entries(parameterSet).map(([name, value]) => [name, String(value)]);
    const query = new URLSearchParams(texts);
    const pages = await walk(app, `?${query}`);
    assert.equal(listJson(pages.flatMap(itemsOf)), listJson(expected), String(query));
    const limit = parameterSet.limit ?? Number.POSITIVE_INFINITY;
    for (const page of pages.slice(0, -1)) assert.equal(itemsOf(page).length, limit);
  });
  await fc.assert(property, { numRuns: 60, seed: 5 });
});

function itemsOf({ json }: Answer): Item[] {
  return (json as unknown as Item[]).map((item) => ({ ...item, petId: BigInt(item.petId) }));
}

async function walk(app: TestApp, query: string, between?: () => Promise<unknown>): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let next: string | undefined = query; next !== undefined;) {
    assert.ok(pages.length < 200, 'the pages never end');
    const page = await list(app, next);
    assert.equal(page.status, 200, page.text);
    pages.push(page);
    next = /^<[^>]+\/inventory(\?[^>]+)>; rel="next"$/.exec(page.headers.get('Link') ?? '')?.[1];
    await between?.();
  }
  return pages;
}

test('the pages of one walk show one moment, despite changes between them', async (t) => {
  const app = await startShop(t);
  for (const query of [
    '?quantityGte=0&limit=3',
    `?asOf=${new Date(app.clock.nowMs).toISOString()}&limit=3`,
  ]) {
    const whole = itemsOf(await list(app, query.replace('&limit=3', '')));
    let i = 0;
    const pages = await walk(app, query, async () => {
      app.clock.nowMs += 1_000;
      i += 1;
      await setStatus(app, ((i * 3) % 20) + 1, { status: i % 2 === 0 ? 'sold' : 'available' });
      await update(app, i, { quantity: 900 + i });
    });
    assert.ok(pages.length > 3);
    assert.equal(listJson(pages.flatMap(itemsOf)), listJson(whole));
    assert.equal(new Set(pages.map(({ headers }) => headers.get('Inventory-Sequence'))).size, 1);
  }
});

test('304 while the client has the list of that moment, for a past moment without an end', async (t) => {
  const app = await startShop(t);
  const past = await list(app, '?atSequence=30');
  const now = await list(app, '?quantityGte=1');
  const tagOf = ({ headers }: Answer) => headers.get('ETag') as string;
  assert.match(tagOf(past), /^"[\w-]+"$/);
  assert.equal((await list(app, '?quantityGte=1', { 'If-None-Match': tagOf(now) })).status, 304);
  app.clock.nowMs += 1_000;
  await update(app, 1, { quantity: 1_000 });
  assert.equal((await list(app, '?quantityGte=1', { 'If-None-Match': tagOf(now) })).status, 200);
  const again = await list(app, '?atSequence=30', { 'If-None-Match': tagOf(past) });
  assert.deepEqual([again.status, again.headers.get('Inventory-Sequence')], [304, '30']);
  assert.equal((await list(app, '?atSequence=31', { 'If-None-Match': tagOf(past) })).status, 200);
});

test('a list of another history has another tag, although it has the same sequence', async (t) => {
  const tags = [];
  for (const nowMs of [Date.UTC(2026, 6, 1), Date.UTC(2026, 6, 2)]) {
    const app = await startApp(t, { pets: petRows(3), nowMs });
    tags.push((await list(app, '?atSequence=2')).headers.get('ETag'));
    tags.push((await list(app, '?status=sold')).headers.get('ETag'));
  }
  assert.equal(new Set(tags).size, 4);
});

test('410 history_pruned before the start of the ledger, and 200 for every later moment', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  const bound = ledger[39]?.recordedAt as string;
  const { start } = await app.admin.pruneMovements(Date.parse(bound), CLI_AUTHOR);
  assert.ok(start.sequence > 30 && start.sequence < 45, String(start.sequence));
  const ofStart = new Date(start.recordedAtMs).toISOString();
  const justBefore = new Date(start.recordedAtMs - 1).toISOString();
  for (const query of [`atSequence=${start.sequence - 1}`, 'atSequence=0', `asOf=${justBefore}`]) {
    const answer = await list(app, `?${query}`);
    assert.deepEqual(outcome(answer), [410, 'history_pruned'], query);
    assert.match(answer.text, new RegExp(`kept from movement ${start.sequence} of ${ofStart}`));
  }
  for (let sequence = start.sequence; sequence <= ledger.length; sequence += 1) {
    const { text } = await list(app, `?atSequence=${sequence}`);
    assert.equal(text, listJson(replayed(ledger, sequence).values()), `at ${sequence}`);
  }
  assert.equal(
    (await list(app, `?asOf=${ofStart}`)).headers.get('Inventory-Sequence'),
    String(start.sequence),
  );
});

test('a list too large for one piece is whole, and of one moment', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(12_000), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const before = await list(app);
  const reading = list(app, '?quantityGte=0');
  await Promise.all([
    update(app, 11_999, { quantity: 4_321 }),
    adjust(app, 1, { delta: 9 }),
    app.admin.importPets([petRow(20_000n)], 'cli', app.clock.nowMs),
  ]);
  const { text, headers } = await reading;
  if (headers.get('Inventory-Sequence') === '12000') assert.equal(text, before.text);
  assert.equal((await list(app, '?atSequence=12000')).text, before.text);
  assert.equal((await list(app, '?quantityGte=0')).text, (await list(app)).text);
});

/** More pets than one page reads; the matching ones are at the end. */
const MANY = 12_000;

function startLargeShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const pets = petRows(MANY).map((pet) => (pet.petId > 11_990n ? { ...pet, quantity: 7_777 } : pet));
  return startApp(t, { pets, config: { PETSTORE_LOG_LEVEL: 'error' } });
}

test('a page of few that fit among many pets ends early, and its links lead to all of them', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startLargeShop(t);
  const received: string[] = [];
  let query = '?quantityGte=7777&quantityLte=7777&limit=6';
  let pages = 0;
  for (; pages < 10; pages += 1) {
    const { status, headers, text } = await list(app, query);
    assert.equal(status, 200);
    if (pages === 0) assert.equal(text, '[]', 'it does not look at all pets');
    received.push(...[...text.matchAll(/"petId":(\d+)/g)].map(([, petId]) => petId as string));
    const next = /\?.*(?=>; rel="next")/.exec(headers.get('Link') ?? '');
    if (!next) break;
    query = next[0];
  }
  assert.ok(pages < 10, 'the pages end');
  assert.deepEqual(
    received,
    Array.from({ length: 10 }, (_, i) => String(11_991 + i)),
  );
});

test('a list of few matching pets among many is complete, and the client receives bytes before its end', async (t) => {
  const app = await startLargeShop(t);
  const received = (text: string) => [...text.matchAll(/"petId":(\d+)/g)].length;
  const last = await list(app, '?quantityGte=7777&quantityLte=7777');
  assert.deepEqual([received(last.text), (last.json as unknown[]).length], [10, 10]);
  const none = await list(app, '?quantityGte=7778');
  assert.deepEqual([received(none.text), (none.json as unknown[]).length], [0, 0]);
  assert.match(none.text, /^\[ *\]$/);
});

test('a list is not read to its end when its client has gone away', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startLargeShop(t);
  const { ledger } = app.store;
  const read = ledger.stockPage.bind(ledger);
  const disconnected = new AbortController();
  let slices = 0;
  ledger.stockPage = (query) => {
    slices += 1;
    if (slices === 5) disconnected.abort();
    return read(query);
  };
  const request = new Request('http://localhost/v1/inventory?quantityGte=7777', {
    headers: { Authorization: `Bearer ${app.key}` },
    signal: disconnected.signal,
  });
  await fetchFrom(app.app, request);
  assert.equal(slices, 5);
});
