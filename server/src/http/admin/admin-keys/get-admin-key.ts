import { responses } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { getHandler } from '../keys/key-actions.ts';
import { AdminKeySchema, KEY_ID } from '../keys/key-schema.ts';

export const getAdminKey = adminOperation({
  route: {
    operationId: 'getAdminKey',
    method: 'get',
    path: '/admin-keys/{keyId}',
    tags: ['Management keys'],
    summary: 'Get a management key',
    description: 'Returns one management key without its secret.',
    'x-stability': 'beta',
    parameters: [KEY_ID],
    responses: responses({
      success: { schema: AdminKeySchema, description: 'The key.' },
      errors: { ...ADMIN_ERRORS, ...missing('key') },
    }),
  },
  role: 'viewer',
  create: (services) => getHandler(services, 'management'),
});
