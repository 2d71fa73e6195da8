import { OperatorError } from '../domain/errors.ts';
import { openAdmin, prepareStore } from './open-admin.ts';
import { shownAddress } from './postgres/address.ts';
import { PostgresAdminEngine } from './postgres/admin/engine.ts';
import { MoveTarget } from './postgres/admin/move-target.ts';
import type { DatabaseIdentity } from './schema/database-metadata.ts';
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
  readonly checkIdentity: (identity: DatabaseIdentity) => void;
}

/** How many rows of each table have moved. */
export type MovedCounts = Readonly<Record<string, number>>;

/**
 * Moves a shop: everything in its database, in one transaction of the target, compared row by row and verified on
 * both sides before the commit. After any error or interruption the source is unchanged, the target is empty, and the
 * move can be run again.
 */
export async function moveDatabase(options: MoveOptions): Promise<MovedCounts> {
  const file = databaseFile(options.from);
  const source = await MoveSource.open(file);
  try {
    options.checkIdentity(source.identity);
    await verifySource(options.from);
    const database = shownAddress(options.to);
    await prepareStore(options.to, options.acceptedUnsafe, (found) => {
      if (found && found.environment !== source.identity.environment) {
        throw new OperatorError(
          `${database} was made for ${found.environment}, and ${options.from} is of ${source.identity.environment}; make another database. Nothing was moved.`,
        );
      }
      return found ?? source.identity;
    });
    return await fillTarget(source, options.to);
  } finally {
    source.close();
  }
}

async function verifySource(url: string): Promise<void> {
  const store = await openAdmin(url);
  try {
    refuseFaults(databaseFile(url), (await store.verify()).faults);
  } finally {
    await store.close();
  }
}

async function fillTarget(source: MoveSource, url: string): Promise<MovedCounts> {
  const engine = await PostgresAdminEngine.connect(url);
  const { name: database } = engine;
  try {
    return await engine.transaction(async () => {
      const target = new MoveTarget(engine);
      await target.occupy();
      const counts: Record<string, number> = {};
      for (const table of MOVED_TABLES) counts[table.name] = await target.fill(table, source.rows(table));
      await target.settle();
      for (const table of MOVED_TABLES) {
        await requireSame(table, source.rows(table), target.rows(table));
      }
      refuseFaults(database, (await target.verify()).faults);
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
