import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditReport } from '../../src/domain/ledger-store.ts';
import { Metrics } from '../../src/http/metrics/metrics.ts';
import type { WebhookNumbers } from '../../src/http/metrics/webhook-metrics.ts';

const WEBHOOKS: WebhookNumbers = {
  results: { delivered: 5, status: 1 },
  boundsMs: [10, 100],
  durations: [4, 1, 1],
  totalMs: 1_500,
  endpoints: { healthy: 2, failing: 1 },
  behind: 7,
  lagMs: 2_500,
};

async function scraped(metrics: Metrics): Promise<Map<string, number>> {
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

test('each scrape has the same counts, with durations in seconds', async () => {
  const metrics = new Metrics('1.2.3');
  metrics.observeRequest('listInventory', 200, 7);
  metrics.observeRequest('listInventory', 200, 7);
  metrics.observeRefusal('rate_limit_exceeded');
  metrics.observeCommit(3, 250);
  metrics.observeLiveReaders(4);
  metrics.observeListRebuild(6);
  metrics.observeWebhooks(WEBHOOKS);
  for (let scrape = 1; scrape <= 2; scrape += 1) {
    const seen = await scraped(metrics);
    for (const [name, value] of [
      ['requests_total{operation="listInventory",status="200"}', 2],
      ['request_duration_seconds_sum{operation="listInventory",status="200"}', 0.014],
      ['refusals_total{reason="rate_limit_exceeded"}', 1],
      ['refusals_total{reason="conflict"}', 0],
      ['commit_batch_changes_sum', 3],
      ['commit_duration_seconds_sum', 0.25],
      ['live_readers', 4],
      ['list_chunks_rebuilt_total', 6],
      ['webhook_deliveries_total{result="delivered"}', 5],
      ['webhook_deliveries_total{result="status"}', 1],
      ['webhook_endpoints{state="failing"}', 1],
      ['webhook_movements_behind', 7],
      ['webhook_lag_seconds', 2.5],
      ['webhook_delivery_duration_seconds_bucket{le="0.1"}', 5],
      ['webhook_delivery_duration_seconds_count', 6],
      ['webhook_delivery_duration_seconds_sum', 1.5],
    ] as const) {
      assert.equal(seen.get(`petstore_${name}`), value, `${name}, scrape ${scrape}`);
    }
    const { user, system } = process.cpuUsage();
    const cpuSeconds = seen.get('process_cpu_seconds_total') ?? Number.NaN;
    assert.ok(cpuSeconds > 0 && cpuSeconds <= (user + system) / 1e6, `${cpuSeconds}, scrape ${scrape}`);
  }
});

test('what is over is shown no more: a state of endpoints, and the numbers of a thread that has ended', async () => {
  const metrics = new Metrics('1.2.3');
  metrics.observeWebhooks(WEBHOOKS);
  await scraped(metrics);
  metrics.observeWebhooks({ ...WEBHOOKS, endpoints: { healthy: 3 } });
  const states = [...(await scraped(metrics))].filter(([name]) => name.includes('endpoints{'));
  assert.deepEqual(states, [['petstore_webhook_endpoints{state="healthy"}', 3]]);
  metrics.observeWebhooks(undefined);
  const ended = await scraped(metrics);
  assert.deepEqual(
    ['movements_behind', 'lag_seconds', 'delivery_duration_seconds_count', 'endpoints{state="healthy"}'].map(
      (name) => ended.get(`petstore_webhook_${name}`),
    ),
    [0, 0, undefined, undefined],
  );
});

test('an audit has numbers only after it has ended, with its time in seconds', async () => {
  const metrics = new Metrics('1.2.3');
  const audit = async () =>
    [...(await scraped(metrics))].filter(([name]) => name.startsWith('petstore_ledger_audit'));
  assert.deepEqual(await audit(), []);
  metrics.observeAudit({ faults: ['hash', 'hash'] } as unknown as AuditReport, 5_000);
  assert.deepEqual(await audit(), [
    ['petstore_ledger_audit_faults', 2],
    ['petstore_ledger_audit_end_time_seconds', 5],
  ]);
});
