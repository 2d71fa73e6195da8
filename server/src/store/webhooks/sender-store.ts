import { pausedEventData } from '../../domain/webhooks/webhook-endpoint.ts';
import type {
  EndpointPause,
  EndpointProgress,
  LeasedEndpoint,
  Leases,
  WebhookSenderStore,
} from '../../domain/webhooks/webhook-store.ts';
import { batchesOf, runBatch } from '../batches.ts';
import type { LockingClient, SqlValue } from '../sql-client.ts';
import { type EndpointRow, signingSecrets, toEndpoint } from './endpoint-row.ts';
import { recordEvent } from './event-positions.ts';
import { OpenedSecrets, type SecretBox } from './secret-box.ts';
import {
  attemptValues,
  lockReported,
  logAttempts,
  PAUSE,
  RELEASE,
  type ReportedRow,
  TAKEN_LEASES,
  takeLeases,
  writeProgress,
} from './sender-statements.ts';

/** Ends of leases that `takeLeases` takes: at or before the first, and at or after the second. No lease has such an end. */
const NONE_FREE = [-1, Number.MAX_SAFE_INTEGER] as const;
const ENDPOINTS_PER_LOCK = 100;

/** Runs a command on a connection whose transactions may wait for the ledger's lock. */
type WithLedger = <T>(command: (engine: LockingClient) => Promise<T>) => Promise<T>;

/** The senders' side of the webhook endpoints, on either engine. */
export class SqlWebhookSenderStore implements WebhookSenderStore {
  readonly #engine: LockingClient;
  readonly #secrets: OpenedSecrets;
  readonly #withLedger: WithLedger;

  /**
   * @param engine Writes leases and reports, which must not wait for the ledger.
   * @param withLedger Writes pauses.
   */
  constructor(engine: LockingClient, secrets: SecretBox, withLedger: WithLedger) {
    this.#engine = engine;
    this.#secrets = new OpenedSecrets(secrets);
    this.#withLedger = withLedger;
  }

  /** In several transactions, because changes of stock may wait for each. */
  async lease(owner: string, leaseMs: number, onlyOwn = false): Promise<Leases> {
    const { leasesPerTransaction } = this.#engine.dialect;
    this.#secrets.forgetUnused();
    const endpoints: LeasedEndpoint[] = [];
    const unopened: Leases['unopened'][number][] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const { rows, nowMs } = await this.#leaseAfter(after, owner, leaseMs, onlyOwn);
      for (const row of rows) {
        const opened = this.#open(row, nowMs);
        if (opened) endpoints.push(opened);
        // Without its filter, which can be what is damaged.
        else unopened.push({ endpoint: toEndpoint({ ...row, petIds: null }, nowMs), token: row.leaseToken });
      }
      after = rows.length < leasesPerTransaction ? undefined : rows.at(-1)?.id;
    }
    return { endpoints, unopened };
  }

  /** Leases the next endpoints after an id. */
  #leaseAfter(after: string, owner: string, leaseMs: number, onlyOwn: boolean) {
    const { forUpdate, leasesPerTransaction } = this.#engine.dialect;
    return this.#transaction(async () => {
      const nowMs = await this.#engine.now();
      const untilMs = nowMs + leaseMs;
      const free = onlyOwn ? NONE_FREE : [nowMs, nowMs + 2 * leaseMs];
      const values = [owner, free[0], untilMs, free[1], after, leasesPerTransaction];
      await this.#engine.run(takeLeases(forUpdate), values);
      const taken = [owner, untilMs, after, leasesPerTransaction];
      return { nowMs, rows: await this.#engine.all<EndpointRow>(TAKEN_LEASES, taken) };
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
    await this.#transaction(() => this.#engine.run(RELEASE, [owner]));
  }

  report(progress: readonly EndpointProgress[]): Promise<readonly string[]> {
    return this.#transaction(async () => {
      const fenced: string[] = [];
      for (const batch of batchesOf(sortedById(progress), ENDPOINTS_PER_LOCK))
        fenced.push(...(await this.#report(batch)));
      return fenced;
    });
  }

  pause(pauses: readonly EndpointPause[]): Promise<readonly string[]> {
    return this.#withLedger((engine) =>
      inTransaction(engine, async () => {
        // Before the endpoints, as everywhere: a pause is also an event, whose place the ledger decides.
        await engine.lockLedger();
        const paused: string[] = [];
        for (const batch of batchesOf(sortedById(pauses), ENDPOINTS_PER_LOCK)) {
          const rows = await lockRows(engine, batch);
          for (const pause of batch) {
            const row = rows.get(pause.id);
            if (row?.token !== pause.token || row.pausedAtMs !== null) continue;
            await pauseEndpoint(engine, row, pause);
            paused.push(row.id);
          }
        }
        return paused;
      }),
    );
  }

  #transaction<T>(command: () => Promise<T>): Promise<T> {
    return inTransaction(this.#engine, command);
  }

  async #report(progress: readonly EndpointProgress[]): Promise<readonly string[]> {
    const rows = await lockRows(this.#engine, progress);
    const isOwn = ({ id, token }: EndpointProgress) => rows.get(id)?.token === token;
    const own = progress.filter(isOwn).map((report) => ({ report, row: rows.get(report.id) as ReportedRow }));
    await this.#write(
      writeProgress,
      own.map(({ report, row }) => progressValues(report, row)),
    );
    const attempts = own.flatMap(({ report, row }) =>
      report.attempts.map((attempt, i) => attemptValues(row.id, row.attempts + i + 1, attempt)),
    );
    await this.#write(logAttempts, attempts);
    return progress.filter((report) => !isOwn(report)).map(({ id }) => id);
  }

  /** @param statement Returns the statement for a number of rows. */
  async #write(statement: (count: number) => string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const { rowsPerStatement } = this.#engine.dialect;
    for (const batch of batchesOf(rows, rowsPerStatement)) {
      await this.#engine.run(statement(batch.length), batch.flat());
    }
  }
}

/** Runs a transaction of many that follow each other while endpoints are many; changes of stock get the lock in between. */
function inTransaction<T>(engine: LockingClient, command: () => Promise<T>): Promise<T> {
  return runBatch(engine, () => engine.transaction(command));
}

/** The rows of endpoints, locked. */
async function lockRows(
  engine: LockingClient,
  endpoints: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, ReportedRow>> {
  const lock = lockReported(endpoints.length, engine.dialect.forUpdate);
  const ids = endpoints.map(({ id }) => id);
  return new Map((await engine.all<ReportedRow>(lock, ids)).map((row) => [row.id, row]));
}

async function pauseEndpoint(
  engine: LockingClient,
  { id, accountId, url }: ReportedRow,
  { reason, atMs }: EndpointPause,
): Promise<void> {
  await engine.run(PAUSE, [id, atMs, reason]);
  const data = pausedEventData({ id, url, reason, atMs });
  const recordedAtMs = await engine.now();
  await recordEvent(engine, { type: 'webhook_endpoint.paused', accountId, data, recordedAtMs });
}

/** In the order in which every transaction locks endpoints. */
function sortedById<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function progressValues(report: EndpointProgress, row: ReportedRow): readonly SqlValue[] {
  const { id, cursor, failingSinceMs, failures, retryAtMs, attempts } = report;
  const { sequence, number } = cursor;
  return [id, sequence, number, failingSinceMs, failures, retryAtMs, row.attempts + attempts.length];
}
