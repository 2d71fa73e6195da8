import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { schemaAt } from '../../openapi/components.ts';
import { responses, success } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage, respondPage } from '../paging.ts';
import { seenKeyOf } from './seen-sessions.ts';
import { sessionJson } from './session-schema.ts';

export const listSessions = adminOperation({
  route: {
    operationId: 'listSessions',
    method: 'get',
    path: '/sessions',
    tags: ['Sessions'],
    summary: 'List sessions',
    description:
      'Returns the sessions that have not ended, in the order of their ids: those of the caller’s key, and for an administrator those of all keys. Follow `Link` with `rel="next"` until it is missing.',
    'x-stability': 'beta',
    parameters: [...PAGE_PARAMETERS],
    responses: responses({
      success: success(
        'SessionPage',
        'Sessions.',
        { type: 'array', items: schemaAt('Session'), maxItems: MAX_PAGE_ITEMS },
        PAGE_HEADERS,
      ),
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const page = readPage(context);
      const { limit, after } = page;
      const query = { keyId: seenKeyOf(context), after, limit: limit + 1 };
      return respondPage(context, page, await management.sessions.list(query), {
        address: `${baseUrl}/sessions`,
        idOf: ({ session }) => session.id,
        json: (owner) => sessionJson(owner, context),
      });
    },
});
