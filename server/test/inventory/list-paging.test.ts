import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness.ts';
import { petIdsOf, petRow, petRows } from '../support/pet-rows.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

/** Follows `Link: rel="next"` from a first page to the last one; returns the petIds of each page. */
async function walk({ request, config }: TestApp, firstPage: string): Promise<bigint[][]> {
  const pages: bigint[][] = [];
  let target: string | undefined = firstPage;
  while (target !== undefined) {
    assert.ok(pages.length < 2_000, 'the pages never end');
    const { status, json, headers } = await request('GET', target);
    assert.equal(status, 200);
    pages.push(petIdsOf(json));
    const link = headers.get('Link');
    const next = link === null ? undefined : /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
    assert.ok(link === null || next?.startsWith(config.baseUrl), `Link is ${link}`);
    target = next && `/v1${next.slice(config.baseUrl.length)}`;
  }
  return pages;
}

once('the pages contain every pet exactly once, in order, for any page size', async (t) => {
  const petIds = [-(2n ** 63n), -5n, -1n, 0n, ...petRows(197).map(({ petId }) => petId), 2n ** 63n - 1n];
  const app = await startApp(t, { pets: petIds.map((petId) => petRow(petId)) });
  for (const limit of [1, 2, 100, 101, 102, 201, 202, 203, 1_000]) {
    const pages = await walk(app, `/v1/inventory?limit=${limit}`);
    assert.deepEqual(pages.flat(), petIds, `pages of ${limit}`);
    assert.equal(pages.length, Math.ceil(petIds.length / limit), `pages of ${limit}`);
    for (const page of pages.slice(0, -1)) assert.equal(page.length, limit);
  }
});

test('an empty shop is one empty page, and a page without a limit has 100 items', async (t) => {
  const empty = await startApp(t);
  assert.deepEqual(await walk(empty, '/v1/inventory?limit=10'), [[]]);
  const app = await startApp(t, { pets: petRows(150) });
  const first = await app.request('GET', '/v1/inventory?limit=1');
  const cursor = /cursor=([^&>]+)/.exec(first.headers.get('Link') ?? '')?.[1];
  const pages = await walk(app, `/v1/inventory?cursor=${cursor}`);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [100, 49],
  );
});

test('a pet that arrives or leaves the front while one walks neither repeats nor hides another', async (t) => {
  const app = await startApp(t, { pets: petRows(20) });
  const first = await app.request('GET', '/v1/inventory?limit=10');
  await app.admin.importPets([petRow(-1n), petRow(21n)], 'cli', app.clock.nowMs);
  const next = /<[^>]+(\/inventory\?[^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1];
  const rest = await walk(app, `/v1${next}`);
  const expected = Array.from({ length: 11 }, (_, i) => BigInt(i + 11));
  assert.deepEqual(rest.flat(), expected);
});

once('a cursor with any character changed, added or left out is refused or walks on in order', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(50), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const { headers } = await app.request('GET', '/v1/inventory?limit=20');
  const cursor = /cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1] as string;
  const place = fc.nat(cursor.length);
  const character = fc.constantFrom(...'ABCXYZabcxyz0189-_=%.~');
  const property = fc.asyncProperty(place, fc.nat(1), character, async (at, cut, put) => {
    const tampered = encodeURIComponent(`${cursor.slice(0, at)}${put}${cursor.slice(at + cut)}`);
    const { status, code, json } = await app.request('GET', `/v1/inventory?cursor=${tampered}`);
    if (status === 400) return assert.equal(code, 'invalid_parameter');
    assert.equal(status, 200);
    const petIds = petIdsOf(json);
    assert.deepEqual(
      petIds,
      petIds.toSorted((a, b) => Number(a - b)),
    );
  });
  await fc.assert(property, { numRuns: 500 });
});
