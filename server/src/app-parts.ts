import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { ManagementStore } from './domain/admin-store.ts';
import type { MaybePromise } from './domain/maybe-promise.ts';
import type { Store } from './domain/store.ts';
import type { WebhookSending } from './domain/webhooks/webhook-store.ts';
import type { Dashboard } from './http/dashboard/dashboard.ts';
import type { Metrics } from './http/metrics/metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface AppParts {
  /** The release of the service. */
  readonly version: string;
  readonly config: Config;
  readonly store: Store;
  /** For management actions that take milliseconds. */
  readonly management: ManagementStore;
  /** For those that may take minutes. */
  readonly jobs: ManagementStore;
  readonly webhooks: WebhookSending;
  /** `undefined`: without pages. */
  readonly dashboard?: Dashboard | undefined;
  /** Called when an import needs work. */
  readonly wakeImports: () => void;
  /** What is left of the disk of the database, in place of what the store reports; for tests. */
  readonly freeBytes?: (() => MaybePromise<number | undefined>) | undefined;
  readonly pepper: Uint8Array;
  readonly metrics: Metrics;
  /** `undefined`: without traces. */
  readonly tracing?: Tracing | undefined;
  readonly log: Logger;
}
