import type { TestContext } from 'node:test';
import adminOpenApi from '../../../admin-openapi.json' with { type: 'json' };
import openApi from '../../../openapi.json' with { type: 'json' };
import { request } from '../blackbox/api-request.ts';
import { startService } from '../blackbox/service.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** The values of each label, by metric. */
export type Metrics = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

const SERIES = /^(?<metric>[a-z_]+)(?:\{(?<labels>.*)\})? \S+$/;
const LABEL = /(?<name>\w+)="(?<value>[^"]*)"/g;
/** Labels that Prometheus adds to each series that it scrapes. */
const SCRAPE_LABELS = ['job', 'instance'];

/** What `/metrics` of a service shows that has had all kinds of work. */
export async function scrapedMetrics(t: TestContext): Promise<Metrics> {
  const env = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' };
  const service = await startService(t, { env, pets: [{ petId: 1n, quantity: 2 }] });
  const { url } = await startReceiver(t);
  await service.cli('webhooks', 'create', '--account', service.account, url);
  const { key } = service;
  const body = '{"quantity":3}';
  const headers = { 'Content-Type': 'application/json' };
  await request(service, { method: 'PATCH', path: '/v1/inventory/1', key, headers, body });
  await request(service, { path: '/v1/inventory', key });
  await request(service, { path: '/v1/ledger/audit', key });
  const scrape = async () => (await request(service, { path: '/metrics' })).body.toString();
  let text = '';
  await until(async () => {
    text = await scrape();
    return text.includes('petstore_webhook_deliveries_total{');
  }, 'the numbers of the webhooks');
  const metrics = metricsOf(text);
  const paths = [...Object.values(openApi.paths), ...Object.values(adminOpenApi.paths)];
  const operations = paths.flatMap((methods) =>
    Object.values(methods).flatMap((method) => ('operationId' in method ? [method.operationId] : [])),
  );
  for (const [metric, labels] of metrics) {
    if (labels.has('operation')) addValues(metrics, metric, 'operation', operations);
  }
  return metrics;
}

function metricsOf(text: string): Map<string, Map<string, Set<string>>> {
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const line of text.split('\n')) {
    const { metric, labels = '' } = SERIES.exec(line)?.groups ?? {};
    if (!metric) continue;
    for (const name of SCRAPE_LABELS) addValues(metrics, metric, name, ['petstore']);
    for (const { groups } of labels.matchAll(LABEL)) {
      addValues(metrics, metric, groups?.name ?? '', [groups?.value ?? '']);
    }
  }
  return metrics;
}

function addValues(
  metrics: Map<string, Map<string, Set<string>>>,
  metric: string,
  label: string,
  values: readonly string[],
): void {
  const labels = metrics.getOrInsertComputed(metric, () => new Map<string, Set<string>>());
  const known = labels.getOrInsertComputed(label, () => new Set<string>());
  for (const value of values) known.add(value);
}
