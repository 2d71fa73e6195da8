import fc, { type Arbitrary } from 'fast-check';
import type { ExactJson } from '../support/exact-json.ts';
import { NOON } from '../support/harness.ts';
import { type OpenApiDocument, resolved, type Schema } from '../support/openapi-document.ts';

const INT64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

function boundsOf({ minimum, maximum }: Schema) {
  return {
    min: minimum === undefined ? INT64.minimum : BigInt(minimum),
    max: maximum === undefined ? INT64.maximum : BigInt(maximum),
  };
}

/** Any character except half of a surrogate pair. The unit `binary` of fast-check first lists all of them, in a second. */
export const ANY_CHARACTER: Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Whether a parameter's text is an integer of the schema, in canonical decimal. */
export function isIntegerText(schema: Schema, text: string): boolean {
  const { min, max } = boundsOf(schema);
  try {
    const value = BigInt(text);
    return String(value) === text && value >= min && value <= max;
  } catch {
    return false;
  }
}

const PARAMETER_SPELLINGS: readonly ((integer: bigint) => string)[] = [
  (integer) => `+${integer}`,
  (integer) => `-${integer}`,
  (integer) => `0${integer}`,
  (integer) => ` ${integer}`,
  (integer) => `${integer}\n`,
  (integer) => `${integer}.0`,
  (integer) => `${integer}e0`,
  (integer) => `0x${integer.toString(16)}`,
  (integer) => `${integer}n`,
  (integer) => `${integer}_0`,
  (integer) => String(integer).replace(/\d/, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];

function integersNear(schema: Schema): Arbitrary<bigint> {
  const { min, max } = boundsOf(schema);
  const edges = [min, max, 0n, 2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n];
  return fc.constantFrom(...edges.flatMap((edge) => [edge - 1n, edge, edge + 1n]));
}

/** Texts for an integer parameter: values of the schema, values near its edges, strange spellings, anything. */
export function integerTexts(schema: Schema): Arbitrary<string> {
  const integers = fc.bigInt(boundsOf(schema));
  const spellings = fc.tuple(integers, fc.constantFrom(...PARAMETER_SPELLINGS));
  return fc.oneof(
    { weight: 4, arbitrary: integers.map(String) },
    integersNear(schema).map(String),
    spellings.map(([integer, spell]) => spell(integer)),
    fc.string({ minLength: 1 }),
  );
}

/** Moments around the fixed time of a fuzzed service. */
export const MOMENTS: readonly string[] = [-86_400_000, -1, 0, 1, 86_400_000].flatMap((ms) => {
  const text = new Date(NOON + ms).toISOString();
  return [text, text.replace('Z', '+00:00'), text.replace('Z', '-00:00')];
});
export const NO_MOMENTS = [
  '2026-02-29T00:00:00Z',
  '2026-07-01',
  '2026-07-01T12:00:00',
  'now',
  '',
  '1790000000000',
];

/** Suffixes that keep the value of an integer, or its tenfold; and those that make any integer a fraction. */
const INTEGER_SUFFIXES = ['', '', '', '.0', 'e0', '0e-1', '.00E+0'];
const FRACTION_SUFFIXES = ['.5', '1e-1', '.00000000000000000001', '1e-400'];

/** JSON for one member. A fraction is marked, because a parser may round it to an integer. */
export interface ValueText {
  readonly text: string;
  readonly isFraction: boolean;
}

type Values = (schema: Schema, name: string) => Arbitrary<ValueText>;

/** Values that the service knows, by the names of their members. */
export interface KnownValues {
  /** The document of the operations. */
  readonly document: OpenApiDocument;
  readonly petIds: readonly bigint[];
  readonly accountIds?: readonly string[];
}

function plain(text: string): ValueText {
  return { text, isFraction: false };
}

/** Small numbers collide with each other and with existing stock; large ones reach the bounds. */
function integersOf(schema: Schema): Arbitrary<bigint> {
  const { min, max } = boundsOf(schema);
  const small = fc.bigInt({ min: min < -3n ? -3n : min, max: max > 3n ? 3n : max });
  const integers = fc.oneof({ weight: 3, arbitrary: small }, fc.bigInt({ min, max }));
  return schema.not ? integers.filter((integer) => integer !== 0n) : integers;
}

function textsOf({ enum: choices, format, pattern, maxLength = 1_000 }: Schema): Arbitrary<string> {
  if (choices) return fc.constantFrom(...(choices as string[]));
  if (format === 'date-time')
    return fc.constantFrom(...MOMENTS, '0001-01-01T00:00:00Z', '2028-02-29T23:59:59.9999Z');
  if (format === 'uri') return fc.constantFrom('https://a.example/1?x=ü', 'gid://erp/Order/7', 'urn:x:y');
  if (pattern !== undefined && !pattern.includes('\\x00')) {
    return fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"'), fc.stringMatching(new RegExp(pattern)));
  }
  const unit = fc.constantFrom<'grapheme' | 'grapheme-ascii'>('grapheme', 'grapheme-ascii');
  const short = unit.chain((chosen) => fc.string({ unit: chosen, maxLength: Math.min(maxLength, 40) }));
  return fc.oneof({ weight: 9, arbitrary: short }, fc.constant('\u{1f415}'.repeat(maxLength)));
}

/** Webhook URLs: a test message to any of them is refused or fails on this machine. */
const RECEIVERS = ['http://127.0.0.1:9/a', 'https://127.0.0.1:9/?x=1', 'https://[::1]/', 'https://10.0.0.1/'];

/** Some texts that filters name. */
function stringsOf(schema: Schema, name: string, { accountIds }: KnownValues): Arbitrary<string> {
  if (name === 'url') return fc.constantFrom(...RECEIVERS);
  const texts = textsOf(schema);
  if (name === 'accountId' && accountIds)
    return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...accountIds) }, texts);
  return name === 'referenceId' ? fc.oneof(texts, fc.constantFrom('r1', 'r2')) : texts;
}

/** Values that a schema allows. */
export function validValues(known: KnownValues): Values {
  const values: Values = (schema, name) => {
    const own = resolved(known.document, schema);
    if (own.oneOf) return fc.oneof(...own.oneOf.map((choice) => values(choice, name)));
    const [type, ...others] = [own.type ?? 'object'].flat();
    if (others.length > 0) {
      return fc.oneof(...[type, ...others].map((one) => values({ ...own, type: one as string }, name)));
    }
    switch (type) {
      case 'null':
        return fc.constant(plain('null'));
      case 'boolean':
        return fc.boolean().map((value) => plain(String(value)));
      case 'string':
        return stringsOf(own, name, known).map((text) => plain(JSON.stringify(text)));
      case 'array':
        return fc
          .array(values(own.items ?? {}, name), { minLength: own.minItems ?? 0, maxLength: 4 })
          .map((items) => plain(`[${items.map(({ text }) => text).join(',')}]`));
      case 'integer':
        return name === 'petId' ? petIdTexts(known) : integerValues(own);
      default:
        return objects(own, values);
    }
  };
  return values;
}

function petIdTexts({ petIds }: KnownValues): Arbitrary<ValueText> {
  const any = fc.bigInt({ min: INT64.minimum, max: INT64.maximum });
  const known = fc.constantFrom(...petIds);
  return fc.oneof({ weight: 9, arbitrary: known }, any).map((petId) => plain(String(petId)));
}

function integerValues(schema: Schema): Arbitrary<ValueText> {
  return fc
    .tuple(integersOf(schema), fc.constantFrom(...INTEGER_SUFFIXES))
    .map(([integer, suffix]) => plain(`${integer}${suffix}`));
}

/** Mostly values that a schema allows, with now and then one that it may not. */
export function anyValues(known: KnownValues): Values {
  const valid = validValues(known);
  return (schema, name) => {
    const own = resolved(known.document, schema);
    const integer = own.type === 'integer' ? own : { minimum: 0, maximum: 9 };
    const fractions = fc.tuple(fc.bigInt(boundsOf(integer)), fc.constantFrom(...FRACTION_SUFFIXES));
    const others = fc.oneof(
      integersNear(integer).map(String),
      fc.constantFrom('-0', '1e3', '1e400', '-1', '0.0', 'null', 'true', '"5"', '[5]', '{}', '""'),
      fc
        .constantFrom(...NO_MOMENTS, 'a\0b', 'x'.repeat(2_001), '"a" "b"')
        .map((text) => JSON.stringify(text)),
      fc.json({ maxDepth: 2 }),
    );
    return fc.oneof(
      fractions.map(([whole, suffix]) => ({ text: `${whole}${suffix}`, isFraction: true })),
      { weight: 3, arbitrary: others.map(plain) },
      { weight: 4, arbitrary: valid(schema, name) },
    );
  };
}

/** Objects with all required members, some optional ones, and unknown ones. */
export function objects(schema: Schema, values: Values): Arbitrary<ValueText> {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const member = values(property, name).map((value) => ({
      ...value,
      text: `${JSON.stringify(name)}:${value.text}`,
    }));
    return schema.required?.includes(name)
      ? member
      : fc.option(member, { freq: 3, nil: undefined }).map(rarely);
  });
  const unknown = fc.dictionary(
    fc.string().filter((name) => !(name in (schema.properties ?? {}))),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 2 },
  );
  const isClosed = schema.additionalProperties === false;
  const others = isClosed ? fc.oneof({ weight: 19, arbitrary: fc.constant({}) }, unknown) : unknown;
  return fc.tuple(fc.tuple(...members), others, fc.nat(2)).map(([known, foreign, place]) => {
    const defined = known.filter((member) => member !== undefined);
    const texts = Object.entries(foreign).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    texts.splice(place, 0, ...defined.map(({ text }) => text));
    return { text: `{${texts.join(' ,')}}`, isFraction: defined.some(({ isFraction }) => isFraction) };
  });
}

/** Leaves most optional members out, so that not every request is about all of them. */
function rarely<T extends ValueText | undefined>(member: T): T | undefined {
  return member && member.text.length % 2 === 0 ? member : undefined;
}

/** Whether a body names a pet by a number outside int64, which a validator that reads rounded numbers cannot see. */
export function hasForeignPetId(body: ExactJson): boolean {
  if (body === null || typeof body !== 'object') return false;
  if (Array.isArray(body)) return body.some(hasForeignPetId);
  return Object.entries(body).some(([name, value]) => {
    if (name === 'petId') return isForeign(value);
    if (name === 'petIds') return Array.isArray(value) && value.some(isForeign);
    return (name === 'changes' || name === 'lines') && hasForeignPetId(value);
  });
}

function isForeign(value: ExactJson): boolean {
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return false;
  const petId = BigInt(value as number | bigint);
  return petId < INT64.minimum || petId > INT64.maximum;
}

/** Whether two lines of a body name one pet. */
export function hasRepeatedLine(body: ExactJson): boolean {
  const { lines } = (body ?? {}) as { readonly lines?: ExactJson };
  if (!Array.isArray(lines)) return false;
  const petIds = lines.map((line) => String((line as { readonly petId?: ExactJson } | null)?.petId));
  return new Set(petIds).size < petIds.length;
}
