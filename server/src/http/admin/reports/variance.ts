import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { STOCKTAKE_STATES } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../../domain/errors.ts';
import { type VarianceRow, varianceRows } from '../../../domain/management/reports/variance-report.ts';
import type { StocktakeStore } from '../../../domain/management/stocktakes.ts';
import { EMPTY_VARIANCE, reportColumns, varianceRowMembers } from '../../../wire/report-json.ts';
import { linked, one, view } from '../../operation/output.ts';
import { cursor, invalidParameter, LIMIT, moment as momentParameter } from '../../operation/parameter.ts';
import { moment, text, wholeNumber, units } from '../../schemas/values.ts';
import { answerFile, FILE, FILE_OUTPUT, READERS } from './report-files.ts';
import {
  BY,
  BY_MEMBER,
  FILTERS,
  operation,
  PET_MEMBERS,
  periodOf,
  type Report,
  taggedBy,
  takeRows,
} from './report-parts.ts';

const VARIANCE_REPORT = view(
  'VarianceReport',
  z
    .object({
      by: BY_MEMBER,
      rows: z
        .array(
          z
            .object({
              stocktakeId: text(24, 'The id of the stock-take.', 'stk_4fQ2n8Zk1bXw0aLr'),
              stocktake: text(MAX_NAME, 'Its name.', 'Autumn 2026'),
              state: z
                .enum(STOCKTAKE_STATES)
                .exclude(['cancelled'])
                .openapi({ description: 'Its state.', example: 'closed' }),
              startedAt: moment('When it was started.'),
              closedAt: moment('When it was closed; `null` while it runs.').nullable(),
              ...PET_MEMBERS,
              pets: wholeNumber('Pets that were counted.', 12),
              expected: units('Units that were expected.', 340),
              counted: units('Units that were counted.', 336),
              variance: units('`counted` minus `expected`.', -4),
              surplus: units('Units that were found more than expected, of all pets with more.', 2),
              shortage: units('Units that were missing, of all pets with fewer.', 6),
              posted: units('What the stock-take has changed in the stock.', -4),
            })
            .openapi('VarianceReportRow', { description: 'Counts of a stock-take.' }),
        )
        .openapi({ description: 'The newest stock-take first; its rows by petId or category.' }),
    })
    .openapi({ description: 'The variance of stock-takes.' }),
  ({ by, rows }: Report<VarianceRow>) => ({ by, rows: rows.map(varianceRowMembers) }),
);

const VARIANCE_QUERY = {
  by: BY.orElse('total'),
  ...FILTERS,
  from: momentParameter('Stock-takes that were started from this moment on.', 'StartedFrom').optional(),
  to: momentParameter('Stock-takes that were started before this moment.', 'StartedBefore').optional(),
};

const VARIANCE_CURSOR = cursor<{ readonly stocktakeId: string; readonly petId: bigint }>({
  parse: (sent) => {
    const [stocktakeId = '', last = '', ...rest] = sent.split(':');
    const petId = parsePetId(last);
    const isId = /^stk_[0-9A-Za-z]{16}$/.test(stocktakeId);
    return rest.length > 0 || !isId || petId === undefined ? undefined : { stocktakeId, petId };
  },
  print: ({ stocktakeId, petId }) => `${stocktakeId}:${petId}`,
});

/** @throws ApiError `invalid_parameter` where a cursor names no stock-take. */
async function requireStocktake(stocktakes: StocktakeStore, id: string): Promise<void> {
  try {
    await stocktakes.find(id);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'not_found')) throw error;
    throw invalidParameter('cursor must come from the Link header of the page before.');
  }
}

export const getVarianceReport = operation({
  id: 'getVarianceReport',
  at: 'GET /reports/variance',
  summary: 'Report the variance of stock-takes',
  description:
    'Returns what was expected and counted in each stock-take that was started in a period, of all its pets, by category, or by pet. A cancelled stock-take is left out. It is computed from the movements, and for stock-takes whose movements a prune deleted, from their kept reports.',
  access: { role: 'viewer' },
  isCostly: true,
  query: { ...VARIANCE_QUERY, limit: LIMIT, cursor: VARIANCE_CURSOR },
  output: one(VARIANCE_REPORT, {
    description: 'The report.',
    notModified: 'ReportNotModified',
    headers: [taggedBy(VARIANCE_REPORT), linked],
  }),
  handle: async ({ reporting: { stocktakes } }, { query }) => {
    const { by, category, petId, limit, cursor: after } = query;
    if (after) await requireStocktake(stocktakes, after.stocktakeId);
    const found = varianceRows(stocktakes, { by, category, petId, ...periodOf(query), after });
    const { rows, hasMore } = await takeRows(found, { by, limit });
    const last = rows.at(-1);
    if (!hasMore || !last || last.petId === null) return { by, rows };
    return { by, rows, next: { cursor: { stocktakeId: last.stocktakeId, petId: last.petId } } };
  },
});

export const exportVarianceReport = operation({
  id: 'exportVarianceReport',
  at: 'GET /reports/variance/export',
  summary: 'Export the variance of stock-takes',
  description: `Returns the report \`getVarianceReport\` as a file, with all its rows. ${READERS}`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: '*/*',
  query: { ...VARIANCE_QUERY, ...FILE },
  output: FILE_OUTPUT,
  handle: async ({ reporting: { stocktakes }, openExports }, { context, query }) => {
    const { by, category, petId, from, to, ...form } = query;
    return answerFile('variance', {
      context,
      openExports,
      form,
      columns: reportColumns(EMPTY_VARIANCE, by),
      rows: varianceRows(stocktakes, { by, category, petId, ...periodOf({ from, to }) }),
      membersOf: varianceRowMembers,
    });
  },
});
