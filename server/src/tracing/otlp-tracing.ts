import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { withoutKeys } from '../domain/access/api-key.ts';
import { ApiError } from '../domain/errors.ts';
import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import { machineTimeMs } from '../domain/timestamps.ts';
import type { TracedAttempt, TracedRequest, Tracing, TracingOptions } from './tracing.ts';

/** An export that takes longer is given up. A stop waits for it, because its connection keeps the process alive. */
const EXPORT_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;
const EXPORT_INTERVAL_MS = 1_000;
/** Spans that wait for an export. Further ones are dropped. */
const MAX_WAITING_SPANS = 4_096;
const MAX_EXPORTED_SPANS = 512;
/** While a collector is down, every export fails. */
const ERROR_INTERVAL_MS = 60_000;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The calls of a store that get a span. The others read memory, or are not for a request. */
const TRACED_CALLS = new Set([
  'admit',
  'findItem',
  'findKey',
  'findPet',
  'findSession',
  'limitStatus',
  'listInventory',
  'listInventoryPage',
  'write',
]);

/** Sends spans to a collector. Attribute names follow the semantic conventions of OpenTelemetry. */
export class OtlpTracing implements Tracing {
  // A sampler decides when the span begins, which is after a delivery.
  readonly recordsAll = /^(?:parentbased_)?always_on$/.test(process.env.OTEL_TRACES_SAMPLER || 'always_on');
  readonly #ids = new GivenIds();
  readonly #provider: BasicTracerProvider;
  readonly #tracer: ReturnType<BasicTracerProvider['getTracer']>;
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #databaseSystem: string;
  /** The span of the request that runs. */
  readonly #current = new AsyncLocalStorage<Span>();
  /** The spans of writes that wait for their commit. */
  readonly #writes = new WeakMap<object, Span>();

  constructor({ url, version, databaseSystem, onError }: TracingOptions) {
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
    const own = resourceFromAttributes({ 'service.name': 'petstore-server', 'service.version': version });
    this.#provider = new BasicTracerProvider({
      idGenerator: this.#ids,
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [
        new BatchSpanProcessor(reporting(exporter, onError), {
          maxQueueSize: MAX_WAITING_SPANS,
          maxExportBatchSize: MAX_EXPORTED_SPANS,
          scheduledDelayMillis: EXPORT_INTERVAL_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('petstore-server', version);
    this.#databaseSystem = databaseSystem;
  }

  request<T extends { readonly status: number }>(
    request: TracedRequest,
    answer: () => MaybePromise<T>,
  ): MaybePromise<T> {
    const caller = this.#propagator.extract(ROOT_CONTEXT, request, {
      get: (from, name) => from.header(name) ?? undefined,
      keys: () => [],
    });
    const method = METHODS.has(request.request.method) ? request.request.method : '_OTHER';
    const attributes = { 'http.request.method': method, 'url.path': withoutKeys(request.path) };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
    return andThen(this.#current.run(span, answer), (answered) => {
      const { operation, errorCode } = request;
      span.setAttribute('http.response.status_code', answered.status);
      if (operation !== 'none') span.setAttribute('petstore.operation', operation);
      const route = routeOf(request);
      if (route !== undefined) {
        span.updateName(`${method} ${route}`);
        span.setAttribute('http.route', route);
      }
      if (errorCode !== undefined) span.setAttribute('error.type', errorCode);
      if (answered.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      return answered;
    });
  }

  store<T extends object>(store: T): T {
    return this.#traced(store, (name) => TRACED_CALLS.has(name));
  }

  commit(writes: Iterable<object>, durationMs: number): void {
    const spans = [...writes].flatMap((write) => this.#writes.get(write) ?? []);
    const endTime = machineTimeMs();
    const attributes = {
      ...this.#databaseAttributes('commit'),
      ...(spans.length > 1 && { 'db.operation.batch.size': spans.length }),
    };
    for (const parent of spans) {
      const startTime = endTime - durationMs;
      this.#child('commit', parent, attributes, startTime).end(endTime);
    }
  }

  delivery({
    url,
    eventId,
    eventType,
    attempt,
    durationMs,
    statusCode,
    errorCode,
    traceparent,
  }: TracedAttempt): void {
    const endTime = machineTimeMs();
    // The path and the query of an endpoint may be a secret.
    const { hostname, port, protocol } = new URL(url);
    const attributes: Attributes = {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      'petstore.event.id': eventId,
      'petstore.event.type': eventType,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      ...(statusCode !== null && { 'http.response.status_code': statusCode }),
      ...(errorCode !== null && { 'error.type': errorCode }),
    };
    const options = { kind: SpanKind.CLIENT, attributes, startTime: endTime - durationMs, root: true };
    const span = this.#ids.during(traceparent, () =>
      this.#tracer.startSpan('POST webhook', options, ROOT_CONTEXT),
    );
    if (errorCode !== null) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endTime);
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    });
    // A failed export is reported already.
    await Promise.race([this.#provider.shutdown().catch(() => undefined), timeout]);
    clearTimeout(timer);
  }

  /** A view of an object whose chosen methods make spans. Its own methods keep the object as `this`. */
  #traced<T extends object>(target: T, isTraced: (name: string) => boolean, prefix = ''): T {
    const views = new Map<unknown, unknown>();
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (!views.has(value)) views.set(value, this.#viewOf(target, String(name), value, isTraced, prefix));
        return views.get(value);
      },
    });
  }

  #viewOf(
    target: object,
    name: string,
    value: unknown,
    isTraced: (name: string) => boolean,
    prefix: string,
  ): unknown {
    if (typeof value === 'function') {
      const call = (...values: unknown[]): unknown => Reflect.apply(value, target, values);
      return isTraced(name) ? this.#tracedCall(prefix + name, call) : call;
    }
    const isReader = name === 'ledger' || name === 'orders';
    return isReader ? this.#traced(value as object, () => true, `${name}.`) : value;
  }

  #tracedCall(name: string, call: (...values: unknown[]) => unknown) {
    return (...values: unknown[]): unknown => {
      const parent = this.#current.getStore();
      // A stream goes on after the span of its request.
      if (!parent?.isRecording()) return call(...values);
      const span = this.#child(name, parent, this.#databaseAttributes(name));
      if (name === 'write') this.#writes.set(values[0] as object, span);
      const fail = (error: unknown): never => {
        span.setAttribute('error.type', error instanceof ApiError ? error.code : (error as Error).name);
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        throw error;
      };
      const end = <R>(result: R): R => {
        span.end();
        return result;
      };
      try {
        const result = call(...values);
        return result instanceof Promise ? result.then(end, fail) : end(result);
      } catch (error) {
        return fail(error);
      }
    };
  }

  #child(name: string, parent: Span, attributes: Attributes, startTime?: number): Span {
    const options = { kind: SpanKind.CLIENT, attributes, ...(startTime !== undefined && { startTime }) };
    return this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
  }

  #databaseAttributes(operation: string): Attributes {
    return { 'db.system.name': this.#databaseSystem, 'db.operation.name': operation };
  }
}

/** Ids of new spans: random, or those of a header that was sent before its span is made. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: readonly string[] = [];

  generateTraceId = (): string => this.#given[1] ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#given[2] ?? this.#random.generateSpanId();

  during<T>(traceparent: string | undefined, make: () => T): T {
    this.#given = traceparent?.split('-') ?? [];
    try {
      return make();
    } finally {
      this.#given = [];
    }
  }
}

/** The pattern of a whole path, such as `/v1/inventory/{petId}`; for a route without parameters its path. */
function routeOf({ path, operation, pathPattern }: TracedRequest): string | undefined {
  if (pathPattern === undefined) return operation.startsWith('/') ? operation : undefined;
  const ownParts = pathPattern.split('/').length - 1;
  return path.split('/').slice(0, -ownParts).join('/') + pathPattern;
}

/** Reports a failed export, at most one per interval. */
function reporting(exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const nowMs = performance.now();
        if (result.code === ExportResultCode.FAILED && nowMs >= reportedAtMs + ERROR_INTERVAL_MS) {
          reportedAtMs = nowMs;
          onError(result.error);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
