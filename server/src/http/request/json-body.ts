import type { z } from '@hono/zod-openapi';
import { ApiError } from '../../domain/errors.ts';
import { readBodyText } from './body-text.ts';
import { type JsonLimits, limitRefusal } from './json-limits.ts';
import { parseJson, parseJsonExactly } from './parse-json.ts';
import type { RequestContext } from './request-context.ts';

/** Larger bodies are refused, by their declared length or while they arrive; operations may take larger ones. */
export const MAX_BODY_BYTES = 16 * 1024;

/** What a refusal of another media type tells: `Accept-Patch` (RFC 5789), or `Accept` (RFC 9110 section 12.5.1). */
export const ACCEPT_PATCH = 'application/json, application/merge-patch+json';
const ACCEPT_PATCH_HEADERS = { 'Accept-Patch': ACCEPT_PATCH };
const ACCEPT_HEADERS = { Accept: 'application/json' };

const PATCH_TYPES = /^application\/(?:json|merge-patch\+json)(?:[ \t]*;[ \t]*charset="?utf-8"?)?[ \t]*$/i;
const JSON_TYPES = /^application\/json(?:[ \t]*;[ \t]*charset="?utf-8"?)?[ \t]*$/i;

const MAX_SHOWN_NAME = 64;
const PLAIN_NAME = /^\w{1,64}$/;

/** How the body of an operation is read. */
export interface BodyReading<T> {
  readonly schema: z.ZodType<T>;
  readonly maxBytes: number;
  /** Whether the body is a patch, which may be called a merge patch too. */
  readonly isPatch?: boolean;
  /** Whether members called petId are read as bigints, every digit of them. */
  readonly hasPetIds?: boolean;
  /** What a large body may hold; text over a limit is refused before it is parsed. */
  readonly limits?: JsonLimits;
}

/**
 * Reads a request's JSON body and checks it against a schema, which says whether members that it does not know are
 * ignored or refused.
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `malformed_json` or `validation_failed`, in this order.
 */
export async function readJsonBody<T>(context: RequestContext, reading: BodyReading<T>): Promise<T> {
  requireJsonType(context, reading);
  return checked(await readBodyText(context, reading.maxBytes), reading);
}

/** The same, where the body may be missing or empty; it then needs no media type. */
export async function readOptionalJsonBody<T>(
  context: RequestContext,
  reading: BodyReading<T>,
): Promise<T | undefined> {
  const isTyped = context.header('content-type') !== null;
  if (isTyped) requireJsonType(context, reading);
  const text = await readBodyText(context, reading.maxBytes);
  if (text === '') return undefined;
  if (!isTyped) requireJsonType(context, reading);
  return checked(text, reading);
}

function requireJsonType(context: RequestContext, { isPatch }: BodyReading<unknown>): void {
  const contentType = context.header('content-type');
  const encoding = context.header('content-encoding');
  const isUnderstood = contentType !== null && (isPatch ? PATCH_TYPES : JSON_TYPES).test(contentType);
  if (isUnderstood && (encoding === null || encoding === 'identity')) return;
  throw new ApiError('unsupported_media_type', 'Send the body as application/json in UTF-8, not encoded.', {
    headers: isPatch ? ACCEPT_PATCH_HEADERS : ACCEPT_HEADERS,
  });
}

function checked<T>(text: string, { schema, hasPetIds, limits }: BodyReading<T>): T {
  const refusal = limits && limitRefusal(text, limits);
  if (refusal !== undefined) throw new ApiError('validation_failed', refusal);
  const result = schema.safeParse(hasPetIds ? parseJsonExactly(text) : parseJson(text));
  if (result.success) return result.data;
  throw new ApiError('validation_failed', issueMessage(result.error.issues[0]));
}

function issueMessage(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const shown = PLAIN_NAME.test(name) ? name : JSON.stringify(name.slice(0, MAX_SHOWN_NAME));
    return `${fieldName([...path, shown])} is not a member of this body.`;
  }
  const field = fieldName(path);
  return `${field === '' ? 'The body' : field} ${issue?.message}`;
}

/** A place in a body as people write it, such as `changes[3].quantity`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}
