import type { ActivityVerb } from '@petstore-inventory/shared/words';
import { createId } from '../../domain/access/api-key.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { type EventPosition, type EventReference, positionText } from '../../domain/webhooks/events.ts';
import {
  type DeliveryAttempt,
  shownUrl,
  type UnloggedAttempt,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts';
import type {
  EndpointQuery,
  NewWebhookEndpoint,
  SigningEndpoint,
  StoredEvent,
  WebhookEndpointChanges,
  WebhookStore,
  WithSecret,
} from '../../domain/webhooks/webhook-store.ts';
import { recordAction } from '../ledger/activity.ts';
import { type LockingClient, underLedgerLock } from '../sql-client.ts';
import {
  type EndpointRow,
  endpointValues,
  INSERT_ENDPOINT,
  SELECT_ENDPOINTS,
  settingColumns,
  settingsOf,
  signingSecrets,
  toEndpoint,
  UNSET,
  UPDATE_ENDPOINT,
} from './endpoint-row.ts';
import { EventReader } from './event-reader.ts';
import { newestPosition, requireReplayable } from './event-positions.ts';
import type { SecretBox } from './secret-box.ts';
import { attemptValues, logAttempts } from './sender-statements.ts';

const COUNT = 'SELECT count(*) AS endpoints FROM webhook_endpoints WHERE account_id = $1';
const ACCOUNT = 'SELECT 1 FROM accounts WHERE id = $1';
const ATTEMPTS = `SELECT number, event_id AS "eventId", event_type AS "eventType", attempt,
attempted_at AS "attemptedAtMs", duration_ms AS "durationMs", status_code AS "statusCode", error, error_code AS "errorCode", error_detail AS "errorDetail", response
FROM webhook_attempts WHERE endpoint_id = $1 ORDER BY number DESC`;

const COUNT_ATTEMPT = 'UPDATE webhook_endpoints SET attempts = attempts + 1 WHERE id = $1';
const ATTEMPT_COUNT = 'SELECT attempts FROM webhook_endpoints WHERE id = $1';

/** Largest number of endpoints in a list without a limit. */
const MAX_LISTED = Number.MAX_SAFE_INTEGER;
/** Column values that reset the failure state. A change that resets it is fencing, because the running queue has its own. */
const NOT_FAILING = { failingSinceMs: null, failures: 0, retryAtMs: null };

interface Change {
  /** The verb of the action, such as `pause`. */
  readonly verb: ActivityVerb<'webhooks'>;
  /** The new values of the row. */
  readonly columns: Partial<EndpointRow>;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whether reports of attempts before this change must not be written. */
  readonly isFencing?: boolean;
}

/** The webhook endpoints of either engine. */
export class SqlWebhookStore implements WebhookStore {
  readonly #engine: LockingClient;
  readonly #secrets: SecretBox;

  constructor(engine: LockingClient, secrets: SecretBox) {
    this.#engine = engine;
    this.#secrets = secrets;
  }

  create(
    { accountId, ...given }: NewWebhookEndpoint,
    limit: number,
    author: ActionAuthor,
  ): Promise<WithSecret> {
    const settings = { ...UNSET, ...given };
    const id = createId('whe');
    const { secret, sealed } = this.#secrets.create(id);
    // Every write that commits after this one has a later position. The lock also makes the count exact.
    return underLedgerLock(this.#engine, async (nowMs) => {
      await this.#requireRoom(accountId, limit);
      const cursor = await newestPosition(this.#engine);
      const row: EndpointRow = {
        id,
        accountId,
        ...settingColumns(settings),
        secret: sealed,
        previousSecret: null,
        previousSecretExpiresAtMs: null,
        pausedAtMs: null,
        pauseReason: null,
        version: 1,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        cursorSequence: cursor.sequence,
        cursorNumber: cursor.number,
        ...NOT_FAILING,
        leaseToken: 0,
      };
      await this.#engine.run(INSERT_ENDPOINT, endpointValues(row));
      await this.#notify();
      const details = { ...shownMembers({ ...settings, accountId }) };
      await recordAction(this.#engine, author, { action: 'webhooks.create', target: id, details }, nowMs);
      return { endpoint: toEndpoint(row, nowMs), secret };
    });
  }

  async list({ accountId, after = '', limit = MAX_LISTED }: EndpointQuery = {}): Promise<
    readonly WebhookEndpoint[]
  > {
    const nowMs = await this.#engine.now();
    const { bytewise } = this.#engine.dialect;
    const owned = accountId === undefined ? '' : 'AND account_id = $3';
    const sql = `${SELECT_ENDPOINTS} WHERE id ${bytewise} > $1 ${owned} ORDER BY id ${bytewise} LIMIT $2`;
    const values = accountId === undefined ? [after, limit] : [after, limit, accountId];
    const rows = await this.#engine.all<EndpointRow>(sql, values);
    return rows.map((row) => toEndpoint(row, nowMs));
  }

  async find(id: string, accountId?: string): Promise<WebhookEndpoint> {
    return toEndpoint(await this.#find(id, accountId), await this.#engine.now());
  }

  update(
    id: string,
    changes: WebhookEndpointChanges,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<WebhookEndpoint> {
    return this.#change(id, accountId, author, async (row) => {
      const columns = settingColumns({ ...settingsOf(row), ...changes });
      // A new URL is a new receiver: the failures of the old one do not delay it.
      const isMoved = columns.url !== row.url;
      return {
        verb: 'update',
        columns: isMoved ? { ...columns, ...NOT_FAILING } : columns,
        details: { ...shownMembers(changes) },
        isFencing: isMoved,
      };
    });
  }

  delete(id: string, author: ActionAuthor, accountId?: string): Promise<void> {
    return this.#engine.transaction(async () => {
      const { url } = await this.#find(id, accountId, this.#engine.dialect.forUpdate);
      await this.#engine.run('DELETE FROM webhook_attempts WHERE endpoint_id = $1', [id]);
      await this.#engine.run('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
      await this.#notify();
      const nowMs = await this.#engine.now();
      const details = shownMembers({ url });
      await recordAction(this.#engine, author, { action: 'webhooks.delete', target: id, details }, nowMs);
    });
  }

  async rotateSecret(
    id: string,
    overlapMs: number,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<WithSecret> {
    const { secret, sealed } = this.#secrets.create(id);
    const endpoint = await this.#change(id, accountId, author, async (row, nowMs) => {
      const hasOverlap = overlapMs > 0;
      const { previousSecretExpiresAtMs } = toEndpoint(row, nowMs);
      if (hasOverlap && previousSecretExpiresAtMs !== null)
        throw rotatedBefore(id, previousSecretExpiresAtMs);
      const columns = {
        secret: sealed,
        previousSecret: hasOverlap ? row.secret : null,
        previousSecretExpiresAtMs: hasOverlap ? nowMs + overlapMs : null,
        // Failures because of the old secret, which may not have opened, do not count.
        ...NOT_FAILING,
      };
      const details = { overlapSeconds: overlapMs / 1_000 };
      return { verb: 'rotate', columns, details, isFencing: row.failures > 0 };
    });
    return { endpoint, secret };
  }

  pause(id: string, author: ActionAuthor, accountId?: string): Promise<WebhookEndpoint> {
    return this.#change(id, accountId, author, async (row, nowMs) =>
      row.pausedAtMs === null
        ? { verb: 'pause', columns: { pausedAtMs: nowMs, pauseReason: 'requested' } }
        : undefined,
    );
  }

  resume(id: string, author: ActionAuthor, accountId?: string): Promise<WebhookEndpoint> {
    return this.#change(id, accountId, author, async (row) => {
      // Of a receiver that fails and was repaired: its next attempt can be an hour away.
      const isFailing = row.failures > 0;
      if (row.pausedAtMs === null && !isFailing) return undefined;
      const columns = { pausedAtMs: null, pauseReason: null, ...NOT_FAILING };
      return { verb: 'resume', columns, isFencing: true };
    });
  }

  replay(
    id: string,
    after: EventReference,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<WebhookEndpoint> {
    return this.#change(id, accountId, author, async () => {
      await requireReplayable(this.#engine, after);
      const columns = { cursorSequence: after.sequence, cursorNumber: after.number, ...NOT_FAILING };
      return { verb: 'replay', columns, details: { after: positionText(after) }, isFencing: true };
    });
  }

  async checkReplay(id: string, after: EventReference, accountId?: string): Promise<WebhookEndpoint> {
    const endpoint = await this.find(id, accountId);
    await requireReplayable(this.#engine, after);
    return endpoint;
  }

  async findWithSecrets(id: string, accountId?: string): Promise<SigningEndpoint> {
    const row = await this.#find(id, accountId);
    const nowMs = await this.#engine.now();
    return { endpoint: toEndpoint(row, nowMs), secrets: signingSecrets(row, this.#secrets, nowMs) };
  }

  async findEvent(at: EventPosition): Promise<StoredEvent> {
    const reader = new EventReader(this.#engine);
    const before = { sequence: at.sequence, number: at.number - 1 };
    const { recorded } = await reader.scan(before, at, { movements: 1, recorded: 1 });
    const [movement] = await reader.movements([at.sequence]);
    return { movement, recorded: recorded[0] };
  }

  logAttempt(
    id: string,
    verb: 'test' | 'resend',
    attempt: UnloggedAttempt,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<DeliveryAttempt> {
    return this.#engine.transaction(async () => {
      await this.#find(id, accountId, this.#engine.dialect.forUpdate);
      await this.#engine.run(COUNT_ATTEMPT, [id]);
      const [row] = await this.#engine.all<{ attempts: number }>(ATTEMPT_COUNT, [id]);
      const number = row?.attempts ?? 1;
      await this.#engine.run(logAttempts(1), attemptValues(id, number, attempt));
      const { statusCode, error, eventId } = attempt;
      const nowMs = await this.#engine.now();
      // The id of a test names nothing.
      const details = verb === 'test' ? { statusCode, error } : { eventId, statusCode, error };
      await recordAction(this.#engine, author, { action: `webhooks.${verb}`, target: id, details }, nowMs);
      return { ...attempt, number };
    });
  }

  async attempts(id: string, accountId?: string): Promise<readonly DeliveryAttempt[]> {
    await this.#find(id, accountId);
    return this.#engine.all<DeliveryAttempt>(ATTEMPTS, [id]);
  }

  /** Changes one endpoint in one transaction; `undefined` changes nothing. */
  #change(
    id: string,
    accountId: string | undefined,
    author: ActionAuthor,
    decide: (row: EndpointRow, nowMs: number) => Promise<Change | undefined>,
  ): Promise<WebhookEndpoint> {
    return this.#engine.transaction(async () => {
      const row = await this.#find(id, accountId, this.#engine.dialect.forUpdate);
      const nowMs = await this.#engine.now();
      const change = await decide(row, nowMs);
      if (!change) return toEndpoint(row, nowMs);
      const changed: EndpointRow = {
        ...row,
        ...change.columns,
        version: row.version + 1,
        updatedAtMs: nowMs,
        leaseToken: row.leaseToken + (change.isFencing ? 1 : 0),
      };
      await this.#engine.run(UPDATE_ENDPOINT, endpointValues(changed));
      await this.#notify();
      const { verb, details = {} } = change;
      await recordAction(this.#engine, author, { action: `webhooks.${verb}`, target: id, details }, nowMs);
      return toEndpoint(changed, nowMs);
    });
  }

  /** The instance that sends would otherwise notice a change through another one only when it renews its lease. */
  async #notify(): Promise<void> {
    const { notifyEndpoints } = this.#engine.dialect;
    if (notifyEndpoints !== undefined) await this.#engine.all(notifyEndpoints);
  }

  /** @throws OperatorError `not_found`, also for an endpoint of another account. */
  async #find(id: string, accountId: string | undefined, lock = ''): Promise<EndpointRow> {
    const [row] = await this.#engine.all<EndpointRow>(`${SELECT_ENDPOINTS} WHERE id = $1 ${lock}`, [id]);
    if (row && (accountId === undefined || row.accountId === accountId)) return row;
    throw new OperatorError(`There is no webhook endpoint ${id}.`, { code: 'not_found' });
  }

  async #requireRoom(accountId: string, limit: number): Promise<void> {
    if ((await this.#engine.all(ACCOUNT, [accountId])).length === 0) {
      throw new OperatorError(`There is no account ${accountId}.`, { code: 'not_found' });
    }
    const [row] = await this.#engine.all<{ endpoints: number }>(COUNT, [accountId]);
    const endpoints = row?.endpoints ?? 0;
    if (endpoints < limit) return;
    const has = `The account has ${endpoints} webhook ${endpoints === 1 ? 'endpoint' : 'endpoints'}`;
    // More than the limit where PETSTORE_MAX_WEBHOOK_ENDPOINTS was lowered.
    const message =
      limit === 0
        ? 'No account may have another webhook endpoint: PETSTORE_MAX_WEBHOOK_ENDPOINTS is 0.'
        : `${has}, and may have ${limit}; delete ${endpoints - limit + 1} first.`;
    throw new OperatorError(message, { code: 'conflict' });
  }
}

/** Members of an endpoint for the activity log. */
function shownMembers<Members extends { readonly url?: string }>(members: Members): Members {
  return members.url === undefined ? members : { ...members, url: shownUrl(members.url) };
}

/** A second secret would replace one that the receiver may not have yet, and end the one that it has. */
function rotatedBefore(id: string, previousSecretExpiresAtMs: number): OperatorError {
  return new OperatorError(
    `The secret of ${id} was rotated already, and the one before signs until ${timestamp(previousSecretExpiresAtMs)}. Rotate it again after that, or with an overlap of 0 seconds, which ends both secrets now.`,
    { code: 'conflict' },
  );
}
