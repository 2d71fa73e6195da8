import { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import type { TableRecord } from '@petstore-inventory/shared/pet-file/table';

/** Reads the rows of a sheet. The page can draw in between. @throws UnreadableFile */
export async function* workbookRows(file: File, sheet: string | undefined): AsyncGenerator<TableRecord> {
  // Most files are no workbooks.
  const { XlsxFile } = await import('@petstore-inventory/shared/pet-file/workbook/xlsx');
  const workbook = new XlsxFile((line, problem) => {
    throw new UnreadableFile(line, problem);
  }, sheet);
  workbook.add(new Uint8Array(await file.arrayBuffer()));
  for (const row of workbook.rows()) {
    if (row) yield row;
    else await new Promise((resolve) => setTimeout(resolve));
  }
}
