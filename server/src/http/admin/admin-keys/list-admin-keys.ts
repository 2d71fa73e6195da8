import { schemaAt } from '../../openapi/components.ts';
import { responses, success } from '../../openapi/responses.ts';
import { MAX_PAGE_ITEMS } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { respondKeys } from '../keys/key-actions.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage } from '../paging.ts';

export const listAdminKeys = adminOperation({
  route: {
    operationId: 'listAdminKeys',
    method: 'get',
    path: '/admin-keys',
    tags: ['Management keys'],
    summary: 'List management keys',
    description:
      'Returns management keys without their secrets, in the order of their creation. Follow `Link` with `rel="next"` until it is missing.',
    'x-stability': 'beta',
    parameters: [...PAGE_PARAMETERS],
    responses: responses({
      success: success(
        'AdminKeyPage',
        'Management keys.',
        { type: 'array', items: schemaAt('AdminKey'), maxItems: MAX_PAGE_ITEMS },
        PAGE_HEADERS,
      ),
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create: (services) => (context) =>
    respondKeys(context, services, readPage(context), { kind: 'management' }),
});
