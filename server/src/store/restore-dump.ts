import pg from 'pg';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../domain/errors.ts';
import { readIdentity } from './admin/identity.ts';
import { prepareStore } from './open-admin.ts';
import { dumpedSchema, servedSchema } from './postgres/admin/dump.ts';
import { PostgresAdminEngine } from './postgres/admin/engine.ts';
import { LOCK } from './postgres/statements.ts';
import { foreignSchema } from './schema/migrations.ts';
import { type HashOf, requireSound, type VerifiedBackup } from './verified-backup.ts';
import { collectStatistics, type DumpPlace, fillDatabase, requireDump, verifyDump } from './verified-dump.ts';

export interface RestoredDump extends VerifiedBackup {
  /** The schema in which the tables that were in the place are now. */
  readonly kept: string | undefined;
  /** The newest movement of these tables; `undefined` if there were none. */
  readonly replacedHead: number | undefined;
}

interface RestoreOptions {
  readonly url: string;
  readonly place: DumpPlace;
  readonly acceptedUnsafe: readonly string[];
  /** Whether tables in the place are kept in another schema; otherwise they are refused. */
  readonly isReplaced: boolean;
  /** Refuses a place by the address to which its shop moved, if it did. */
  readonly checkReplaced: (movedTo: string | undefined) => void;
  /** Refuses a backup after its verification, before anything is in the place. */
  readonly check: (backup: VerifiedBackup, hashOf: HashOf) => void | Promise<void>;
  /** The schema for tables that were in the place. */
  readonly keptSchema: string;
  readonly progress: ReportProgress;
}

/** A table that another session reads for longer is in use. */
const LOCK_TIMEOUT = '5s';
const LOCK_TIMED_OUT = /lock timeout/;

/**
 * Puts a verified backup in the place of a database, in one transaction. No service can start while it runs.
 * @throws OperatorError when the place is served or in use, has tables that must stay, or for a wrong backup.
 */
export async function restoreDump(backup: string, options: RestoreOptions): Promise<RestoredDump> {
  const { url, acceptedUnsafe } = options;
  requireDump(backup);
  const engine = await PostgresAdminEngine.connectToPrepare(url, acceptedUnsafe);
  let committed: RestoredDump | undefined;
  const noteCommit = (restored: RestoredDump) => {
    committed = restored;
  };
  try {
    const restored = await lockedRestore(backup, engine, { ...options, noteCommit });
    await collectStatistics(url);
    // Brings the tables of an older release up to this one.
    await prepareStore(url, acceptedUnsafe, (found) => found ?? restored.identity);
    return restored;
  } catch (error) {
    throw committed ? restoredBut(backup, engine.name, committed, error) : error;
  }
}

interface LockedOptions extends RestoreOptions {
  /** Called after the commit. The removal of the temporary database of the verification follows, and may fail. */
  readonly noteCommit: (restored: RestoredDump) => void;
}

/** The error after a restore that is committed. An operator who runs it again would set the restored tables aside, as if they were the shop. */
function restoredBut(
  backup: string,
  name: string,
  { kept }: Pick<RestoredDump, 'kept'>,
  error: unknown,
): OperatorError {
  const { message } = error as Error;
  const was = kept === undefined ? '' : ` The tables that were there are in the schema ${kept}.`;
  return new OperatorError(
    `${name} is restored from ${backup}, but then this failed: ${message.replace(/[.!]?$/, '.')}${was} Run petstore-server migrate, and do not restore again.`,
    { cause: error },
  );
}

async function lockedRestore(
  backup: string,
  engine: PostgresAdminEngine,
  options: LockedOptions,
): Promise<RestoredDump> {
  try {
    // A service that starts waits for it, and then finds what was restored.
    await engine.client.query(LOCK.schemaOfSession);
    return await restoreInto(engine, backup, options);
  } finally {
    await engine.close();
  }
}

async function restoreInto(
  engine: PostgresAdminEngine,
  backup: string,
  { url, place, isReplaced, checkReplaced, check, keptSchema, progress, noteCommit }: LockedOptions,
): Promise<RestoredDump> {
  const refuseServed = () =>
    engine.whileUnserved(
      async () => {},
      () =>
        new OperatorError(
          `${engine.name} is in use by a petstore-server; stop every instance and command of it. Nothing was changed.`,
        ),
    );
  await refuseServed();
  const tables = await engine.tableNames();
  if (tables.length > 0 && !tables.includes('movements')) throw foreignSchema(engine.name);
  if (tables.length > 0 && !isReplaced) {
    throw new OperatorError(
      `${engine.name} has tables already. Add --replace, which keeps them in another schema. Nothing was changed.`,
    );
  }
  if (tables.includes('metadata')) checkReplaced((await readIdentity(engine))?.move?.movedTo);
  const schema = await dumpedSchema(backup, place.tools);
  const served = await servedSchema(engine.client);
  if (served.schema !== schema) {
    throw new OperatorError(
      `The tables of ${backup} are in the schema ${schema}, and ${engine.name} has the schema ${served.schema}; set search_path with ALTER DATABASE or ALTER ROLE. Nothing was changed.`,
    );
  }
  return verifyDump(backup, place, progress, async (verified, hashOf) => {
    requireSound(backup, verified);
    await check(verified, hashOf);
    const isKept = tables.length > 0;
    const replacedHead = isKept ? await headOf(engine) : undefined;
    progress('Restoring movements', 0, verified.report.movements);
    await fillDatabase({
      file: backup,
      url,
      tools: place.tools,
      schema,
      before: isKept ? moveOut(schema, keptSchema) : '',
      // Whatever read the old tables is connected still, and what connects later waits for them.
      beforeCommit: refuseServed,
    }).catch((error: unknown) => {
      throw inUse(engine.name, error);
    });
    const restored = { ...verified, kept: isKept ? keptSchema : undefined, replacedHead };
    noteCommit(restored);
    return restored;
  });
}

async function headOf(engine: PostgresAdminEngine): Promise<number> {
  const [row] = await engine.all<{ head: number | null }>('SELECT max(sequence) AS head FROM movements');
  return row?.head ?? 0;
}

/** Statements that move tables, with their indexes and sequences, and functions, which find their tables by a path. */
function moveOut(schema: string, kept: string): string {
  const [from, to] = [schema, kept].map((name) => pg.escapeLiteral(name));
  return `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}';
CREATE SCHEMA ${pg.escapeIdentifier(kept)};
DO $move$ DECLARE moved record; BEGIN
  FOR moved IN SELECT relname FROM pg_class WHERE relnamespace = format('%I', ${from})::regnamespace AND relkind IN ('r', 'p') LOOP
    EXECUTE format('ALTER TABLE %I.%I SET SCHEMA %I', ${from}, moved.relname, ${to});
  END LOOP;
  FOR moved IN SELECT oid FROM pg_proc WHERE pronamespace = format('%I', ${from})::regnamespace AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e') LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I', moved.oid::regprocedure, ${to});
    EXECUTE format('ALTER FUNCTION %s SET SCHEMA %I', moved.oid::regprocedure, ${to});
  END LOOP;
END $move$;
SET LOCAL lock_timeout = 0;
`;
}

function inUse(database: string, error: unknown): unknown {
  if (!(error instanceof OperatorError) || !LOCK_TIMED_OUT.test(error.message)) return error;
  return new OperatorError(`${database} is in use by another session; end it first. Nothing was changed.`, {
    cause: error,
  });
}
