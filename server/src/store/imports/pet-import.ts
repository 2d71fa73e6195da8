import type { ImportResult } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Movement } from '../../domain/ledger/ledger.ts';
import { wrongSums } from '../../domain/management/import-sums.ts';
import { codesOf, describeCode, keyText, type PetCodes } from '../../domain/management/pet-codes.ts';
import { type PetTexts, wordChanges } from '../../domain/management/pet-words.ts';
import { ImportedMovements, type ImportedStock } from '../ledger/import-movements.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { readShopThresholds } from '../ledger/shop-thresholds.ts';
import { type CodeChange, findCodeOwners, replaceCodes } from '../pets/pet-codes.ts';
import { REPLACE_SUPPLIER } from '../pets/suppliers.ts';
import type { LockingClient, Parameter } from '../sql-client.ts';
import type { ImportAuthor, ImportTransaction } from './import-engine.ts';
import { hasOtherCodes, hasOtherSupplier, movedCodes, supplierOf } from './plan-sql.ts';

/**
 * An import of pets, in SQL of both engines. Its rows are first copied to a temporary table, and their texts split into
 * words, without a lock. The ledger's lock is then held while the movements are made, and for a few whole-table statements.
 */

/** The columns of `incoming`. @param petId The type of a petId. */
export const incomingColumns = (petId: string): string => `(
  pet_id ${petId},
  name text,
  category text,
  quantity bigint NOT NULL,
  status text,
  has_thresholds bigint NOT NULL,
  low_stock_at bigint,
  restock_at bigint,
  sku text,
  barcodes text,
  named_by text,
  supplier text
)`;

/** Copies the rows of the planned import `$1`. */
export const COPY_PLANNED = `INSERT INTO incoming
SELECT pet_id, name, category, quantity, status, has_thresholds, low_stock_at, restock_at, sku, barcodes, named_by, supplier FROM import_rows
WHERE import_id = $1 ORDER BY pet_id`;

/** The thresholds after the import. @param stock What the pet has. */
const threshold = (column: string, stock: string): string =>
  `CASE WHEN has_thresholds = 1 THEN incoming.${column} ELSE ${stock}.${column} END`;
const NAME = 'coalesce(incoming.name, pets.name)';
/** An empty category, which no file has, removes it. */
const CATEGORY = "nullif(coalesce(incoming.category, pets.category), '')";
const HAS_OTHER_TEXTS = `(pets.name IS DISTINCT FROM ${NAME} OR pets.category IS DISTINCT FROM ${CATEGORY})`;

/** The pets that the file changes, with their new and their present stock. */
const CHANGED_STOCK = `SELECT CAST(pet_id AS text) AS "petId", incoming.quantity,
coalesce(incoming.status, stock.status, 'available') AS status,
stock.quantity AS "quantityBefore", stock.status AS "statusBefore", coalesce(stock.version, deleted_pets.version) AS version,
coalesce(stock.last_sequence, deleted_pets.last_sequence) AS "lastSequence",
reserved, alert_level AS "alertBefore",
${threshold('low_stock_at', 'stock')} AS "lowStockAt", ${threshold('restock_at', 'stock')} AS "restockAt"
FROM incoming LEFT JOIN inventory AS stock USING (pet_id) LEFT JOIN pets USING (pet_id)
LEFT JOIN deleted_pets USING (pet_id) LEFT JOIN reorders USING (pet_id)
WHERE stock.quantity IS DISTINCT FROM incoming.quantity OR stock.status IS DISTINCT FROM coalesce(incoming.status, stock.status)
OR ${HAS_OTHER_TEXTS} OR ${hasOtherCodes('incoming')} OR ${hasOtherSupplier('incoming')}
OR stock.low_stock_at IS DISTINCT FROM ${threshold('low_stock_at', 'stock')}
OR stock.restock_at IS DISTINCT FROM ${threshold('restock_at', 'stock')} ORDER BY pet_id`;

const CHANGED_CODES = `SELECT CAST(incoming.pet_id AS text) AS "petId", pets.sku AS "skuBefore", pets.barcodes AS "barcodesBefore",
incoming.sku, incoming.barcodes FROM incoming JOIN pets ON pets.pet_id = incoming.pet_id
WHERE ${hasOtherCodes('incoming')} ORDER BY incoming.pet_id`;

const UPDATE_PETS = `UPDATE pets SET name = ${NAME}, category = ${CATEGORY}
FROM incoming WHERE incoming.pet_id = pets.pet_id AND ${HAS_OTHER_TEXTS}`;

const ADD_PETS = `INSERT INTO pets (pet_id, name, category) SELECT pet_id, name, category FROM incoming
WHERE NOT EXISTS (SELECT 1 FROM pets WHERE pets.pet_id = incoming.pet_id) ORDER BY pet_id`;

/** Copies the stock from the new movements, so the two cannot differ. */
const ADD_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level,
low_stock_at, restock_at, created_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at, reserved_after, alert_after,
incoming.low_stock_at, incoming.restock_at, recorded_at
FROM movements JOIN incoming USING (pet_id) WHERE sequence > $1 AND status_before IS NULL ORDER BY pet_id`;

const SET_STOCK = `UPDATE inventory SET quantity = quantity_after, status = status_after, version = movements.version,
last_sequence = sequence, updated_at = recorded_at, alert_level = alert_after,
low_stock_at = ${threshold('low_stock_at', 'inventory')}, restock_at = ${threshold('restock_at', 'inventory')}
FROM movements JOIN incoming USING (pet_id)
WHERE movements.pet_id = inventory.pet_id AND sequence > $1 AND status_before IS NOT NULL`;

/** The suppliers that the file changes, at the time `$1`. */
const SET_SUPPLIERS = `INSERT INTO reorders (pet_id, supplier, ordered_at)
SELECT incoming.pet_id, ${supplierOf('incoming')}, CAST($1 AS bigint) FROM incoming LEFT JOIN reorders ON reorders.pet_id = incoming.pet_id
WHERE ${hasOtherSupplier('incoming')} ${REPLACE_SUPPLIER}`;

const FORGET_DELETED = `DELETE FROM deleted_pets WHERE pet_id IN (SELECT pet_id FROM incoming)`;

/** Hidden stock is lost stock. */
const RESTORE = `UPDATE pets SET archived_at = NULL WHERE archived_at IS NOT NULL AND EXISTS (
  SELECT 1 FROM incoming JOIN inventory USING (pet_id) WHERE incoming.pet_id = pets.pet_id AND inventory.quantity > 0
)`;

/** What an import needs of a database within its transaction. */
export interface ImportTables {
  /** Makes an empty temporary table. */
  create(table: string, columns: string): Promise<void>;
  /** Reads the rows of a query, some at a time. */
  read<Row extends object>(
    sql: string,
    values: readonly Parameter[],
    use: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void>;
  addWords(table: string, words: readonly string[], petIds: readonly string[]): Promise<void>;
  recordMovements(movements: readonly Movement[]): Promise<void>;
}

/** A client of a database that holds pets. */
export interface PetClient extends LockingClient {
  /** Within a transaction that records movements, wakes the services that wait for them. */
  notifyMovements(): Promise<void>;
}

interface ChangedStockRow extends Omit<ImportedStock, 'petId'> {
  readonly petId: string;
}

/** Creates and updates the pets of `incoming`, in a transaction that has the lock of the ledger. */
export async function writeIncoming(
  client: PetClient,
  tables: ImportTables,
  words: ImportedWords,
  rowCount: number,
  { actor, requestId, atMs, referenceId }: ImportAuthor,
  within?: ImportTransaction,
): Promise<ImportResult> {
  await within?.begin();
  await requireNamingCodes(client);
  const head = await readChainHead(client);
  const author = { actor, requestId, atMs: atMs ?? (await client.now()), referenceId };
  const movements = new ImportedMovements(head, await readShopThresholds(client), author);
  await words.apply();
  let moved = 0;
  await tables.read<ChangedStockRow>(CHANGED_STOCK, [], (rows) => {
    moved += rows.length;
    return tables.recordMovements(rows.map((row) => movements.next(stockOf(row))));
  });
  await client.run(UPDATE_PETS);
  await client.run(ADD_PETS);
  await writeCodes(client, tables);
  await client.run(SET_SUPPLIERS, [author.atMs]);
  const created = await client.run(ADD_STOCK, [head.sequence]);
  await client.run(SET_STOCK, [head.sequence]);
  if (created > 0) await client.run(FORGET_DELETED);
  await client.run(RESTORE);
  if (moved > 0) await client.notifyMovements();
  const result = { created, changed: moved - created, unchanged: rowCount - moved };
  await within?.end?.(result);
  return result;
}

/** Field by field: a spread of a row of SQLite takes a fifth of the time under the lock. */
function stockOf(row: ChangedStockRow): ImportedStock {
  return {
    petId: BigInt(row.petId),
    quantity: row.quantity,
    status: row.status,
    quantityBefore: row.quantityBefore,
    statusBefore: row.statusBefore,
    reserved: row.reserved,
    alertBefore: row.alertBefore,
    version: row.version,
    lastSequence: row.lastSequence,
    lowStockAt: row.lowStockAt,
    restockAt: row.restockAt,
  };
}

interface ChangedCodesRow {
  readonly petId: string;
  readonly skuBefore: string | null;
  readonly barcodesBefore: string | null;
  readonly sku: string | null;
  readonly barcodes: string | null;
}

/** @throws CodeInUse where another pet has got one of the codes since the rows were matched. */
async function writeCodes(client: PetClient, tables: ImportTables): Promise<void> {
  const changes: CodeChange[] = [];
  await tables.read<ChangedCodesRow>(CHANGED_CODES, [], async (rows) => {
    for (const { petId, skuBefore, barcodesBefore, sku, barcodes } of rows) {
      const before: PetCodes = { sku: skuBefore, barcodes: barcodesOf(barcodesBefore) };
      const after = {
        sku: sku === '' ? null : (sku ?? skuBefore),
        barcodes: barcodes === null ? before.barcodes : barcodesOf(barcodes),
      };
      changes.push({ petId: BigInt(petId), before, after });
    }
  });
  if (changes.length === 0) return;
  const owners = await findCodeOwners(
    client,
    changes.flatMap(({ after }) => codesOf(after)),
  );
  for (const { petId, after } of changes) {
    for (const code of codesOf(after)) {
      const owner = owners.get(keyText(code))?.petId;
      if (owner !== undefined && owner !== petId) throw new CodeInUse(petId, code, owner);
    }
  }
  await replaceCodes(client, changes);
}

/** @throws CodeMoved if a code that names the pet of a row is no longer a code of that pet. */
async function requireNamingCodes(client: PetClient): Promise<void> {
  const [moved] = await client.all<{
    readonly petId: string;
    readonly kind: 'sku' | 'barcode';
    readonly code: string;
    readonly ownerId: string | null;
  }>(movedCodes(client.dialect));
  if (moved === undefined) return;
  const { petId, kind, code, ownerId } = moved;
  const shownCode = describeCode({ kind, typed: code });
  throw new CodeMoved(BigInt(petId), shownCode, ownerId === null ? undefined : BigInt(ownerId));
}

/** The code that names the pet of a row went to another pet, or away. */
export class CodeMoved extends OperatorError {
  /** The pet of the row. */
  readonly petId: bigint;
  readonly shownCode: string;

  constructor(petId: bigint, shownCode: string, ownerId: bigint | undefined) {
    const now = ownerId === undefined ? 'no pet has it now' : `it is of pet ${ownerId} now`;
    super(`The ${shownCode} of the file was of pet ${petId}, and ${now}. Nothing was imported; try again.`);
    this.petId = petId;
    this.shownCode = shownCode;
  }
}

function barcodesOf(stored: string | null): readonly string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

/** Another pet has got a code of a row. */
export class CodeInUse extends OperatorError {
  /** The pet of the row. */
  readonly petId: bigint;
  /** As messages show it. */
  readonly shownCode: string;
  readonly ownerId: bigint;

  constructor(petId: bigint, code: Parameters<typeof describeCode>[0], ownerId: bigint) {
    const shownCode = describeCode(code);
    super(
      `Pet ${ownerId} has the ${shownCode} now, which the file gives pet ${petId}. Nothing was imported.`,
      {
        code: 'code_in_use',
      },
    );
    this.petId = petId;
    this.shownCode = shownCode;
    this.ownerId = ownerId;
  }
}

/** A pet of a file with its texts before and after the import. */
interface ChangedTexts extends PetTexts {
  readonly petId: string;
  readonly nameBefore: string | null;
  readonly categoryBefore: string | null;
}

/** The texts of pets that the file changes. */
const changedTexts = (rows: string): string => `SELECT CAST(incoming.pet_id AS text) AS "petId",
pets.name AS "nameBefore", pets.category AS "categoryBefore", ${NAME} AS name, ${CATEGORY} AS category
FROM ${rows} LEFT JOIN pets ON pets.pet_id = incoming.pet_id WHERE ${HAS_OTHER_TEXTS}`;

const CHANGED_SINCE = 'SELECT pet_id FROM movements WHERE sequence > $1';

/**
 * Keeps the search index during an import. Only code can split a text into words. That takes long, so it comes before the
 * lock of the ledger. Every change of a text is a movement: under the lock only pets with a movement after the newest
 * before the split are split again.
 */
export class ImportedWords {
  /** The temporary tables. */
  static readonly tables = ['added_words', 'removed_words'] as const;
  readonly #client: PetClient;
  readonly #tables: ImportTables;
  #newest = 0;

  constructor(client: PetClient, tables: ImportTables) {
    this.#client = client;
    this.#tables = tables;
  }

  /** Splits the texts of the rows of `incoming`. It needs no lock. */
  async prepare(): Promise<void> {
    for (const table of ImportedWords.tables) {
      const columns = `(word text ${this.#client.dialect.bytewise} NOT NULL, pet_id bigint NOT NULL)`;
      await this.#tables.create(table, columns);
    }
    const newest = 'SELECT coalesce(max(sequence), 0) AS sequence FROM movements';
    this.#newest = (await this.#client.all<{ sequence: number }>(newest))[0]?.sequence ?? 0;
    await this.#split(changedTexts('incoming'), []);
  }

  /** Under the lock of the ledger, before the import makes movements. */
  async apply(): Promise<void> {
    const values = [this.#newest];
    for (const table of ImportedWords.tables) {
      await this.#client.run(`DELETE FROM ${table} WHERE pet_id IN (${CHANGED_SINCE})`, values);
    }
    const rows = `(SELECT * FROM incoming WHERE pet_id IN (${CHANGED_SINCE})) AS incoming`;
    await this.#split(changedTexts(rows), values);
    await this.#client.run(
      'DELETE FROM pet_words WHERE (word, pet_id) IN (SELECT word, pet_id FROM removed_words)',
    );
    await this.#client.run(
      'INSERT INTO pet_words (word, pet_id) SELECT word, pet_id FROM added_words ORDER BY word, pet_id',
    );
  }

  #split(texts: string, values: readonly Parameter[]): Promise<void> {
    return this.#tables.read<ChangedTexts>(texts, values, async (rows) => {
      const adding: [words: string[], petIds: string[]] = [[], []];
      const removing: [words: string[], petIds: string[]] = [[], []];
      for (const row of rows) {
        const { added, removed } = wordChanges({ name: row.nameBefore, category: row.categoryBefore }, row);
        for (const [[words, petIds], some] of [
          [adding, added],
          [removing, removed],
        ] as const) {
          words.push(...some);
          for (let i = 0; i < some.length; i += 1) petIds.push(row.petId);
        }
      }
      const [addedWords, removedWords] = ImportedWords.tables;
      await Promise.all([
        this.#tables.addWords(addedWords, ...adding),
        this.#tables.addWords(removedWords, ...removing),
      ]);
    });
  }
}

const ADD = `UPDATE incoming SET quantity = incoming.quantity + inventory.quantity FROM inventory
WHERE inventory.pet_id = incoming.pet_id`;

const WRONG = `SELECT CAST(pet_id AS text) AS "petId", coalesce(inventory.quantity, 0) AS "found",
incoming.quantity - coalesce(inventory.quantity, 0) AS "added", count(*) OVER () AS total
FROM incoming LEFT JOIN inventory USING (pet_id) WHERE incoming.quantity < 0
OR incoming.quantity > $1 AND incoming.quantity > coalesce(inventory.quantity, 0) ORDER BY incoming.pet_id LIMIT 20`;

interface WrongRow {
  readonly petId: string;
  readonly found: number;
  readonly added: number;
  readonly total: number;
}

/**
 * Adds what the pets have to the rows of a file that an import copied. The ledger is locked.
 * @throws OperatorError for sums below 0 or above `maxQuantity`.
 */
export async function addQuantities(client: LockingClient, maxQuantity: number): Promise<void> {
  await client.run(ADD);
  const wrong = await client.all<WrongRow>(WRONG, [maxQuantity]);
  if (wrong.length === 0) return;
  const sums = wrong.map(({ petId, found, added }) => ({ petId: BigInt(petId), found, added }));
  throw wrongSums(sums, wrong[0]?.total ?? 0, maxQuantity);
}
