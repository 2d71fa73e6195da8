import { z } from '@hono/zod-openapi';
import { restFileOf } from '@petstore-inventory/shared/pet-file/rest-file';
import { PROBLEM_COLUMN } from '@petstore-inventory/shared/pet-file/headings';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { IMPORT_EFFECTS, type ImportFormat } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { ApiError } from '../../../domain/errors.ts';
import type { Import, ImportStore } from '../../../domain/management/imports.ts';
import { optionalBody } from '../../operation/body.ts';
import { schemaAt } from '../../openapi/components.ts';
import { ACTION_CONFLICT } from '../../openapi/error-responses.ts';
import { header, LOCATION } from '../../openapi/headers.ts';
import { operationsWith } from '../../operation/operation.ts';
import { answered, located, nothing, one, page, pageOf } from '../../operation/output.ts';
import { anyText, choice, cursor, LIMIT, oneMore, NEWEST_PAGE } from '../../operation/parameter.ts';
import { JSON_LINES_TYPE } from '../../request/content-negotiation.ts';
import type { OpenExports } from '../open-exports.ts';
import type { Importing } from './create-import.ts';
import { IMPORT, ROW } from './import-view.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly importing: Pick<Importing, 'wake'>;
  readonly openExports: OpenExports;
}>({ tag: 'Imports' });

const IMPORT_ID = anyText({
  component: 'ImportId',
  description: 'The id of the import.',
  required: true,
  schema: { type: 'string', maxLength: 24 },
  example: 'imp_4fQ2n8Zk1bXw0aLr',
});

const ONE = { path: { importId: IMPORT_ID }, missing: 'import' };

export const listImports = operation({
  id: 'listImports',
  at: 'GET /imports',
  summary: 'List imports',
  description: 'Returns the imports, the newest first.',
  access: { role: 'viewer' },
  query: NEWEST_PAGE,
  output: page(IMPORT, { description: 'A page of imports.', maxItems: null }),
  handle: async ({ management }, { query: { limit, cursor: before } }) =>
    pageOf(await management.imports.list({ limit: limit + 1, before }), limit, (last) => last),
});

export const getImport = operation({
  id: 'getImport',
  at: 'GET /imports/{importId}',
  summary: 'Get an import',
  description: 'Returns the state of an import, its progress, its counts and its errors.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(IMPORT, { description: 'The import.' }),
  handle: ({ management }, { path }) => requireImport(management.imports, path.importId),
});

/** @throws ApiError `not_found`. */
async function requireImport(imports: ImportStore, id: string): Promise<Import> {
  const found = await imports.find(id);
  if (found) return found;
  throw new ApiError('not_found', `There is no import ${shownValue(id)}.`);
}

const EFFECT = choice(IMPORT_EFFECTS, {
  component: 'Effect',
  description: 'Only rows with this effect.',
  schema: schemaAt('ImportEffect'),
}).optional();

export const listImportRows = operation({
  id: 'listImportRows',
  at: 'GET /imports/{importId}/rows',
  summary: 'Preview an import',
  description:
    'Returns the rows of the plan in the order of their petIds, with the values of each pet before and after. While the file is checked, it returns the rows so far.',
  access: { role: 'viewer' },
  ...ONE,
  query: { effect: EFFECT, limit: LIMIT, cursor: cursor<bigint>({ parse: parsePetId }) },
  output: page(ROW, { description: 'A page of rows.', maxItems: null }),
  handle: async ({ management: { imports } }, { path: { importId }, query }) => {
    await requireImport(imports, importId);
    const rows = await imports.rows(importId, { effect: query.effect, ...oneMore(query) });
    return pageOf(rows, query.limit, ({ petId }) => petId);
  },
});

const REFUSED = {
  409: { ...ACTION_CONFLICT, description: 'The state of the import does not allow it.' },
};

/** @param status 202: a job does it. */
const action = (
  verb: 'plan' | 'cancel',
  status: 200 | 202,
  texts: { readonly id: string; readonly summary: string; readonly description: string },
) =>
  operation({
    ...texts,
    at: `POST /imports/{importId}/${verb}`,
    access: { role: 'staff' },
    ...ONE,
    output: one(IMPORT, { status, description: 'The import.' }),
    errors: REFUSED,
    handle: async ({ management, importing }, { path: { importId }, author }) => {
      const changed: Import = await management.imports[verb](importId, author);
      importing.wake();
      return changed;
    },
  });

export const planImport = action('plan', 202, {
  id: 'planImport',
  summary: 'Plan an import again',
  description:
    'Compares the file of a `planned`, `stale` or `failed` import, or the rows that it undoes, with the present stock again.',
});

const ApplicationSchema = z
  .strictObject({
    goodRows: z.boolean().optional().openapi({
      description:
        'Whether the rows with errors of an `invalid` import are left out, and the others applied.',
      example: true,
    }),
  })
  .openapi('ImportApplication', { description: 'How an import is applied.' });

export const applyImport = operation({
  id: 'applyImport',
  at: 'POST /imports/{importId}/apply',
  summary: 'Apply an import',
  description:
    'Writes all rows of a `planned` import, or none, in one transaction; the key of this request is the author. With `goodRows` it also takes an `invalid` import, and leaves the rows with errors out, of which `listImportBadRows` returns a file; of two rows with the same pet the first one is good. When the stock of a row changed after the plan, nothing is written, and the import is `stale` with those rows.',
  access: { role: 'staff' },
  ...ONE,
  body: optionalBody(ApplicationSchema),
  output: one(IMPORT, { status: 202, description: 'The import.' }),
  errors: REFUSED,
  handle: async ({ management, importing }, { path: { importId }, body: how, author }) => {
    const changed = await management.imports.apply(importId, author, how?.goodRows ?? false);
    importing.wake();
    return changed;
  },
});

export const undoImport = operation({
  id: 'undoImport',
  at: 'POST /imports/{importId}/undo',
  summary: 'Undo an import',
  description:
    'Makes an import that undoes an `applied` one, and plans it as a file: look at its rows, and apply it. Each pet loses the units that the import gave it, and gets those that it took, so that sales since then count; its other fields get their earlier values back, unless they have changed since. Pets that the import added stay, without those units. Pets that were deleted are left out. Units that are not there any more, or a code that another pet has by now, are an error of the row, and the other rows can be applied with `goodRows`. While such an import waits to be applied, the response is that one. An undo can itself be undone.\n\nOnly an import that is kept can be undone, which is 7 days, and only once.',
  access: { role: 'staff' },
  ...ONE,
  output: one(IMPORT, {
    status: 202,
    description: 'The import that undoes the other one.',
    headers: [located(({ id }) => `/imports/${id}`, LOCATION)],
  }),
  errors: {
    409: {
      ...ACTION_CONFLICT,
      description:
        'The import is not applied, changed nothing, or is undone already; or too many are unfinished.',
    },
  },
  handle: async ({ management, importing }, { path: { importId }, author }) => {
    const made = await management.imports.undo(importId, author);
    importing.wake();
    return made;
  },
});

const NO_BAD_ROWS: Readonly<Record<ImportFormat, string>> = {
  csv: `\ufeff${PROBLEM_COLUMN}\r\n`,
  xlsx: `\ufeff${PROBLEM_COLUMN}\r\n`,
  ndjson: '\n',
  json: '[]\n',
};

const BAD_ROWS_TYPES: Readonly<Record<ImportFormat, string>> = {
  csv: 'text/csv',
  xlsx: 'text/csv',
  ndjson: JSON_LINES_TYPE,
  json: 'application/json',
};

export const listImportBadRows = operation({
  id: 'listImportBadRows',
  at: 'GET /imports/{importId}/bad-rows',
  summary: 'Get the rows with errors',
  description: `Returns the rows with errors as a file of the same form, CSV for a workbook. Its first column or member, \`${PROBLEM_COLUMN}\`, says what is wrong; an import of the mended file leaves it out. The file has no rows while the import is checked, if it cannot be read to its end, and of an undo.`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: '*/*',
  ...ONE,
  output: answered({
    response: 'ImportBadRows',
    description: 'The file.',
    notModified: 'NotModified',
    headers: header('Content-Disposition', 'BadRowsFileName', {
      description: 'A name for the file (RFC 6266).',
      schema: { type: 'string', pattern: '^attachment; filename="[\\w.-]+"$' },
    }),
    mediaTypes: ['text/csv', JSON_LINES_TYPE, 'application/json'],
    schema: { description: 'The rows.' },
  }),
  handle: async ({ management: { imports }, openExports }, { context, path: { importId } }) => {
    const { format, state, fileName } = await requireImport(imports, importId);
    const name = restFileOf(fileName ?? importId, format).replace(/[^\w.-]/g, '_');
    const first = state === 'checking' ? undefined : await imports.badRows(importId, 0);
    const texts = badRowTexts(imports, importId, first, NO_BAD_ROWS[format]);
    return context.respond(200, openExports.bodyOf(context, texts), {
      'Content-Type': BAD_ROWS_TYPES[format],
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  },
});

/**
 * @param first The first text of the file.
 * @param none The whole file where there is no first text. Later texts are not read then: they may be of a check that is running.
 */
async function* badRowTexts(
  imports: ImportStore,
  id: string,
  first: string | undefined,
  none: string,
): AsyncGenerator<string> {
  yield first ?? none;
  if (first === undefined) return;
  for (let number = 1; ; number += 1) {
    const text = await imports.badRows(id, number);
    if (text === undefined) return;
    yield text;
  }
}

export const cancelImport = action('cancel', 200, {
  id: 'cancelImport',
  summary: 'Cancel an import',
  description:
    'Ends an import that is not finished. Once its rows are being written, it cannot be cancelled.',
});

export const deleteImport = operation({
  id: 'deleteImport',
  at: 'DELETE /imports/{importId}',
  summary: 'Delete an import',
  description: 'Deletes an import with its file and its rows, except while its rows are being written.',
  access: { role: 'staff' },
  ...ONE,
  output: nothing('The import is deleted.', 'DeletedImport'),
  errors: REFUSED,
  handle: async ({ management, importing }, { path: { importId }, author }) => {
    await management.imports.delete(importId, author);
    importing.wake();
  },
});
