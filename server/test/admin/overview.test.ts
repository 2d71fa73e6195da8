import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { PetTotalsPage } from '../../src/domain/management/overview.ts';
import type { ManagedPet } from '../../src/domain/management/pets.ts';
import { TotalsCounter } from '../../src/http/admin/overview/counted-totals.ts';
import { NOON, startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { adjust } from '../support/stock-requests.ts';

const HOUR_MS = 3_600_000;

interface Overview {
  readonly countedAt: string;
  readonly pets: Readonly<Record<string, number>>;
  readonly alerts: readonly { readonly petId: number | bigint; readonly alertLevel: string }[];
  readonly categories: readonly { readonly category: string | null; readonly pets: number }[];
  readonly otherPets: number;
  readonly orders: object;
  readonly webhooks: object;
  readonly hours: readonly { readonly beganAt: string; readonly movements: number }[];
}

async function readOverview(app: TestApp): Promise<Overview> {
  const { key } = await app.makeAdminKey('viewer');
  const answer = await app.request('GET', '/admin/v1/overview', { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as unknown as Overview;
}

/** The same numbers by a plain loop over all pets. */
function countPlainly(pets: readonly ManagedPet[]) {
  const present = pets.filter(({ archivedAtMs }) => archivedAtMs === null);
  const count = (isMeant: (pet: ManagedPet) => boolean) => present.filter(isMeant).length;
  const categories = [...new Set(present.map(({ category }) => category))].map((category) => {
    const own = present.filter((pet) => pet.category === category);
    return {
      category,
      pets: own.length,
      units: own.reduce((sum, { quantity }) => sum + quantity, 0),
      alerts: own.filter(({ alertLevel }) => alertLevel !== null).length,
    };
  });
  return {
    pets: {
      total: present.length,
      archived: pets.length - present.length,
      available: count(({ status }) => status === 'available'),
      pending: count(({ status }) => status === 'pending'),
      sold: count(({ status }) => status === 'sold'),
      low: count(({ alertLevel }) => alertLevel === 'low'),
      out: count(({ alertLevel }) => alertLevel === 'out'),
      oversold: count(({ alertLevel }) => alertLevel === 'oversold'),
    },
    categories: categories.toSorted(
      (a, b) => b.pets - a.pets || ((a.category ?? '') < (b.category ?? '') ? -1 : 1),
    ),
  };
}

test('the totals are those of a plain loop over all pets, in several parts', async (t) => {
  const statuses = ['available', 'pending', 'sold'] as const;
  const rows = Array.from({ length: 20_500 }, (_, i): PetRow => {
    const category = i % 11 === 0 ? null : `Category ${(i * i) % 13}`;
    return { ...petRow(BigInt(10 + i), i % 7, statuses[i % 3]), category };
  });
  const edges = [petRow(MIN_INT64, 0), petRow(MAX_INT64, 0)];
  const app = await startApp(t, { pets: [...edges, ...rows] });
  await app.admin.setDefaultThresholds({ lowStockAt: 2, restockAt: null }, CLI_AUTHOR);
  for (const petId of [MIN_INT64, 10n, 17n]) await app.admin.pets.archive(petId, CLI_AUTHOR);
  const all = [MIN_INT64, ...rows.map(({ petId }) => petId), MAX_INT64];
  const pets: ManagedPet[] = [];
  for (let i = 0; i < all.length; i += 500)
    pets.push(...(await app.admin.pets.findAll(all.slice(i, i + 500))));
  const expected = countPlainly(pets);
  const overview = await readOverview(app);
  assert.deepEqual(overview.pets, expected.pets);
  assert.deepEqual(overview.categories, expected.categories.slice(0, 8));
  assert.equal(
    overview.otherPets,
    expected.categories.slice(8).reduce((sum, { pets: count }) => sum + count, 0),
  );
});

test('pets with the most severe alerts come first, then those that changed last', async (t) => {
  const app = await startApp(t, {
    pets: [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((petId) => petRow(petId, 9)),
  });
  await app.admin.setDefaultThresholds({ lowStockAt: 3, restockAt: null }, CLI_AUTHOR);
  for (const [petId, delta] of [
    [2, -7],
    [3, -9],
    [5, -9],
    [4, -8],
    // In the same millisecond, the lowest petId comes first.
    [7, -9],
    [6, -9],
    [8, -9],
  ] as const) {
    if (petId < 6 || petId === 7) app.clock.nowMs += 1_000;
    assert.equal((await adjust(app, petId, { delta })).status, 201);
  }
  const { alerts } = await readOverview(app);
  assert.deepEqual(
    alerts.map(({ petId, alertLevel }) => [Number(petId), alertLevel]),
    [
      [6, 'out'],
      [7, 'out'],
      [8, 'out'],
      [5, 'out'],
      [3, 'out'],
      [4, 'low'],
      [2, 'low'],
    ],
  );
});

test('orders that wait and endpoints that fail are counted', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 100)] });
  const place = (body: object) =>
    app.request('POST', '/v1/store/orders', {
      body: JSON.stringify({ lines: [{ petId: 1, quantity: 1 }], ...body }),
    });
  const inMinutes = (minutes: number) => new Date(app.clock.nowMs + minutes * 60_000).toISOString();
  await place({ expiresAt: inMinutes(10) });
  await place({ expiresAt: inMinutes(20) });
  await place({});
  const { json } = await place({ expiresAt: inMinutes(5) });
  await app.request('POST', `/v1/store/orders/${(json as { orderId: number }).orderId}/approve`);
  const endpoint = { accountId: app.principal.account.id, url: 'https://shop.example/' };
  const made = await app.admin.webhooks.create(endpoint, 1_000, CLI_AUTHOR);
  await app.admin.webhooks.create(endpoint, 1_000, CLI_AUTHOR);
  await app.admin.webhooks.pause(made.endpoint.id, CLI_AUTHOR);
  const { orders, webhooks } = await readOverview(app);
  assert.deepEqual(orders, { placed: 3, approved: 1, expiring: 1 });
  assert.deepEqual(webhooks, { endpoints: 2, paused: 1, failing: 0 });
});

test('movements are counted per hour, without those that a prune may have deleted', async (t) => {
  const app = await startApp(t, { nowMs: NOON - 30 * HOUR_MS, pets: [petRow(1n, 0)] });
  const receive = async (hours: number, times: number) => {
    app.clock.nowMs = NOON + hours * HOUR_MS;
    for (let i = 0; i < times; i += 1) await adjust(app, 1, { delta: 1 });
  };
  await receive(-24, 5);
  await receive(-23, 3);
  await receive(-5, 2);
  await receive(0, 4);
  const counts = async () => {
    const { hours } = await readOverview(app);
    assert.equal(hours.length, 24);
    assert.equal(hours.at(-1)?.beganAt, new Date(Math.floor(NOON / HOUR_MS) * HOUR_MS).toISOString());
    return hours.flatMap(({ movements }, i) => (movements === 0 ? [] : [[i - 23, movements]]));
  };
  assert.deepEqual(await counts(), [
    [-23, 3],
    [-5, 2],
    [0, 4],
  ]);
  await app.admin.pruneMovements(NOON - 2 * HOUR_MS, CLI_AUTHOR);
  assert.deepEqual(await counts(), [[0, 4]]);
});

test('a count is kept for twenty times of what it took, and a long one is not waited for again', async () => {
  let nowMs = 0;
  let tookMs = 10;
  let counts = 0;
  const part: PetTotalsPage = { groups: [], archived: 0, alerts: [] };
  const release: (() => void)[] = [];
  const counter = new TotalsCounter(
    {
      totalsPage: async () => {
        counts += 1;
        nowMs += tookMs;
        if (tookMs === 1_000 && counts > 2) await new Promise<void>((resolve) => release.push(resolve));
        return { ...part, archived: counts };
      },
    },
    () => nowMs,
  );
  const read = async () => (await counter.read(0)).archived;
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1], 'one count for both');
  nowMs += 199;
  assert.equal(await read(), 1);
  nowMs += 1;
  tookMs = 1_000;
  assert.equal(await read(), 2);
  nowMs += 20_000;
  assert.equal(await read(), 2, 'the totals before it');
  assert.equal(await read(), 2);
  assert.equal(counts, 3, 'one count at a time');
  release.pop()?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await read(), 3);
});
