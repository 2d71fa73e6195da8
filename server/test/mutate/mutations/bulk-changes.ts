import type { Mutation } from '../mutation.ts';

const BULK = 'server/test/pets/bulk-changes.test.ts';
const OVER_HTTP = 'server/test/pets/bulk-over-http.test.ts';
const COMMAND = 'server/test/pets/change-many.test.ts';
const CODES = 'server/test/pets/bulk-codes.test.ts';
const DOMAIN = 'server/src/domain/management/bulk-changes.ts';
const STORE = 'server/src/store/admin/bulk-changes/bulk-change-store.ts';
const JOBS = 'server/src/store/admin/bulk-changes/bulk-jobs.ts';
const LEASE = 'server/src/store/admin/bulk-changes/bulk-lease.ts';
const PLAN = 'server/src/store/admin/bulk-changes/bulk-plan.ts';
const WRITER = 'server/src/store/admin/bulk-changes/bulk-writer.ts';

/** Changes of many pets. */
export const BULK_CHANGES: readonly Mutation[] = [
  {
    name: 'a bulk change writes over what changed after its plan',
    file: WRITER,
    from: 'return pet.lastSequence !== planned.foundSequence || ',
    to: 'return ',
    tests: [BULK],
  },
  {
    name: 'a bulk change archives a pet that was archived after its plan again',
    file: WRITER,
    from: ' || toFacts(pet).isArchived !== planned.isArchived',
    to: '',
    tests: [BULK],
  },
  {
    name: 'a bulk change leaves the words of a pet that stays in the search',
    file: WRITER,
    from: "for (const table of ['incoming', ...ImportedWords.tables])",
    to: "for (const table of ['incoming'])",
    tests: [BULK],
  },
  {
    name: 'a bulk change sets the quantity of its pets to 0',
    file: WRITER,
    from: 'await this.#engine.run(KEEP_QUANTITY);',
    to: '',
    tests: [BULK],
  },
  {
    name: 'an undo of a bulk change writes over values that were changed again',
    file: WRITER,
    from: '!hasValues(task.values, toFacts(pet), codes) || (',
    to: '(',
    tests: [BULK],
  },
  {
    name: 'an undo of a bulk change hides stock',
    file: WRITER,
    from: ' || (task.values.archived === false && !isEmpty(pet))',
    to: '',
    tests: [BULK],
  },
  {
    name: 'a bulk change archives pets with stock',
    file: PLAN,
    from: "if (values.archived === true && !isEmpty(pet)) return ['refused', 'has_stock'];",
    to: '',
    tests: [BULK],
  },
  {
    name: 'a bulk change restores pets without the codes that others took, and does not say so',
    file: PLAN,
    from: "return hasLostCodes ? ['refused', 'codes_taken'] : ['planned', null];",
    to: "return ['planned', null];",
    tests: [BULK],
  },
  {
    name: 'a runner of bulk changes writes after the loss of its lease',
    file: LEASE,
    from: 'const IS_HELD = `id = $1 AND lease_owner = $2 AND',
    to: "const IS_HELD = `id = $1 AND ($2 <> '') AND",
    tests: [BULK],
  },
  {
    name: 'a lease of a clock that was ahead holds a bulk change until that time',
    file: LEASE,
    from: ' OR lease_until >= CAST($2 AS bigint)',
    to: ' OR lease_until >= 1000 * CAST($2 AS bigint)',
    tests: [BULK],
  },
  {
    name: 'a bulk change that ends its runner is tried for ever',
    file: JOBS,
    from: 'if (attempts > MAX_IMPORT_ATTEMPTS) await',
    to: 'if (attempts > MAX_IMPORT_ATTEMPTS * 100) await',
    tests: [BULK],
  },
  {
    name: 'the rows of applied bulk changes are deleted, so that none can be undone',
    file: JOBS,
    from: "WHERE state = 'cancelled' AND applied_by IS NULL LIMIT 1`",
    to: "WHERE state IN ('applied', 'cancelled') LIMIT 1`",
    tests: [BULK],
  },
  {
    name: 'the end of a bulk change is not in the activity log',
    file: LEASE,
    from: 'if ((await this.#engine.run(FINISH, values)) === 1) await recordEnd(this.#engine, task.id, task.state);',
    to: 'await this.#engine.run(FINISH, values);',
    tests: [BULK],
  },
  {
    name: 'a plan of another key is replaced by a new one',
    file: STORE,
    from: "WHERE actor = $1 AND state IN ('planning', 'planned')`",
    to: "WHERE $1 <> '' AND state IN ('planning', 'planned')`",
    tests: [BULK],
  },
  {
    name: 'a cancelled bulk change cannot be undone',
    file: STORE,
    from: "state IN ('applied', 'cancelled', 'failed') AND EXISTS",
    to: "state IN ('applied', 'failed') AND EXISTS",
    tests: [BULK],
  },
  {
    name: 'a bulk change is applied further although it is undone',
    file: STORE,
    from: ', lease_owner = NULL',
    to: '',
    tests: [BULK],
  },
  {
    name: 'an import cannot remove a category for a bulk change',
    file: 'server/src/store/imports/pet-import.ts',
    from: `"nullif(coalesce(incoming.category, pets.category), '')"`,
    to: `'coalesce(incoming.category, pets.category)'`,
    tests: [BULK],
  },
  {
    name: 'a bulk change of the pets of a filter restores those that are not archived',
    file: 'server/src/http/admin/bulk-changes.ts',
    from: "archived: archived ?? (values.archived === false ? 'only' : 'exclude'),",
    to: "archived: archived ?? 'exclude',",
    tests: [OVER_HTTP],
  },
  {
    name: 'a bulk change of named pets and of a filter has one of them only',
    file: 'server/src/http/admin/bulk-changes.ts',
    from: '.refine(({ petIds, filter }) => (petIds === undefined) !== (filter === undefined), ONE_SELECTION)',
    to: '',
    tests: [OVER_HTTP],
  },
  {
    name: 'pets change changes pets without --yes',
    file: 'server/src/cli/pets/change-pets.ts',
    from: 'await requireYes(options, {\n            what: `pets change would',
    to: 'void (options.json && {\n            what: `pets change would',
    tests: [COMMAND],
  },
  {
    name: 'pets change --dry-run writes the plan',
    file: 'server/src/cli/pets/change-pets.ts',
    from: 'if (options.dryRun) return dryRunOutput(shown.value as object, shown.text);',
    to: '',
    tests: [COMMAND],
  },
  {
    name: 'a bulk change gives a pet a code of another one',
    file: PLAN,
    from: "if (isCodeInUse) return ['refused', 'code_in_use'];",
    to: '',
    tests: [CODES],
  },
  {
    name: 'a bulk change fails where another pet got a code after the plan',
    file: WRITER,
    from: ' || owners.has(planned.petId)',
    to: '',
    tests: [CODES],
  },
  {
    name: 'an undo of a bulk change gives back codes that it did not change',
    file: WRITER,
    from: '...(hasBarcodes && { barcodes }) };',
    to: 'barcodes };',
    tests: [CODES],
  },
  {
    name: 'a bulk change sets SKUs that are too long',
    file: DOMAIN,
    from: "return 'sku_too_long';",
    to: 'return undefined;',
    tests: [CODES],
  },
  {
    name: 'a pet whose petId does not fit into a barcode is said to have one',
    file: DOMAIN,
    from: "? 'no_barcode' : undefined",
    to: '? undefined : undefined',
    tests: [CODES],
  },
  {
    name: 'a bulk change gives pets with a barcode another one',
    file: DOMAIN,
    from: 'inStorePrefix !== undefined && before.barcodes.length === 0\n',
    to: 'inStorePrefix !== undefined\n',
    tests: [CODES],
  },
  {
    name: 'a template of SKUs needs no petId',
    file: DOMAIN,
    from: 'pieces.length === 1 || ',
    to: '',
    tests: [CODES],
  },
  {
    name: 'an undo of a bulk change writes over codes that were changed again',
    file: DOMAIN,
    from: 'if (setsCodes(values) && !hasCodes(values, facts, codes)) return false;',
    to: '',
    tests: [CODES],
  },
  {
    name: 'a barcode of the shop has eleven digits of the petId',
    file: 'shared/src/barcodes.ts',
    from: 'item.length > ITEM_DIGITS',
    to: 'item.length > ITEM_DIGITS + 1',
    tests: [CODES],
  },
  {
    name: 'removed SKUs of a bulk change stay',
    file: 'server/src/store/imports/pet-import.ts',
    from: "sku: sku === '' ? null : (sku ?? skuBefore),",
    to: 'sku: sku || skuBefore,',
    tests: [CODES],
  },
  {
    name: 'the pet that keeps a code from another one is not stored',
    file: PLAN,
    from: 'owner === undefined ? null : String(owner),',
    to: 'null,',
    tests: [CODES],
  },
];

const DELETE = 'server/test/pets/delete-pet.test.ts';

/** The deletion of pets. */
export const DELETIONS: readonly Mutation[] = [
  {
    name: 'a pet with other movements is deleted',
    file: 'server/src/store/admin/pet-store.ts',
    from: 'if (last?.statusBefore !== null) {',
    to: 'if (last === undefined) {',
    tests: [DELETE],
  },
  {
    name: 'the codes of a deleted pet stay taken',
    file: 'server/src/store/admin/pet-store.ts',
    from: '      await this.#setCodes({ petId, before: pet, after: NO_CODES }, false, { ...author, atMs });\n      await deletePet',
    to: '      await deletePet',
    tests: [DELETE],
  },
  {
    name: 'the words of a deleted pet stay in the search',
    file: 'server/src/store/pets/write-pet.ts',
    from: '  await changeWords(client, pet.petId, pet, NO_TEXTS);\n  await client.run(WRITE_PETS.deleteReorder',
    to: '  await client.run(WRITE_PETS.deleteReorder',
    tests: [DELETE],
  },
  {
    name: 'a pet with the petId of a deleted one begins a chain of its own',
    file: 'server/src/store/pets/write-pet.ts',
    from: '{ ...pet, ...NO_STOCK, ...deleted }',
    to: '{ ...pet, ...NO_STOCK }',
    tests: [DELETE],
  },
  {
    name: 'the record of a deleted pet stays when a file makes it again',
    file: 'server/src/store/imports/pet-import.ts',
    from: 'if (created > 0) await client.run(FORGET_DELETED);',
    to: '',
    tests: [DELETE],
  },
  {
    name: 'a file makes a deleted pet again with a chain of its own',
    file: 'server/src/store/imports/pet-import.ts',
    from: 'coalesce(stock.last_sequence, deleted_pets.last_sequence)',
    to: 'stock.last_sequence',
    tests: [DELETE],
  },
  {
    name: 'the creation of a deleted pet can be reverted on the next one',
    file: 'server/src/store/ledger/import-movements.ts',
    from: 'revertedSequence: row.lastSequence,',
    to: 'revertedSequence: null,',
    tests: [DELETE],
  },
  {
    name: 'a deletion can be reverted on the next pet',
    file: 'server/src/domain/ledger/ledger-transaction.ts',
    from: "if (isDeletion(movement)) return { code: 'nothing_to_revert', stock: before };",
    to: '',
    tests: [DELETE],
  },
  {
    name: 'a past list shows a deleted pet after its deletion',
    file: 'server/src/store/history/snapshot-sql.ts',
    from: "'0, NULL, 0, NULL, last_sequence, deleted_at'",
    to: '"0, \'sold\', 0, NULL, last_sequence, deleted_at"',
    tests: [DELETE],
  },
  {
    name: 'a past list leaves out what was deleted since',
    file: 'server/src/store/history/snapshot-sql.ts',
    from: "'0, NULL, 0, NULL, last_sequence, deleted_at'",
    to: "'0, NULL, 0, NULL, 0, deleted_at'",
    tests: [DELETE],
  },
  {
    name: 'verify takes a deleted pet with stock as right',
    file: 'server/src/store/audit/audit.ts',
    from: 'status: isDeleted ? null : movement.statusAfter,',
    to: 'status: movement.statusAfter,',
    tests: [DELETE],
  },
  {
    name: 'verify does not look at the records of deleted pets',
    file: 'server/src/store/audit/audit.ts',
    from: "this.#report('balance', recordFault(pet, last), pet.lastSequence);",
    to: '',
    tests: [DELETE],
  },
  {
    name: 'a deleted pet stays in a local copy of the client',
    file: 'client/src/stream/live-inventory.ts',
    from: 'if (isDeleted) this.#items.delete(petId);\n    else this.#items.set(petId, item);',
    to: 'this.#items.set(petId, item);',
    tests: ['client/test/stream/watch-inventory.test.ts'],
  },
  {
    name: 'a reading that began before a deletion brings the pet back',
    file: 'web/src/stock/stock-store.ts',
    from: 'return version <= (this.#deleted.get(petId) ?? 0);',
    to: 'return version < 0;',
    tests: ['web/test/stock/stock-list.test.ts'],
  },
];
