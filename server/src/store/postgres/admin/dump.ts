import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { OperatorError } from '../../../domain/errors.ts';
import { cleanedUp } from '../../cleaned-up.ts';
import { removePartial, writeComplete } from '../../complete-file.ts';
import { findTool, refuseOlderTool, runTool, toolAddress } from './tools.ts';

const MAGIC = 'PGDMP';
/** A line of the list of contents: number, two ids, kind, schema, name, owner. Names can have spaces. */
const LOG_TABLE = /^\d+; \d+ \d+ TABLE DATA (.+?) schema_migrations .+$/m;
const NEWER_FORMAT = /unsupported version/;
/** A row of the table metadata, in the form of COPY. */
const METADATA = /^(environment|created_at)\t(.*)$/gm;

const SERVER = `SELECT current_setting('server_version_num')::integer / 10000 AS major, current_schema() AS schema`;

/** The server and the schema of a session. */
export interface ServedSchema {
  readonly major: number;
  readonly schema: string;
}

export async function servedSchema(client: pg.Client): Promise<ServedSchema> {
  const { rows } = await client.query<{ major: number; schema: string | null }>(SERVER);
  const { major = 0, schema = null } = rows[0] ?? {};
  return { major, schema: schema ?? 'public' };
}

/**
 * Writes the tables of the shop at one moment to a new file, in the custom format of pg_dump, while others write. What
 * else the database has, such as extensions, is not in it.
 * @param folder Where pg_dump is; empty: on PATH.
 * @throws OperatorError when pg_dump is missing, older than the server, or fails, or the file cannot be written.
 */
export async function writeDump(client: pg.Client, url: string, file: string, folder: string): Promise<void> {
  const tool = await findTool('pg_dump', folder);
  const { major, schema } = await servedSchema(client);
  refuseOlderTool(tool, major);
  const { address, environment } = toolAddress(url);
  let stop = () => {};
  await cleanedUp(
    () =>
      writeComplete(file, async (partial) => {
        const words = [
          '--format=custom',
          '--no-password',
          // The database or the environment may have another one, which lacks characters.
          '--encoding=UTF8',
          `--schema=${pg.escapeIdentifier(schema)}`,
          `--file=${partial}`,
          address,
        ];
        await runTool(tool, words, {
          environment,
          onStart: (child) => {
            stop = () => child.kill();
          },
        });
      }),
    () => {
      stop();
      removePartial(file);
    },
  );
}

/** Whether a file begins as one of pg_dump's custom format does. */
export function isDump(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(MAGIC.length);
    readSync(descriptor, head, 0, MAGIC.length, 0);
    return head.toString('latin1') === MAGIC;
  } finally {
    closeSync(descriptor);
  }
}

/** The schema of the tables in a backup. @throws OperatorError for a file that is not a backup of this service. */
export async function dumpedSchema(file: string, folder: string): Promise<string> {
  const tool = await findTool('pg_restore', folder);
  const contents = await runTool(tool, ['--list', resolve(file)]).catch((error: unknown) => {
    const { message } = error as Error;
    throw new OperatorError(
      NEWER_FORMAT.test(message)
        ? `A newer pg_dump than ${tool.path} (${tool.version}) made ${file}; install newer client programs of PostgreSQL, or set PETSTORE_POSTGRES_TOOLS to their folder.`
        : `${file} cannot be restored (${message}); use an older backup.`,
      { cause: error },
    );
  });
  const [, schema] = LOG_TABLE.exec(contents) ?? [];
  if (schema !== undefined) return schema;
  throw new OperatorError(
    `${file} is not a backup of petstore-server; name a file that petstore-server backup made.`,
  );
}

/** What distinguishes the shop of a backup from other shops; `undefined` for a file that is not a backup. */
export async function shopOfDump(file: string, folder: string): Promise<string | undefined> {
  try {
    const tool = await findTool('pg_restore', folder);
    const rows = await runTool(tool, ['--data-only', '--table=metadata', '--file=-', resolve(file)]);
    const found = Object.fromEntries(
      [...rows.matchAll(METADATA)].map(([, name = '', value = '']) => [name, value]),
    );
    const { environment, created_at: made } = found;
    return made === undefined || environment === undefined ? undefined : `${environment} ${made}`;
  } catch {
    return undefined;
  }
}
