import { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import type { TableRecord } from '@petstore-inventory/shared/pet-file/table';
import { Question } from './question.ts';

/** A browser waits for some milliseconds each time, and a large workbook has thousands of steps. */
const DRAW_INTERVAL_MS = 30;

/** Reads the rows of a sheet. The page can draw in between. @throws UnreadableFile, Question */
export async function* workbookRows(file: File, sheet: string | undefined): AsyncGenerator<TableRecord> {
  // Most files are no workbooks.
  const { XlsxFile } = await import('@petstore-inventory/shared/pet-file/workbook/xlsx');
  const workbook = new XlsxFile((line, problem) => {
    const error = new UnreadableFile(line, problem);
    const answers = workbook.choices.map((name) => ({ sheet: name }));
    throw answers.length === 0 ? error : new Question(error, answers);
  }, sheet);
  workbook.add(new Uint8Array(await file.arrayBuffer()));
  let drawnAtMs = performance.now();
  for (const row of workbook.rows()) {
    if (row) yield row;
    else if (performance.now() > drawnAtMs + DRAW_INTERVAL_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      drawnAtMs = performance.now();
    }
  }
}
