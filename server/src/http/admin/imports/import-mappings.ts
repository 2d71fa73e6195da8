import { z } from '@hono/zod-openapi';
import {
  MAX_HEADING,
  MAX_IMPORT_MAPPINGS,
  MAX_MAPPING_COLUMNS,
  MAX_MAPPING_NAME,
  MAX_SHEET_NAME,
} from '@petstore-inventory/shared/limits';
import { mappingNameFault } from '@petstore-inventory/shared/pet-file/mapping';
import { PET_FIELDS } from '@petstore-inventory/shared/pet-file/headings';
import { DECIMALS, ENCODINGS } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { type ImportMapping, unknownMapping } from '../../../domain/management/import-mappings.ts';
import { importMappingJson } from '../../../wire/import-json.ts';
import { body } from '../../operation/body.ts';
import { ACTION_CONFLICT } from '../../openapi/error-responses.ts';
import { operationsWith } from '../../operation/operation.ts';
import { list, nothing, one, view } from '../../operation/output.ts';
import { anyText } from '../../operation/parameter.ts';
import { MAX_BODY_BYTES } from '../../request/json-body.ts';
import type { JsonLimits } from '../../request/json-limits.ts';
import { moment, text } from '../../schemas/values.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({ tag: 'Imports' });

/** All columns with the longest headings, of which each character may take six bytes. */
const MAX_MAPPING_BYTES = 16 * MAX_BODY_BYTES;

const ColumnSchema = z
  .strictObject({
    heading: text(
      MAX_HEADING,
      'The heading of the column, or the name of the member. Case and spaces at its ends do not matter.',
      'Artikel',
    ),
    field: z
      .enum(PET_FIELDS)
      .nullable()
      .openapi({ description: 'What it is; `null`: it is left out.', example: 'sku' }),
  })
  .openapi('MappedColumn', { description: 'A column of a file.' });

const COLUMNS_RULE = `must be an array of 1 to ${MAX_MAPPING_COLUMNS} columns.`;

/** Limits that no valid body exceeds: its columns with two members each, the other members, and the body. */
const LIMITS: JsonLimits = {
  values: MAX_MAPPING_COLUMNS * (1 + 2) + 8,
  elements: MAX_MAPPING_COLUMNS,
  elementsRule: `columns ${COLUMNS_RULE}`,
};

const columns = z
  .array(ColumnSchema, COLUMNS_RULE)
  .min(1, COLUMNS_RULE)
  .max(MAX_MAPPING_COLUMNS, COLUMNS_RULE)
  .openapi({
    description: `The columns, up to ${MAX_MAPPING_COLUMNS}, each field once. A table must have those with a field. Other columns are read by their known headings.`,
  });
const decimal = z.enum(DECIMALS).nullable().openapi({
  description: 'The mark of decimals, where the file does not prove it.',
  example: 'comma',
});
const encoding = z.enum(ENCODINGS).nullable().openapi({
  description: 'The encoding of CSV, where the file does not show it.',
  example: null,
});
const sheet = text(MAX_SHEET_NAME, 'The sheet of a workbook, where several have pets.', null).nullable();
const name = text(MAX_MAPPING_NAME, 'The name, whose case does not matter.', 'Zoo Wholesale');

const MAPPING = view(
  'ImportMapping',
  z
    .object({
      name,
      columns,
      decimal,
      encoding,
      sheet,
      updatedBy: text(100, 'The id of the key that wrote it last.', 'key_4fQ2n8Zk1bXw0aLr'),
      updatedAt: moment('When it was written.'),
    })
    .openapi({ description: 'How files of one source are read.' }),
  importMappingJson,
);

const WrittenSchema = z
  .strictObject({
    name: name.optional().openapi({ description: 'The new name of a mapping that is renamed.' }),
    columns,
    decimal: decimal.optional(),
    encoding: encoding.optional(),
    sheet: sheet.optional(),
  })
  .openapi('WrittenImportMapping', {
    description: 'A mapping to remember.',
    example: { columns: [{ heading: 'Best.Nr', field: 'sku' }], decimal: 'comma' },
  });

const NAME = anyText({
  component: 'MappingName',
  description: 'The name of the mapping.',
  required: true,
  schema: { type: 'string', maxLength: MAX_MAPPING_NAME },
  example: 'Zoo Wholesale',
});

const ONE = { path: { mappingName: NAME }, missing: 'mapping' };

export const listImportMappings = operation({
  id: 'listImportMappings',
  at: 'GET /import-mappings',
  summary: 'List mappings of imports',
  description: `Returns all remembered mappings in the order of their names, up to ${MAX_IMPORT_MAPPINGS}.`,
  access: { role: 'viewer' },
  output: list(MAPPING, { description: 'The mappings.', maxItems: MAX_IMPORT_MAPPINGS }),
  handle: ({ management }) => management.importMappings.list(),
});

export const getImportMapping = operation({
  id: 'getImportMapping',
  at: 'GET /import-mappings/{mappingName}',
  summary: 'Get a mapping of imports',
  description: 'Returns a remembered mapping, as `petstore import --mapping` reads it from a file.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(MAPPING, { description: 'The mapping.' }),
  handle: ({ management }, { path }) => requireMapping(management, path.mappingName),
});

/** @throws OperatorError `not_found`. */
async function requireMapping(
  { importMappings }: Pick<ManagementStore, 'importMappings'>,
  mappingName: string,
): Promise<ImportMapping> {
  const found =
    mappingNameFault(mappingName) === undefined ? await importMappings.find(mappingName) : undefined;
  if (found) return found;
  throw unknownMapping(mappingName);
}

export const setImportMapping = operation({
  id: 'setImportMapping',
  at: 'PUT /import-mappings/{mappingName}',
  summary: 'Remember a mapping of imports',
  description: `Makes the mapping of this name, or replaces it; with another \`name\` in the body it renames it. \`createImport\` uses it by its name. Its name has 1 to ${MAX_MAPPING_NAME} visible characters. An import that was sent keeps the mapping that it had.`,
  access: { role: 'staff' },
  ...ONE,
  body: body(WrittenSchema, { maxBytes: MAX_MAPPING_BYTES, limits: LIMITS }),
  output: one(MAPPING, { description: 'The mapping.' }),
  errors: {
    409: { ...ACTION_CONFLICT, description: 'Another mapping has the new name, or there are too many.' },
  },
  handle: ({ management }, { path, body: sent, author }) => {
    const { decimal: mark = null, encoding: code = null, sheet: title = null, ...rest } = sent;
    const written = { ...rest, decimal: mark, encoding: code, sheet: title };
    return management.importMappings.set(path.mappingName, written, author);
  },
});

export const deleteImportMapping = operation({
  id: 'deleteImportMapping',
  at: 'DELETE /import-mappings/{mappingName}',
  summary: 'Forget a mapping of imports',
  description: 'Deletes a remembered mapping. Imports that were sent with it stay as they are.',
  access: { role: 'staff' },
  ...ONE,
  output: nothing('The mapping is deleted.', 'DeletedImportMapping'),
  handle: async ({ management }, { path, author }) => {
    const { name: found } = await requireMapping(management, path.mappingName);
    await management.importMappings.delete(found, author);
  },
});
