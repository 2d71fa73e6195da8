import type pg from 'pg';
import { DURABILITY_SETTINGS } from '../../../domain/durability.ts';
import { OperatorError } from '../../../domain/errors.ts';

/** PostgreSQL 14: older ones no longer get fixes, and know no client_connection_check_interval. */
const OLDEST_SERVER = 140_000;

interface Settings extends Record<(typeof DURABILITY_SETTINGS)[number], string> {
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly isReadOnly: boolean;
}

const SETTINGS = `SELECT current_setting('server_version_num')::integer AS "versionNumber",
current_setting('server_version') AS version, pg_encoding_to_char(encoding) AS encoding,
pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "isReadOnly",
${DURABILITY_SETTINGS.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}
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
  if (settings.isReadOnly) {
    throw new OperatorError(
      `${database} is read-only, as a replica is; set PETSTORE_DATABASE to the primary server.`,
    );
  }
  for (const name of DURABILITY_SETTINGS) {
    if (settings[name] !== 'off' || accepted.includes(name)) continue;
    throw new OperatorError(
      `${database} has ${name} = off, so a crash of the server can lose changes that were acknowledged; turn it on, or accept that with PETSTORE_ACCEPT_UNSAFE=${name}.`,
    );
  }
}
