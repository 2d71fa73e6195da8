import { CREATED_AT } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { ACTION_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { KeyRotationSchema, rotateHandler } from './key-actions.ts';
import { KEY_ID, RotatedKeySchema } from './key-schema.ts';

export const rotateKey = adminOperation({
  route: {
    operationId: 'rotateKey',
    method: 'post',
    path: '/keys/{keyId}/rotate',
    tags: ['Keys'],
    summary: 'Rotate an API key',
    description:
      'Creates a key with the name and the scopes of the old one, which works until the overlap ends. Only this response has the secret of the new key. A key that does not work, or was rotated before, is a `conflict`.',
    'x-stability': 'beta',
    parameters: [KEY_ID],
    request: { body: { content: { 'application/json': { schema: KeyRotationSchema } } } },
    responses: responses({
      isAction: true,
      status: 201,
      success: { schema: RotatedKeySchema, description: 'The new key.', headers: CREATED_AT },
      errors: { ...ACTION_ERRORS, ...missing('key') },
    }),
  },
  role: 'administrator',
  create: (services) => rotateHandler(services, 'client'),
});
