import type { TestContext } from 'node:test';
import { migrate } from '../../../src/store/admin/migrate.ts';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { DatabaseServer, type ServerAccess, startPostgres } from './postgres-server.ts';

/** Variable of the environment with the `SharedAccess`, as JSON, of the server that all test files of a run share. */
const VARIABLE = 'TEST_POSTGRES';

interface SharedAccess extends ServerAccess {
  readonly template: string;
}

/** A shared server; tests must not stop or configure it. */
export interface SharedPostgres {
  readonly server: DatabaseServer;
  /** Name of a database with the schema in it: to copy it takes a third of the time of a migration. */
  readonly template: string;
}

let ofProcess: Promise<SharedPostgres> | undefined;

/** The server of the run; where the run has none, one of this process, which ends with the process. */
export async function sharedPostgres(): Promise<SharedPostgres> {
  ofProcess ??= openShared();
  // The runner takes what awaits a promise as part of the file that made it, and would call its hooks with that file's.
  return await ofProcess;
}

async function openShared(): Promise<SharedPostgres> {
  const variable = process.env[VARIABLE];
  if (variable === undefined) return startShared({ after: () => {} });
  const { template, ...access } = JSON.parse(variable) as SharedAccess;
  return { server: new DatabaseServer(access), template };
}

/** Starts a server for processes with `accessVariables` in their environment. */
export async function startShared(whole: Pick<TestContext, 'after'>): Promise<SharedPostgres> {
  const server = await startPostgres(whole);
  const url = await server.createDatabase();
  const engine = await PostgresAdminEngine.connect(url);
  await engine.transaction(() => migrate(engine));
  await engine.close();
  const template = new URL(url).pathname.slice(1);
  // The first session after a migration writes the server's cache of the catalog, which copies have then.
  await server.query('SELECT', template);
  return { server, template };
}

/** Starts a server for all processes that this one starts from now on. */
export async function shareWithChildren(whole: Pick<TestContext, 'after'>): Promise<void> {
  Object.assign(process.env, accessVariables(await startShared(whole)));
}

/** Environment variables with which a process uses this server. */
export function accessVariables({ server, template }: SharedPostgres): Readonly<Record<string, string>> {
  const access: SharedAccess = { port: server.port, password: server.password, template };
  return { [VARIABLE]: JSON.stringify(access) };
}
