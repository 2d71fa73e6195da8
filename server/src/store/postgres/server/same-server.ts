import pg from 'pg';
import { NotReady } from '../../../domain/errors.ts';

/** What distinguishes a server from all others, also from those with a copy of its data. */
export interface ServerIdentity {
  /** Copied to each standby; empty where the user may not read it. */
  readonly system: string;
  /** Grows with each promotion of a standby; 0 where the user may not read it. */
  readonly timeline: number;
  /** When this server started, to the microsecond. */
  readonly startedAt: string;
}

export interface ServerFacts extends ServerIdentity {
  readonly isStandby: boolean;
}

const COLUMNS = `pg_is_in_recovery() AS "isStandby", pg_postmaster_start_time()::text AS "startedAt"`;

/** The control file has the timeline of the last checkpoint, which follows a promotion late; the log has that of now. */
const IDENTITY = {
  name: 'server',
  text: `SELECT ${COLUMNS}, (SELECT system_identifier::text FROM pg_control_system()) AS system,
CASE WHEN pg_is_in_recovery() THEN 0
ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END AS timeline`,
};

/** For a user who may not read the rest: two servers are distinguished, but not which of them is newer. */
const WITHOUT_RIGHTS = { name: 'server_start', text: `SELECT ${COLUMNS}, '' AS system, 0 AS timeline` };

/** SQLSTATE insufficient_privilege, undefined_function and feature_not_supported. */
const NOT_AVAILABLE = ['42501', '42883', '0A000'];

export async function readServer(client: pg.Client): Promise<ServerFacts> {
  try {
    return await readRow(client, IDENTITY);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && NOT_AVAILABLE.includes(error.code ?? ''))) throw error;
    return readRow(client, WITHOUT_RIGHTS);
  }
}

async function readRow(client: pg.Client, statement: pg.QueryConfig): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts & pg.QueryResultRow>(statement);
  return rows[0] as ServerFacts;
}

export function isSameServer(a: ServerIdentity, b: ServerIdentity): boolean {
  return a.system === b.system && a.timeline === b.timeline && a.startedAt === b.startedAt;
}

/** @throws NotReady for a server that takes no changes. */
export function refuseStandby({ isStandby }: ServerFacts): void {
  if (isStandby) throw new NotReady('The database can only be read: it may be a replica now.');
}

/** The primary of the latest timeline; the first of several. */
export function newestPrimary(servers: readonly ServerFacts[]): ServerFacts | undefined {
  const primaries = servers.filter(({ isStandby }) => !isStandby);
  return primaries.toSorted((a, b) => b.timeline - a.timeline)[0];
}

/**
 * Keeps all sessions of a process on one server. A session on a newer one, as after a failover, ends those on others:
 * an old primary may still run, and would be read while changes go to the new one.
 */
export class SameServer {
  #known: ServerIdentity | undefined;
  readonly #onOther: (server: ServerIdentity) => void;

  /** @param onOther Called with the server that all sessions use from now on. */
  constructor(onOther: (server: ServerIdentity) => void) {
    this.#onOther = onOther;
  }

  /** Called for each new session. @throws NotReady for a session that must not be used. */
  admit(server: ServerFacts): void {
    refuseStandby(server);
    const known = this.#known;
    if (known?.system === server.system && server.timeline < known.timeline) {
      throw new NotReady(
        'The database is a server that was replaced by a newer one.',
        `The database is a server of timeline ${server.timeline}, and this process has used one of timeline ${known.timeline}; stop the old primary, and let the address lead to the new one.`,
      );
    }
    this.#known = server;
    if (known && !isSameServer(known, server)) this.#onOther(server);
  }
}
