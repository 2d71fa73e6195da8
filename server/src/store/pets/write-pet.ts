import type { ActionAuthor } from '../../domain/management/activity.ts';
import { type PetTexts, wordChanges } from '../../domain/management/pet-words.ts';
import type { ManagedPet, NewPet } from '../../domain/management/pets.ts';
import { ImportedMovements, type ImportedStock } from '../ledger/import-movements.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { MOVEMENT_COLUMN_NAMES, MOVEMENT_COLUMNS, movementValues } from '../ledger/movement-columns.ts';
import { readShopThresholds } from '../ledger/shop-thresholds.ts';
import type { SqlClient } from '../sql-client.ts';

type Writer = Pick<SqlClient, 'all' | 'run'>;

const PET_ID = 'CAST($1 AS bigint)';

const WRITE_PETS = {
  recordMovement: `INSERT INTO movements (${MOVEMENT_COLUMN_NAMES})
VALUES (${MOVEMENT_COLUMNS.map(({ field }, i) => (field === 'petId' ? `CAST($${i + 1} AS bigint)` : `$${i + 1}`)).join(', ')})`,

  addPet: `INSERT INTO pets (pet_id, name, category) VALUES (${PET_ID}, $2, $3)`,

  addStock: `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level,
low_stock_at, restock_at, created_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at, reserved_after, alert_after,
CAST($2 AS bigint), CAST($3 AS bigint), recorded_at FROM movements WHERE sequence = CAST($1 AS bigint)`,

  setTexts: `UPDATE pets SET name = $2, category = $3 WHERE pet_id = ${PET_ID}`,

  /** The quantity and the status stay. */
  setThresholds: `UPDATE inventory SET version = $2, last_sequence = $3, updated_at = $4, alert_level = $5, low_stock_at = $6, restock_at = $7
WHERE pet_id = ${PET_ID}`,

  addWord: `INSERT INTO pet_words (word, pet_id) VALUES ($2, ${PET_ID})`,
  removeWord: `DELETE FROM pet_words WHERE pet_id = ${PET_ID} AND word = $2`,

  /** Where the ledger of a pet with this petId ended. */
  findDeleted: `SELECT version, last_sequence AS "lastSequence" FROM deleted_pets WHERE pet_id = ${PET_ID}`,
  forgetDeleted: `DELETE FROM deleted_pets WHERE pet_id = ${PET_ID}`,
  noteDeleted: `INSERT INTO deleted_pets (pet_id, version, last_sequence, deleted_at) VALUES (${PET_ID}, $2, $3, $4)`,
  deleteReorder: `DELETE FROM reorders WHERE pet_id = ${PET_ID}`,
  deleteStock: `DELETE FROM inventory WHERE pet_id = ${PET_ID}`,
  deletePet: `DELETE FROM pets WHERE pet_id = ${PET_ID}`,

  setArchived: `UPDATE pets SET archived_at = $2, taken_codes = NULL WHERE pet_id = ${PET_ID}`,
} as const;

const NO_TEXTS: PetTexts = { name: null, category: null };

export type MovementAuthor = ActionAuthor & { readonly atMs: number };

/** Adds a pet with its first movement. The caller holds the lock of the ledger. */
export async function addPet(client: Writer, pet: NewPet, author: MovementAuthor): Promise<void> {
  const petId = String(pet.petId);
  const [deleted] = await client.all<{ version: number; lastSequence: number }>(WRITE_PETS.findDeleted, [
    petId,
  ]);
  await client.run(WRITE_PETS.addPet, [petId, pet.name, pet.category]);
  const { sequence } = await recordMovement(client, { ...pet, ...NO_STOCK, ...deleted }, author);
  if (deleted) await client.run(WRITE_PETS.forgetDeleted, [petId]);
  await client.run(WRITE_PETS.addStock, [sequence, pet.lowStockAt, pet.restockAt]);
  await changeWords(client, pet.petId, NO_TEXTS, pet);
}

/** Changes the texts and thresholds of a pet, with a movement. The caller holds the lock of the ledger. */
export async function changePet(
  client: Writer,
  before: ManagedPet,
  after: ManagedPet,
  author: MovementAuthor,
): Promise<void> {
  const petId = String(before.petId);
  const stock = {
    quantityBefore: before.quantity,
    statusBefore: before.status,
    alertBefore: before.alertLevel,
  };
  const movement = await recordMovement(client, { ...after, ...stock }, author);
  await client.run(WRITE_PETS.setThresholds, [
    petId,
    movement.version,
    movement.sequence,
    movement.recordedAtMs,
    movement.alertAfter,
    after.lowStockAt,
    after.restockAt,
  ]);
  await client.run(WRITE_PETS.setTexts, [petId, after.name, after.category]);
  await changeWords(client, before.petId, before, after);
}

/** Deletes a pet without codes, with a movement. The caller holds the lock of the ledger. */
export async function deletePet(
  client: Writer,
  pet: ManagedPet,
  author: MovementAuthor,
  note: string | null = null,
): Promise<void> {
  const petId = String(pet.petId);
  const { quantity, status, alertLevel } = pet;
  const stock = { quantityBefore: quantity, statusBefore: status, alertBefore: alertLevel };
  const { version, sequence, recordedAtMs } = await recordMovement(
    client,
    { ...pet, ...stock },
    author,
    (movements, row) => movements.deletion(row, note),
  );
  await changeWords(client, pet.petId, pet, NO_TEXTS);
  await client.run(WRITE_PETS.deleteReorder, [petId]);
  await client.run(WRITE_PETS.deleteStock, [petId]);
  await client.run(WRITE_PETS.deletePet, [petId]);
  await client.run(WRITE_PETS.noteDeleted, [petId, version, sequence, recordedAtMs]);
}

/** From then on the pet has lost no codes. @param atMs `null`: not archived. */
export async function setArchived(client: Writer, petId: bigint, atMs: number | null): Promise<void> {
  await client.run(WRITE_PETS.setArchived, [String(petId), atMs]);
}

/** State of a pet that does not exist, for an import. */
const NO_STOCK = {
  quantityBefore: null,
  statusBefore: null,
  reserved: null,
  alertBefore: null,
  version: null,
  lastSequence: null,
} as const;

async function recordMovement(
  client: Writer,
  stock: ImportedStock,
  author: MovementAuthor,
  make = (movements: ImportedMovements, row: ImportedStock) => movements.next(row),
) {
  const head = await readChainHead(client);
  const shop = await readShopThresholds(client);
  const movement = make(new ImportedMovements(head, shop, author), stock);
  const values = movementValues(movement).map((value) => (typeof value === 'bigint' ? String(value) : value));
  await client.run(WRITE_PETS.recordMovement, values);
  return movement;
}

async function changeWords(client: Writer, petId: bigint, before: PetTexts, after: PetTexts): Promise<void> {
  const { added, removed } = wordChanges(before, after);
  for (const word of removed) await client.run(WRITE_PETS.removeWord, [String(petId), word]);
  for (const word of added) await client.run(WRITE_PETS.addWord, [String(petId), word]);
}
