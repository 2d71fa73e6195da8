import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import { openAdmin } from '../../src/store/open-admin.ts';

/** A process that works on the imports of a database until it is killed. */
const [, , url = ''] = process.argv;
const store = await openAdmin(url);
const runner = new ImportRunner(store.importJobs, Number.MAX_SAFE_INTEGER, () => false);
while (await runner.runNext());
