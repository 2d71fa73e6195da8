import { describe } from 'node:test';
import { INSTANCES_ON_POSTGRES, useTargets } from './targets.ts';

/** Instances on PostgreSQL parse requests as one process does on SQLite, so the daily tests leave them out. */
const FILES = [
  'admin-tour',
  'hostile-json',
  'http-edges',
  'int64',
  'operations-by-credential',
  'slow-clients',
  'uploads/cancelled-import',
  'uploads/import-uploads',
];

useTargets([INSTANCES_ON_POSTGRES]);
for (const name of FILES) {
  describe(name, async () => {
    await import(`./${name}.test.ts`);
  });
}
