export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;

const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]{0,18})$/;

/**
 * Reads a pet's identifier in canonical decimal: no sign but a minus, no leading zeros, within int64.
 * Any other spelling is `undefined`, so that no text can ever name another pet's row.
 */
export function parsePetId(text: string): bigint | undefined {
  if (!CANONICAL_INTEGER.test(text)) return undefined;
  const petId = BigInt(text);
  return petId >= MIN_INT64 && petId <= MAX_INT64 ? petId : undefined;
}

/** The least petId after another one; without one, the least of all. `undefined`: none can follow. */
export function petIdAfter(petId: bigint | undefined): bigint | undefined {
  if (petId === undefined) return MIN_INT64;
  return petId === MAX_INT64 ? undefined : petId + 1n;
}
