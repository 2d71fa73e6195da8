import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type pg from 'pg';
import type { ImportResult } from '../../../domain/admin-store.ts';
import type {
  ImportAuthor,
  ImportSource,
  ImportTables,
  ImportTransaction,
  PetClient,
} from '../../imports/import-engine.ts';
import { ImportedWords } from '../../imports/import-words.ts';
import { COPY_PLANNED, incomingColumns, writeIncoming } from '../../imports/pet-import.ts';
import { storedCodes, storedNames, storedSupplier } from '../../imports/plan-sql.ts';
import { movementArrays, RECORD_MOVEMENTS } from '../../ledger/movement-columns.ts';

/**
 * All rows of a cursor are read, so its plan must be the fastest to the last row. Words of about 300,000 pets are sorted
 * without temporary files.
 */
const SETTINGS = "SET LOCAL cursor_tuple_fraction = 1; SET LOCAL work_mem = '64MB'";

const ROWS_PER_STATEMENT = 10_000;

const COPY_ROWS = `INSERT INTO incoming
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[])`;

/** The planner has no statistics of a new table. */
const INDEX_INCOMING = 'CREATE UNIQUE INDEX ON incoming (pet_id); ANALYZE incoming';

/** After fewer changes autovacuum is early enough. Statistics of a million pets take about half a second. */
const MIN_CHANGES_TO_ANALYZE = 10_000;

/** Creates and updates all pets of a file within a transaction of the caller. */
export async function importPets(
  engine: PetClient & { readonly client: pg.Client },
  source: ImportSource,
  author: ImportAuthor,
  within?: ImportTransaction,
): Promise<ImportResult> {
  const { client } = engine;
  const tables = importTables(client);
  await client.query(SETTINGS);
  await tables.create('incoming', incomingColumns('bigint NOT NULL'));
  const rowCount =
    'importId' in source ? await engine.run(COPY_PLANNED, [source.importId]) : await copyRows(client, source);
  await client.query(INDEX_INCOMING);
  const words = new ImportedWords(engine, tables);
  await words.prepare();
  await client.query('ANALYZE removed_words');
  await engine.lockLedger();
  return writeIncoming(engine, tables, words, rowCount, author, within);
}

/**
 * Collects the planner's statistics after a large import. Until autovacuum does, a minute later or more, PostgreSQL
 * guesses how many rows a range has, and reads pets in twice the time.
 */
export async function collectStatistics(
  client: pg.Client,
  { created, changed }: ImportResult,
): Promise<void> {
  if (created + changed < MIN_CHANGES_TO_ANALYZE) return;
  // The import is committed, so it must not be reported as failed.
  await client.query('ANALYZE pets, pet_words, inventory, movements').catch(() => undefined);
}

function importTables(client: pg.Client): ImportTables {
  return {
    create: async (table, columns) => {
      await client.query(`CREATE TEMPORARY TABLE ${table} ${columns} ON COMMIT DROP`);
    },
    read: (sql, values, use) => readCursor(client, sql, values, use),
    addWords: async (table, words, petIds) => {
      if (words.length === 0) return;
      // In PostgreSQL's own syntax: words have letters and digits only, so nothing in it needs an escape.
      const values = [`{"${words.join('","')}"}`, `{${petIds.join()}}`];
      await client.query(`INSERT INTO ${table} SELECT * FROM unnest($1::text[], $2::bigint[])`, values);
    },
    recordMovements: async (movements) => {
      await client.query(RECORD_MOVEMENTS, movementArrays(movements));
    },
  };
}

/**
 * Reads the rows of a query in batches. `work` makes a statement of each. While the server executes one and reads the
 * next batch, this process makes the statement after it.
 */
async function readCursor<Row extends object>(
  client: pg.Client,
  sql: string,
  values: readonly unknown[],
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${sql}`, [...values]);
  const fetchNext = () => client.query<Row & pg.QueryResultRow>(`FETCH ${ROWS_PER_STATEMENT} FROM batches`);
  let fetching = fetchNext();
  let working: Promise<unknown> = Promise.resolve();
  for (;;) {
    const { rows } = await fetching;
    if (rows.length === 0) break;
    fetching = handledLater(fetchNext());
    const next = handledLater(work(rows));
    await working;
    working = next;
  }
  await working;
  await client.query('CLOSE batches');
}

/** Prevents an unhandled rejection until the promise is awaited. */
function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Returns the number of rows. */
async function copyRows(client: pg.Client, rows: Iterable<PetRow>): Promise<number> {
  let rowCount = 0;
  let waiting: PetRow[] = [];
  const send = async () => {
    await client.query(COPY_ROWS, columnsOf(waiting));
    rowCount += waiting.length;
    waiting = [];
  };
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length === ROWS_PER_STATEMENT) await send();
  }
  if (waiting.length > 0) await send();
  return rowCount;
}

function columnsOf(rows: readonly PetRow[]): unknown[][] {
  return [
    rows.map(({ petId }) => String(petId)),
    rows.map(({ name }) => name),
    rows.map(({ category }) => category),
    rows.map(({ quantity }) => quantity),
    rows.map(({ status }) => status),
    rows.map(({ thresholds }) => (thresholds ? 1 : 0)),
    rows.map(({ thresholds }) => thresholds?.lowStockAt ?? null),
    rows.map(({ thresholds }) => thresholds?.restockAt ?? null),
    rows.map(({ codes }) => storedCodes(codes)[0]),
    rows.map(({ codes }) => storedCodes(codes)[1]),
    rows.map(({ namedBy }) => storedNames(namedBy)),
    rows.map(({ supplier }) => storedSupplier(supplier)),
  ];
}
