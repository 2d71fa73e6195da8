import { MAX_FILE_NAME } from '@petstore-inventory/shared/limits';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import { IMPORT_MODES, type ImportMode } from '@petstore-inventory/shared/words';
import { importJson } from '../../../wire/import-json.ts';
import { component, type Reference } from '../../openapi/components.ts';
import { errorComponent } from '../../openapi/error-responses.ts';
import { header, LOCATION } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { invalidParameter, readQuery } from '../../request/query-parameters.ts';
import { ACTION_ERRORS, adminOperation, respondJson } from '../admin-operation.ts';
import { ImportSchema, MODE } from './import-schemas.ts';
import { FILE_TYPES, readFormat, receiveFile } from './receive-file.ts';

const { 409: CONFLICT, 413: TOO_LARGE } = ACTION_ERRORS as Record<409 | 413, Reference>;

const DISK_FULL = errorComponent('DiskFull', {
  description: 'The disk of the database has no room for the file. Changes of stock are still possible.',
  codes: ['disk_full'],
});

const UNKNOWN_TYPE = errorComponent('UnknownFileType', {
  description: 'The body is not a file of a known type.',
  headers: header('Accept', 'AcceptFile', {
    description: 'The supported media types (RFC 9110 section 12.5.1).',
    required: true,
    schema: { type: 'string', const: FILE_TYPES.join(', ') },
  }),
});

const FILE_NAME = component('parameters', 'FileName', {
  name: 'fileName',
  in: 'query',
  description: 'A name that lists show.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_FILE_NAME },
  example: 'pets.csv',
});

export const createImport = adminOperation({
  route: {
    operationId: 'createImport',
    method: 'post',
    path: '/imports',
    tags: ['Imports'],
    summary: 'Send a file of pets',
    description:
      'Takes a file of pets: CSV with a header, a JSON array, or one JSON object per line. CSV may have commas, semicolons, tabs or bars, be UTF-8, UTF-16 or Windows-1252, and have known headings in English or German. A count with two readings, such as `1.200`, is an error of its row. The fields are `petId`, `name`, `category`, `quantity`, `status`, `lowStockAt` and `restockAt`. A pet that is not in the file does not change, nor does a value whose field is empty, `null` or missing. With `mode=add` the quantities are added to those of the pets; a sum below 0 or above the largest quantity is an error of its row.\n\nThe file is then checked and compared with the stock; nothing changes before the import is applied. A key may have five unfinished imports, all keys together twenty. A file must arrive with at least 1,000 bytes per second. The disk of the database must have room for it beyond `PETSTORE_DISK_RESERVE`, which changes need. A file without an action for 7 days is deleted.',
    'x-stability': 'beta',
    parameters: [FILE_NAME, MODE],
    request: {
      body: {
        required: true,
        content: Object.fromEntries(
          FILE_TYPES.map((type) => [type, { schema: { type: 'string', description: 'The file.' } as const }]),
        ),
      },
    },
    responses: responses({
      isAction: true,
      status: 202,
      success: {
        schema: ImportSchema,
        description: 'The import, which is being checked.',
        headers: LOCATION,
      },
      errors: {
        ...ACTION_ERRORS,
        409: { ...CONFLICT, description: 'Too many imports are unfinished already.' },
        413: { ...TOO_LARGE, description: 'The file is larger than `PETSTORE_MAX_IMPORT_BYTES`.' },
        415: UNKNOWN_TYPE,
        507: DISK_FULL,
      },
    }),
  },
  role: 'staff',
  isCostly: true,
  create:
    ({ management, importing, baseUrl }) =>
    async (context) => {
      const parameters = readQuery(context.query, ['fileName', 'mode']);
      const fileName = parameters.get('fileName');
      if (fileName !== null && !isFileName(fileName)) {
        throw invalidParameter(`fileName must be a line of 1 to ${MAX_FILE_NAME} characters.`);
      }
      const format = readFormat(context);
      const mode = readMode(parameters.get('mode'));
      const { maxBytes, room } = importing;
      const file = { format, mode, fileName, maxBytes, room };
      const created = await receiveFile(context, management.imports, file);
      importing.wake();
      return respondJson(context, 202, importJson(created), { Location: `${baseUrl}/imports/${created.id}` });
    },
});

function readMode(text: string | null): ImportMode {
  const mode = IMPORT_MODES.find((known) => known === (text ?? 'set'));
  if (mode) return mode;
  throw invalidParameter(`mode must be one of ${IMPORT_MODES.join(', ')}.`);
}

function isFileName(text: string): boolean {
  return text !== '' && text.length <= MAX_FILE_NAME && isStorableLine(text);
}
