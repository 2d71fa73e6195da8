import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { writeExact } from '../../api/exact-json.ts';
import { readPage } from '../../api/pages.ts';
import type { Movement } from '../../api/schemas.ts';
import { readAll } from '../../components/downloads/read-all.ts';
import { spreadsheetField } from '../../components/downloads/spreadsheet-field.ts';
import type { ExportedFile } from '../../components/downloads/use-export.ts';
import { type MovementFilter, movementsPath } from '../../components/movements/use-movement-feed.ts';

export type ExportFormat = 'csv' | 'ndjson';

const COLUMNS = [
  'sequence',
  'recordedAt',
  'petId',
  'kind',
  'delta',
  'quantityBefore',
  'quantityAfter',
  'reservedBefore',
  'reservedAfter',
  'statusBefore',
  'statusAfter',
  'alertAfter',
  'orderId',
  'reason',
  'note',
  'referenceId',
  'referenceDocumentUri',
  'occurredAt',
  'revertedSequence',
] as const satisfies readonly (keyof Movement)[];

/** Reads the movements of a filter, newest first, page by page. @throws ApiError */
export async function exportMovements(
  filter: MovementFilter,
  format: ExportFormat,
  onProgress: (count: number) => void,
): Promise<ExportedFile> {
  const { path, query } = movementsPath(filter);
  const texts = format === 'csv' ? [`${[...COLUMNS, 'author', 'authorKeyId'].join()}\r\n`] : [];
  const result = await readAll<Movement>(
    (before) => readPage(path, { ...query, order: 'desc', limit: MAX_PAGE_ITEMS, before }),
    (movements) => void texts.push(movements.map(format === 'csv' ? csvRow : jsonRow).join('')),
    onProgress,
  );
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson';
  return { ...result, content: new Blob(texts, { type }) };
}

const jsonRow = (movement: Movement): string => `${writeExact(movement)}\n`;

function csvRow(movement: Movement): string {
  const { name, keyId } = movement.actor;
  return `${[...COLUMNS.map((column) => movement[column]), name, keyId].map(spreadsheetField).join()}\r\n`;
}
