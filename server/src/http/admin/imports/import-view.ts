import { z } from '@hono/zod-openapi';
import { MAX_MAPPING_NAME, MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import { IMPORT_ERROR_CODES } from '@petstore-inventory/shared/pet-file/import-problems';
import {
  DECIMALS,
  ENCODINGS,
  IMPORT_EFFECTS,
  IMPORT_FORMATS,
  IMPORT_MODES,
  PET_STATUSES,
} from '@petstore-inventory/shared/words';
import {
  IMPORT_FAILURES,
  IMPORT_STATES,
  type ImportFailureCode,
  type ImportRow,
  MAX_IMPORT_FAULTS,
} from '../../../domain/management/imports.ts';
import { importJson } from '../../../wire/import-json.ts';
import { view } from '../../operation/output.ts';
import {
  moment,
  PetIdSchema,
  QuantitySchema,
  text,
  wholeNumber,
  wholeNumberOrNull,
} from '../../schemas/values.ts';
import { BarcodesSchema, SkuSchema } from '../../schemas/codes.ts';

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

export const IMPORT = view(
  'Import',
  z
    .object({
      id: text(24, 'The id of the import.', 'imp_4fQ2n8Zk1bXw0aLr'),
      state: z.enum(IMPORT_STATES).openapi('ImportState', {
        description:
          'The file is `checking`; then it is `planned`, or `invalid` for its `errors`. A plan is `applying`; then it is `applied`, or `stale` because stock changed after the plan: it can be planned again. `failed`: see `failureCode`. `cancelled`: it was ended. `receiving`: the file arrives.',
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
      reading: ReadingSchema.nullable().openapi({
        description: '`null`: it is not checked yet, or there is no file.',
      }),
      failure: text(500, 'Why it failed, as a sentence.', null).nullable(),
      failureCode: z
        .enum(Object.keys(IMPORT_FAILURES) as [ImportFailureCode, ...ImportFailureCode[]])
        .nullable()
        .openapi({
          description:
            'Why it failed: the disk of the database has no room, its work could not start, too many interruptions, or the import that it undoes is deleted or undone already.',
          example: null,
        }),
      createdBy: text(100, 'The id of the key that sent the file.', 'key_4fQ2n8Zk1bXw0aLr'),
      appliedBy: text(100, 'The id of the key that applied it.', null).nullable(),
      appliedBefore: text(
        24,
        'The id of another import of the same bytes and `mode` that was applied before, the newest one: with `mode=add` its units would be added twice. `null`: none that is kept.',
        null,
      ).nullable(),
      undoes: text(
        24,
        'The id of the applied import that this one undoes, without a file of its own; `mode` is `add`. That import may be deleted. `null`: it has a file.',
        null,
      ).nullable(),
      undoneBy: text(
        24,
        'The id of the applied import that undid this one, which may be deleted. `null`: it is not undone.',
        null,
      ).nullable(),
      createdAt: moment('When the file was sent.'),
      updatedAt: moment('When it changed last.'),
    })
    .openapi({
      description: 'A file of pets, or the undo of one, that is checked, shown, and then applied.',
    }),
  importJson,
);

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
    supplier: text(MAX_SUPPLIER, 'Who sells it to the shop.', 'Zoo Wholesale').nullable(),
  })
  .openapi('ImportedValues', { description: 'The values of a pet that an import can change.' });

export const ROW = view(
  'ImportRow',
  z
    .object({
      petId: PetIdSchema,
      line: wholeNumber('The line of the file, for an undo of the file that it undoes.', 3),
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
