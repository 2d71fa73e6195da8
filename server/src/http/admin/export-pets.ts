import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  EXPORT_SEPARATORS,
  type ExportFormat,
} from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import {
  type ExportPage,
  type ExportQuery,
  exportFrame,
  sheetFault,
} from '../../domain/management/pet-export.ts';
import type { PetStore } from '../../domain/management/pet-store.ts';
import { onlySet } from '../../domain/only-set.ts';
import { WORKBOOK_TYPE, workbookFile } from '../../wire/workbook-file.ts';
import { schemaAt } from '../openapi/components.ts';
import { HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { header } from '../openapi/headers.ts';
import { operationsWith } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { choice, choices, invalidParameter, petIdParameter, wholeNumber } from '../operation/parameter.ts';
import { CATEGORY, SUPPLIER, WORDS } from '../catalog/catalog-query.ts';
import { LIST_PARAMETERS } from '../inventory/list-query.ts';
import { JSON_LINES_TYPE } from '../request/content-negotiation.ts';
import { MAX_OPEN_EXPORTS, type OpenExports } from './open-exports.ts';
import { ARCHIVED } from './pets.ts';

const operation = operationsWith<{
  readonly exporting: ManagementStore;
  readonly openExports: OpenExports;
}>({ tag: 'Pets' });

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  ndjson: JSON_LINES_TYPE,
  json: 'application/json',
  xlsx: WORKBOOK_TYPE,
};

const FORMAT = choice(EXPORT_FORMATS, {
  component: 'ExportFormat',
  description: 'The format of the file; `csv` by default.',
  schema: { type: 'string', enum: EXPORT_FORMATS },
}).orElse('csv');

const COLUMN = EXPORT_COLUMNS.join('|');

const COLUMNS = choices(EXPORT_COLUMNS, {
  component: 'ExportColumns',
  description:
    'The columns of the file, separated by commas, always in the order of their names here; by default all but `sku`, `barcodes` and `supplier`. An import needs `quantity` and one of `petId`, `sku` and `barcodes`.',
  schema: { type: 'string', pattern: `^(${COLUMN})(,(${COLUMN}))*$` },
  example: 'petId,quantity,sku,supplier',
}).optional();

export const SEPARATOR = choice(EXPORT_SEPARATORS, {
  component: 'ExportSeparator',
  description:
    'Between the fields of CSV for a spreadsheet; the file then begins with the mark of UTF-8. By default commas, without the mark.',
  schema: { type: 'string', enum: [...EXPORT_SEPARATORS] },
}).optional();

const SEQUENCE = wholeNumber({
  component: 'ExportedSequence',
  description: 'The stock as after this movement; by default the newest one.',
  schema: schemaAt('WholeNumber'),
  example: 4711,
}).optional();

const AFTER = petIdParameter({
  component: 'ExportAfter',
  description: 'Only pets with a greater petId: the last one that the client has.',
  schema: schemaAt('PetId'),
  example: 7,
}).optional();

/** The header with the name of a file. */
export const FILE_NAME = header('Content-Disposition', 'FileName', {
  description: 'A name for the file (RFC 6266).',
  schema: { type: 'string', pattern: '^attachment; filename="[a-z.]+"$' },
});

const HEADERS = {
  ...header('Inventory-Sequence', 'ExportSequence', {
    description:
      'The movement after which quantities and statuses were so. Send it as `sequence` to continue an export.',
    required: true,
    schema: schemaAt('WholeNumber'),
    example: 4711,
  }),
  ...FILE_NAME,
};

export const exportPets = operation({
  id: 'exportPets',
  at: 'GET /pets/export',
  summary: 'Export pets',
  description: `Returns a file of all pets, or of those that match the filters, in the order of petId, which an import reads, and which changes nothing when it is imported again. Quantities and statuses are those after one movement, named in \`Inventory-Sequence\`; names, categories, thresholds, codes and suppliers have no history and are those at the time of reading. To continue an interrupted export, send that \`sequence\`, and \`after\` with the last petId. A key may read ${MAX_OPEN_EXPORTS} exports at the same time; one more returns 503 \`service_unavailable\`. In CSV a text that a spreadsheet would run as a formula has an apostrophe before it, which an import removes.`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: '*/*',
  query: {
    format: FORMAT,
    columns: COLUMNS,
    q: WORDS,
    category: CATEGORY,
    supplier: SUPPLIER,
    status: LIST_PARAMETERS.status,
    alert: LIST_PARAMETERS.alert,
    separator: SEPARATOR,
    archived: ARCHIVED,
    sequence: SEQUENCE,
    after: AFTER,
  },
  output: answered({
    response: 'ExportedPets',
    description: 'The file.',
    headers: HEADERS,
    notModified: 'ExportNotModified',
    mediaTypes: Object.values(TYPES),
    // A text, or bytes; a JSON file is an array of objects with the columns of the others.
    schema: {
      description: 'The rows of the file, with the `columns`.',
    },
  }),
  errors: { 410: HISTORY_PRUNED },
  handle: async ({ exporting: { pets }, openExports }, { context, query: sent }) => {
    const { q, alert: alertLevels, ...rest } = sent;
    const words = q?.trim() === '' ? undefined : q;
    const query = onlySet<ExportQuery>({ ...rest, query: words, alertLevels });
    const fault = await sheetFault(pets, query);
    if (fault !== undefined) throw invalidParameter(fault);
    const first = await pets.exportPage(query);
    const texts = fileTexts(pets, { ...query, sequence: first.sequence }, first);
    return context.respond(
      200,
      openExports.bodyOf(context, query.format === 'xlsx' ? workbookFile(texts) : texts),
      {
        'Content-Type': TYPES[query.format],
        'Cache-Control': 'no-store',
        'Content-Disposition': `attachment; filename="pets.${query.format}"`,
        'Inventory-Sequence': String(first.sequence),
      },
    );
  },
});

/** The texts of a file: its beginning, those of its pages, and its end. */
async function* fileTexts(pets: PetStore, query: ExportQuery, first: ExportPage): AsyncGenerator<string> {
  const { begin, end } = exportFrame(query);
  let hasRows = false;
  yield begin;
  for (let page = first; ; page = await pets.exportPage({ ...query, after: page.next })) {
    const isCommaFirst = query.format === 'json' && !hasRows;
    yield isCommaFirst ? page.text.slice(1) : page.text;
    hasRows ||= page.count > 0;
    if (page.next === undefined) break;
  }
  yield end;
}
