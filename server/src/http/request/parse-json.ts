import { ApiError } from '../../domain/errors.ts';
import { isIntegerAsWritten, parseBigint } from '../../domain/numeral.ts';

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

/** Only a number with a fraction or an exponent can be rounded to a small integer by `JSON.parse`. */
const FRACTION_OR_EXPONENT = /\d[.eE]/;

/**
 * Parses JSON. A number that is not an integer as written becomes `NaN` where a JavaScript number would round it to one.
 * @throws ApiError `malformed_json`.
 */
export function parseJson(text: string): unknown {
  return parsed(text, FRACTION_OR_EXPONENT.test(text) ? withoutRounding : undefined);
}

/** With so many digits in a row, a number may have more than a JavaScript number holds. */
const MANY_DIGITS = /\d{16}/;

/** The same, except that members called petId become bigints with every digit. */
export function parseJsonExactly(text: string): unknown {
  if (FRACTION_OR_EXPONENT.test(text) || MANY_DIGITS.test(text)) return parsed(text, withExactPetIds);
  // A reviver takes several times as long as this.
  return withBigPetIds(parsed(text, undefined));
}

/** Replaces the numbers of members called petId, which are exact. A stack, because a body may be deeply nested. */
function withBigPetIds(root: unknown): unknown {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = value as Record<string, unknown>;
    for (const name in members) {
      const member = members[name];
      if (typeof member === 'object') stack.push(member);
      else if (name === 'petId' && typeof member === 'number') members[name] = BigInt(member);
    }
  }
  return root;
}

function parsed(text: string, reviver: Reviver | undefined): unknown {
  try {
    return reviver ? JSON.parse(text, reviver) : JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid JSON.');
  }
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
