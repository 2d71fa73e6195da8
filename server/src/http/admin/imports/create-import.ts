import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_FILE_NAME, MAX_MAPPING_NAME, MAX_SHEET_NAME } from '@petstore-inventory/shared/limits';
import { mappingNameFault, readingOf } from '@petstore-inventory/shared/pet-file/mapping';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import { DECIMALS, ENCODINGS, IMPORT_MODES } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import type { ImportMapping } from '../../../domain/management/import-mappings.ts';
import { onlySet } from '../../../domain/only-set.ts';
import { ACTION_CONFLICT, errorComponent } from '../../openapi/error-responses.ts';
import { LOCATION } from '../../openapi/headers.ts';
import { operationsWith } from '../../operation/operation.ts';
import { located, one } from '../../operation/output.ts';
import { choice, invalidParameter, Parameter, type Reading } from '../../operation/parameter.ts';
import { IMPORT } from './import-view.ts';
import { FILE, type FileLimits, receiveFile } from './receive-file.ts';

/** What imports need besides the store. */
export interface Importing extends FileLimits {
  /** Called when an import needs work. */
  readonly wake: () => void;
}

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly importing: Importing;
}>({ tag: 'Imports' });

const isLine = (text: string, max: number): boolean =>
  text !== '' && hasAtMost(text, max) && isStorableLine(text);
const lineOf = (max: number): Reading<string> => ({
  rule: `must be a line of 1 to ${max} characters.`,
  parse: (text) => (isLine(text, max) ? text : undefined),
});

const FILE_NAME = new Parameter<string>(
  {
    component: 'FileName',
    description: 'A name that lists show.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_FILE_NAME },
    example: 'pets.csv',
  },
  lineOf(MAX_FILE_NAME),
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
    parse: (names) => (isLine(names, MAX_IGNORED) ? names.split(',').map((name) => name.trim()) : undefined),
  },
).optional();

const SHEET = new Parameter<string>(
  {
    component: 'Sheet',
    description: 'The sheet of a workbook to read, where several have the needed headings.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SHEET_NAME },
    example: 'Bestand',
  },
  lineOf(MAX_SHEET_NAME),
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
    "Takes a file of pets: CSV with a header, a JSON array, one JSON object per line, or an .xlsx workbook of up to 64 MB. CSV may have commas, semicolons, tabs or bars, be UTF-8, UTF-16 or Windows-1252, and have known headings in English or German. Rows with a title may be above the headings. A count with two readings, such as `1.200`, is read as the other numbers of the file prove it, or as `decimal` says; otherwise it is an error of its row. The fields are `petId`, `sku`, `barcodes`, `name`, `category`, `quantity`, `status`, `lowStockAt`, `restockAt` and `supplier`. A row is of the pet with its `petId`; without one, of the pet with its `sku`, and without one of that with its `barcodes`. What names the pet does not change it; other codes replace those of the pet. A code that no pet has makes a new pet, with the next petId. A pet that is not in the file does not change, nor does a value whose field is empty, `null` or missing. The text `none` as `lowStockAt` or `supplier` removes it; `'none` is a supplier with that name. What is ordered of a pet stays. With `mode=add` the quantities are added to those of the pets; a sum below 0 or above the largest quantity is an error of its row.\n\nThe file is then checked and compared with the stock; nothing changes before the import is applied. A key may have five unfinished imports, all keys together twenty. A file must arrive with at least 1,000 bytes per second. The disk of the database must have room for it beyond `PETSTORE_DISK_RESERVE`, which changes need. A file without an action for 7 days is deleted.",
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
