import { z } from '@hono/zod-openapi';
import { IMPORT_EFFECTS, type ImportEffect } from '@petstore-inventory/shared/words';
import { importRowText } from '../../../wire/import-json.ts';
import { responses } from '../../openapi/responses.ts';
import { decodeCursor, encodeCursor } from '../../request/cursor.ts';
import { JSON_TYPE } from '../../request/error-response.ts';
import { invalidParameter, readLimit, readQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS } from '../paging.ts';
import { noSuchImport } from './get-import.ts';
import { EFFECT, IMPORT_ID, ImportRowSchema } from './import-schemas.ts';

export const listImportRows = adminOperation({
  route: {
    operationId: 'listImportRows',
    method: 'get',
    path: '/imports/{importId}/rows',
    tags: ['Imports'],
    summary: 'Preview an import',
    description:
      'Returns the rows of the plan in the order of their petIds, with the values of each pet before and after. While the file is checked, it returns the rows so far.',
    'x-stability': 'beta',
    parameters: [IMPORT_ID, EFFECT, ...PAGE_PARAMETERS],
    responses: responses({
      success: { schema: z.array(ImportRowSchema), description: 'A page of rows.', headers: PAGE_HEADERS },
      errors: { ...ADMIN_ERRORS, ...missing('import') },
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context, parameter) => {
      const parameters = readQuery(context.query, ['effect', 'limit', 'cursor']);
      const effect = readEffect(parameters);
      const limit = readLimit(parameters);
      const cursor = parameters.get('cursor');
      const after = cursor === null ? undefined : decodeCursor(cursor);
      const id = parameter('importId');
      if (!(await management.imports.find(id))) throw noSuchImport();
      const rows = await management.imports.rows(id, { effect, after, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const headers: Record<string, string> = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
      if (last && rows.length > limit) {
        parameters.set('cursor', encodeCursor(last.petId));
        headers.Link = `<${baseUrl}/imports/${id}/rows?${parameters}>; rel="next"`;
      }
      return context.respond(200, `[${shown.map(importRowText).join()}]`, headers);
    },
});

function readEffect(parameters: URLSearchParams): ImportEffect | undefined {
  const text = parameters.get('effect');
  const effect = IMPORT_EFFECTS.find((known) => known === text);
  if (text === null || effect !== undefined) return effect;
  throw invalidParameter(`effect must be one of ${IMPORT_EFFECTS.join(', ')}.`);
}
