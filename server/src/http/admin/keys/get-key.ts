import { responses } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { getHandler } from './key-actions.ts';
import { KEY_ID, KeySchema } from './key-schema.ts';

export const getKey = adminOperation({
  route: {
    operationId: 'getKey',
    method: 'get',
    path: '/keys/{keyId}',
    tags: ['Keys'],
    summary: 'Get an API key',
    description: 'Returns one API key without its secret.',
    'x-stability': 'beta',
    parameters: [KEY_ID],
    responses: responses({
      success: { schema: KeySchema, description: 'The key.' },
      errors: { ...ADMIN_ERRORS, ...missing('key') },
    }),
  },
  role: 'viewer',
  create: (services) => getHandler(services, 'client'),
});
