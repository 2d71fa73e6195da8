/** Any value of JSON; an integer that a number cannot hold exactly is a bigint. */
export type ExactJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | ExactJson[]
  | { [name: string]: ExactJson };

/** An integer in its digits, perhaps with zeros behind the point and times ten to the power of 0, or ten times it divided by ten. */
const INTEGER = /^(?:(-?(?:0|[1-9]\d*))(?:\.0+)?(?:[eE][-+]?0+)?|(-?[1-9]\d*)0[eE]-0*1)$/;

/** Parses JSON without rounding an integer, so that `9007199254740993` is not taken for its neighbour. */
export function parseExactJson(text: string): ExactJson {
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
    const [, whole, tenth] = INTEGER.exec(source) ?? [];
    const digits = whole ?? tenth;
    return digits === undefined ? value : BigInt(digits);
  }) as ExactJson;
}

/** The big integers of a value, at any depth. */
export function bigIntegersOf(value: ExactJson): bigint[] {
  if (typeof value === 'bigint') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(bigIntegersOf);
}
