import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { RequestCounts } from '../../src/http/metrics/request-histogram.ts';

test('the histogram is cumulative, and its text and its JSON agree with the counter', async () => {
  const registry = new Registry();
  const counts = new RequestCounts(registry);
  for (const durationMs of [0.1, 0.5, 0.6, 7, 9_000]) counts.observe('listInventory', 200, durationMs);
  counts.observe('listInventory', 401, 0.2);

  const text = await registry.metrics();
  const reading = (series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  };
  const labels = 'operation="listInventory",status="200"';
  const bucket = (le: string) => reading(`petstore_request_duration_seconds_bucket{le="${le}",${labels}}`);
  assert.deepEqual(['0.0005', '0.001', '0.01', '5', '+Inf'].map(bucket), [2, 3, 4, 4, 5]);
  assert.equal(reading(`petstore_request_duration_seconds_count{${labels}}`), 5);
  assert.equal(reading(`petstore_request_duration_seconds_sum{${labels}}`), 9.0082);
  assert.equal(reading(`petstore_requests_total{${labels}}`), 5);
  assert.equal(reading('petstore_requests_total{operation="listInventory",status="401"}'), 1);

  const json = await registry.getMetricsAsJSON();
  const histogram = json.find(({ name }) => name === 'petstore_request_duration_seconds');
  assert.equal(histogram?.values.length, 2 * 16);
});
