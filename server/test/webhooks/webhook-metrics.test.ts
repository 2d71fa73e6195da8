import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { WebhookMetrics } from '../../src/http/metrics/webhook-metrics.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { startReceiver } from './receiver.ts';
import { newSendingShop, type RunningSender } from './sending-shop.ts';

/** What `/metrics` shows of a sender: names with labels, and their values. */
async function metricsOf(sender: RunningSender['sender'] | undefined): Promise<Map<string, number>> {
  const registry = new Registry();
  new WebhookMetrics(registry).observe(sender?.numbers());
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice('petstore_webhook_'.length, space), Number(line.slice(space + 1))];
    }),
  );
}

test('metrics count attempts by result, and endpoints by state', async (t) => {
  const shop = await newSendingShop(t);
  const good = await startReceiver(t);
  const later = { 'Retry-After': '3600' };
  const bad = await startReceiver(t, (response) => response.writeHead(500, later).end());
  await shop.subscribe(good.url);
  const { endpoint } = await shop.subscribe(bad.url);
  const { sender } = await shop.startSender();
  await shop.change(1, 100, 101);
  await until(() => good.messages().length === 2 && bad.messages().length === 1, 'three attempts');
  // A receiver has a message before the sender has counted it.
  await until(async () => {
    const metrics = await metricsOf(sender);
    return (
      metrics.get('endpoints{state="failing"}') === 1 &&
      metrics.get('deliveries_total{result="delivered"}') === 2 &&
      metrics.get('movements_behind') === 2
    );
  }, 'the failure and both deliveries');
  const metrics = await metricsOf(sender);
  assert.equal(metrics.get('deliveries_total{result="delivered"}'), 2);
  assert.equal(metrics.get('deliveries_total{result="status"}'), 1);
  assert.equal(metrics.get('deliveries_total{result="timeout"}'), 0);
  assert.equal(metrics.get('endpoints{state="healthy"}'), 1);
  assert.equal(metrics.get('movements_behind'), 2);
  assert.ok((metrics.get('lag_seconds') ?? 0) > 0);
  assert.equal(metrics.get('delivery_duration_seconds_count'), 3);
  assert.equal(metrics.get('delivery_duration_seconds_bucket{le="+Inf"}'), 3);
  const buckets = [...metrics].filter(([name]) => name.startsWith('delivery_duration_seconds_bucket'));
  const counts = buckets.map(([, count]) => count);
  assert.equal(buckets.length, 12);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
    'buckets are cumulative',
  );
  assert.ok((metrics.get('delivery_duration_seconds_sum') ?? -1) >= 0);

  await shop.store.webhooks.pause(endpoint.id, AUTHOR);
  sender.wake();
  await until(async () => (await metricsOf(sender)).get('endpoints{state="failing"}') === 0, 'the pause');
  const paused = await metricsOf(sender);
  assert.equal(paused.get('endpoints{state="healthy"}'), 1);
  assert.deepEqual([paused.get('movements_behind'), paused.get('lag_seconds')], [0, 0]);
  assert.equal(paused.get('deliveries_total{result="status"}'), 1, 'a counter keeps its value');
});

test('without a sending thread, metrics show no endpoint, and no lag', async () => {
  const metrics = await metricsOf(undefined);
  assert.deepEqual(
    [...metrics],
    [
      ['movements_behind', 0],
      ['lag_seconds', 0],
    ],
  );
});
