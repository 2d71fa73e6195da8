import { responses } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { revokeHandler } from './key-actions.ts';
import { KEY_ID, KeySchema } from './key-schema.ts';

export const revokeKey = adminOperation({
  route: {
    operationId: 'revokeKey',
    method: 'post',
    path: '/keys/{keyId}/revoke',
    tags: ['Keys'],
    summary: 'Revoke an API key',
    description:
      'Revokes the key for good. Every instance refuses it within 5 seconds. A revoked key stays as it is.',
    'x-stability': 'beta',
    parameters: [KEY_ID],
    responses: responses({
      isAction: true,
      success: { schema: KeySchema, description: 'The revoked key.' },
      errors: { ...ADMIN_ERRORS, ...missing('key') },
    }),
  },
  role: 'administrator',
  create: (services) => revokeHandler(services, 'client'),
});
