import type { Import } from '../../../domain/management/imports.ts';
import { importJson } from '../../../wire/import-json.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import {
  ACTION_ERRORS,
  ADMIN_ERRORS,
  type AdminDefinition,
  adminOperation,
  authorOf,
  missing,
  respondJson,
} from '../admin-operation.ts';
import { IMPORT_ID, ImportSchema } from './import-schemas.ts';

const { 409: CONFLICT } = ACTION_ERRORS;

/** The errors of an action on an import, which has no body. */
export const IMPORT_ACTION_ERRORS = {
  ...ADMIN_ERRORS,
  ...missing('import'),
  ...(CONFLICT && { 409: { ...CONFLICT, description: 'The state of the import does not allow it.' } }),
};

interface ImportActionText {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** 202: a job does it. */
  readonly status: 200 | 202;
}

/** Defines `POST /imports/{importId}/VERB`. */
export function importAction(
  verb: 'plan' | 'apply' | 'cancel',
  { operationId, summary, description, status }: ImportActionText,
): AdminDefinition {
  return adminOperation({
    route: {
      operationId,
      method: 'post',
      path: `/imports/{importId}/${verb}`,
      tags: ['Imports'],
      summary,
      description,
      'x-stability': 'beta',
      parameters: [IMPORT_ID],
      responses: responses({
        isAction: true,
        status,
        success: { schema: ImportSchema, description: 'The import.' },
        errors: IMPORT_ACTION_ERRORS,
      }),
    },
    role: 'staff',
    create:
      ({ management, importing }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const changed: Import = await management.imports[verb](parameter('importId'), authorOf(context));
        importing.wake();
        return respondJson(context, status, importJson(changed));
      },
  });
}
