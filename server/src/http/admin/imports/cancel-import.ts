import { importAction } from './import-action.ts';

export const cancelImport = importAction('cancel', {
  operationId: 'cancelImport',
  summary: 'Cancel an import',
  description:
    'Ends an import that is not finished. Once its rows are being written, it cannot be cancelled.',
  status: 200,
});
