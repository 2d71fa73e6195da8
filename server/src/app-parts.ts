import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { ManagementStores } from './domain/admin-store.ts';
import type { Auditor } from './domain/ledger-store.ts';
import type { MaybePromise } from './domain/maybe-promise.ts';
import type { Store } from './domain/store.ts';
import type { WebhookSending } from './domain/webhooks/webhook-store.ts';
import type { Dashboard } from './http/dashboard/dashboard.ts';
import type { Metrics } from './http/metrics/metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface AppParts extends ManagementStores {
  /** The release of the service. */
  readonly version: string;
  readonly config: Config;
  readonly store: Store;
  readonly audits: Auditor;
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
