import { randomInt } from 'node:crypto';
import pg from 'pg';
import { changedAddress, shownAddress } from '../../../domain/database-address.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { cleanedUp } from '../../cleaned-up.ts';
import { connectAdmin } from './client.ts';
import { SESSION_NAME } from './tools.ts';

/** Class of the advisory locks of checks that run. */
const CHECK_CLASS = 7_462_002;
const MAX_ID = 2 ** 31 - 1;
const NAME = 'petstore_check_';

/** Databases of checks that have ended: the lock of a check goes with its session. */
const ABANDONED = `SELECT datname AS name FROM pg_database WHERE datname ~ '^${NAME}\\d{1,10}$'
AND pg_has_role(datdba, 'USAGE') AND NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${CHECK_CLASS}
AND objsubid = 2 AND objid::bigint = substr(datname, ${NAME.length + 1})::bigint)`;

const END_SESSIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user';

const PERMISSION = `SELECT current_user::text AS "user", rolcreatedb OR rolsuper AS "mayCreate"
FROM pg_roles WHERE rolname = current_user`;

/**
 * Makes an empty temporary database next to another one, and removes it after the work, also after an error or a signal.
 * The next call removes what a killed one left.
 * @param url The address of the other database.
 * @throws OperatorError when the user may not make databases.
 */
export async function withScratchDatabase<T>(url: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const { client } = await connectAdmin(url);
  try {
    // The session must not look like one of an instance, which a restore refuses.
    await client.query(`SELECT set_config('application_name', '${SESSION_NAME}', false)`);
    await requirePermission(client, url);
    await removeAbandoned(client);
    const id = randomInt(1, MAX_ID);
    const name = `${NAME}${id}`;
    // Before the database is there, so that no other check takes it for an abandoned one.
    await client.query('SELECT pg_advisory_lock($1, $2)', [CHECK_CLASS, id]);
    const scratch = changedAddress(url, (address) => {
      address.pathname = `/${name}`;
    });
    return await cleanedUp(
      async () => {
        await client.query(await creation(client, name));
        return work(scratch);
      },
      () => dropDatabase(client, name),
    );
  } finally {
    await client.end();
  }
}

/** @throws OperatorError when the user of a database may not make others. */
export async function requireScratchPermission(url: string): Promise<void> {
  const { client } = await connectAdmin(url);
  try {
    await requirePermission(client, url);
  } finally {
    await client.end();
  }
}

async function requirePermission(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ user: string; mayCreate: boolean }>(PERMISSION);
  const [found] = rows;
  if (!found?.mayCreate) throw mayNotCreate(url, found?.user ?? '');
}

/** With the locale of the other database, in which its indexes are sorted. */
async function creation(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ collate: string; ctype: string }>(
    'SELECT datcollate AS "collate", datctype AS "ctype" FROM pg_database WHERE datname = current_database()',
  );
  const { collate = 'C', ctype = 'C' } = rows[0] ?? {};
  const [quotedCollate, quotedType] = [collate, ctype].map((locale) => pg.escapeLiteral(locale));
  return `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE ${quotedCollate} LC_CTYPE ${quotedType}`;
}

async function removeAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(ABANDONED);
  for (const { name } of rows) await dropDatabase(client, name);
}

/**
 * Ends the sessions of this user on a database, and removes it. FORCE would also try to end an autovacuum, which only a
 * superuser may end; without it the server ends it.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(END_SESSIONS, [name]);
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

function mayNotCreate(url: string, user: string): OperatorError {
  return new OperatorError(
    `${user} may not make databases on the server of ${shownAddress(url)}, and a backup is checked in a temporary one; run ALTER ROLE ${pg.escapeIdentifier(user)} CREATEDB there, or set PETSTORE_CHECK_DATABASE to a database of a server where its user may.`,
  );
}
