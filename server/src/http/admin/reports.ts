import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { MAX_NAME, MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { MIN_INT64, parsePetId } from '@petstore-inventory/shared/pet-id';
import {
  MOVEMENT_KINDS,
  REASONS,
  REPORT_GROUPINGS,
  REPORT_PERIODS,
  type ReportGrouping,
  STOCKTAKE_STATES,
} from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { isTimeZone, MAX_REPORT_DAYS } from '../../domain/management/reports/calendar.ts';
import {
  type MovementBounds,
  type MovementReportRow,
  movementBounds,
  movementRows,
} from '../../domain/management/reports/movement-report.ts';
import { MAX_GROUPS } from '../../domain/management/reports/report-groups.ts';
import { pruned, type ReportStore } from '../../domain/management/reports/reports.ts';
import { type StockRow, stockRows, stockSequence } from '../../domain/management/reports/stock-report.ts';
import { type VarianceRow, varianceRows } from '../../domain/management/reports/variance-report.ts';
import type { StocktakeStore } from '../../domain/management/stocktakes.ts';
import { timestamp } from '../../domain/timestamps.ts';
import {
  EMPTY_MOVEMENTS,
  EMPTY_STOCK,
  EMPTY_VARIANCE,
  movementRowMembers,
  reportColumns,
  stockRowMembers,
  varianceRowMembers,
} from '../../wire/report-json.ts';
import { CATEGORY } from '../catalog/catalog-query.ts';
import { LIST_PARAMETERS } from '../inventory/list-query.ts';
import { HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { LIST_TAG } from '../openapi/headers.ts';
import { operationsWith } from '../operation/operation.ts';
import { linked, one, type Page, type ResponseHeader, tagged, view } from '../operation/output.ts';
import {
  choice,
  cursor,
  invalidParameter,
  LIMIT,
  moment as momentParameter,
  Parameter,
  PET_ID_FILTER,
} from '../operation/parameter.ts';
import { PetIdSchema, moment, text, wholeNumber } from '../schemas/values.ts';
import type { OpenExports } from './open-exports.ts';
import { answerFile, FILE, FILE_OUTPUT, READERS } from './report-files.ts';

const operation = operationsWith<{
  readonly reporting: ManagementStore;
  readonly openExports: OpenExports;
}>({ tag: 'Reports' });

/** A report, or a page of it. */
interface Report<Row> extends Pick<Page<Row>, 'next'> {
  readonly by: ReportGrouping;
  readonly rows: readonly Row[];
}

const units = (description: string, example: number) =>
  z.bigint().openapi({ type: 'integer', format: 'int64', description, example });

const PET_MEMBERS = {
  petId: z.union([PetIdSchema, z.null()]).openapi({ description: 'The pet; `null` unless `by` is `pet`.' }),
  name: text(MAX_PET_TEXT, 'Its name now.', 'Biscuit').nullable(),
  category: text(
    MAX_PET_TEXT,
    'The category, by the pets as they are now; `null` also for pets without one.',
    'Dogs',
  ).nullable(),
};

const BY_MEMBER = z.enum(REPORT_GROUPINGS).openapi('ReportGrouping', {
  description: 'What rows are about: all pets together, those of a category, or one pet.',
  example: 'category',
});
const RETENTION = moment(
  'Where the ledger begins because a prune deleted what was before; `null` if none did.',
).nullable();

const tagOf = (json: string) => `"${createHash('sha256').update(json).digest('base64url')}"`;

/** The tag of a response: that of its text, because names of pets change without a movement. */
function taggedBy<T>(report: { readonly json: (value: T) => string }): ResponseHeader<T> {
  return tagged((value: T) => tagOf(report.json(value)), LIST_TAG);
}

const BY = choice(REPORT_GROUPINGS, {
  component: 'ReportBy',
  description: `What rows are about: all pets together (\`total\`), those of a \`category\`, or one \`pet\`. Rows by pet come in pages; others all together, at most ${MAX_GROUPS}.`,
  schema: { type: 'string', enum: [...REPORT_GROUPINGS] },
});

const FILTERS = { category: CATEGORY, petId: PET_ID_FILTER };

const PRUNED = { 410: HISTORY_PRUNED };

/** The rows of a page after `skip` of them, and whether there are more. Rows of other groupings are all on one page. */
async function takeRows<Row>(
  parts: AsyncIterable<readonly Row[]>,
  { by, limit, skip = 0 }: { readonly by: ReportGrouping; readonly limit: number; readonly skip?: number },
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  const most = by === 'pet' ? skip + limit : Infinity;
  const rows: Row[] = [];
  for await (const part of parts) {
    for (const row of part) rows.push(row);
    if (rows.length > most) break;
  }
  return { rows: rows.slice(skip, most), hasMore: rows.length > most };
}

/** Parts of a cursor, of which a petId is the last; `undefined` if one is not a number. */
function numbersIn(parts: readonly string[]): readonly number[] | undefined {
  const numbers = parts.map((part) => (/^(?:0|[1-9]\d{0,15})$/.test(part) ? Number(part) : Number.NaN));
  return numbers.every(Number.isSafeInteger) ? numbers : undefined;
}

async function retentionOf(store: ReportStore): Promise<string | null> {
  const { start } = await store.bounds();
  return start.sequence === 0 ? null : timestamp(start.recordedAtMs);
}

// Stock at a moment.

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
      ...{ context, openExports, form },
      columns: reportColumns(EMPTY_STOCK, by),
      rows: stockRows(reports, { by, category, petId, sequence }),
      membersOf: stockRowMembers,
    });
  },
});

// Movements per month or day, kind and reason.

interface MovementReport extends Report<MovementReportRow>, MovementBounds {
  readonly timeZone: string;
  readonly retentionStart: string | null;
}

const MOVEMENT_REPORT = view(
  'MovementReport',
  z
    .object({
      by: BY_MEMBER,
      timeZone: text(64, 'The time zone of the months and days.', 'UTC'),
      afterSequence: wholeNumber('Movements after this one are summed.', 0),
      sequence: wholeNumber('The last movement that is summed.', 4711),
      retentionStart: RETENTION,
      rows: z
        .array(
          z
            .object({
              month: z.string().openapi({
                pattern: '^[0-9]{4}-[0-9]{2}$',
                description: 'The month in the time zone, by the time of recording.',
                example: '2026-07',
              }),
              day: z.string().nullable().openapi({
                pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
                description: 'The day, in the same way; `null` unless `per` is `day`.',
                example: '2026-07-14',
              }),
              ...PET_MEMBERS,
              kind: z
                .enum(MOVEMENT_KINDS)
                .openapi({ description: 'What caused the movements.', example: 'adjust' }),
              reason: z
                .enum(REASONS)
                .nullable()
                .openapi({ description: 'Their reason; `null`: none was given.', example: 'received' }),
              movements: wholeNumber('How many there are.', 14),
              unitsIn: units('Units that they added.', 120),
              unitsOut: units('Units that they took.', 0),
              change: units('`unitsIn` minus `unitsOut`.', 120),
            })
            .openapi('MovementReportRow', { description: 'Movements of a month or a day.' }),
        )
        .openapi({ description: 'By petId, month or day, category, kind and reason.' }),
    })
    .openapi({ description: 'Movements per month or day, kind and reason.' }),
  ({ by, timeZone, lower, upper, retentionStart, rows }: MovementReport) => ({
    by,
    timeZone,
    afterSequence: lower,
    sequence: upper,
    retentionStart,
    rows: rows.map(movementRowMembers),
  }),
);

const PERIOD = {
  from: momentParameter(
    'From this moment on; by default from where the ledger begins.',
    'ReportFrom',
  ).optional(),
  to: momentParameter('Before this moment; by default up to now.', 'ReportTo').optional(),
};

const MOVEMENT_QUERY = {
  by: BY.orElse('total'),
  per: choice(REPORT_PERIODS, {
    component: 'ReportPer',
    description: `Whether a row is of a \`month\`, by default, or of a \`day\`. Rows per day are of at most ${MAX_REPORT_DAYS} days.`,
    schema: { type: 'string', enum: [...REPORT_PERIODS] },
  }).orElse('month'),
  ...FILTERS,
  ...PERIOD,
  timeZone: new Parameter<string>(
    {
      component: 'ReportTimeZone',
      description:
        'The time zone of the months and days: a name such as `Europe/Berlin`, or an offset such as `+02:00`; `UTC` by default.',
      schema: { type: 'string', maxLength: 64 },
      example: 'Europe/Berlin',
    },
    {
      rule: 'must be a time zone such as UTC, Europe/Berlin or +02:00.',
      // An unescaped plus arrives as a space.
      parse: (sent) => {
        const zone = sent.replace(/^ (?=\d\d:\d\d$)/, '+');
        return isTimeZone(zone) ? zone : undefined;
      },
    },
  ).orElse('UTC'),
};

interface MovementCursor extends MovementBounds {
  /** Rows of this pet are on pages before, so many of them. */
  readonly petId: bigint;
  readonly rows: number;
}

const MOVEMENT_CURSOR = cursor<MovementCursor>({
  parse: (sent) => {
    const parts = sent.split(':');
    const [numbers, petId] = [numbersIn(parts.slice(0, 3)), parsePetId(parts[3] ?? '')];
    const [lower, upper, rows] = numbers ?? [];
    if (parts.length !== 4 || petId === undefined) return undefined;
    if (lower === undefined || upper === undefined || rows === undefined || rows === 0) return undefined;
    return lower <= upper ? { lower, upper, rows, petId } : undefined;
  },
  print: ({ lower, upper, rows, petId }) => `${lower}:${upper}:${rows}:${petId}`,
});

/** Rounds to milliseconds: a movement is recorded at one of them. */
function periodOf({ from, to }: { readonly from: number | undefined; readonly to: number | undefined }) {
  return {
    fromMs: from === undefined ? undefined : Math.ceil(from),
    toMs: to === undefined ? undefined : Math.ceil(to),
  };
}

async function boundsOf(
  store: ReportStore,
  from: MovementCursor | undefined,
  query: Parameters<typeof periodOf>[0],
): Promise<MovementBounds> {
  if (!from) return movementBounds(store, periodOf(query));
  const { start, head } = await store.bounds();
  if (from.lower < start.sequence) throw pruned(start);
  return { lower: from.lower, upper: Math.min(from.upper, head.sequence) };
}

export const getMovementReport = operation({
  id: 'getMovementReport',
  at: 'GET /reports/movements',
  summary: 'Report movements per month or day',
  description:
    'Returns how many movements there were per month or day, kind and reason, and the units that they added and took, of all pets, by category, or by pet, from the ledger. A period before the retention start is refused with `history_pruned`; without `from` the report begins there. Categories are those of now.',
  access: { role: 'viewer' },
  isCostly: true,
  query: { ...MOVEMENT_QUERY, limit: LIMIT, cursor: MOVEMENT_CURSOR },
  output: one(MOVEMENT_REPORT, {
    description: 'The report.',
    notModified: 'ReportNotModified',
    headers: [taggedBy(MOVEMENT_REPORT), linked],
  }),
  errors: PRUNED,
  handle: async ({ reporting: { reports } }, { query }) => {
    const { by, per, category, petId, timeZone, limit, cursor: from } = query;
    const bounds = await boundsOf(reports, from, query);
    const after = from && from.petId > MIN_INT64 ? from.petId - 1n : undefined;
    const found = movementRows(reports, { by, per, category, petId, timeZone, ...bounds, after });
    const { rows, hasMore } = await takeRows(found, { by, limit, skip: from?.rows ?? 0 });
    const report = { by, timeZone, ...bounds, retentionStart: await retentionOf(reports), rows };
    const last = rows.at(-1)?.petId;
    if (!hasMore || typeof last !== 'bigint') return report;
    const shown = rows.filter((row) => row.petId === last).length;
    const before = from?.petId === last ? from.rows : 0;
    return { ...report, next: { cursor: { ...bounds, petId: last, rows: shown + before } } };
  },
});

export const exportMovementReport = operation({
  id: 'exportMovementReport',
  at: 'GET /reports/movements/export',
  summary: 'Export movements per month or day',
  description: `Returns the report \`getMovementReport\` as a file, with all its rows. ${READERS}`,
  access: { role: 'viewer' },
  isCostly: true,
  produces: '*/*',
  query: { ...MOVEMENT_QUERY, ...FILE },
  output: FILE_OUTPUT,
  errors: PRUNED,
  handle: async ({ reporting: { reports }, openExports }, { context, query }) => {
    const { by, per, category, petId, timeZone, ...form } = query;
    const bounds = await movementBounds(reports, periodOf(query));
    return answerFile('movements', {
      ...{ context, openExports, form },
      columns: reportColumns(EMPTY_MOVEMENTS, by, per),
      rows: movementRows(reports, { by, per, category, petId, timeZone, ...bounds }),
      membersOf: movementRowMembers,
    });
  },
});

// Variance of stock-takes.

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
              state: z.enum(STOCKTAKE_STATES).openapi({ description: 'Its state.', example: 'closed' }),
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
    'Returns what was expected and counted in each stock-take that was started in a period, of all its pets, by category, or by pet. It is computed from the movements, and for stock-takes whose movements a prune deleted, from their kept reports.',
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
      ...{ context, openExports, form },
      columns: reportColumns(EMPTY_VARIANCE, by),
      rows: varianceRows(stocktakes, { by, category, petId, ...periodOf({ from, to }) }),
      membersOf: varianceRowMembers,
    });
  },
});
