import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_DOCUMENT_URI, MAX_NOTE, MAX_REFERENCE_ID } from '@petstore-inventory/shared/limits';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { REASONS, type Reason } from '@petstore-inventory/shared/words';
import type { Explanation } from '../../domain/ledger/ledger.ts';
import { isUri } from './uri.ts';

/** The part of `isStorableText` that a JSON Schema can express. */
const WITHOUT_NUL = '^[^\\x00]*$';

/** The explanation of a change in a request body. */
export interface ExplanationBody {
  readonly reason?: Reason | null | undefined;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
}

const REASON_RULE = `must be one of ${REASONS.join(', ')}.`;

export const ReasonSchema = z
  .enum(REASONS, REASON_RULE)
  .openapi('Reason', { description: 'Why stock changes.' });

function textSchema(longest: number) {
  const rule = `must be a text of ${longest} characters at most, well-formed and without U+0000.`;
  return z.string(rule).refine((text) => hasAtMost(text, longest) && isStorableText(text), rule);
}

const URI_RULE = `must be an absolute URI of ${MAX_DOCUMENT_URI} characters at most, in well-formed Unicode.`;
const TIME_RULE = 'must be a date and time with offset, such as 2026-07-01T12:00:00Z (RFC 3339).';

export const NoteSchema = textSchema(MAX_NOTE).nullable().openapi('Note', {
  maxLength: MAX_NOTE,
  pattern: WITHOUT_NUL,
  description: 'A remark on the change.',
  example: 'The crate was one short.',
});

export const ReferenceIdSchema = textSchema(MAX_REFERENCE_ID).nullable().openapi('ReferenceId', {
  maxLength: MAX_REFERENCE_ID,
  pattern: WITHOUT_NUL,
  description: 'The client’s own id for the cause of the change.',
  example: 'delivery-4711',
});

export const ReferenceDocumentUriSchema = z
  .string(URI_RULE)
  .refine((text) => text.length <= MAX_DOCUMENT_URI && isStorableText(text) && isUri(text), URI_RULE)
  .nullable()
  .openapi('ReferenceDocumentUri', {
    format: 'uri',
    maxLength: MAX_DOCUMENT_URI,
    pattern: WITHOUT_NUL,
    description: 'An absolute URI of the document behind the change.',
    example: 'https://erp.example/deliveries/4711',
  });

/** A date and time in a body (RFC 3339). */
export function timeSchema() {
  return z.string(TIME_RULE).refine((text) => parseTimestamp(text) !== undefined, TIME_RULE);
}

export const OccurredAtSchema = timeSchema().nullable().openapi('OccurredAt', {
  format: 'date-time',
  description:
    'When the change happened in the shop, by the client’s clock, to the millisecond. `recordedAt` is when the service recorded it.',
  example: '2026-07-01T07:30:00.000Z',
});

/** The members of a body that explain a change; `null` means the same as a missing member. */
export const EXPLANATION_MEMBERS = {
  reason: z.union([ReasonSchema, z.null()], REASON_RULE).optional(),
  note: NoteSchema.optional(),
  referenceDocumentUri: ReferenceDocumentUriSchema.optional(),
  referenceId: ReferenceIdSchema.optional(),
  occurredAt: OccurredAtSchema.optional(),
};

/** The explanation of a change; `undefined` without any. */
export function explanationOf(body: ExplanationBody): Explanation | undefined {
  const { reason, note, referenceDocumentUri, referenceId, occurredAt } = body;
  if ((reason ?? note ?? referenceDocumentUri ?? referenceId ?? occurredAt ?? null) === null)
    return undefined;
  const occurredAtMs = typeof occurredAt === 'string' ? parseTimestamp(occurredAt) : undefined;
  return {
    reason: reason ?? null,
    note: note ?? null,
    referenceDocumentUri: referenceDocumentUri ?? null,
    referenceId: referenceId ?? null,
    occurredAtMs: occurredAtMs === undefined ? null : Math.floor(occurredAtMs),
  };
}
