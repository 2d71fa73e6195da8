import type { PetStatus } from '@petstore-inventory/shared/words';
import type { EventType } from '../../domain/webhooks/events.ts';
import type {
  EndpointSettings,
  PauseReason,
  WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts';
import type { SqlValue } from '../sql-client.ts';
import type { SecretBox } from './secret-box.ts';

/** A row of `webhook_endpoints`. Lists are texts with spaces between their values; `null`: everything. */
export interface EndpointRow {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly description: string | null;
  readonly types: string | null;
  readonly petIds: string | null;
  readonly statuses: string | null;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly previousSecretExpiresAtMs: number | null;
  readonly pausedAtMs: number | null;
  readonly pauseReason: PauseReason | null;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly cursorSequence: number;
  readonly cursorNumber: number;
  readonly failingSinceMs: number | null;
  readonly failures: number;
  readonly retryAtMs: number | null;
  readonly leaseToken: number;
}

/** The columns of a row by their members. */
const COLUMNS: Readonly<Record<keyof EndpointRow, string>> = {
  id: 'id',
  accountId: 'account_id',
  url: 'url',
  description: 'description',
  types: 'event_types',
  petIds: 'pet_ids',
  statuses: 'statuses',
  secret: 'secret',
  previousSecret: 'previous_secret',
  previousSecretExpiresAtMs: 'previous_secret_expires_at',
  pausedAtMs: 'paused_at',
  pauseReason: 'pause_reason',
  version: 'version',
  createdAtMs: 'created_at',
  updatedAtMs: 'updated_at',
  cursorSequence: 'cursor_sequence',
  cursorNumber: 'cursor_number',
  failingSinceMs: 'failing_since',
  failures: 'failures',
  retryAtMs: 'retry_at',
  leaseToken: 'lease_token',
};
const MEMBERS = Object.keys(COLUMNS) as readonly (keyof EndpointRow)[];
const PLACES = MEMBERS.map((_, i) => `$${i + 1}`);

export const SELECT_ENDPOINTS = `SELECT ${MEMBERS.map((member) => `${COLUMNS[member]} AS "${member}"`).join(', ')}
FROM webhook_endpoints`;

/** Takes the values of `endpointValues`. */
export const INSERT_ENDPOINT = `INSERT INTO webhook_endpoints (${Object.values(COLUMNS).join(', ')})
VALUES (${PLACES.join(', ')})`;

/** Takes the values of `endpointValues`, of which the first one is the id. */
export const UPDATE_ENDPOINT = `UPDATE webhook_endpoints
SET ${MEMBERS.slice(1)
  .map((member, i) => `${COLUMNS[member]} = ${PLACES[i + 1]}`)
  .join(', ')} WHERE id = $1`;

export function endpointValues(row: EndpointRow): readonly SqlValue[] {
  return MEMBERS.map((member) => row[member]);
}

/** The settings of an endpoint that has only a URL. */
export const UNSET: Omit<EndpointSettings, 'url'> = {
  description: null,
  types: null,
  petIds: null,
  statuses: null,
};

export function settingsOf({ url, description, types, petIds, statuses }: EndpointRow): EndpointSettings {
  return {
    url,
    description,
    types: valuesOf<EventType>(types),
    petIds: valuesOf(petIds)?.map(BigInt) ?? null,
    statuses: valuesOf<PetStatus>(statuses),
  };
}

/** Settings as their columns. */
export function settingColumns({ types, petIds, statuses, ...texts }: EndpointSettings) {
  return {
    ...texts,
    types: types?.join(' ') ?? null,
    petIds: petIds?.join(' ') ?? null,
    statuses: statuses?.join(' ') ?? null,
  };
}

/** @param nowMs The time by the clock of the database: the end of a rotation is no longer shown after it. */
export function toEndpoint(row: EndpointRow, nowMs: number): WebhookEndpoint {
  const { id, accountId, pausedAtMs, pauseReason, version } = row;
  const { createdAtMs, updatedAtMs, failingSinceMs, failures, retryAtMs } = row;
  return {
    id,
    accountId,
    ...settingsOf(row),
    pausedAtMs,
    pauseReason,
    version,
    createdAtMs,
    updatedAtMs,
    previousSecretExpiresAtMs: isRotating(row, nowMs) ? row.previousSecretExpiresAtMs : null,
    cursor: { sequence: row.cursorSequence, number: row.cursorNumber },
    failingSinceMs,
    failures,
    retryAtMs,
  };
}

/** The secrets that sign now, the newest first. */
export function signingSecrets(
  row: EndpointRow,
  box: Pick<SecretBox, 'open'>,
  nowMs: number,
): readonly string[] {
  const { id, secret, previousSecret } = row;
  const newest = box.open(id, secret);
  return previousSecret && isRotating(row, nowMs) ? [newest, box.open(id, previousSecret)] : [newest];
}

/** Whether the previous secret signs too. */
function isRotating({ previousSecretExpiresAtMs }: EndpointRow, nowMs: number): boolean {
  return previousSecretExpiresAtMs !== null && previousSecretExpiresAtMs > nowMs;
}

function valuesOf<Value extends string>(text: string | null): readonly Value[] | null {
  return text === null ? null : (text.split(' ') as Value[]);
}
