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
];
