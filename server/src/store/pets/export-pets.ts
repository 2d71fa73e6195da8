import { MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { PetStatus } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../domain/errors.ts';
import { type ExportPage, type ExportQuery, exportRow } from '../../domain/management/pet-export.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import { stockQueries } from '../history/snapshot-sql.ts';
import { type StockPageRow, stockPageStatement, toStockPage } from '../history/stock-page.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import type { LockingClient, SqlReader } from '../sql-client.ts';
import { readPetsAfter } from './read-pets.ts';
import { petFilter } from './search-pets.ts';
import { withSuppliers } from './suppliers.ts';

/** Pets per page: few enough not to delay other calls, and to need little memory. */
const PETS_PER_PAGE = 1_000;

/** Only pets from one on are read here, never a list of ids. */
const { stockPage: STOCK_PAGE } = stockQueries('false');
/** An item of a page. */
const ITEM = /"petId":(-?\d+),"quantity":(\d+),"status":"(\w+)"/g;

type PastStock = Pick<ManagedPet, 'quantity' | 'status'>;

/**
 * Reads a page of an export. The caller's transaction sees one moment. Quantity and status of a pet that has changed
 * since `sequence` are those after it, and a pet that is newer is left out. Names, categories, thresholds, codes
 * and suppliers have no history.
 * @throws ApiError `history_pruned` where the stock after `sequence` is not known any more.
 */
export async function exportPets(
  client: Pick<LockingClient, 'all' | 'dialect'>,
  { format, columns, separator, after, sequence: wanted, ...filter }: ExportQuery,
): Promise<ExportPage> {
  const head = await readChainHead(client);
  const sequence = wanted ?? head.sequence;
  if (sequence > head.sequence) {
    throw new OperatorError(`sequence is ${sequence}, but the newest movement is ${head.sequence}.`, {
      code: 'invalid_parameter',
    });
  }
  const pets = await readPetsAfter(client, after, PETS_PER_PAGE);
  const past = await pastStock(client, pets, sequence);
  const isWanted = await petFilter(client, filter, pets);
  const supplied = columns?.includes('supplier')
    ? await withSuppliers(client, pets)
    : pets.map((pet) => ({ ...pet, supplier: null }));
  const rows: string[] = [];
  for (const pet of supplied) {
    const stock = pet.lastSequence <= sequence ? pet : past.get(pet.petId);
    if (!stock) continue;
    const then = { ...pet, quantity: stock.quantity, status: stock.status };
    if (isWanted(then)) rows.push(exportRow({ format, columns, separator }, then));
  }
  const page = { sequence, text: rows.join(''), count: rows.length, read: pets.length };
  const last = pets.at(-1);
  return last && pets.length === PETS_PER_PAGE ? { ...page, next: last.petId } : page;
}

/** The stock after a movement of those pets that have changed since. */
async function pastStock(
  client: SqlReader,
  pets: readonly ManagedPet[],
  sequence: number,
): Promise<ReadonlyMap<bigint, PastStock>> {
  const stock = new Map<bigint, PastStock>();
  const changed = pets.filter(({ lastSequence }) => lastSequence > sequence);
  const [first, last] = [changed[0]?.petId, changed.at(-1)?.petId];
  if (first === undefined || last === undefined) return stock;
  let after = first === MIN_INT64 ? undefined : first - 1n;
  for (;;) {
    const query = { sequence, filter: {}, after, limit: PETS_PER_PAGE };
    const question = stockPageStatement(query);
    if (!('values' in question) || question.name !== 'stockPage') return stock;
    const [row] = await client.all<StockPageRow>(STOCK_PAGE, [question.first, ...question.values]);
    if (!row) return stock;
    const page = toStockPage(row, question, query);
    for (const [, petId = '', quantity, status] of page.json.matchAll(ITEM)) {
      stock.set(BigInt(petId), { quantity: Number(quantity), status: status as PetStatus });
    }
    after = page.nextAfter;
    if (after === undefined || after >= last) return stock;
  }
}
