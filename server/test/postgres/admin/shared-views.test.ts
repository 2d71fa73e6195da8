import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApps, type TestApp } from '../../support/harness.ts';
import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

const PATH = '/admin/v1/saved-views';
const ROUNDS = 10;

test('of two browsers that replace the same views through two instances, one is refused', async (t) => {
  const [one, other] = (await startApps(t, 2)) as [TestApp, TestApp];
  const { key } = await one.makeAdminKey('viewer');
  for (let round = 0; round < ROUNDS; round += 1) {
    const { headers: read } = await one.request('GET', PATH, { key });
    const headers = { 'If-Match': read.get('ETag') ?? '' };
    const sent = await Promise.all(
      [one, other].map((app, index) => {
        const view = { name: `view ${index}`, list: 'stock', query: '', density: null, isDefault: false };
        return app.request('PUT', PATH, { key, headers, body: JSON.stringify({ views: [view] }) });
      }),
    );
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 412], `round ${round}`);
  }
});
