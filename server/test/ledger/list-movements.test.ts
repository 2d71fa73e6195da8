import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import {
  adjust,
  type MovementJson,
  movements,
  movementsOf,
  outcome,
  revert,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';

/** A mixed ledger: three pets, two keys, one movement per second. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp & { other: string }> {
  const app = await startApp(t, { pets: petRows(3) });
  const other = await app.makeKey();
  for (let i = 0; i < 30; i += 1) {
    app.clock.nowMs += 1_000;
    const petId = (i % 3) + 1;
    const client = i % 5 === 0 ? withKey(app, other.key) : app;
    if (i % 4 === 0) await update(client, petId, { quantity: 100 + i, reason: 'cycle_count' });
    else if (i % 4 === 1) await adjust(client, petId, { delta: 1, reason: 'received' });
    else if (i % 4 === 2) await setStatus(client, petId, { status: i % 8 === 2 ? 'sold' : 'pending' });
    else await revert(client, i - 1, { reason: 'correction' });
  }
  return { ...app, other: other.principal.key.id };
}

function withKey({ request }: TestApp, key: string): Pick<TestApp, 'request'> {
  return { request: (method, target, sending) => request(method, target, { ...sending, key }) };
}

/** Follows `Link: rel="next"` to the last page. */
async function walk({ request, config }: TestApp, first: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let target: string | undefined = first; target !== undefined;) {
    assert.ok(pages.length < 500, 'the pages never end');
    const page = await request('GET', target);
    assert.equal(page.status, 200, page.text);
    pages.push(page);
    const link = page.headers.get('Link');
    const next: string | undefined = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
    assert.ok(link === null || next?.startsWith(config.baseUrl), `Link is ${link}`);
    target = next && `/v1${next.slice(config.baseUrl.length)}`;
  }
  return pages;
}

async function walked(app: TestApp, first: string): Promise<MovementJson[]> {
  return (await walk(app, first)).flatMap(movementsOf);
}

test('the ledger is listed whole, oldest first, each movement as its own look-up shows it', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  assert.deepEqual(
    ledger.map(({ sequence }) => sequence),
    ledger.map((_, i) => i + 1),
  );
  const answer = await movements(app, '?limit=1000');
  const each = await Promise.all(
    ledger.map(({ sequence }) => app.request('GET', `/v1/movements/${sequence}`)),
  );
  assert.equal(answer.text, `[${each.map(({ text }) => text).join()}]`);
  assert.equal(answer.headers.get('Inventory-Sequence'), String(ledger.length));
  for (const [i, movement] of ledger.entries()) {
    const { petId, previousSequence, quantityBefore, quantityAfter, version, delta } = movement;
    const previous = ledger.slice(0, i).findLast((one) => one.petId === petId);
    assert.equal(previousSequence, previous?.sequence ?? null);
    assert.deepEqual([quantityBefore, version], [previous?.quantityAfter ?? 0, (previous?.version ?? 0) + 1]);
    assert.equal(delta, quantityAfter - quantityBefore);
  }
  assert.deepEqual(new Set(ledger.map(({ kind }) => kind)).size, 5, 'every kind is there');
});

test('the pages contain every movement once, in both directions, for any page size', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  const ofPet = ledger.filter(({ petId }) => petId === 2);
  for (const limit of [1, 2, 7, ledger.length, 1_000]) {
    assert.deepEqual(await walked(app, `/v1/movements?limit=${limit}`), ledger);
    assert.deepEqual(await walked(app, `/v1/movements?order=desc&limit=${limit}`), ledger.toReversed());
    assert.deepEqual(await walked(app, `/v1/inventory/2/movements?limit=${limit}`), ofPet);
    assert.deepEqual(
      await walked(app, `/v1/inventory/2/movements?order=desc&limit=${limit}`),
      ofPet.toReversed(),
    );
    assert.deepEqual(await walked(app, `/v1/movements?petId=2&limit=${limit}`), ofPet);
  }
});

test('a page without a limit has 100 movements', async (t) => {
  const app = await startApp(t, { pets: petRows(250) });
  const pages = await walk(app, '/v1/movements');
  assert.deepEqual(
    pages.map((page) => movementsOf(page).length).filter((length) => length > 0),
    [100, 100, 50],
  );
});

test('filters choose, alone and together, exactly the movements that fit', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  const seconds = (n: number) => new Date(Date.parse(ledger[0]?.recordedAt ?? '') + n * 1_000).toISOString();
  const parameters = fc.record(
    {
      petId: fc.constantFrom('1', '2', '4'),
      kind: fc.constantFrom('import', 'set', 'adjust', 'status', 'revert'),
      reason: fc.constantFrom('cycle_count', 'received', 'correction', 'sold'),
      actor: fc.constantFrom('cli', app.principal.key.id, app.other, 'key_0123456789abcdef'),
      since: fc.nat(31).map(seconds),
      until: fc.nat(31).map(seconds),
      after: fc.nat(35).map(String),
      before: fc.nat(40).map(String),
      order: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 9 }).map(String),
    },
    { requiredKeys: [] },
  );
  const property = fc.asyncProperty(parameters, async (parameterSet) => {
    const { petId, kind, reason, actor, since, until, after, before, order } = parameterSet;
    const expected = ledger.filter(
      (one) =>
        (petId === undefined || one.petId === Number(petId)) &&
        (kind === undefined || one.kind === kind) &&
        (reason === undefined || one.reason === reason) &&
        (actor === undefined || (one.actor.keyId ?? one.actor.name) === actor) &&
        (since === undefined || one.recordedAt >= since) &&
        (until === undefined || one.recordedAt < until) &&
        (after === undefined || one.sequence > Number(after)) &&
        (before === undefined || one.sequence < Number(before)),
    );
    const query = new URLSearchParams(parameterSet as Record<string, string>);
    const found = await walked(app, `/v1/movements?${query}`);
    assert.deepEqual(found, order === 'desc' ? expected.toReversed() : expected, String(query));
  });
  await fc.assert(property, { numRuns: 50, seed: 11 });
});

test('a time may have any offset, an unescaped plus, and a fraction of a millisecond', async (t) => {
  const app = await startShop(t);
  const ledger = await wholeLedger(app);
  const tenth = ledger[9] as MovementJson;
  const local = new Date(Date.parse(tenth.recordedAt) + 7_200_000).toISOString().replace('Z', '+02:00');
  for (const since of [tenth.recordedAt, local, encodeURIComponent(local)]) {
    const [first] = movementsOf(await movements(app, `?since=${since}`));
    assert.equal(first?.sequence, 10, since);
  }
  const justAfter = tenth.recordedAt.replace('Z', '0001Z');
  assert.equal(movementsOf(await movements(app, `?since=${justAfter}`))[0]?.sequence, 11);
  assert.equal(movementsOf(await movements(app, `?until=${justAfter}`)).at(-1)?.sequence, 10);
  assert.equal(movementsOf(await movements(app, `?until=${tenth.recordedAt}`)).at(-1)?.sequence, 9);
});

test('410 history_pruned for a movement that the operator no longer keeps', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n), petRow(2n)] });
  app.clock.nowMs += 1_000;
  await update(app, 1, { quantity: 7 });
  app.clock.nowMs += 1_000;
  await update(app, 1, { quantity: 8 });
  assert.equal((await app.admin.pruneMovements(app.clock.nowMs, CLI_AUTHOR)).movements, 2);
  for (const sequence of [1, 3]) {
    const answer = await app.request('GET', `/v1/movements/${sequence}`);
    assert.deepEqual(outcome(answer), [410, 'history_pruned'], String(sequence));
    assert.match(answer.text, /Movement \d was deleted by the operator\./);
    assert.deepEqual(outcome(await revert(app, sequence)), [410, 'history_pruned']);
  }
  for (const sequence of [2, 4]) {
    assert.equal(
      (await app.request('GET', `/v1/movements/${sequence}`)).status,
      200,
      'a pet’s newest is kept',
    );
  }
  assert.deepEqual(outcome(await app.request('GET', '/v1/movements/5')), [404, 'not_found']);
  assert.deepEqual(outcome(await revert(app, 5)), [404, 'not_found']);
});

test('Ledger-Start reports the first kept movement, if a query starts before it', async (t) => {
  const app = await startShop(t);
  const cut = movementsOf(await movements(app, '?after=5&limit=1'))[0]?.recordedAt ?? '';
  const startOf = async (path: string) =>
    (await app.request('GET', `/v1${path}`)).headers.get('Ledger-Start');
  assert.equal(await startOf('/movements'), null, 'nothing is missing');
  const { start } = await app.admin.pruneMovements(Date.parse(cut), CLI_AUTHOR);
  assert.ok(start.sequence > 1);
  const retained = String(start.sequence);
  const before = start.sequence - 1;
  for (const path of ['/movements', '/movements?order=desc&limit=1', `/movements?after=${before}`]) {
    assert.equal(await startOf(path), retained, path);
  }
  assert.equal(await startOf('/inventory/1/movements'), retained);
  for (const path of [`/movements?after=${start.sequence}`, `/movements?since=${cut}`]) {
    assert.equal(await startOf(path), null, path);
  }
});
