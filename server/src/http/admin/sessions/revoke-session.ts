import { ApiError } from '../../../domain/errors.ts';
import { component } from '../../openapi/components.ts';
import { EVERY_RESPONSE } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, authorOf, missing } from '../admin-operation.ts';
import { seenKeyOf } from './seen-sessions.ts';
import { SESSION_ID } from './session-schema.ts';

export const revokeSession = adminOperation({
  route: {
    operationId: 'revokeSession',
    method: 'delete',
    path: '/sessions/{sessionId}',
    tags: ['Sessions'],
    summary: 'End a session',
    description:
      'Ends a session of the caller’s key; an administrator ends any. Every instance refuses it within 5 seconds.',
    'x-stability': 'beta',
    parameters: [SESSION_ID],
    responses: responses({
      status: 204,
      isAction: true,
      success: component('responses', 'EndedSession', {
        description: 'The session has ended.',
        headers: EVERY_RESPONSE,
      }),
      errors: { ...ADMIN_ERRORS, ...missing('session') },
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const id = parameter('sessionId');
      // Other text has no look-up: a database may refuse some of its characters.
      const isId = /^ses_\w{16}$/.test(id);
      if (!isId || !(await management.sessions.end(id, seenKeyOf(context), authorOf(context)))) {
        throw new ApiError('not_found', 'There is no such session.');
      }
      return context.respond(204, null, {});
    },
});
