import type { Mutation } from '../mutation.ts';

/** Which database a command works on: samples, moved shops, and the settings of the service. */
export const DATABASES: readonly Mutation[] = [
  {
    name: 'a shop is served from a database with sample data',
    file: 'cli/prepare-database.ts',
    from: "if (sample === 'refuse') refuseSample(config.database, found);",
    to: '',
    tests: ['cli/sample-database.test.ts'],
  },
  {
    name: 'accounts and pets of a shop get into a database with sample data',
    file: 'cli/with-database.ts',
    from: "if (sample === 'refuse') refuseSample(config.database, store);",
    to: '',
    tests: ['cli/sample-database.test.ts'],
  },
  {
    name: 'a database with sample data is not marked',
    file: 'store/admin/identity.ts',
    from: "if (isSample) await client.run(keep, ['sample_data', 'true']);",
    to: '',
    tests: ['cli/sample-database.test.ts'],
  },
  {
    name: 'start has its sample in the database of the shop',
    file: 'cli/serve-commands.ts',
    from: '...(sample && { PETSTORE_DATABASE: SAMPLE_DATABASE }),',
    to: '',
    tests: ['cli/readme.test.ts'],
  },
  {
    name: 'start puts sample data into an empty database of a shop',
    file: 'cli/quickstart.ts',
    from: 'if (!isEmpty || !isSample)',
    to: 'if (!isEmpty)',
    tests: ['cli/quickstart.test.ts'],
  },
  {
    name: 'a database that its shop left is served',
    file: 'cli/prepare-database.ts',
    from: 'refuseLeft(config.database, found);',
    to: '',
    tests: ['postgres/admin/move.test.ts'],
  },
  {
    name: 'a database that its shop left is changed',
    file: 'cli/with-database.ts',
    from: "if (left === 'refuse') refuseLeft(config.database, store);",
    to: '',
    tests: ['postgres/admin/move.test.ts'],
  },
  {
    name: 'a move does not mark its source',
    file: 'store/move.ts',
    from: 'await source.mark({ moveId, movedTo: database });',
    to: '',
    tests: ['postgres/admin/move.test.ts'],
  },
  {
    name: 'a move that is undone leaves its target in service',
    file: 'store/move.ts',
    from: 'await writeMove(engine, { moveId, movedTo: from });',
    to: '',
    tests: ['postgres/admin/move.test.ts'],
  },
  {
    name: 'a move is undone although its target has changes',
    file: 'store/move.ts',
    from: 'for (const table of COMPARED_TABLES) {',
    to: 'for (const table of [] as typeof COMPARED_TABLES) {',
    tests: ['postgres/admin/move.test.ts'],
  },
  {
    name: 'a move is undone while an instance uses its target',
    file: 'store/move.ts',
    from: 'await engine.whileUnserved(() => engine.lockLedger(), inUse);',
    to: 'await engine.lockLedger();',
    tests: ['postgres/admin/move.test.ts'],
  },
  {
    name: 'the mark of a source moves along',
    file: 'store/sqlite/admin/move-source.ts',
    from: "if (name === 'metadata') return METADATA;",
    to: '',
    tests: ['postgres/admin/move.test.ts'],
  },
];
