import { component } from '../../openapi/components.ts';
import { EVERY_RESPONSE } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { adminOperation, authorOf } from '../admin-operation.ts';
import { IMPORT_ACTION_ERRORS } from './import-action.ts';
import { IMPORT_ID, ImportSchema } from './import-schemas.ts';

const DELETED = component('responses', 'DeletedImport', {
  description: 'The import is deleted.',
  headers: EVERY_RESPONSE,
});

export const deleteImport = adminOperation({
  route: {
    operationId: 'deleteImport',
    method: 'delete',
    path: '/imports/{importId}',
    tags: ['Imports'],
    summary: 'Delete an import',
    description: 'Deletes an import with its file and its rows, except while its rows are being written.',
    'x-stability': 'beta',
    parameters: [IMPORT_ID],
    responses: documented(),
  },
  role: 'staff',
  create:
    ({ management, importing }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      await management.imports.delete(parameter('importId'), authorOf(context));
      importing.wake();
      return context.respond(204, null, {});
    },
});

function documented() {
  const { 200: _ok, ...errors } = responses({
    isAction: true,
    success: { schema: ImportSchema, description: 'None.' },
    errors: IMPORT_ACTION_ERRORS,
  });
  return { 204: DELETED, ...errors };
}
