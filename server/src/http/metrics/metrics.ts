import { monitorEventLoopDelay } from 'node:perf_hooks';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import type { AuditReport } from '../../domain/ledger-store.ts';
import { DatabaseGauges, type DatabaseReader } from './database-gauges.ts';
import { RequestCounts } from './request-histogram.ts';
import { WebhookMetrics, type WebhookNumbers } from './webhook-metrics.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const NANOSECONDS = 1e9;

/** The metrics of the service, in the Prometheus text format. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new RequestCounts(this.registry);
  readonly #webhooks = new WebhookMetrics(this.registry);
  readonly #refusals = new Counter({
    name: 'petstore_refusals_total',
    help: 'Requests refused, by error code.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly #batchSizes = new Histogram({
    name: 'petstore_commit_batch_changes',
    help: 'Writes in one durable commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000],
    registers: [this.registry],
  });
  readonly #commitDurations = new Histogram({
    name: 'petstore_commit_duration_seconds',
    help: 'Time from sending writes to the writing thread until they are durable.',
    buckets: SECONDS,
    registers: [this.registry],
  });
  readonly #listChunks = new Counter({
    name: 'petstore_list_chunks_rebuilt_total',
    help: 'Chunks of the cached list that were rebuilt.',
    registers: [this.registry],
  });

  readonly #liveReaders = new Gauge({
    name: 'petstore_live_readers',
    help: 'Open streams of movements.',
    registers: [this.registry],
  });

  readonly #audits = {
    faults: this.#auditGauge('faults', 'Faults that the last audit or verification of this process found.'),
    endedAt: this.#auditGauge('end_time_seconds', 'When that audit ended, in seconds since 1970 (UTC).'),
  };

  /** @param version The release of the service. */
  constructor(version: string) {
    // From 0 on, because Prometheus sees no increase from nothing to 1.
    for (const reason of Object.keys(ERROR_STATUS)) this.#refusals.inc({ reason }, 0);
    const delay = monitorEventLoopDelay({ resolution: 20 });
    delay.enable();
    new Gauge({
      name: 'petstore_event_loop_delay_seconds',
      help: 'How late the event loop ran since the last scrape: the 99th percentile.',
      registers: [this.registry],
      collect() {
        const p99 = delay.percentile(99) / NANOSECONDS;
        this.set(Number.isFinite(p99) ? p99 : 0);
        delay.reset();
      },
    });
    const [runtime, runtimeVersion] = process.versions.bun
      ? ['bun', process.versions.bun]
      : ['node', process.versions.node];
    new Gauge({
      name: 'petstore_build_info',
      help: 'Always 1; the labels are the release of the service and its runtime.',
      labelNames: ['version', 'runtime', 'runtime_version'],
      registers: [this.registry],
    }).set({ version, runtime, runtime_version: runtimeVersion }, 1);
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'Start of the process, in seconds since 1970 (UTC).',
      registers: [this.registry],
    }).set(performance.timeOrigin / 1_000);
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of the process.',
      registers: [this.registry],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'CPU time the process has used.',
      registers: [this.registry],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    });
  }

  /** Adds gauges of the database. They call `read` at most once per minute. */
  addDatabase(reader: DatabaseReader): void {
    new DatabaseGauges(this.registry, reader);
  }

  observeRequest(operation: string, status: number, durationMs: number): void {
    this.#requests.observe(operation, status, durationMs);
  }

  observeRefusal(reason: ErrorCode): void {
    this.#refusals.inc({ reason });
  }

  observeCommit(writes: number, durationMs: number): void {
    this.#batchSizes.observe(writes);
    this.#commitDurations.observe(durationMs / 1_000);
  }

  observeLiveReaders(count: number): void {
    this.#liveReaders.set(count);
  }

  /** @param numbers `undefined` when the sending thread has ended. */
  observeWebhooks(numbers: WebhookNumbers | undefined): void {
    this.#webhooks.observe(numbers);
  }

  observeAudit({ faults }: AuditReport, nowMs: number): void {
    this.#audits.faults.set({}, faults.length);
    this.#audits.endedAt.set({}, nowMs / 1_000);
  }

  observeListRebuild(chunks: number): void {
    this.#listChunks.inc(chunks);
  }

  /** Has no value before the first audit, because 0 faults would be a finding. */
  #auditGauge(name: string, help: string): Gauge {
    const gauge = new Gauge({ name: `petstore_ledger_audit_${name}`, help, registers: [this.registry] });
    gauge.remove();
    return gauge;
  }
}
