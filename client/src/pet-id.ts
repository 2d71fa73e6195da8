import { invalidArgument } from './errors.ts';

const DECIMAL = /^(?:0|-?[1-9]\d{0,18})$/;
const MAX = 2n ** 63n - 1n;

/** The digits of a petId. @throws PetstoreError if it is not an exact 64-bit integer. */
export function petIdText(petId: unknown): string {
  const isExact =
    typeof petId === 'bigint' ||
    (typeof petId === 'number'
      ? Number.isSafeInteger(petId)
      : typeof petId === 'string' && DECIMAL.test(petId));
  // The text of -0 is 0.
  const text = String(petId);
  if (isExact && isInt64(BigInt(text))) return text;
  throw invalidArgument(
    `${described(petId)} is not a petId. Pass a bigint, a safe integer or its digits, from -2^63 to 2^63-1.`,
  );
}

/** A petId as a bigint. @throws PetstoreError if it is not an exact 64-bit integer. */
export function toPetId(petId: bigint | number | string): bigint {
  return BigInt(petIdText(petId));
}

/** The digits of a sequence or an order's id. A bigint is accepted, as for a quantity in a body. */
export function wholeNumberText(value: unknown, name: string): string {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (isWhole && value >= 0) return String(value);
  throw invalidArgument(`${name} must be a whole number, not ${described(value)}.`);
}

function isInt64(value: bigint): boolean {
  return value <= MAX && value >= -MAX - 1n;
}

function described(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);
}
