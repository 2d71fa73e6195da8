import { PET_ROW_COLUMNS, type PetRowsPage } from '../../../domain/management/pet-rows.ts';
import type { PetStore } from '../../../domain/management/pet-store.ts';
import { component, schemaAt } from '../../openapi/components.ts';
import { EVERY_RESPONSE, header } from '../../openapi/headers.ts';
import { notModified, responses } from '../../openapi/responses.ts';
import { JSON_LINES_TYPE } from '../../request/content-negotiation.ts';
import { readQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { MAX_OPEN_EXPORTS, OpenExports } from './open-exports.ts';

const ROWS_SEQUENCE = header('Inventory-Sequence', 'RowsSequence', {
  description: 'A movement that no row is older than: follow the live stream after it.',
  required: true,
  schema: schemaAt('WholeNumber'),
  example: 4711,
});

const PET_ROWS = component('responses', 'PetRows', {
  description: 'The names of the members, then all pets, one per line.',
  headers: { ...EVERY_RESPONSE, ...ROWS_SEQUENCE },
  content: {
    [JSON_LINES_TYPE]: { schema: { description: `Arrays of ${PET_ROW_COLUMNS.join(', ')}.` } },
  },
});

export const listPetRows = adminOperation({
  route: {
    operationId: 'listPetRows',
    method: 'get',
    path: '/pets/rows',
    tags: ['Pets'],
    summary: 'List all pets in one response',
    description: `Returns all pets in the order of petId, archived ones too, as fast as they are read: one JSON array per line. The first line has the names of the members: ${PET_ROW_COLUMNS.join(', ')}. The petId is a text, because a JSON parser may round a number; times are Unix times in milliseconds. Pets that change meanwhile are old or new in the response. To stay current, follow the live stream after \`Inventory-Sequence\`, and apply movements with a greater \`version\` than the row. A key may read ${MAX_OPEN_EXPORTS} of these lists at the same time; one more returns 503 \`service_unavailable\`.`,
    'x-stability': 'beta',
    responses: responses({
      success: PET_ROWS,
      notModified: notModified('PetRowsNotModified', ROWS_SEQUENCE),
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  isCostly: true,
  produces: JSON_LINES_TYPE,
  create: ({ management }) => {
    const open = new OpenExports();
    return async (context) => {
      readQuery(context.query, []);
      const first = await management.pets.rowsPage();
      return context.respond(200, open.bodyOf(context, rowTexts(management.pets, first)), {
        'Content-Type': JSON_LINES_TYPE,
        'Cache-Control': 'no-store',
        'Inventory-Sequence': String(first.sequence),
      });
    };
  },
});

async function* rowTexts(pets: PetStore, first: PetRowsPage): AsyncGenerator<string> {
  let part = first;
  yield `${JSON.stringify(PET_ROW_COLUMNS)}\n${part.text}`;
  while (part.next !== undefined) {
    part = await pets.rowsPage(part.next);
    yield part.text;
  }
}
