import { z } from '@hono/zod-openapi';
import { MIN_INT64, parsePetId } from '@petstore-inventory/shared/pet-id';
import { MOVEMENT_KINDS, REASONS, REPORT_PERIODS } from '@petstore-inventory/shared/words';
import { isTimeZone, MAX_REPORT_DAYS } from '../../../domain/management/reports/calendar.ts';
import {
  type MovementBounds,
  type MovementReportRow,
  movementBounds,
  movementRows,
} from '../../../domain/management/reports/movement-report.ts';
import { pruned, type ReportStore } from '../../../domain/management/reports/reports.ts';
import { EMPTY_MOVEMENTS, movementRowMembers, reportColumns } from '../../../wire/report-json.ts';
import { linked, one, view } from '../../operation/output.ts';
import { choice, cursor, LIMIT, moment as momentParameter, Parameter } from '../../operation/parameter.ts';
import { text, wholeNumber, units } from '../../schemas/values.ts';
import { answerFile, FILE, FILE_OUTPUT, READERS } from './report-files.ts';
import {
  BY,
  BY_MEMBER,
  FILTERS,
  numbersIn,
  periodOf,
  operation,
  PET_MEMBERS,
  PRUNED,
  type Report,
  RETENTION,
  retentionOf,
  taggedBy,
  takeRows,
} from './report-parts.ts';

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
              revertedReason: z.enum(REASONS).nullable().openapi({
                description:
                  'Of reverts: the reason of the movement that they take back, or make again; `null` for others, without a reason, and where a prune deleted that movement.',
                example: null,
              }),
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
    'Returns how many movements there were per month or day, kind and reason, and the units that they added and took, those of reverts by the reason of what they take back, of all pets, by category, or by pet, from the ledger. A period before the retention start is refused with `history_pruned`; without `from` the report begins there. Categories are those of now.',
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
    const { rows, hasMore } = await takeRows(found, { by, limit, shown: from });
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
      context,
      openExports,
      form,
      columns: reportColumns(EMPTY_MOVEMENTS, by, per),
      rows: movementRows(reports, { by, per, category, petId, timeZone, ...bounds }),
      membersOf: movementRowMembers,
    });
  },
});
