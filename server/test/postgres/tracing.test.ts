import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setQuantity } from '../blackbox/api-request.ts';
import { until } from '../support/until.ts';
import { startCollector } from '../tracing/collector.ts';
import { startCluster } from './support/cluster.ts';
import { isSkippedDaily } from '../support/long-test.ts';

test('changes of concurrent requests have the span of their commit on PostgreSQL too', async (t) => {
  if (isSkippedDaily(t)) return;
  const collector = await startCollector(t);
  const pets = [{ petId: 1n, quantity: 5 }];
  const cluster = await startCluster(t, { instances: 1, pets, env: { PETSTORE_TRACES: collector.url } });
  await Promise.all(Array.from({ length: 20 }, (_, i) => setQuantity(cluster, 1, i)));
  const { spans } = collector;
  const commits = () => spans.filter(({ name }) => name === 'commit');
  await until(() => commits().length === 20, 'each change has a commit');
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  for (const commit of commits()) {
    assert.equal(commit.attributes['db.system.name'], 'postgresql');
    assert.equal(byId.get(commit.parentSpanId ?? '')?.name, 'write');
  }
  const sizes = commits().map(({ attributes }) => Number(attributes['db.operation.batch.size'] ?? 1));
  assert.ok(Math.max(...sizes) > 1, 'a commit counts the changes in it');
});
