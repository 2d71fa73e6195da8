import { OperatorError } from '../domain/errors.ts';
import type { ReportProgress } from '../domain/report-progress.ts';
import { prepareWithin, undone } from './admin/migrate.ts';
import { verifyDatabase } from './admin/verify.ts';
import { prepareStore } from './open-admin.ts';
import { openAdminEngine } from './open-engine.ts';
import { shownAddress } from './postgres/address.ts';
import { PostgresAdminEngine } from './postgres/admin/engine.ts';
import { MoveTarget } from './postgres/admin/move-target.ts';
import type { FoundDatabase, SettleIdentity } from './schema/database-metadata.ts';
import { MOVED_TABLES, type MovedRow, type MovedTable } from './schema/tables.ts';
import { MoveSource } from './sqlite/admin/move-source.ts';
import { databaseFile } from './sqlite/open.ts';

export interface MoveOptions {
  /** The address of the SQLite database to move. */
  readonly from: string;
  /** The address of an empty PostgreSQL database. */
  readonly to: string;
  readonly acceptedUnsafe: readonly string[];
  /** Called with the source's identity before anything is written; it may throw. */
  readonly checkIdentity: (identity: FoundDatabase) => void;
  readonly progress?: ReportProgress;
}

const ROWS_PER_REPORT = 500;

/** How many rows of each table have moved. */
export type MovedCounts = Readonly<Record<string, number>>;

/**
 * Moves a shop: everything in its database, in one transaction of the target, compared row by row and verified on
 * both sides before the commit. After any error or interruption the source is unchanged, the target is empty, and the
 * move can be run again.
 */
export function moveDatabase(options: MoveOptions): Promise<MovedCounts> {
  return withSource(options, async (source) => {
    await prepareStore(options.to, options.acceptedUnsafe, settleTarget(source, options));
    return fillTarget(source, options);
  });
}

/** The rows that `moveDatabase` would move. It verifies the source, and prepares the target and undoes that. */
export function previewMove(options: MoveOptions): Promise<MovedCounts> {
  return withSource(options, async (source) => {
    const engine = await PostgresAdminEngine.connectToPrepare(options.to, options.acceptedUnsafe);
    try {
      return await undone(engine, async () => {
        await prepareWithin(engine, settleTarget(source, options));
        await new MoveTarget(engine).occupy();
        return source.counts();
      });
    } finally {
      await engine.close();
    }
  });
}

/** Runs a command with the source, after it is verified. */
async function withSource<T>(
  { from, checkIdentity, progress }: MoveOptions,
  command: (source: MoveSource) => Promise<T>,
): Promise<T> {
  const source = await MoveSource.open(databaseFile(from));
  try {
    checkIdentity(source.identity);
    await verifySource(from, progress);
    return await command(source);
  } finally {
    source.close();
  }
}

/** The identity of the target: that of the source, except for its pepper, which moves later. */
function settleTarget({ identity }: MoveSource, { from, to }: MoveOptions): SettleIdentity {
  return (found) => {
    if (found && found.environment !== identity.environment) {
      throw new OperatorError(
        `${shownAddress(to)} was made for ${found.environment}, and ${from} is of ${identity.environment}; make another database. Nothing was moved.`,
      );
    }
    return found ?? identity;
  };
}

async function verifySource(url: string, progress: ReportProgress | undefined): Promise<void> {
  const engine = await openAdminEngine(url);
  try {
    const verified = await engine.snapshot(() => verifyDatabase(engine, [], inFile(progress)));
    refuseFaults(databaseFile(url), verified.faults);
  } finally {
    await engine.close();
  }
}

/** Names the side on which a step works. */
function inFile(progress: ReportProgress | undefined): ReportProgress {
  return (step, done, total) => progress?.(`${step} of the file`, done, total);
}

/** Reports each row of a sequence of tables. */
function counter(progress: ReportProgress | undefined, step: string, total: number) {
  let done = 0;
  return function* counted<T>(rows: Iterable<T>): Generator<T> {
    for (const row of rows) {
      yield row;
      done += 1;
      if (done % ROWS_PER_REPORT === 0) progress?.(step, done, total);
    }
  };
}

async function fillTarget(source: MoveSource, { to: url, progress }: MoveOptions): Promise<MovedCounts> {
  const total = Object.values(source.counts()).reduce((sum, rows) => sum + rows, 0);
  const engine = await PostgresAdminEngine.connect(url);
  const { name: database } = engine;
  try {
    return await engine.transaction(async () => {
      const target = new MoveTarget(engine);
      await target.occupy();
      const counts: Record<string, number> = {};
      const copied = counter(progress, 'Copying rows', total);
      for (const table of MOVED_TABLES) {
        counts[table.name] = await target.fill(table, copied(source.rows(table)));
      }
      await target.settle();
      const compared = counter(progress, 'Comparing rows', total);
      for (const table of MOVED_TABLES) {
        await requireSame(table, compared(source.rows(table)), target.rows(table));
      }
      refuseFaults(database, (await target.verify(progress)).faults);
      return counts;
    });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The move to ${database} failed (${(error as Error).message}). The target has all rows or none; run petstore-server verify on it for the number of pets. The source is unchanged.`,
      { cause: error },
    );
  } finally {
    await engine.close();
  }
}

/** @throws OperatorError with the first row that differs. */
async function requireSame(
  table: MovedTable,
  source: Generator<MovedRow>,
  target: AsyncGenerator<MovedRow>,
): Promise<void> {
  for (;;) {
    const [here, there] = [source.next(), await target.next()];
    if (here.done && there.done) return;
    const [row, moved] = [here.value as MovedRow | undefined, there.value as MovedRow | undefined];
    if (row && moved && row.every((value, i) => value === moved[i])) continue;
    const names = Object.keys(table.columns);
    const name = table.key.map((column) => (row ?? moved)?.[names.indexOf(column)]).join(' ');
    throw new OperatorError(
      `Row ${name} of ${table.name} did not arrive as it is in the source. Nothing was moved.`,
    );
  }
}

function refuseFaults(database: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new OperatorError(
    `${database} does not match its ledger (${faults[0]}); run petstore-server verify for all faults. Nothing was moved.`,
  );
}
