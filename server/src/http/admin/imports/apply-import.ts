import { importAction } from './import-action.ts';

export const applyImport = importAction('apply', {
  operationId: 'applyImport',
  summary: 'Apply an import',
  description:
    'Writes all rows of a `planned` import, or none, in one transaction; the key of this request is the author. When the stock of a row changed after the plan, nothing is written, and the import is `stale` with those rows.',
  status: 202,
});
