import { z } from '@hono/zod-openapi';
import { importJson } from '../../../wire/import-json.ts';
import { responses } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage, respondPage } from '../paging.ts';
import { ImportSchema } from './import-schemas.ts';

export const listImports = adminOperation({
  route: {
    operationId: 'listImports',
    method: 'get',
    path: '/imports',
    tags: ['Imports'],
    summary: 'List imports',
    description: 'Returns the imports, the newest first.',
    'x-stability': 'beta',
    parameters: [...PAGE_PARAMETERS],
    responses: responses({
      success: { schema: z.array(ImportSchema), description: 'A page of imports.', headers: PAGE_HEADERS },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const page = readPage(context);
      const found = await management.imports.list({ limit: page.limit + 1, before: page.after });
      return respondPage(context, page, found, {
        address: `${baseUrl}/imports`,
        idOf: ({ id }) => id,
        json: importJson,
      });
    },
});
