import { z } from '@hono/zod-openapi';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import type { ReportStore } from '../../../domain/management/reports/reports.ts';
import { type StockRow, stockRows, stockSequence } from '../../../domain/management/reports/stock-report.ts';
import { EMPTY_STOCK, reportColumns, stockRowMembers } from '../../../wire/report-json.ts';
import { LIST_PARAMETERS } from '../../inventory/list-query.ts';
import { linked, one, view } from '../../operation/output.ts';
import { cursor, invalidParameter, LIMIT } from '../../operation/parameter.ts';
import { wholeNumber, units } from '../../schemas/values.ts';
import { answerFile, FILE, FILE_OUTPUT, READERS } from './report-files.ts';
import {
  BY,
  BY_MEMBER,
  FILTERS,
  numbersIn,
  operation,
  PET_MEMBERS,
  PRUNED,
  type Report,
  RETENTION,
  retentionOf,
  taggedBy,
  takeRows,
} from './report-parts.ts';

interface StockReport extends Report<StockRow> {
  readonly sequence: number;
  readonly retentionStart: string | null;
}

const STOCK_REPORT = view(
  'StockReport',
  z
    .object({
      by: BY_MEMBER,
      sequence: wholeNumber('The movement after which the stock was so.', 4711),
      retentionStart: RETENTION,
      rows: z
        .array(
          z
            .object({
              ...PET_MEMBERS,
              pets: wholeNumber('Pets that existed then, archived ones too.', 12),
              quantity: units('Their units.', 340),
              reserved: units('Units that were reserved.', 5),
              available: units('`quantity` minus `reserved`.', 335),
            })
            .openapi('StockReportRow', { description: 'Stock after a movement.' }),
        )
        .openapi({ description: 'By petId or by the name of the category.' }),
    })
    .openapi({ description: 'The stock at a moment.' }),
  ({ by, sequence, retentionStart, rows }: StockReport) => ({
    by,
    sequence,
    retentionStart,
    rows: rows.map(stockRowMembers),
  }),
);

const STOCK_QUERY = {
  by: BY.orElse('category'),
  ...FILTERS,
  asOf: LIST_PARAMETERS.asOf,
  atSequence: LIST_PARAMETERS.atSequence,
};

const STOCK_CURSOR = cursor<{ readonly sequence: number; readonly petId: bigint }>({
  parse: (sent) => {
    const [first = '', last = '', ...rest] = sent.split(':');
    const [numbers, petId] = [numbersIn([first]), parsePetId(last)];
    const [sequence] = numbers ?? [];
    return rest.length > 0 || sequence === undefined || petId === undefined ? undefined : { sequence, petId };
  },
  print: ({ sequence, petId }) => `${sequence}:${petId}`,
});

function sequenceOf(
  store: ReportStore,
  { asOf, atSequence }: { readonly asOf: number | undefined; readonly atSequence: number | undefined },
): Promise<number> {
  if (asOf !== undefined && atSequence !== undefined) {
    throw invalidParameter('Send asOf or atSequence, not both.');
  }
  return stockSequence(store, {
    sequence: atSequence,
    atMs: asOf === undefined ? undefined : Math.floor(asOf),
  });
}

export const getStockReport = operation({
  id: 'getStockReport',
  at: 'GET /reports/stock',
  summary: 'Report stock at a moment',
  description:
    'Returns the stock after a movement or at a moment, by category, by pet, or of all pets, from the ledger. Names and categories have no history and are those of now. Pages of a report are of the same moment.',
  access: { role: 'viewer' },
  isCostly: true,
  query: { ...STOCK_QUERY, limit: LIMIT, cursor: STOCK_CURSOR },
  output: one(STOCK_REPORT, {
    description: 'The report.',
    notModified: 'ReportNotModified',
    headers: [taggedBy(STOCK_REPORT), linked],
  }),
  errors: PRUNED,
  handle: async ({ reporting: { reports } }, { query }) => {
    const { by, category, petId, limit, cursor: from } = query;
    const sequence = await sequenceOf(
      reports,
      from ? { ...query, asOf: undefined, atSequence: from.sequence } : query,
    );
    const found = stockRows(reports, { by, category, petId, sequence, after: from?.petId });
    const { rows, hasMore } = await takeRows(found, { by, limit });
    const last = rows.at(-1)?.petId;
    const report = { by, sequence, retentionStart: await retentionOf(reports), rows };
    return hasMore && typeof last === 'bigint'
      ? { ...report, next: { cursor: { sequence, petId: last } } }
      : report;
  },
});

export const exportStockReport = operation({
  id: 'exportStockReport',
  at: 'GET /reports/stock/export',
  summary: 'Export stock at a moment',
  description: `Returns the report \`getStockReport\` as a file, with all its rows. ${READERS}`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: '*/*',
  query: { ...STOCK_QUERY, ...FILE },
  output: FILE_OUTPUT,
  errors: PRUNED,
  handle: async ({ reporting: { reports }, openExports }, { context, query }) => {
    const { by, category, petId, ...form } = query;
    const sequence = await sequenceOf(reports, query);
    return answerFile('stock', {
      context,
      openExports,
      form,
      columns: reportColumns(EMPTY_STOCK, by),
      rows: stockRows(reports, { by, category, petId, sequence }),
      membersOf: stockRowMembers,
    });
  },
});
