import { randomUUID } from 'node:crypto';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../domain/errors.ts';
import { readIdentity, writeMove } from './admin/identity.ts';
import { prepareWithin, undone } from './admin/migrate.ts';
import { verifyDatabase } from './admin/verify.ts';
import { prepareStore } from './open-admin.ts';
import { openAdminEngine } from './open-engine.ts';
import { sharesServer, shownAddress } from '../domain/database-address.ts';
import { PostgresAdminEngine } from './postgres/admin/engine.ts';
import { MoveTarget } from './postgres/admin/move-target.ts';
import type { FoundDatabase, MoveMark, SettleIdentity } from './schema/database-metadata.ts';
import type { MovedRow, MovedTable } from './schema/tables.ts';
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
 * both sides before the commit. Immediately before that commit the source is marked as one that the shop left, so that
 * at no time both can be served. After any error or interruption the target has everything or nothing, and the move
 * can be run again: it completes or repeats it.
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
        await new MoveTarget(engine, source.tables).occupy();
        return source.counts();
      });
    } finally {
      await engine.close();
    }
  });
}

/** Runs a command with the source, after it is verified. */
async function withSource<T>(
  { from, to, checkIdentity, progress }: MoveOptions,
  command: (source: MoveSource) => Promise<T>,
): Promise<T> {
  const source = await MoveSource.open(databaseFile(from));
  try {
    checkIdentity(source.identity);
    const { movedTo } = source.identity.move ?? {};
    if (movedTo !== undefined && !sharesServer(movedTo, to)) {
      throw new OperatorError(`${from} moved to ${movedTo} already. Nothing was moved.`);
    }
    refuseUnfinished(source);
    await verifySource(from, progress);
    return await command(source);
  } finally {
    source.close();
  }
}

/** Refuses to move a shop while an import or a bulk change is applied: the client has its 202, and the target would have no trace of it. */
function refuseUnfinished(source: MoveSource): void {
  const { id, kind } = source.findUnfinished() ?? {};
  if (id === undefined) return;
  const orCancel = kind === 'import' ? `, or cancel it with petstore-server pets imports cancel ${id}` : '';
  throw new OperatorError(
    `The ${kind} ${id} is being applied, and does not move. Start the service until it is finished${orCancel}. Nothing was moved.`,
  );
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
  const moveId = source.identity.move?.moveId ?? randomUUID();
  let isMarked = source.identity.move?.movedTo !== undefined;
  try {
    return await engine.transaction(async () => {
      const target = new MoveTarget(engine, source.tables);
      const arrived = isMarked ? (await readIdentity(engine))?.move : undefined;
      if (arrived?.moveId === moveId) {
        refuseHalfTakenBack(database, arrived);
        // An earlier run was interrupted after its commit.
        return source.counts();
      }
      await target.occupy();
      const counts: Record<string, number> = {};
      const copied = counter(progress, 'Copying rows', total);
      for (const table of source.tables) {
        counts[table.name] = await target.fill(table, copied(source.rows(table)));
      }
      await target.settle();
      const compared = counter(progress, 'Comparing rows', total);
      for (const table of source.tables) {
        const row = await findDifference(table, compared(source.rows(table)), target.rows(table));
        if (row === undefined) continue;
        throw new OperatorError(
          `Row ${row} of ${table.name} did not arrive as it is in the source. Nothing was moved.`,
        );
      }
      refuseFaults(database, (await target.verify(progress)).faults);
      await writeMove(engine, { moveId });
      await source.mark({ moveId, movedTo: shownAddress(url) });
      isMarked = true;
      return counts;
    });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const state = isMarked
      ? 'The source is marked as moved, and is not served. Run the same command again, which completes or repeats the move, or run it with --undo.'
      : 'Nothing was moved, and the source is unchanged.';
    throw new OperatorError(`The move to ${database} failed (${(error as Error).message}). ${state}`, {
      cause: error,
    });
  } finally {
    await engine.close();
  }
}

/** An interrupted call of `undoMove` leaves both sides marked as left: neither could be served after a move that changes nothing. */
function refuseHalfTakenBack(database: string, { movedTo }: MoveMark): void {
  if (movedTo === undefined) return;
  throw new OperatorError(
    `The move to ${database} was being taken back, which was interrupted, and neither side is served. Run the same command with --undo, which completes that. Nothing was moved.`,
  );
}

/** The key of the first row that differs. */
async function findDifference(
  table: MovedTable,
  source: Generator<MovedRow>,
  target: AsyncGenerator<MovedRow>,
): Promise<string | undefined> {
  for (;;) {
    const [here, there] = [source.next(), await target.next()];
    if (here.done && there.done) return undefined;
    const [row, moved] = [here.value as MovedRow | undefined, there.value as MovedRow | undefined];
    if (row && moved && row.every((value, i) => value === moved[i])) continue;
    const names = Object.keys(table.columns);
    return table.key.map((column) => (row ?? moved)?.[names.indexOf(column)]).join(' ');
  }
}

function refuseFaults(database: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new OperatorError(
    `${database} does not match its ledger (${faults[0]}); run petstore-server verify for all faults. Nothing was moved.`,
  );
}

/** What differs although the shop is unchanged: columns that reads and deliveries write, and tables that are not compared at all. */
const VOLATILE: Readonly<Record<string, readonly string[] | 'all'>> = {
  metadata: 'all',
  sessions: 'all',
  sign_in_codes: 'all',
  bans: 'all',
  usage: 'all',
  usage_history: 'all',
  quota_notices: 'all',
  idempotency_records: 'all',
  webhook_attempts: 'all',
  api_keys: ['last_used_at'],
  webhook_endpoints: [
    'cursor_sequence',
    'cursor_number',
    'failing_since',
    'failures',
    'retry_at',
    'attempts',
  ],
};

/** The tables in which every action of a person or a program leaves a trace. */
function comparedTables(tables: readonly MovedTable[]): readonly MovedTable[] {
  return tables
    .filter(({ name }) => VOLATILE[name] !== 'all')
    .map((table) => ({
      ...table,
      columns: Object.fromEntries(
        Object.entries(table.columns).filter(([column]) => !VOLATILE[table.name]?.includes(column)),
      ),
    }));
}

/**
 * Takes a move back: the source has its shop again, and the target is marked as left. The target is marked first, so
 * that at no time both can be served; an interrupted call can be repeated. Request counts, sessions and bans of the
 * target are lost.
 * @throws OperatorError when the target has changes that the source lacks.
 */
export async function undoMove({ from, to, acceptedUnsafe, progress }: UndoOptions): Promise<void> {
  const source = await MoveSource.open(databaseFile(from));
  try {
    const { move } = source.identity;
    if (move?.movedTo === undefined) throw new OperatorError(`${from} did not move. Nothing was changed.`);
    if (!sharesServer(move.movedTo, to)) {
      throw new OperatorError(
        `${from} moved to ${move.movedTo}, not to ${shownAddress(to)}. Nothing was changed.`,
      );
    }
    const engine = await connectToLeave(to, acceptedUnsafe);
    try {
      await engine.transaction(() => leaveTarget(engine, { source, moveId: move.moveId, from, progress }));
    } finally {
      await engine.close();
    }
    await source.mark(undefined);
  } finally {
    source.close();
  }
}

export type UndoOptions = Omit<MoveOptions, 'checkIdentity'>;

/** @throws OperatorError when the target cannot be used, which says how to take the move back all the same. */
async function connectToLeave(to: string, acceptedUnsafe: readonly string[]): Promise<PostgresAdminEngine> {
  try {
    return await PostgresAdminEngine.connectToPrepare(to, acceptedUnsafe);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(
      `${error.message} Nothing was changed: the target must be marked as left first. Repeat this when it can be used. If its data is lost for good, make an empty database at the same address and repeat this; the source then has its shop again as it was when it moved.`,
      { cause: error },
    );
  }
}

interface LeftMove {
  readonly source: MoveSource;
  readonly moveId: string;
  /** The address of the source, which messages name. */
  readonly from: string;
  readonly progress: ReportProgress | undefined;
}

/** Within a transaction of the target, marks it as left, unless nothing of the move arrived, or it is marked already. */
async function leaveTarget(
  engine: PostgresAdminEngine,
  { source, moveId, from, progress }: LeftMove,
): Promise<void> {
  await engine.lockSchema();
  const inUse = () =>
    new OperatorError(
      `${engine.name} is in use by a petstore-server; stop every instance and command of it.`,
    );
  // First without a lock, for which the requests of a running service would wait.
  await engine.whileUnserved(() => engine.lockLedger(), inUse);
  const hasSchema = (await engine.tableNames()).includes('metadata');
  if (hasSchema) {
    // Whatever read the identity before this lock is connected still or has ended, and what connects later finds the mark.
    await engine.lockIdentity();
    await engine.whileUnserved(async () => {}, inUse);
  }
  const found = hasSchema ? (await readIdentity(engine))?.move : undefined;
  if (found?.moveId !== moveId || found.movedTo !== undefined) return;
  const target = new MoveTarget(engine, source.tables);
  const total = Object.values(source.counts()).reduce((sum, rows) => sum + rows, 0);
  const compared = counter(progress, 'Comparing rows', total);
  for (const table of comparedTables(source.tables)) {
    const row = await findDifference(table, compared(source.rows(table)), target.rows(table));
    if (row === undefined) continue;
    throw new OperatorError(
      `${engine.name} has changes since the move, such as row ${row} of ${table.name}, which ${from} lacks. Go on with ${engine.name}. Nothing was changed.`,
    );
  }
  await writeMove(engine, { moveId, movedTo: from });
}
