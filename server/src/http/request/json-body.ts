import { z } from '@hono/zod-openapi';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { ApiError } from '../../domain/errors.ts';
import { LateBody } from '../../listen/body-pieces.ts';
import { type JsonLimits, limitRefusal } from './json-limits.ts';
import { parseJson, parseJsonExactly, parseJsonWithBigArrays } from './parse-json.ts';
import type { RequestContext } from './request-context.ts';
import { sentValue } from './sent-value.ts';

/** The largest body of most operations. Larger bodies are rejected by `Content-Length`, or while they arrive. */
export const MAX_BODY_BYTES = 16 * 1024;

/** Header of a rejected media type: `Accept-Patch` (RFC 5789) or `Accept` (RFC 9110 section 12.5.1). */
export const ACCEPT_PATCH = 'application/json, application/merge-patch+json';
const ACCEPT_PATCH_HEADERS = { 'Accept-Patch': ACCEPT_PATCH };
const ACCEPT_HEADERS = { Accept: 'application/json' };

const PATCH_TYPES = /^application\/(?:json|merge-patch\+json)[ \t]*(?:;|$)/i;
const JSON_TYPES = /^application\/json[ \t]*(?:;|$)/i;

/** JSON defines no parameters, so others have no effect (RFC 8259 section 11). Another charset names a body that cannot be read. */
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^;" \t]*)/i;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A body that takes longer may arrive after its key was revoked: a client decides when it sends it. */
const LATE_BODY_MS = 1_000;

const MAX_SHOWN_NAME = 64;
const PLAIN_NAME = /^\w{1,64}$/;

/** How to read and check the body of an operation. */
export interface BodyOptions<T> {
  readonly schema: z.ZodType<T>;
  readonly maxBytes: number;
  /** Whether `application/merge-patch+json` is accepted too. */
  readonly isPatch?: boolean;
  /** The member with an array whose elements have petIds, which become bigints with every digit; `true`: the body has one. */
  readonly petIdsIn?: string | true;
  /** Whether integers in arrays are petIds, which become bigints with every digit. */
  readonly hasPetIdArrays?: boolean;
  /** Limits of a large body. A text over a limit is rejected before it is parsed. */
  readonly limits?: JsonLimits;
  /** Whether its values are credentials, which no error repeats. */
  readonly isSecret?: boolean;
}

/**
 * Reads a request's JSON body and checks it against a schema. The schema decides whether unknown members are ignored or
 * rejected. A missing or empty body may have any media type: it is `malformed_json`.
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `malformed_json` or `validation_failed`, in this order.
 */
export async function readJsonBody<T>(context: RequestContext, options: BodyOptions<T>): Promise<T> {
  return checked(await readJsonText(context, options), options);
}

/** Reads an optional JSON body as `readJsonBody` does. A missing or empty body returns `undefined`. */
export async function readOptionalJsonBody<T>(
  context: RequestContext,
  options: BodyOptions<T>,
): Promise<T | undefined> {
  const text = await readJsonText(context, options);
  return text === '' ? undefined : checked(text, options);
}

/** A request with content has one of them. */
const CONTENT_HEADERS = ['content-type', 'content-length', 'transfer-encoding'];

/** The body; empty without one, of which no media type can be wrong (RFC 9110, 15.5.16). */
async function readJsonText(
  context: RequestContext,
  options: Pick<BodyOptions<unknown>, 'isPatch' | 'maxBytes'>,
): Promise<string> {
  // As `curl -X POST -d ''` sends, with the type of a form.
  if (context.header('content-length') === '0') return '';
  const hasContent = CONTENT_HEADERS.some((name) => context.header(name) !== null);
  if (hasContent) requireJsonType(context, options);
  const text = await readBodyText(context, options.maxBytes);
  if (text !== '' && !hasContent) requireJsonType(context, options);
  return text;
}

function requireJsonType(context: RequestContext, { isPatch }: Pick<BodyOptions<unknown>, 'isPatch'>): void {
  const contentType = context.header('content-type') ?? '';
  const isJson = (isPatch ? PATCH_TYPES : JSON_TYPES).test(contentType) && isUtf8(contentType);
  if (isJson && !isEncoded(context)) return;
  throw new ApiError(
    'unsupported_media_type',
    `Send the body as application/json in UTF-8, without a Content-Encoding. ${sentForm(context)}`,
    {
      headers: isPatch ? ACCEPT_PATCH_HEADERS : ACCEPT_HEADERS,
    },
  );
}

function isUtf8(contentType: string): boolean {
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  return charset.toLowerCase() === 'utf-8';
}

/** Whether the body is compressed, or has another encoding. Empty elements of a list count as none (RFC 9110, 5.6.1.2). */
export function isEncoded(context: RequestContext): boolean {
  const codings = context.header('content-encoding');
  if (codings === null) return false;
  return codings.split(',').some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));
}

/** The sentence about the encoding of the body, or else about its media type. */
export function sentForm(context: RequestContext): string {
  if (isEncoded(context)) {
    return `The Content-Encoding is ${shownValue(context.header('content-encoding'))}.`;
  }
  const contentType = context.header('content-type');
  return contentType === null
    ? 'There is no Content-Type.'
    : `The Content-Type is ${shownValue(contentType)}.`;
}

function checked<T>(text: string, options: BodyOptions<T>): T {
  const { schema, limits } = options;
  const refusal = limits && limitRefusal(text, limits);
  if (refusal !== undefined) throw new ApiError('validation_failed', refusal);
  const body = parsedBody(text, options);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ApiError(
    'validation_failed',
    issueMessage(issue, schema, options.isSecret ? undefined : { body }),
  );
}

function parsedBody(text: string, { petIdsIn, hasPetIdArrays }: BodyOptions<unknown>): unknown {
  if (hasPetIdArrays) return parseJsonWithBigArrays(text);
  return petIdsIn ? parseJsonExactly(text, petIdsIn) : parseJson(text);
}

/** @param sent The body, whose values the message may show. */
function issueMessage(
  issue: z.core.$ZodIssue | undefined,
  schema: z.ZodType,
  sent: { readonly body: unknown } | undefined,
): string {
  const path = issue?.path ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const shown = PLAIN_NAME.test(name) ? name : JSON.stringify(name.slice(0, MAX_SHOWN_NAME));
    const members = memberNames(schema, path);
    const hint = members?.length ? ` Members are: ${members.join(', ')}.` : '';
    return `${fieldName([...path, shown])} is not a member of this body.${hint}`;
  }
  const field = path.length === 0 ? 'The body' : fieldName(path);
  const rule = issue === undefined ? '' : ruleOf(issue);
  // A sentence of its own, not a rule of the value.
  if (!/^must (?:be|have) /.test(rule)) return `${field} ${rule}`;
  const value = valueAt(sent?.body, path);
  if (sent && value === undefined)
    return `${field} is required${rule.replace(/^must (?:be|(have)) /, required)}`;
  if (issue?.code === 'invalid_type' && isQuoted(value, issue.expected)) {
    return `${field} is the text "${value}"; send ${value} without quotes.`;
  }
  return `${field} ${rule}${sent && !(issue?.code === 'custom' && typeof value === 'object') ? sentValue(value) : ''}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'an array',
  string: 'a text',
  boolean: 'true or false',
};

/** The rule of a schema: its own words, or in place of the default words of zod, which begin with a capital, ours. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (!/^[A-Z]/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? `a value of type ${issue.expected}`}.`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}.`;
    case 'too_big':
      return `must have at most ${issue.maximum} ${unitOf(issue.origin)}.`;
    case 'too_small':
      return `must have at least ${issue.minimum} ${unitOf(issue.origin)}.`;
    default:
      return 'must have another form; the document has its schema.';
  }
}

const unitOf = (origin: string): string => (origin === 'array' ? 'elements' : 'characters');

/** The beginning of a rule, after `is required`. */
function required(_rule: string, has: string | undefined): string {
  return has === undefined ? ': ' : ', with ';
}

/** Whether a value is a number or a boolean in quotes. @param expected The type of zod. */
function isQuoted(value: unknown, expected: string): value is string {
  const literal = expected === 'boolean' ? /^(?:true|false)$/ : /^-?(?:0|[1-9]\d{0,18})$/;
  return /^(?:int|number|bigint|boolean)$/.test(expected) && typeof value === 'string' && literal.test(value);
}

/** The value at a path; `undefined` where there is none. */
function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const step of path) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    value = isThere ? (value as Readonly<Record<PropertyKey, unknown>>)[step] : undefined;
  }
  return value;
}

/** The members that the body may have at a path; `undefined` where the schema has none, or a choice. */
function memberNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | undefined {
  const [step, ...rest] = path;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return memberNames(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodArray && typeof step === 'number') return memberNames(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return undefined;
  if (step === undefined) return Object.keys(schema.shape);
  const member: unknown = schema.shape[String(step)];
  return member instanceof z.ZodType ? memberNames(member, rest) : undefined;
}

/** The path of a member, such as `changes[3].quantity`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

/**
 * Reads a request's body as text; empty without a body.
 * @throws ApiError `body_too_large`, `request_timeout`, `malformed_request` for an incomplete body, or `malformed_json` for bytes that
 * are not UTF-8.
 */
async function readBodyText(context: RequestContext, maxBytes: number): Promise<string> {
  const declaredLength = context.header('content-length');
  if (declaredLength !== null && Number(declaredLength) > maxBytes) throw tooLarge(context, maxBytes);
  const bytes = await context.request.readBody(maxBytes).catch((cause: unknown) => {
    throw unreceived(context, cause);
  });
  if (bytes === undefined) throw tooLarge(context, maxBytes);
  if (performance.now() - context.startedAtMs > LATE_BODY_MS) await context.requireStillValid();
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  }
}

/**
 * The refusal of a body that is too large. The unread rest must not be read as the next request, so the connection closes.
 * @param what The name of the body in the sentence.
 */
export function tooLarge(context: RequestContext, maxBytes: number, what = 'body'): ApiError {
  context.closes = true;
  return new ApiError('body_too_large', `The ${what} must have at most ${maxBytes} bytes.`);
}

/** The refusal of a body that arrives too slowly. */
export function late(context: RequestContext, what = 'body'): ApiError {
  context.closes = true;
  return new ApiError('request_timeout', `The ${what} did not arrive in time.`);
}

/** The refusal of a body whose connection failed, or timed out. */
export function unreceived(context: RequestContext, cause: unknown, what?: string): ApiError {
  if (cause instanceof LateBody) return late(context, what);
  context.closes = true;
  return new ApiError('malformed_request', 'The body is shorter than its declared length.', { cause });
}
