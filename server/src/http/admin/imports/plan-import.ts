import { importAction } from './import-action.ts';

export const planImport = importAction('plan', {
  operationId: 'planImport',
  summary: 'Plan an import again',
  description: 'Compares the file of a `planned`, `stale` or `failed` import with the present stock again.',
  status: 202,
});
