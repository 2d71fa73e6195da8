import type { z } from '@hono/zod-openapi';
import { ApiError } from '../domain/errors.ts';
import type { Call } from './call.ts';

/** Larger bodies are refused, by their declared length or while they arrive. */
export const LARGEST_BODY_BYTES = 16 * 1024;

const JSON_TYPES = /^application\/(?:json|merge-patch\+json)(?:[ \t]*;[ \t]*charset="?utf-8"?)?[ \t]*$/i;
export const ACCEPT_PATCH = 'application/json, application/merge-patch+json';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request's JSON body and checks it against a schema. Members that the schema does not know are ignored.
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `malformed_json` or `validation_failed`, in this order.
 */
export async function readJsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  const contentType = call.header('content-type');
  const encoding = call.header('content-encoding');
  if (
    contentType === null ||
    !JSON_TYPES.test(contentType) ||
    (encoding !== null && encoding !== 'identity')
  ) {
    throw new ApiError('unsupported_media_type', 'Send the body as application/json in UTF-8, not encoded.', {
      headers: { 'Accept-Patch': ACCEPT_PATCH },
    });
  }
  const checked = schema.safeParse(parseJson(await readText(call)));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = issue?.path.join('.');
  throw new ApiError(
    'validation_failed',
    field ? `${field} ${issue?.message}` : `The body ${issue?.message}`,
  );
}

async function readText(call: Call): Promise<string> {
  const declaredLength = call.header('content-length');
  if (declaredLength !== null && Number(declaredLength) > LARGEST_BODY_BYTES) throw tooLarge(call);
  let bytes: ArrayBuffer | Uint8Array;
  try {
    bytes = declaredLength === null ? await readCounted(call) : await call.request.arrayBuffer();
  } catch (cause) {
    throw cause instanceof ApiError ? cause : endedEarly(call, cause);
  }
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  }
}

/** Reads a body of unknown length, and stops at the first byte too many. */
async function readCounted(call: Call): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of call.request.body ?? []) {
    pieces.push(piece);
    length += piece.byteLength;
    if (length > LARGEST_BODY_BYTES) throw tooLarge(call);
  }
  return Buffer.concat(pieces);
}

function tooLarge(call: Call): ApiError {
  // What is left of the body must not be read as the next request.
  call.closes = true;
  return new ApiError('body_too_large', `The body may have ${LARGEST_BODY_BYTES} bytes at most.`);
}

function endedEarly(call: Call, cause: unknown): ApiError {
  call.closes = true;
  return new ApiError('malformed_request', 'The body ended before its length.', { cause });
}

function parseJson(text: string): unknown {
  try {
    // Only a fraction or an exponent can hide a number that is rounded to an integer while it is read.
    return /[.eE]/.test(text) ? JSON.parse(text, withoutRounding) : JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid JSON.');
  }
}

/** Keeps `0.99999999999999999999` and `1e-400` from passing as 1 and 0: what is no integer as written is none. */
function withoutRounding(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return Number.isInteger(value) && !isIntegerAsWritten(context.source) ? Number.NaN : value;
}

function isIntegerAsWritten(source: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  const trailingZeros = whole.length + fraction.length - digits.length;
  return digits === '' || Number(exponent) - fraction.length + trailingZeros >= 0;
}
