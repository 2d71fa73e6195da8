import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import type { TracedRequest, Tracing } from '../../src/tracing/tracing.ts';
import { request } from '../blackbox/api-request.ts';
import { startService } from '../blackbox/service.ts';
import { LOCAL_RECEIVERS } from '../race/webhooks/local-receivers.ts';
import { isSkippedDaily, isSkippedOnBun } from '../support/long-test.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { type CollectedSpan, startCollector } from './collector.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;
const PETS = [{ petId: 1n, quantity: 5 }];

async function tracingTo(url: string, onError: (error: unknown) => void = () => undefined): Promise<Tracing> {
  const tracing = await openTracing({ url, version: '1.0.0', databaseSystem: 'sqlite', onError });
  assert.ok(tracing);
  return tracing;
}

function requestWith(
  headers: Readonly<Record<string, string>>,
  fields: Partial<TracedRequest> = {},
): TracedRequest {
  return {
    request: { method: 'GET' },
    path: '/v1/inventory',
    operation: 'listInventory',
    pathPattern: '/inventory',
    errorCode: undefined,
    header: (name) => headers[name] ?? null,
    ...fields,
  };
}

/** The spans below a span, with their names. */
function below({ spanId }: CollectedSpan, spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === spanId);
}

test('a request, its write with the commit, and the delivery have spans, the request below that of its caller', async (t) => {
  const collector = await startCollector(t);
  const receiver = await startReceiver(t);
  const env = { ...LOCAL_RECEIVERS, PETSTORE_TRACES: collector.url };
  const service = await startService(t, { env, pets: PETS });
  const { key } = service;
  const json = { 'Content-Type': 'application/json' };
  const subscribed = await request(service, {
    method: 'POST',
    path: '/v1/webhook-endpoints',
    key,
    headers: json,
    body: JSON.stringify({ url: `${receiver.url}/secret-path` }),
  });
  assert.equal(subscribed.status, 201, subscribed.body.toString());
  const patched = await request(service, {
    method: 'PATCH',
    path: '/v1/inventory/1',
    key,
    headers: { ...json, traceparent: `00-${TRACE_ID}-${CALLER}-01` },
    body: '{"quantity":8}',
  });
  assert.equal(patched.status, 200);
  const missing = await request(service, { path: `/v1/inventory/${key}?reason=private`, key });
  assert.equal(missing.status, 400);
  await until(() => receiver.messages().length > 0, 'the event is delivered');
  // The thread reports an attempt after the receiver has responded; a stop sends what is left.
  await until(() => collector.spans.some(({ name }) => name === 'POST webhook'), 'the attempt has a span');
  assert.equal(await service.stop(), 0);

  const { spans } = collector;
  const requests = spans.filter(({ kind }) => kind === SERVER);
  const patch = requests.findLast(({ traceId }) => traceId === TRACE_ID);
  assert.ok(patch);
  assert.equal(patch.parentSpanId, CALLER);
  assert.equal(patch.name, 'PATCH /v1/inventory/{petId}');
  assert.deepEqual(patch.attributes, {
    'http.request.method': 'PATCH',
    'url.path': '/v1/inventory/1',
    'http.response.status_code': 200,
    'http.route': '/v1/inventory/{petId}',
    'petstore.operation': 'updateInventory',
  });
  const write = below(patch, spans).find(({ name }) => name === 'write');
  assert.ok(write, 'the write is below its request');
  assert.deepEqual(write.attributes, { 'db.system.name': 'sqlite', 'db.operation.name': 'write' });
  assert.deepEqual(
    below(write, spans).map(({ name }) => name),
    ['commit'],
  );
  const refused = requests.find(({ attributes }) => attributes['http.response.status_code'] === 400);
  assert.equal(refused?.attributes['url.path'], '/v1/inventory/[api key]');
  assert.equal(typeof refused?.attributes['error.type'], 'string');
  assert.equal(refused?.parentSpanId, undefined, 'a request without a caller begins a trace');
  const delivery = spans.find(({ name }) => name === 'POST webhook');
  assert.equal(delivery?.kind, CLIENT);
  assert.equal(delivery.attributes['http.response.status_code'], 204);
  assert.equal(delivery.attributes['server.address'], '127.0.0.1');
  const [message] = receiver.messages();
  assert.equal(message?.headers.traceparent, `00-${delivery.traceId}-${delivery.spanId}-01`);
  assert.equal(delivery.parentSpanId, undefined, 'a receiver learns of no other trace');
  assert.ok(!collector.text().includes(key), 'no key leaves the service');
  assert.doesNotMatch(collector.text(), /private|secret-path/, 'no query, and no path of a receiver');
});

const REFUSALS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'responds 500': (response) => response.writeHead(500).end(),
  'never responds': () => undefined,
};

for (const [name, respond] of Object.entries(REFUSALS)) {
  test(`a collector that ${name} delays neither requests nor the stop, and is logged once`, async (t) => {
    const collector = await startCollector(t, respond);
    await isUndisturbed(t, collector.url);
    assert.ok(collector.requests() > 0);
  });
}

test('a collector that is down delays neither requests nor the stop, and is logged once', async (t) => {
  if (isSkippedDaily(t)) return;
  await isUndisturbed(t, 'http://127.0.0.1:9/v1/traces');
});

async function isUndisturbed(t: Parameters<typeof startService>[0], url: string): Promise<void> {
  const service = await startService(t, { env: { PETSTORE_TRACES: url }, pets: PETS });
  const startedAtMs = performance.now();
  for (let i = 0; i < 20; i += 1) {
    const { status } = await request(service, { path: '/v1/inventory', key: service.key });
    assert.equal(status, 200);
  }
  // An export is given up after 2 s, so 20 requests that wait for one take 40 s.
  assert.ok(performance.now() - startedAtMs < 20_000, 'no request waits for an export');
  await until(() => service.logs().includes('traces were not sent'), 'the failure is logged');
  const stoppedAtMs = performance.now();
  assert.equal(await service.stop(), 0);
  assert.ok(performance.now() - stoppedAtMs < 5_000, 'the stop waits for no collector');
  assert.equal(service.logs().split('traces were not sent').length, 2);
}

test('a stop does not wait until the export to a silent collector is given up', async (t) => {
  const ends: number[] = [];
  const collector = await startCollector(t, (response) => {
    response.once('close', () => ends.push(performance.now()));
  });
  const tracing = await tracingTo(collector.url);
  await tracing.request(requestWith({}), () => ({ status: 200 }));
  await tracing.close();
  const closedAtMs = performance.now();
  await until(() => ends.length > 0, 'the export is given up');
  assert.ok(Number(ends[0]) - closedAtMs > 300, 'after the stop');
});

test('while an export waits, spans beyond the queue are dropped', async (t) => {
  if (isSkippedDaily(t)) return;
  const collector = await startCollector(t, () => undefined);
  const tracing = await tracingTo(collector.url);
  for (let i = 0; i < 20_000; i += 1) await tracing.request(requestWith({}), () => ({ status: 200 }));
  const closedAtMs = performance.now();
  await tracing.close();
  // Ten exports of 512 spans would take 2 s each.
  assert.ok(performance.now() - closedAtMs < 10_000, 'the last export is not awaited for long');
  assert.ok(collector.spans.length > 0);
  assert.ok(collector.spans.length <= 5_120, `${collector.spans.length} spans`);
});

test('an invalid traceparent is ignored, and a caller that does not sample is followed', async (t) => {
  const collector = await startCollector(t);
  const tracing = await tracingTo(collector.url);
  const invalid = [
    'x',
    `00-${'0'.repeat(32)}-${CALLER}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `ff-${TRACE_ID}-${CALLER}-01`,
    `00-${TRACE_ID.toUpperCase()}-${CALLER}-01`,
    `00-${TRACE_ID}-${CALLER}-01, 00-${TRACE_ID}-${CALLER}-01`,
    `00-${TRACE_ID}-${CALLER}-01-more`,
  ];
  for (const traceparent of invalid)
    await tracing.request(requestWith({ traceparent }), () => ({ status: 200 }));
  await tracing.request(requestWith({ traceparent: `00-${TRACE_ID}-${CALLER}-00` }), () => ({ status: 200 }));
  await tracing.close();
  assert.deepEqual(
    collector.spans.map(({ parentSpanId }) => parentSpanId),
    invalid.map(() => undefined),
  );
});

test('the variables of OpenTelemetry that the guide names apply, and the address of the collector is the own one', async (t) => {
  if (isSkippedDaily(t)) return;
  const collector = await startCollector(t);
  const list = async (env: Readonly<Record<string, string>>) => {
    const service = await startService(t, { env: { PETSTORE_TRACES: collector.url, ...env }, pets: PETS });
    assert.equal((await request(service, { path: '/admin/v1/system', key: service.key })).status, 401);
    assert.equal((await request(service, { path: '/healthz' })).status, 200);
    assert.equal(await service.stop(), 0);
  };
  await list({
    OTEL_SERVICE_NAME: 'corner shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9',
  });
  assert.deepEqual(
    collector.spans.filter(({ kind }) => kind === SERVER).map(({ name }) => name),
    ['GET', 'GET /healthz'],
    'a refused key has no operation',
  );
  assert.match(collector.text(), /"service\.name","value":\{"stringValue":"corner shop"\}/);
  assert.match(collector.text(), /"deployment\.environment\.name","value":\{"stringValue":"trial"\}/);
  assert.equal(collector.lastHeaders().authorization, 'Bearer abc');
  const before = collector.spans.length;
  await list({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  assert.equal(collector.spans.length, before);
});

test('a receiver gets a traceparent only if each delivery is recorded', async (t) => {
  const before = process.env.OTEL_TRACES_SAMPLER;
  t.after(() => {
    if (before === undefined) delete process.env.OTEL_TRACES_SAMPLER;
    else process.env.OTEL_TRACES_SAMPLER = before;
  });
  for (const [sampler, recordsAll] of [
    ['', true],
    ['parentbased_always_on', true],
    ['parentbased_traceidratio', false],
    ['always_off', false],
  ] as const) {
    process.env.OTEL_TRACES_SAMPLER = sampler;
    const tracing = await tracingTo('http://127.0.0.1:9/v1/traces');
    assert.equal(tracing.recordsAll, recordsAll, sampler);
    await tracing.close();
  }
});

test('a failed request has its error, and another method than those of HTTP is not named', async (t) => {
  const collector = await startCollector(t);
  const tracing = await tracingTo(collector.url);
  const failed = requestWith(
    {},
    { request: { method: 'BREW' }, operation: 'none', pathPattern: undefined, errorCode: 'internal_error' },
  );
  const answered = await tracing.request(failed, async () => ({ status: 500 }));
  assert.equal(answered.status, 500);
  await tracing.close();
  const [span] = collector.spans;
  assert.equal(span?.name, '_OTHER');
  assert.equal(span.status.code, ERROR);
  assert.equal(span.attributes['error.type'], 'internal_error');
  assert.equal(span.attributes['http.request.method'], '_OTHER');
});

test('calls of a store have spans only inside a request, and keep their results, errors and order', async (t) => {
  const collector = await startCollector(t);
  const tracing = await tracingTo(collector.url);
  class Pets {
    readonly #quantity = 3;
    readonly ledger = { head: async () => 7 };
    findItem = () => this.#quantity;
    findPet(): never {
      throw new TypeError('damaged');
    }
    async write(batch: object) {
      tracing.commit([batch, {}], 1);
      return this.#quantity;
    }
    now = () => 1;
  }
  const store = tracing.store(new Pets());
  assert.equal(store.findItem(), 3, 'outside a request');
  await tracing.request(requestWith({}), async () => {
    assert.equal(store.now(), 1);
    assert.equal(store.findItem(), 3);
    assert.throws(() => store.findPet(), TypeError);
    assert.equal(await store.ledger.head(), 7);
    assert.equal(await store.write({}), 3);
    return { status: 200 };
  });
  await tracing.close();
  const list = collector.spans.find(({ kind }) => kind === SERVER);
  assert.ok(list);
  const calls = below(list, collector.spans);
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['findItem', 'findPet', 'ledger.head', 'write'],
  );
  assert.equal(calls[1]?.attributes['error.type'], 'TypeError');
  assert.equal(collector.spans.length, 6, 'with the commit of the write, once');
});

test('a span ends with its work, and none is of a request that is over or of another delivery', async (t) => {
  const collector = await startCollector(t);
  const tracing = await tracingTo(collector.url);
  const { promise, resolve } = Promise.withResolvers<number>();
  const store = tracing.store({
    findItem: () => promise,
    findPet: () => Promise.reject(new TypeError('damaged')),
    write: (batch: object) => tracing.commit([batch], 40),
  });
  const probe = requestWith({}, { path: '/readyz', operation: '/readyz', pathPattern: undefined });
  let later = (): unknown => undefined;
  await tracing.request(probe, async () => {
    const found = store.findItem();
    store.write({});
    await assert.rejects(store.findPet(), TypeError);
    setTimeout(resolve, 20, 3);
    await found;
    later = AsyncResource.bind(() => store.findItem());
    return { status: 200 };
  });
  await later();
  const traceparent = `00-${TRACE_ID}-${CALLER}-01`;
  const attempt = { eventId: '1.0', eventType: 'inventory.low', attempt: 1, durationMs: 20 };
  const delivery = { ...attempt, url: 'https://shop.example/a', statusCode: null, errorCode: 'timeout' };
  tracing.delivery({ ...delivery, traceparent });
  await tracing.request(probe, async () => ({ status: 200 }));
  await tracing.close();
  const { spans } = collector;
  const [server] = spans.filter(({ kind }) => kind === SERVER);
  assert.deepEqual([server?.name, server?.attributes['http.route']], ['GET /readyz', '/readyz']);
  const named = (name: string) => spans.filter((span) => span.name === name);
  assert.equal(named('findItem').length, 1, 'none after its request');
  assert.equal(named('findPet')[0]?.status.code, ERROR);
  const tookMs = (name: string) => {
    const [{ startTimeUnixNano = '0', endTimeUnixNano = '0' } = {}] = named(name);
    return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
  };
  assert.ok(tookMs('findItem') > 15, 'a call ends when its promise does');
  assert.ok(Math.abs(tookMs('commit') - 40) < 1, `${tookMs('commit')} ms`);
  const [sent] = named('POST webhook');
  assert.deepEqual([sent?.status.code, sent?.traceId], [ERROR, TRACE_ID]);
  assert.equal(spans.filter(({ traceId }) => traceId === TRACE_ID).length, 1, 'no other span has its ids');
});

test('without an address no package of OpenTelemetry is loaded for traces', (t) => {
  if (isSkippedOnBun(t, 'hooks of modules')) return;
  const at = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);
  const program = `
    import { registerHooks } from 'node:module';
    let loaded = 0;
    registerHooks({
      resolve(name, context, next) {
        if (/^@opentelemetry\\/(?!api$)/.test(name) || name.includes('otlp-tracing')) loaded += 1;
        return next(name, context);
      },
    });
    await import(${at('cli/serve.ts')});
    const { openTracing } = await import(${at('tracing/open-tracing.ts')});
    const options = { version: '1', databaseSystem: 'sqlite', onError() {} };
    const isOff = (await openTracing({ ...options, url: '' })) === undefined;
    const whenOff = loaded;
    await openTracing({ ...options, url: 'http://127.0.0.1:9/v1/traces' });
    console.log(JSON.stringify({ isOff, whenOff, isSeen: loaded > whenOff }));
    process.exit();
  `;
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd });
  assert.deepEqual(JSON.parse(output.toString()), { isOff: true, whenOff: 0, isSeen: true });
});
