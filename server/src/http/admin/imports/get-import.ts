import { ApiError } from '../../../domain/errors.ts';
import { importJson } from '../../../wire/import-json.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, missing, respondJson } from '../admin-operation.ts';
import { IMPORT_ID, ImportSchema } from './import-schemas.ts';

export const getImport = adminOperation({
  route: {
    operationId: 'getImport',
    method: 'get',
    path: '/imports/{importId}',
    tags: ['Imports'],
    summary: 'Get an import',
    description: 'Returns the state of an import, its progress, its counts and its errors.',
    'x-stability': 'beta',
    parameters: [IMPORT_ID],
    responses: responses({
      success: { schema: ImportSchema, description: 'The import.' },
      errors: { ...ADMIN_ERRORS, ...missing('import') },
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const id = parameter('importId');
      const found = await management.imports.find(id);
      if (!found) throw noSuchImport();
      return respondJson(context, 200, importJson(found));
    },
});

export function noSuchImport(): ApiError {
  return new ApiError('not_found', 'There is no such import.');
}
