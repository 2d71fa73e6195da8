import { ApiError } from '../../../domain/errors.ts';
import { component } from '../../openapi/components.ts';
import { EVERY_RESPONSE } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, authorOf, missing } from '../admin-operation.ts';
import { ENDED_COOKIE } from './session-schema.ts';

export const endSession = adminOperation({
  route: {
    operationId: 'endSession',
    method: 'delete',
    path: '/session',
    tags: ['Sessions'],
    summary: 'Sign out',
    description:
      'Ends the session of the cookie, and the cookie. This instance refuses it immediately, every other one within 5 seconds.',
    'x-stability': 'beta',
    responses: responses({
      status: 204,
      isAction: true,
      success: component('responses', 'SignedOut', {
        description: 'The session has ended.',
        headers: { ...EVERY_RESPONSE, ...ENDED_COOKIE },
      }),
      errors: { ...ADMIN_ERRORS, ...missing('session') },
    }),
  },
  role: 'viewer',
  create:
    ({ management, sessions }) =>
    async (context) => {
      requireNoQuery(context);
      const session = context.principal?.session;
      if (!session) throw new ApiError('not_found', 'This request has a key and no session.');
      await management.sessions.end(session.id, session.keyId, authorOf(context));
      return context.respond(204, null, { 'Set-Cookie': sessions.signOut(context) });
    },
});
