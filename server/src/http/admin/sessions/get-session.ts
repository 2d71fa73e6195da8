import { ApiError } from '../../../domain/errors.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, missing, respondJson } from '../admin-operation.ts';
import { SessionSchema, sessionJson } from './session-schema.ts';

export const getSession = adminOperation({
  route: {
    operationId: 'getSession',
    method: 'get',
    path: '/session',
    tags: ['Sessions'],
    summary: 'Get the session of this request',
    description: 'Returns the session of the cookie, with the name and the role of its key.',
    'x-stability': 'beta',
    responses: responses({
      success: { schema: SessionSchema, description: 'The session.' },
      errors: { ...ADMIN_ERRORS, ...missing('session') },
    }),
  },
  role: 'viewer',
  create: () => (context) => {
    requireNoQuery(context);
    const { principal } = context;
    if (!principal?.session) throw new ApiError('not_found', 'This request has a key and no session.');
    return respondJson(context, 200, sessionJson({ ...principal, session: principal.session }, context));
  },
});
