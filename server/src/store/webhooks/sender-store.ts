import type {
  EndpointProgress,
  LeasedEndpoint,
  Leases,
  WebhookSenderStore,
} from '../../domain/webhooks/webhook-store.ts';
import type { SqlValue } from '../sql-client.ts';
import { attemptValues, logAttempts } from './attempt-log.ts';
import { type EndpointRow, signingSecrets, toEndpoint } from './endpoint-row.ts';
import { recordEvent } from './event-positions.ts';
import { OpenedSecrets } from './opened-secrets.ts';
import type { SecretBox } from './secret-box.ts';
import {
  HAS_ACTIVE,
  lockReported,
  OWN_LEASES,
  PAUSE,
  RELEASE,
  type ReportedRow,
  ROWS_PER_STATEMENT,
  takeLeases,
  writeProgress,
} from './sender-statements.ts';
import type { WebhookEngine } from './webhook-engine.ts';

/** The senders' side of the webhook endpoints, on either engine. */
export class SqlWebhookSenderStore implements WebhookSenderStore {
  readonly #engine: WebhookEngine;
  readonly #secrets: OpenedSecrets;

  constructor(engine: WebhookEngine, secrets: SecretBox) {
    this.#engine = engine;
    this.#secrets = new OpenedSecrets(secrets);
  }

  async hasActive(): Promise<boolean> {
    return (await this.#engine.all(HAS_ACTIVE)).length > 0;
  }

  lease(owner: string, leaseMs: number): Promise<Leases> {
    return this.#engine.transaction(async () => {
      const nowMs = await this.#engine.now();
      const values = [owner, nowMs, nowMs + leaseMs, nowMs + 2 * leaseMs];
      await this.#engine.run(takeLeases(this.#engine.dialect.forUpdate), values);
      const rows = await this.#engine.all<EndpointRow>(OWN_LEASES, [owner]);
      this.#secrets.forgetUnused();
      const endpoints: LeasedEndpoint[] = [];
      const unopened: Leases['unopened'][number][] = [];
      for (const row of rows) {
        const opened = this.#open(row, nowMs);
        if (opened) endpoints.push(opened);
        // Without its filter, which can be what is damaged.
        else unopened.push({ endpoint: toEndpoint({ ...row, petIds: null }, nowMs), token: row.leaseToken });
      }
      return { endpoints, unopened };
    });
  }

  /** `undefined` where a secret does not open or the row is damaged: the leases of the others must not depend on it. */
  #open(row: EndpointRow, nowMs: number): LeasedEndpoint | undefined {
    try {
      const secrets = signingSecrets(row, this.#secrets, nowMs);
      return { endpoint: toEndpoint(row, nowMs), token: row.leaseToken, secrets };
    } catch {
      return undefined;
    }
  }

  async release(owner: string): Promise<void> {
    await this.#engine.transaction(() => this.#engine.run(RELEASE, [owner]));
  }

  report(progress: readonly EndpointProgress[]): Promise<readonly string[]> {
    return this.#engine.transaction(async () => {
      // Before the endpoints, as everywhere: a pause is also an event, whose place the ledger decides.
      if (progress.some(({ pause }) => pause)) await this.#engine.lockLedger();
      const fenced: string[] = [];
      const sorted = progress.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      for (const portion of portionsOf(sorted)) fenced.push(...(await this.#report(portion)));
      return fenced;
    });
  }

  async #report(progress: readonly EndpointProgress[]): Promise<readonly string[]> {
    const lock = lockReported(progress.length, this.#engine.dialect.forUpdate);
    const found = await this.#engine.all<ReportedRow>(
      lock,
      progress.map(({ id }) => id),
    );
    const rows = new Map(found.map((row) => [row.id, row]));
    const isOwn = ({ id, token }: EndpointProgress) => rows.get(id)?.token === token;
    const own = progress.filter(isOwn).map((report) => ({ report, row: rows.get(report.id) as ReportedRow }));
    if (own.length > 0) {
      await this.#engine.run(
        writeProgress(own.length),
        own.flatMap(({ report, row }) => progressValues(report, row)),
      );
    }
    const attempts = own.flatMap(({ report, row }) =>
      report.attempts.map((attempt, i) => attemptValues(row.id, row.attempts + i + 1, attempt)),
    );
    for (const portion of portionsOf(attempts)) {
      await this.#engine.run(logAttempts(portion.length), portion.flat());
    }
    for (const { report, row } of own) {
      if (report.pause && row.pausedAtMs === null) await this.#pause(row, report.pause);
    }
    return progress.filter((report) => !isOwn(report)).map(({ id }) => id);
  }

  async #pause(
    { id, accountId, url }: ReportedRow,
    { reason, atMs }: NonNullable<EndpointProgress['pause']>,
  ): Promise<void> {
    await this.#engine.run(PAUSE, [id, atMs, reason]);
    const data = JSON.stringify({ id, url, pauseReason: reason, pausedAt: new Date(atMs).toISOString() });
    const recordedAtMs = await this.#engine.now();
    await recordEvent(this.#engine, { type: 'webhook_endpoint.paused', accountId, data, recordedAtMs });
  }
}

function progressValues(report: EndpointProgress, row: ReportedRow): readonly SqlValue[] {
  const { id, cursor, failingSinceMs, failures, retryAtMs, attempts } = report;
  const { sequence, number } = cursor;
  return [id, sequence, number, failingSinceMs, failures, retryAtMs, row.attempts + attempts.length];
}

function* portionsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let i = 0; i < items.length; i += ROWS_PER_STATEMENT) yield items.slice(i, i + ROWS_PER_STATEMENT);
}
