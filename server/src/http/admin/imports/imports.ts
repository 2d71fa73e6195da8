import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_FILE_NAME, MAX_MAPPING_NAME, MAX_SHEET_NAME } from '@petstore-inventory/shared/limits';
import { mappingNameFault, readingOf } from '@petstore-inventory/shared/pet-file/mapping';
import { restFileOf } from '@petstore-inventory/shared/pet-file/rest-file';
import { PROBLEM_COLUMN } from '@petstore-inventory/shared/pet-file/headings';
import { IMPORT_ERROR_CODES } from '@petstore-inventory/shared/pet-file/import-problems';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import {
  DECIMALS,
  ENCODINGS,
  IMPORT_EFFECTS,
  IMPORT_FORMATS,
  IMPORT_MODES,
  type ImportFormat,
  PET_STATUSES,
} from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { ApiError } from '../../../domain/errors.ts';
import {
  IMPORT_FAILURES,
  IMPORT_STATES,
  type Import,
  type ImportFailureCode,
  type ImportRow,
  type ImportStore,
  MAX_IMPORT_FAULTS,
} from '../../../domain/management/imports.ts';
import type { ImportMapping } from '../../../domain/management/import-mappings.ts';
import { importJson } from '../../../wire/import-json.ts';
import { optionalBody } from '../../operation/body.ts';
import { schemaAt } from '../../openapi/components.ts';
import { ACTION_CONFLICT, errorComponent } from '../../openapi/error-responses.ts';
import { header, LOCATION } from '../../openapi/headers.ts';
import { operationsWith } from '../../operation/operation.ts';
import { answered, located, nothing, one, page, pageOf, view } from '../../operation/output.ts';
import {
  anyText,
  choice,
  cursor,
  invalidParameter,
  LIMIT,
  onlySet,
  oneMore,
  NEWEST_PAGE,
  Parameter,
} from '../../operation/parameter.ts';
import {
  moment,
  PetIdSchema,
  QuantitySchema,
  text,
  wholeNumber,
  wholeNumberOrNull,
} from '../../schemas/values.ts';
import { BarcodesSchema, SkuSchema } from '../../schemas/codes.ts';
import { JSON_LINES_TYPE } from '../../request/content-negotiation.ts';
import type { OpenExports } from '../open-exports.ts';
import { FILE, receiveFile } from './receive-file.ts';

/** What imports need besides the store. */
export interface Importing {
  /** The largest file. */
  readonly maxBytes: number;
  /** The bytes that files may take of the disk; `undefined`: unknown. */
  readonly room: () => Promise<number | undefined>;
  /** Called when an import needs work. */
  readonly wake: () => void;
}

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly importing: Importing;
  readonly openExports: OpenExports;
}>({ tag: 'Imports' });

const ModeSchema = z.enum(IMPORT_MODES).openapi('ImportMode', {
  description:
    '`set`: the quantities of the file replace those of the pets. `add`: they are added to them; negative ones take units away.',
  example: 'set',
});

const ErrorSchema = z
  .object({
    line: wholeNumberOrNull('The line, from 1; `null`: the whole file.', 3),
    element: wholeNumberOrNull('The element of a JSON array, from 1.', null as unknown as number),
    field: text(20, 'The column or member; `null`: the whole row.', 'quantity').nullable(),
    code: z.enum(IMPORT_ERROR_CODES).openapi('ImportErrorCode', {
      description:
        'The kind of the error. Codes may be added; the `message` of an unknown one says what is wrong. The guide to the management API has a table of them.',
      example: 'invalid_quantity',
    }),
    values: z.record(z.string(), z.string().max(200)).openapi({
      description:
        'What the `message` names, such as the `value` of the file, a `maximum`, or the `earlierLine` with the same pet. All are texts, because some numbers have more digits than JSON readers keep. A value of the file is as JSON writes it.',
      example: { value: '"-5"', minimum: '0', maximum: '9007199254740991' },
    }),
    message: text(500, 'What is wrong.', '"-5" is not a whole number from 0 to 9007199254740991.'),
    row: text(
      301,
      'The row as the file has it; its beginning if it is long. `null`: not known.',
      '7,-5',
    ).nullable(),
  })
  .openapi('ImportError', { description: 'What is wrong with a row, or which row changed after the plan.' });

const ReadingSchema = z
  .object({
    encoding: z
      .enum(ENCODINGS)
      .nullable()
      .openapi({ description: 'The encoding; `null` for a workbook.', example: 'windows-1252' }),
    separator: text(1, 'Between the fields; `null`: not CSV.', ';').nullable(),
    headingLine: wholeNumberOrNull('The line of the headings; `null` for JSON.', 4),
    sheet: text(100, 'The sheet of a workbook.', null).nullable(),
    decimal: z
      .enum(DECIMALS)
      .nullable()
      .openapi({ description: 'What decided about numbers with two readings.', example: 'comma' }),
    leftOut: z
      .array(text(20, 'A column.', 'available'))
      .max(4)
      .openapi({
        description: 'Columns of a file of the stock page that an import does not change.',
        example: [],
      }),
    mapping: text(MAX_MAPPING_NAME, 'The remembered mapping of its columns.', null).nullable(),
  })
  .openapi('ImportReading', {
    description: 'How the file was read: what it showed, and what the request says.',
  });

const IMPORT = view(
  'Import',
  z
    .object({
      id: text(24, 'The id of the import.', 'imp_4fQ2n8Zk1bXw0aLr'),
      state: z.enum(IMPORT_STATES).openapi('ImportState', {
        description:
          'The file is `checking`; then it is `planned`, or `invalid` for its `errors`. A plan is `applying`; then it is `applied`, or `stale` because stock changed after the plan: it can be planned again. `failed`: it was interrupted too often.',
        example: 'planned',
      }),
      format: z.enum(IMPORT_FORMATS).openapi('ImportFormat', { description: 'The format of the file.' }),
      mode: ModeSchema,
      fileName: text(200, 'As sent with the file.', 'pets.csv').nullable(),
      byteCount: wholeNumber('The size of the file.', 4_096),
      checkedBytes: wholeNumber('How much of the file is checked.', 4_096),
      counts: z
        .object({
          new: wholeNumber('Rows of new pets.', 10),
          changed: wholeNumber('Rows that change their pet.', 5),
          unchanged: wholeNumber('Rows that change nothing.', 85),
        })
        .openapi('ImportCounts', { description: 'Rows by their effect; zeros until the file is checked.' }),
      errors: z
        .array(ErrorSchema)
        .max(MAX_IMPORT_FAULTS)
        .openapi({
          description: `The first ${MAX_IMPORT_FAULTS} errors, or rows that changed after the plan.`,
        }),
      errorCount: wholeNumber('All errors.', 0),
      badRows: wholeNumber('Rows with an error, which are left out if the others are applied.', 0),
      newPetsToCheck: wholeNumber(
        'New pets whose code may be mistyped: all that only a code names, where the codes of more rows found their pets.',
        0,
      ),
      reading: ReadingSchema.nullable().openapi({ description: '`null`: it is not checked yet.' }),
      failure: text(500, 'Why it failed, as a sentence.', null).nullable(),
      failureCode: z
        .enum(Object.keys(IMPORT_FAILURES) as [ImportFailureCode, ...ImportFailureCode[]])
        .nullable()
        .openapi({
          description:
            'Why it failed: the disk of the database has no room, its work could not start, or too many interruptions.',
          example: null,
        }),
      createdBy: text(100, 'The id of the key that sent the file.', 'key_4fQ2n8Zk1bXw0aLr'),
      appliedBy: text(100, 'The id of the key that applied it.', null).nullable(),
      appliedBefore: text(
        24,
        'The id of another import of the same bytes and `mode` that was applied before, the newest one: with `mode=add` its units would be added twice. `null`: none that is kept.',
        null,
      ).nullable(),
      createdAt: moment('When the file was sent.'),
      updatedAt: moment('When it changed last.'),
    })
    .openapi({ description: 'A file of pets that is checked, shown, and then applied.' }),
  importJson,
);

const IMPORT_ID = anyText({
  component: 'ImportId',
  description: 'The id of the import.',
  required: true,
  schema: { type: 'string', maxLength: 24 },
  example: 'imp_4fQ2n8Zk1bXw0aLr',
});

const ONE = { path: { importId: IMPORT_ID }, missing: 'import' };

const FILE_NAME = new Parameter<string>(
  {
    component: 'FileName',
    description: 'A name that lists show.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_FILE_NAME },
    example: 'pets.csv',
  },
  {
    rule: `must be a line of 1 to ${MAX_FILE_NAME} characters.`,
    parse: (name) =>
      name !== '' && hasAtMost(name, MAX_FILE_NAME) && isStorableLine(name) ? name : undefined,
  },
).optional();

const MODE = choice(IMPORT_MODES, {
  component: 'Mode',
  description: 'Whether the quantities replace those of the pets, or are added to them. `set` by default.',
  schema: { type: 'string', enum: [...IMPORT_MODES], default: 'set' },
}).orElse('set');

const DECIMAL = choice(DECIMALS, {
  component: 'Decimal',
  description:
    'The mark of decimals, where the file has numbers with two readings, such as `1.200`, and no other number proves it: with `comma` that is 1200, with `point` 1.2.',
  schema: { type: 'string', enum: [...DECIMALS] },
}).optional();

const ENCODING = choice(ENCODINGS, {
  component: 'Encoding',
  description: 'The encoding of CSV, where the file does not show it.',
  schema: { type: 'string', enum: [...ENCODINGS] },
}).optional();

const MAX_IGNORED = 2_000;
const IGNORE = new Parameter<readonly string[]>(
  {
    component: 'Ignore',
    description:
      'Columns or members that are left out, with commas between them. Others that are not known are errors.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_IGNORED },
    example: 'Preis,Lieferant',
  },
  {
    rule: `must be names with commas between them, of at most ${MAX_IGNORED} characters.`,
    parse: (names) =>
      names !== '' && hasAtMost(names, MAX_IGNORED) && isStorableLine(names)
        ? names.split(',').map((name) => name.trim())
        : undefined,
  },
).optional();

const SHEET = new Parameter<string>(
  {
    component: 'Sheet',
    description: 'The sheet of a workbook to read, where several have the needed headings.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SHEET_NAME },
    example: 'Bestand',
  },
  {
    rule: `must be a line of 1 to ${MAX_SHEET_NAME} characters.`,
    parse: (name) =>
      name !== '' && hasAtMost(name, MAX_SHEET_NAME) && isStorableLine(name) ? name : undefined,
  },
).optional();

const MAPPING = new Parameter<string>(
  {
    component: 'Mapping',
    description:
      'The name of the remembered mapping by which the file is read. What other parameters say comes first.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_MAPPING_NAME },
    example: 'Zoo Wholesale',
  },
  {
    rule: `must be the name of a mapping, of 1 to ${MAX_MAPPING_NAME} characters.`,
    parse: (name) => (mappingNameFault(name) === undefined ? name : undefined),
  },
).optional();

const DISK_FULL = errorComponent('DiskFull', {
  description: 'The disk of the database has no room for the file. Changes of stock are still possible.',
  codes: ['disk_full'],
});

export const createImport = operation({
  id: 'createImport',
  at: 'POST /imports',
  summary: 'Send a file of pets',
  description:
    'Takes a file of pets: CSV with a header, a JSON array, one JSON object per line, or an .xlsx workbook of up to 64 MB. CSV may have commas, semicolons, tabs or bars, be UTF-8, UTF-16 or Windows-1252, and have known headings in English or German. Rows with a title may be above the headings. A count with two readings, such as `1.200`, is read as the other numbers of the file prove it, or as `decimal` says; otherwise it is an error of its row. The fields are `petId`, `sku`, `barcodes`, `name`, `category`, `quantity`, `status`, `lowStockAt` and `restockAt`. A row is of the pet with its `petId`; without one, of the pet with its `sku`, and without one of that with its `barcodes`. What names the pet does not change it; other codes replace those of the pet. A code that no pet has makes a new pet, with the next petId. A pet that is not in the file does not change, nor does a value whose field is empty, `null` or missing. With `mode=add` the quantities are added to those of the pets; a sum below 0 or above the largest quantity is an error of its row.\n\nThe file is then checked and compared with the stock; nothing changes before the import is applied. A key may have five unfinished imports, all keys together twenty. A file must arrive with at least 1,000 bytes per second. The disk of the database must have room for it beyond `PETSTORE_DISK_RESERVE`, which changes need. A file without an action for 7 days is deleted.',
  access: { role: 'staff' },
  isCostly: true,
  query: {
    fileName: FILE_NAME,
    mode: MODE,
    decimal: DECIMAL,
    encoding: ENCODING,
    sheet: SHEET,
    ignore: IGNORE,
    mapping: MAPPING,
  },
  body: FILE,
  output: one(IMPORT, {
    status: 202,
    description: 'The import, which is being checked.',
    headers: [located(({ id }) => `/imports/${id}`, LOCATION)],
  }),
  errors: {
    409: { ...ACTION_CONFLICT, description: 'Too many imports are unfinished already.' },
    507: DISK_FULL,
  },
  handle: async ({ management, importing }, { context, query, body: format, author }) => {
    const { fileName = null, mode, decimal, encoding, sheet, ignore, mapping } = query;
    const given = { decimal, encoding, sheet, ignored: ignore };
    const reading =
      mapping === undefined ? given : readingOf(await requireMapping(management, mapping), given);
    const created = await receiveFile(context, management.imports, {
      format,
      mode,
      fileName,
      reading: onlySet(reading),
      author,
      limits: importing,
    });
    importing.wake();
    return created;
  },
});

/** @throws ApiError `invalid_parameter`. */
async function requireMapping({ importMappings }: ManagementStore, name: string): Promise<ImportMapping> {
  const found = await importMappings.find(name);
  if (found) return found;
  throw invalidParameter(
    `mapping: there is no mapping ${shownValue(name)}; \`GET /admin/v1/import-mappings\` lists them.`,
  );
}

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

async function requireImport(imports: ImportStore, id: string): Promise<Import> {
  const found = await imports.find(id);
  if (found) return found;
  throw new ApiError('not_found', `There is no import ${shownValue(id)}.`);
}

const ValuesSchema = z
  .object({
    name: text(200, 'Its name.', 'Rex').nullable(),
    category: text(200, 'Its category.', 'Dogs').nullable(),
    quantity: QuantitySchema,
    status: z.enum(PET_STATUSES).openapi('PetStatus'),
    lowStockAt: wholeNumberOrNull('Its own threshold.', 5),
    restockAt: wholeNumberOrNull('Its own threshold.', 10),
    sku: SkuSchema,
    barcodes: BarcodesSchema,
  })
  .openapi('ImportedValues', { description: 'The values of a pet that an import can change.' });

const ROW = view(
  'ImportRow',
  z
    .object({
      petId: PetIdSchema,
      line: wholeNumber('The line of the file.', 3),
      element: wholeNumberOrNull('The element of a JSON array.', 3),
      effect: z.enum(IMPORT_EFFECTS).openapi('ImportEffect', {
        description: 'What a row does to its pet.',
        example: 'changed',
      }),
      before: ValuesSchema.nullable().openapi({ description: '`null`: the pet is new, or does not change.' }),
      after: ValuesSchema.nullable().openapi({ description: '`null`: the pet does not change.' }),
    })
    .openapi({ description: 'A row of the plan.' }),
  (row: ImportRow) => row,
);

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
  description: 'Compares the file of a `planned`, `stale` or `failed` import with the present stock again.',
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
  description: `Returns the rows with errors as a file of the same form, CSV for a workbook. Its first column or member, \`${PROBLEM_COLUMN}\`, says what is wrong; an import of the mended file leaves it out. The file has no rows while the import is checked, and if it cannot be read to its end.`,
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
    const texts = badRowTexts(imports, importId, first ?? NO_BAD_ROWS[format]);
    return context.respond(200, openExports.bodyOf(context, texts), {
      'Content-Type': BAD_ROWS_TYPES[format],
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  },
});

async function* badRowTexts(imports: ImportStore, id: string, first: string): AsyncGenerator<string> {
  for (let [number, text] = [1, first as string | undefined]; text !== undefined; number += 1) {
    yield text;
    text = await imports.badRows(id, number);
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
