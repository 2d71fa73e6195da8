import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts';

/** The names of all migrations, as commands report them. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);
