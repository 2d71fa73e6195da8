import { isIntegerAsWritten, parseBigint } from '@petstore-inventory/shared/numeral';
import { ApiError } from '../../domain/errors.ts';
import { jsonFault } from './json-fault.ts';

type Reviver = (this: unknown, name: string, value: unknown, context?: { source?: string }) => unknown;

/** Only a number with a fraction or an exponent can be rounded to a small integer by `JSON.parse`. */
const FRACTION_OR_EXPONENT = /\d[.eE]/;

/**
 * Parses JSON. A number that is not an integer as written becomes `NaN` where a JavaScript number would round it to one.
 * @throws ApiError `malformed_json`.
 */
export function parseJson(text: string): unknown {
  return parsed(text, FRACTION_OR_EXPONENT.test(text) ? withoutRounding : undefined);
}

/** A number that a JavaScript number may not hold: a fraction, an exponent, or 16 digits. */
const LONG_NUMBER = /\d(?:[.eE]|\d{15})/;

/**
 * Parses JSON as `parseJson` does, except that the petId of each element of the member `rows` becomes a bigint with every
 * digit; `true`: that of the body itself.
 * @throws ApiError `malformed_json`.
 */
export function parseJsonExactly(text: string, rows: string | true): unknown {
  if (LONG_NUMBER.test(text)) return parsed(text, withExactPetIds);
  // A reviver takes several times as long as this.
  const body = parsed(text, undefined);
  if (rows === true) {
    exactPetId(body);
    return body;
  }
  const elements = (body as Record<string, unknown> | null)?.[rows];
  if (Array.isArray(elements)) for (const element of elements as unknown[]) exactPetId(element);
  return body;
}

/**
 * Parses JSON as `parseJson` does, except that integers in arrays, which are members of the body, become bigints with every digit.
 * @throws ApiError `malformed_json`.
 */
export function parseJsonWithBigArrays(text: string): unknown {
  if (LONG_NUMBER.test(text)) return parsed(text, withBigArrays);
  const body = parsed(text, undefined);
  if (typeof body !== 'object' || body === null) return body;
  for (const value of Object.values(body)) {
    if (!Array.isArray(value)) continue;
    for (const [i, element] of value.entries()) if (typeof element === 'number') value[i] = BigInt(element);
  }
  return body;
}

function exactPetId(element: unknown): void {
  const row = element as { petId?: unknown } | null;
  if (typeof row?.petId === 'number') row.petId = BigInt(row.petId);
}

function parsed(text: string, reviver: Reviver | undefined): unknown {
  try {
    return reviver ? JSON.parse(text, reviver) : JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', `The body ${bodyFault(text)}`);
  }
}

function bodyFault(text: string): string {
  if (text === '') return 'is empty; send a JSON object.';
  if (text.startsWith('\u{feff}')) return 'begins with a byte order mark; send UTF-8 without one.';
  const fault = jsonFault(text);
  return fault === undefined ? 'is nested too deeply.' : `is not valid JSON: ${fault}.`;
}

/** Keeps `0.99999999999999999999` and `1e-400` from passing as 1 and 0. */
function withoutRounding(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return Number.isInteger(value) && !isIntegerAsWritten(context.source) ? Number.NaN : value;
}

function withExactPetIds(name: string, value: unknown, context?: { source?: string }): unknown {
  if (name !== 'petId' || typeof value !== 'number') return withoutRounding(name, value, context);
  return parseBigint(context?.source ?? '') ?? Number.NaN;
}

function withBigArrays(this: unknown, name: string, value: unknown, context?: { source?: string }): unknown {
  if (!Array.isArray(this) || typeof value !== 'number') return withoutRounding(name, value, context);
  return parseBigint(context?.source ?? '') ?? Number.NaN;
}
