import { REPORT_FORMATS } from '@petstore-inventory/shared/words';
import { membersIn, type ReportForm, reportTexts } from '../../../domain/management/reports/report-file.ts';
import { WORKBOOK_TYPE, workbookFile } from '../../../wire/workbook-file.ts';
import { answered } from '../../operation/output.ts';
import { choice } from '../../operation/parameter.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { FILE_NAME, SEPARATOR } from '../export-pets.ts';
import { MAX_OPEN_EXPORTS, type OpenExports } from '../open-exports.ts';

/** The files of reports and of the reorder list. */

/** The parameters of a file. */
export const FILE = {
  format: choice(REPORT_FORMATS, {
    component: 'ReportFormat',
    description: 'The format of the file; `csv` by default.',
    schema: { type: 'string', enum: [...REPORT_FORMATS] },
  }).orElse('csv'),
  separator: SEPARATOR,
};

export const FILE_OUTPUT = answered({
  response: 'ExportedReport',
  description: 'The file.',
  headers: FILE_NAME,
  notModified: 'NotModified',
  mediaTypes: ['text/csv', WORKBOOK_TYPE],
  schema: { description: 'The rows of the report; columns have the names of their members.' },
});

/** For the description of an operation. */
export const READERS = `A key may read ${MAX_OPEN_EXPORTS} of these files at the same time; one more returns 503 \`service_unavailable\`.`;

interface FileParts<Row> {
  readonly context: RequestContext;
  readonly openExports: OpenExports;
  readonly form: Omit<ReportForm, 'columns'>;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly Row[]>;
  readonly membersOf: (row: Row) => Readonly<Record<string, string | number | bigint | null>>;
}

/** Responds with the file of a report, row by row as they are read. */
export async function answerFile<Row>(
  name: string,
  { context, openExports, form, columns, rows, membersOf }: FileParts<Row>,
) {
  // A refusal of the whole report comes with the first rows, before the response begins.
  const texts = await primed(reportTexts({ ...form, columns }, membersIn(rows, membersOf)));
  const body = form.format === 'xlsx' ? workbookFile(texts) : texts;
  return context.respond(200, openExports.bodyOf(context, body), {
    'Content-Type': form.format === 'xlsx' ? WORKBOOK_TYPE : 'text/csv',
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="${name}.${form.format}"`,
  });
}

/** Returns the given texts, and has read two of them: an error in the headings or the first rows is thrown here. */
async function primed<T>(texts: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = [await texts.next(), await texts.next()];
  return (async function* () {
    for (const { done, value } of first) {
      if (done) return;
      yield value as T;
    }
    yield* texts;
  })();
}
