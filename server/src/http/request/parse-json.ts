import { ApiError } from '../../domain/errors.ts';
import { parseNumeral } from '../../domain/numeral.ts';

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

/** Only a fraction or an exponent can hide a number that is rounded to a small integer while it is read. */
const FRACTION_OR_EXPONENT = /\d[.eE]/;
/** No int64 has more digits than 19; what is written with many more is none, and is not worth reckoning. */
const MAX_EXACT_DIGITS = 40;

/**
 * Parses JSON; a number that is no integer as it is written never comes out as one.
 * @throws ApiError `malformed_json`.
 */
export function parseJson(text: string): unknown {
  return parsed(text, FRACTION_OR_EXPONENT.test(text) ? withoutRounding : undefined);
}

/** The same, but members called petId are bigints, exact however they are written. */
export function parseJsonExactly(text: string): unknown {
  return parsed(text, withExactPetIds);
}

function parsed(text: string, reviver: Reviver | undefined): unknown {
  try {
    return reviver ? JSON.parse(text, reviver) : JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid JSON.');
  }
}

/** Keeps `0.99999999999999999999` and `1e-400` from passing as 1 and 0: what is no integer as written is none. */
function withoutRounding(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  if (!Number.isInteger(value)) return value;
  const numeral = parseNumeral(context.source);
  return numeral && numeral.exponent >= 0 ? value : Number.NaN;
}

function withExactPetIds(name: string, value: unknown, context?: { source?: string }): unknown {
  if (name !== 'petId' || typeof value !== 'number') return withoutRounding(name, value, context);
  return exactInteger(context?.source ?? '') ?? Number.NaN;
}

function exactInteger(source: string): bigint | undefined {
  // Nearly all are plain, and short.
  if (/^-?\d{1,20}$/.test(source)) return BigInt(source);
  const numeral = parseNumeral(source);
  if (!numeral) return undefined;
  const { sign, digits, exponent } = numeral;
  if (digits === '') return 0n;
  if (exponent < 0 || digits.length + exponent > MAX_EXACT_DIGITS) return undefined;
  return BigInt(`${sign}${digits}${'0'.repeat(exponent)}`);
}
