import { DURABILITY_SETTINGS } from '../../../domain/disk.ts';
import { NotReady } from '../../../domain/errors.ts';

/** Durability, which `off` ends, and whether the triggers of a session fire. */
export const SAFETY_SETTINGS = [...DURABILITY_SETTINGS, 'session_replication_role'] as const;

/** Each setting by its name. */
export type SafetySettings = Readonly<Record<(typeof SAFETY_SETTINGS)[number], string>>;

/** The columns of `SafetySettings`. They are of the session, and change with a reload of the server's configuration. */
export const SAFETY_COLUMNS = SAFETY_SETTINGS.map((name) => `current_setting('${name}') AS ${name}`).join(
  ', ',
);

/**
 * Makes the commits of a session wait for the disk whatever the server's configuration says, now and after a reload.
 * A standby may have another configuration than the server that it replaces.
 */
export const DURABLE_SESSION = `SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;

/** Why a session must not write: nothing would refuse a change of the ledger's past. No operator can accept that. */
export function findIdleTriggers(
  { session_replication_role: role }: SafetySettings,
  database: string,
): NotReady | undefined {
  if (role !== 'replica') return undefined;
  return new NotReady(
    'The database server has session_replication_role = replica.',
    `${database} has session_replication_role = replica, so the triggers that protect the ledger are off; reset it for the server, the database and its user.`,
  );
}

/**
 * Why a server must not be written to: its ledger would not be protected, or a crash could lose changes that were acknowledged.
 * @param accepted Names of settings whose unsafe value the operator accepts.
 */
export function findUnsafeSetting(
  settings: SafetySettings,
  accepted: readonly string[],
  database = 'The database',
): NotReady | undefined {
  const idle = findIdleTriggers(settings, database);
  if (idle) return idle;
  const name = DURABILITY_SETTINGS.find((one) => settings[one] === 'off' && !accepted.includes(one));
  return (
    name &&
    new NotReady(
      `The database server has ${name} = off.`,
      `${database} has ${name} = off, so a crash of the server can lose changes that were acknowledged; turn it on, or accept that with PETSTORE_ACCEPT_UNSAFE=${name}.`,
    )
  );
}
