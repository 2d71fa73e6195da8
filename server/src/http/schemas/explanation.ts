import { z } from '@hono/zod-openapi';
import { type Explanation, REASONS, type Reason } from '../../domain/ledger.ts';
import { isStorableText } from '../../domain/storable-text.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';

const MAX_NOTE = 1_000;
const MAX_REFERENCE_ID = 200;
const MAX_URI = 2_000;
/** The part of `isStorableText` that a JSON Schema can express. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** What a client says about a change, as its body holds it. */
export interface ExplanationBody {
  readonly reason?: Reason | null | undefined;
  readonly note?: string | null | undefined;
  readonly referenceDocumentUri?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly occurredAt?: string | null | undefined;
}

const REASON_RULE = `must be one of ${REASONS.join(', ')}.`;

export const ReasonSchema = z
  .enum(REASONS, { error: (issue) => (issue.input === undefined ? 'is required.' : REASON_RULE) })
  .openapi('Reason', { description: 'Why stock changed.' });

/** Characters are counted as people and JSON Schema do, not in halves of surrogate pairs. */
function isKeepable(text: string, longest: number): boolean {
  const isShort = text.length <= longest || (text.length <= 2 * longest && [...text].length <= longest);
  return isShort && isStorableText(text);
}

function textSchema(longest: number, description: string, example: string) {
  const rule = `must be a text of ${longest} characters at most, well-formed and without U+0000.`;
  return z
    .string(rule)
    .refine((text) => isKeepable(text, longest), rule)
    .openapi({ maxLength: longest, pattern: WITHOUT_NUL, description, example });
}

/** A scheme, and then what may stand in a URI or, written in other letters, in an IRI (RFC 3986, RFC 3987). */
const URI = /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}"<>\\^`{|}]+$/iu;
/** The expression and `URL.canParse` both pass a lone surrogate. */
function isUri(text: string): boolean {
  return text.length <= MAX_URI && isStorableText(text) && URI.test(text) && URL.canParse(text);
}

const URI_RULE = `must be an absolute URI of ${MAX_URI} characters at most, in well-formed Unicode.`;
const TIME_RULE = 'must be a date and time with offset, such as 2026-07-01T12:00:00Z (RFC 3339).';

/** The members of a body that explain a change; `null` says as much as nothing. */
export const EXPLANATION_MEMBERS = {
  reason: z
    .union([ReasonSchema, z.null()], REASON_RULE)
    .optional()
    .openapi({ description: 'Why stock changes.', example: 'received' }),
  note: textSchema(MAX_NOTE, 'What there is to say about it.', 'The crate was one short.').nullish(),
  referenceDocumentUri: z
    .string(URI_RULE)
    .refine(isUri, URI_RULE)
    .openapi({
      format: 'uri',
      maxLength: MAX_URI,
      pattern: WITHOUT_NUL,
      description: 'The document behind the change, an absolute URI.',
      example: 'https://erp.example/deliveries/4711',
    })
    .nullish(),
  referenceId: textSchema(MAX_REFERENCE_ID, 'Your own name for what caused it.', 'delivery-4711').nullish(),
  occurredAt: z
    .string(TIME_RULE)
    .refine((text) => parseTimestamp(text) !== undefined, TIME_RULE)
    .openapi({
      format: 'date-time',
      description:
        'When it happened in the shop, kept to the millisecond; `recordedAt` is when we learned of it.',
      example: '2026-07-01T09:30:00+02:00',
    })
    .nullish(),
};

/** What was said about a change, if anything was. */
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
