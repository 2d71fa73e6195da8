import type { Tracing, TracingOptions } from './tracing.ts';

/** Loads the packages of OpenTelemetry only if there is an address to send traces to. */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  if (options.url === '') return undefined;
  const { OtlpTracing } = await import('./otlp-tracing.ts');
  return new OtlpTracing(options);
}
