import pg from 'pg';
import { OperatorError } from '../../../domain/errors.ts';
import { newClient } from '../connection.ts';
import { findUnsafeSetting, SAFETY_SETTINGS, type SafetySettings } from '../server/server-safety.ts';

/** PostgreSQL 14: older ones no longer get fixes, and know no client_connection_check_interval. */
const OLDEST_SERVER = 140_000;

interface Settings extends SafetySettings {
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly isReplica: boolean;
  readonly isReadOnly: boolean;
}

/** The configuration of the server, database and user: this session has its own values. */
const CONFIGURED = SAFETY_SETTINGS.map(
  (name) => `(SELECT reset_val FROM pg_settings WHERE name = '${name}') AS ${name}`,
).join(', ');

const SETTINGS = `SELECT current_setting('server_version_num')::integer AS "versionNumber",
current_setting('server_version') AS version, pg_encoding_to_char(encoding) AS encoding,
pg_is_in_recovery() AS "isReplica", current_setting('default_transaction_read_only')::boolean AS "isReadOnly",
${CONFIGURED}
FROM pg_database WHERE datname = current_database()`;

/**
 * Refuses a server on which our promises would be false.
 * @param accepted Names of settings whose unsafe value the operator accepts.
 * @throws OperatorError saying what to do.
 */
export async function refuseUnsafeServer(
  client: pg.Client,
  database: string,
  accepted: readonly string[],
): Promise<void> {
  const { rows } = await client.query<Settings & pg.QueryResultRow>(SETTINGS);
  const settings = rows[0] as Settings;
  if (settings.versionNumber < OLDEST_SERVER) {
    throw new OperatorError(`${database} is PostgreSQL ${settings.version}; 14 or newer is needed.`);
  }
  if (settings.encoding !== 'UTF8') {
    throw new OperatorError(
      `${database} has the encoding ${settings.encoding}; make a database with ENCODING 'UTF8'.`,
    );
  }
  if (settings.isReplica) {
    throw new OperatorError(`${database} is a replica; set PETSTORE_DATABASE to the primary server.`);
  }
  if (settings.isReadOnly) {
    throw new OperatorError(
      `${database} has default_transaction_read_only = on; turn it off for the server, the database and its user.`,
    );
  }
  const unsafe = findUnsafeSetting(settings, accepted, database);
  if (unsafe) throw new OperatorError(unsafe.message);
}

/**
 * Refuses a pooler that gives the sessions of a server to its clients for one transaction each. What a session has, such
 * as settings and prepared statements, would be that of any client.
 * @throws OperatorError saying what to do.
 */
export async function refuseSharedSessions(client: pg.Client, url: string, database: string): Promise<void> {
  // A pooler gives its clients numbers of its own. The types of pg lack this property.
  const { processID } = client as unknown as { readonly processID: number | null };
  const first = await processOf(client);
  if (processID === first) return;
  const other = newClient(url);
  try {
    await other.connect();
    const before = await processOf(client);
    // Takes a session that is free, which may be the one that the first client has used.
    await other.query('BEGIN');
    const held = await processOf(other);
    // Without other clients, a pooler that gives its sessions in turn shows it only here.
    const hasMoved = first !== before || (await processOf(client)) !== before;
    if (held === before || hasMoved) throw sharedSessions(database);
  } catch (error) {
    // PgBouncer refuses transactions where each statement may have another session.
    throw error instanceof pg.DatabaseError ? sharedSessions(database, error) : error;
  } finally {
    other.end().catch(() => {});
  }
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

function sharedSessions(database: string, cause?: unknown): OperatorError {
  return new OperatorError(
    `${database} is behind a connection pooler that shares sessions between clients, as PgBouncer does in transaction mode; connect to the server itself, or give this database pool_mode = session.`,
    { cause },
  );
}
