import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { REPORT_GROUPINGS, type ReportGrouping } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { MAX_GROUPS } from '../../../domain/management/reports/report-groups.ts';
import type { ReportStore } from '../../../domain/management/reports/reports.ts';
import { timestamp } from '../../../domain/timestamps.ts';
import { CATEGORY } from '../../catalog/catalog-query.ts';
import { HISTORY_PRUNED } from '../../openapi/error-responses.ts';
import { LIST_TAG } from '../../openapi/headers.ts';
import { operationsWith } from '../../operation/operation.ts';
import { type Page, type ResponseHeader, tagged } from '../../operation/output.ts';
import { choice, PET_ID_FILTER } from '../../operation/parameter.ts';
import { PetIdSchema, moment, text } from '../../schemas/values.ts';
import type { OpenExports } from '../open-exports.ts';

export const operation = operationsWith<{
  readonly reporting: ManagementStore;
  readonly openExports: OpenExports;
}>({ tag: 'Reports' });

/** A report, or a page of it. */
export interface Report<Row> extends Pick<Page<Row>, 'next'> {
  readonly by: ReportGrouping;
  readonly rows: readonly Row[];
}

export const PET_MEMBERS = {
  petId: z.union([PetIdSchema, z.null()]).openapi({ description: 'The pet; `null` unless `by` is `pet`.' }),
  name: text(MAX_PET_TEXT, 'Its name now.', 'Biscuit').nullable(),
  category: text(
    MAX_PET_TEXT,
    'The category, by the pets as they are now; `null` also for pets without one.',
    'Dogs',
  ).nullable(),
};

export const BY_MEMBER = z.enum(REPORT_GROUPINGS).openapi('ReportGrouping', {
  description: 'What rows are about: all pets together, those of a category, or one pet.',
  example: 'category',
});
export const RETENTION = moment(
  'Where the ledger begins because a prune deleted what was before; `null` if none did.',
).nullable();

const tagOf = (json: string) => `"${createHash('sha256').update(json).digest('base64url')}"`;

/** The tag of a response: that of its text, because names of pets change without a movement. */
export function taggedBy<T>(report: { readonly json: (value: T) => string }): ResponseHeader<T> {
  return tagged((value: T) => tagOf(report.json(value)), LIST_TAG);
}

export const BY = choice(REPORT_GROUPINGS, {
  component: 'ReportBy',
  description: `What rows are about: all pets together (\`total\`), those of a \`category\`, or one \`pet\`. Rows by pet come in pages; others all together, at most ${MAX_GROUPS}.`,
  schema: { type: 'string', enum: [...REPORT_GROUPINGS] },
});

export const FILTERS = { category: CATEGORY, petId: PET_ID_FILTER };

export const PRUNED = { 410: HISTORY_PRUNED };

/**
 * The rows of a page, and whether there are more. Rows of other groupings are all on one page.
 * @param shown Rows of a pet that are on pages before: that many of its rows are left out, if it is still in the report.
 */
export async function takeRows<Row extends { readonly petId: bigint | null }>(
  parts: AsyncIterable<readonly Row[]>,
  {
    by,
    limit,
    shown,
  }: {
    readonly by: ReportGrouping;
    readonly limit: number;
    readonly shown?: { readonly petId: bigint; readonly rows: number } | undefined;
  },
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  const most = by === 'pet' ? limit : Infinity;
  const rows: Row[] = [];
  let left = shown?.rows ?? 0;
  for await (const part of parts) {
    for (const row of part) {
      if (left > 0 && row.petId === shown?.petId) left -= 1;
      else rows.push(row);
    }
    if (rows.length > most) break;
  }
  return { rows: rows.slice(0, most), hasMore: rows.length > most };
}

/** Parts of a cursor, of which a petId is the last; `undefined` if one is not a number. */
export function numbersIn(parts: readonly string[]): readonly number[] | undefined {
  const numbers = parts.map((part) => (/^(?:0|[1-9]\d{0,15})$/.test(part) ? Number(part) : Number.NaN));
  return numbers.every(Number.isSafeInteger) ? numbers : undefined;
}

export async function retentionOf(store: ReportStore): Promise<string | null> {
  const { start } = await store.bounds();
  return start.sequence === 0 ? null : timestamp(start.recordedAtMs);
}

/** Rounds to milliseconds: a movement is recorded at one of them. */
export function periodOf({
  from,
  to,
}: {
  readonly from: number | undefined;
  readonly to: number | undefined;
}) {
  return {
    fromMs: from === undefined ? undefined : Math.ceil(from),
    toMs: to === undefined ? undefined : Math.ceil(to),
  };
}
