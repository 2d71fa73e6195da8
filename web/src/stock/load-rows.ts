import { ApiError } from '../api/api-error.ts';
import { open } from '../api/client.ts';
import { ROW_MEMBERS, type RowLine, rowOfLine, type StockRow } from './stock-row.ts';

/** Reads all pets, and hands them over as they arrive. @throws ApiError */
export async function loadRows(onRows: (rows: StockRow[]) => void, signal: AbortSignal): Promise<void> {
  const response = await open('GET', '/pets/rows', { signal });
  const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let isFirst = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const text = rest + value;
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    if (end < 0) continue;
    let start = 0;
    if (isFirst) {
      start = text.indexOf('\n') + 1;
      requireMembers(text.slice(0, start - 1));
      isFirst = false;
    }
    // A string in JSON has no line break, so each one is between two rows.
    const lines = JSON.parse(`[${text.slice(start, end).replaceAll('\n', ',')}]`) as RowLine[];
    if (lines.length > 0) onRows(lines.map(rowOfLine));
  }
}

/** The page and the service may be of different releases while the service is updated. */
function requireMembers(line: string): void {
  if (line === ROW_MEMBERS) return;
  throw new ApiError('outdated_page', 'The service was updated. Reload the page.', 500);
}
