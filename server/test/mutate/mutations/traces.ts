import type { Mutation } from '../mutation.ts';

/** Traces: what is sent, and what it may cost. */
export const TRACES: readonly Mutation[] = [
  {
    name: 'the route of a span has the values of its path',
    file: 'server/src/tracing/otlp-tracing.ts',
    from: ".join('/') + pathPattern;",
    to: ".join('/') + path;",
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'the packages of traces are loaded without an address',
    file: 'server/src/tracing/open-tracing.ts',
    from: "  if (options.url === '') return undefined;\n  const { OtlpTracing } = await import('./otlp-tracing.ts');",
    to: "  const { OtlpTracing } = await import('./otlp-tracing.ts');\n  if (options.url === '') return undefined;",
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'a trace has the key in a path',
    file: 'server/src/tracing/otlp-tracing.ts',
    from: 'withoutKeys(request.path)',
    to: 'request.path',
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'a request does not continue the trace of its caller',
    file: 'server/src/tracing/otlp-tracing.ts',
    from: '{ kind: SpanKind.SERVER, attributes }, caller)',
    to: '{ kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)',
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'a stop waits for the collector',
    file: 'server/src/tracing/otlp-tracing.ts',
    from: 'await Promise.race([this.#provider.shutdown().catch(() => undefined), timeout]);',
    to: 'await this.#provider.shutdown().catch(() => undefined);',
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'the span of a delivery has other ids than its receiver got',
    file: 'server/src/tracing/otlp-tracing.ts',
    from: 'this.#given[2] ?? this.#random.generateSpanId()',
    to: 'this.#random.generateSpanId()',
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'a receiver gets a traceparent that a sampler may drop',
    file: 'server/src/tracing/otlp-tracing.ts',
    from: "process.env.OTEL_TRACES_SAMPLER || 'always_on'",
    to: "process.env.OTEL_TRACES_SAMPLER_ARG ? 'always_on' : 'always_on'",
    tests: ['server/test/tracing/tracing.test.ts'],
  },
  {
    name: 'attempts to deliver are not traced',
    file: 'server/src/webhooks/sender.ts',
    from: '      this.#options.onAttempt?.(dispatch.url, sent);\n',
    to: '',
    tests: ['server/test/tracing/tracing.test.ts'],
  },
];
