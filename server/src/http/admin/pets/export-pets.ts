import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { EXPORT_FORMATS, type ExportFormat } from '@petstore-inventory/shared/words';
import { type ExportPage, type ExportQuery, exportFrame } from '../../../domain/management/pet-export.ts';
import type { PetStore } from '../../../domain/management/pet-store.ts';
import { component, schemaAt } from '../../openapi/components.ts';
import { HISTORY_PRUNED } from '../../openapi/error-responses.ts';
import { EVERY_RESPONSE, header } from '../../openapi/headers.ts';
import { queryParameter } from '../../openapi/parameters.ts';
import { notModified, responses } from '../../openapi/responses.ts';
import { JSON_LINES_TYPE } from '../../request/content-negotiation.ts';
import {
  invalidParameter,
  onlySet,
  readChoice,
  readInteger,
  readQuery,
} from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { MAX_OPEN_EXPORTS, OpenExports } from './open-exports.ts';
import { ARCHIVED, readArchived } from './pet-query.ts';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  ndjson: JSON_LINES_TYPE,
  json: 'application/json',
};

const EXPORT_SEQUENCE = header('Inventory-Sequence', 'ExportSequence', {
  description:
    'The movement after which quantities and statuses were so. Send it as `sequence` to continue an export.',
  required: true,
  schema: schemaAt('WholeNumber'),
  example: 4711,
});

const DISPOSITION = header('Content-Disposition', 'FileName', {
  description: 'A name for the file (RFC 6266).',
  schema: { type: 'string', pattern: '^attachment; filename="[a-z.]+"$' },
});

/** A text; a JSON file is an array of objects with the columns of the others. */
const FILE = {
  description: 'The rows of the file: petId, name, category, quantity, status, lowStockAt and restockAt.',
};

const FORMAT = queryParameter('format', {
  component: 'ExportFormat',
  description: 'The format of the file; `csv` by default.',
  schema: { type: 'string', enum: EXPORT_FORMATS },
});
const SEQUENCE = queryParameter('sequence', {
  component: 'ExportedSequence',
  description: 'The stock as after this movement; by default the newest one.',
  schema: schemaAt('WholeNumber'),
  example: 4711,
});
const AFTER = queryParameter('after', {
  component: 'ExportAfter',
  description: 'Only pets with a greater petId: the last one that the client has.',
  schema: schemaAt('PetId'),
  example: 7,
});

const EXPORTED = component('responses', 'ExportedPets', {
  description: 'The file.',
  headers: { ...EVERY_RESPONSE, ...EXPORT_SEQUENCE, ...DISPOSITION },
  content: Object.fromEntries(Object.values(TYPES).map((type) => [type, { schema: FILE }])),
});

export const exportPets = adminOperation({
  route: {
    operationId: 'exportPets',
    method: 'get',
    path: '/pets/export',
    tags: ['Pets'],
    summary: 'Export pets',
    description: `Returns a file of all pets in the order of petId, which an import reads, and which changes nothing when it is imported again. Quantities and statuses are those after one movement, named in \`Inventory-Sequence\`; names, categories and thresholds have no history and are those at the time of reading. To continue an interrupted export, send that \`sequence\`, and \`after\` with the last petId. A key may read ${MAX_OPEN_EXPORTS} exports at the same time; one more returns 503 \`service_unavailable\`. In CSV a text that a spreadsheet would run as a formula has an apostrophe before it, which an import removes.`,
    'x-stability': 'beta',
    parameters: [FORMAT, ARCHIVED, SEQUENCE, AFTER],
    responses: responses({
      success: EXPORTED,
      notModified: notModified('ExportNotModified', EXPORT_SEQUENCE),
      errors: { ...ADMIN_ERRORS, 410: HISTORY_PRUNED },
    }),
  },
  role: 'viewer',
  isCostly: true,
  produces: '*/*',
  create: ({ management }) => {
    const open = new OpenExports();
    return async (context) => {
      const query = readExport(context.query);
      const first = await management.pets.exportPage(query);
      const texts = fileTexts(management.pets, { ...query, sequence: first.sequence }, first);
      return context.respond(200, open.bodyOf(context, texts), {
        'Content-Type': TYPES[query.format],
        'Cache-Control': 'no-store',
        'Content-Disposition': `attachment; filename="pets.${query.format}"`,
        'Inventory-Sequence': String(first.sequence),
      });
    };
  },
});

function readExport(queryText: string): ExportQuery {
  const parameters = readQuery(queryText, ['format', 'archived', 'sequence', 'after']);
  const text = parameters.get('after');
  const after = text === null ? undefined : parsePetId(text);
  if (text !== null && after === undefined) {
    throw invalidParameter('after must be a 64-bit integer in plain decimal, such as 7.');
  }
  return onlySet<ExportQuery>({
    format: readChoice(parameters, 'format', EXPORT_FORMATS) ?? 'csv',
    archived: readArchived(parameters),
    sequence: readInteger(parameters, 'sequence'),
    after,
  });
}

/** The texts of a file: each part, the first one with the file's beginning, the last one with its end. */
async function* fileTexts(pets: PetStore, query: ExportQuery, first: ExportPage): AsyncGenerator<string> {
  const { begin, end } = exportFrame(query.format);
  let hasRows = false;
  yield begin;
  for (let part = first; ; part = await pets.exportPage({ ...query, after: part.next })) {
    const isCommaFirst = query.format === 'json' && !hasRows;
    yield isCommaFirst ? part.text.slice(1) : part.text;
    hasRows ||= part.count > 0;
    if (part.next === undefined) break;
  }
  yield end;
}
