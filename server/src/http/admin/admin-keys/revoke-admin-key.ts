import { responses } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { revokeHandler } from '../keys/key-actions.ts';
import { AdminKeySchema, KEY_ID } from '../keys/key-schema.ts';

export const revokeAdminKey = adminOperation({
  route: {
    operationId: 'revokeAdminKey',
    method: 'post',
    path: '/admin-keys/{keyId}/revoke',
    tags: ['Management keys'],
    summary: 'Revoke a management key',
    description:
      'Revokes the key for good. Every instance refuses it within 5 seconds. A revoked key stays as it is.',
    'x-stability': 'beta',
    parameters: [KEY_ID],
    responses: responses({
      isAction: true,
      success: { schema: AdminKeySchema, description: 'The revoked key.' },
      errors: { ...ADMIN_ERRORS, ...missing('key') },
    }),
  },
  role: 'administrator',
  create: (services) => revokeHandler(services, 'management'),
});
