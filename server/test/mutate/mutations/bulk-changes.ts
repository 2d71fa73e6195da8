import type { Mutation } from '../mutation.ts';

const BULK = 'server/test/pets/bulk-changes.test.ts';
const OVER_HTTP = 'server/test/pets/bulk-over-http.test.ts';
const COMMAND = 'server/test/pets/change-many.test.ts';
const STORE = 'server/src/store/admin/bulk-changes.ts';
const JOBS = 'server/src/store/admin/bulk-jobs.ts';

/** Changes of many pets. */
export const BULK_CHANGES: readonly Mutation[] = [
  {
    name: 'a bulk change writes over what changed after its plan',
    file: JOBS,
    from: 'return pet.lastSequence !== planned.foundSequence || ',
    to: 'return ',
    tests: [BULK],
  },
  {
    name: 'a bulk change archives a pet that was archived after its plan again',
    file: JOBS,
    from: ' || toFacts(pet).isArchived !== planned.isArchived',
    to: '',
    tests: [BULK],
  },
  {
    name: 'a bulk change leaves the words of a pet that stays in the search',
    file: JOBS,
    from: "for (const table of ['incoming', ...ImportedWords.tables])",
    to: "for (const table of ['incoming'])",
    tests: [BULK],
  },
  {
    name: 'a bulk change sets the quantity of its pets to 0',
    file: JOBS,
    from: 'await this.#engine.run(KEEP_QUANTITY);',
    to: '',
    tests: [BULK],
  },
  {
    name: 'an undo of a bulk change writes over values that were changed again',
    file: JOBS,
    from: 'return !hasValues(task.values, toFacts(pet)) || ',
    to: 'return ',
    tests: [BULK],
  },
  {
    name: 'an undo of a bulk change hides stock',
    file: JOBS,
    from: ' || (task.values.archived === false && !isEmpty(pet))',
    to: '',
    tests: [BULK],
  },
  {
    name: 'a bulk change archives pets with stock',
    file: JOBS,
    from: "if (values.archived === true && !isEmpty(pet)) return ['refused', 'has_stock'];",
    to: '',
    tests: [BULK],
  },
  {
    name: 'a bulk change restores pets without the codes that others took, and does not say so',
    file: JOBS,
    from: "return hasLostCodes ? ['refused', 'codes_taken'] : ['planned', null];",
    to: "return ['planned', null];",
    tests: [BULK],
  },
  {
    name: 'a runner of bulk changes writes after the loss of its lease',
    file: JOBS,
    from: 'const IS_HELD = `id = $1 AND lease_owner = $2 AND',
    to: "const IS_HELD = `id = $1 AND ($2 <> '') AND",
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
    file: JOBS,
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
];
