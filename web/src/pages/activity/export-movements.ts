import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { writeExact } from '../../api/exact-json.ts';
import { readPage } from '../../api/pages.ts';
import type { Movement } from '../../api/schemas.ts';
import { spreadsheetField } from '../../components/downloads/spreadsheet-field.ts';
import { type MovementFilter, movementsPath } from '../../components/movements/use-movement-feed.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** An export has the newest ones, so that it neither takes minutes nor fills the memory of the page. */
const MAX_EXPORTED = 50_000;

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

export interface ExportedFile {
  readonly content: Blob;
  readonly count: number;
  /** Whether there are older ones that the file does not have. */
  readonly isPart: boolean;
}

/** Reads the movements of a filter, newest first, page by page. @throws ApiError */
export async function exportMovements(
  filter: MovementFilter,
  format: ExportFormat,
  onProgress: (count: number) => void,
): Promise<ExportedFile> {
  const { path, query } = movementsPath(filter);
  const texts = format === 'csv' ? [`${[...COLUMNS, 'author', 'authorKeyId'].join()}\r\n`] : [];
  let count = 0;
  let before: string | undefined;
  do {
    const page = await readPage<Movement>(path, { ...query, order: 'desc', limit: MAX_PAGE_ITEMS, before });
    texts.push(page.items.map(format === 'csv' ? csvRow : jsonRow).join(''));
    count += page.items.length;
    before = page.next;
    onProgress(count);
  } while (before !== undefined && count < MAX_EXPORTED);
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson';
  return { content: new Blob(texts, { type }), count, isPart: before !== undefined };
}

const jsonRow = (movement: Movement): string => `${writeExact(movement)}\n`;

function csvRow(movement: Movement): string {
  const { name, keyId } = movement.actor;
  return `${[...COLUMNS.map((column) => movement[column]), name, keyId].map(spreadsheetField).join()}\r\n`;
}
