import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './openapi-document.ts';

/**
 * Why a request must be refused. Steps are those of the order in which a request is judged: the earliest one
 * decides, and of faults in one step any may be named.
 */
export interface Fault {
  readonly step: number;
  readonly status: number;
}

export const UNREADABLE: Fault = { step: 1, status: 400 };
export const BAD_KEY: Fault = { step: 2, status: 401 };
export const UNKNOWN_PATH: Fault = { step: 5, status: 404 };
export const WRONG_METHOD: Fault = { step: 5, status: 405 };
export const LACKS_SCOPE: Fault = { step: 6, status: 403 };
export const NOT_ACCEPTABLE: Fault = { step: 7, status: 406 };
export const WRONG_MEDIA_TYPE: Fault = { step: 7, status: 415 };
export const TOO_LARGE: Fault = { step: 7, status: 413 };
export const INVALID: Fault = { step: 7, status: 400 };
export const NO_SUCH_PET: Fault = { step: 8, status: 404 };

/** A piece of a request, with all that is wrong with it. */
export interface Part<T> {
  readonly value: T;
  readonly faults: readonly Fault[];
}

export function part<T>(value: T, ...faults: readonly Fault[]): Part<T> {
  return { value, faults };
}

const LARGEST_BODY_BYTES = 16 * 1024;
const INT64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

function boundsOf({ minimum, maximum }: Schema) {
  return {
    min: minimum === undefined ? INT64.minimum : BigInt(minimum),
    max: maximum === undefined ? INT64.maximum : BigInt(maximum),
  };
}

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

/** Suffixes that leave an integer's value, or its tenfold, as it is; and those that make a fraction of any integer. */
const INTEGER_SUFFIXES = ['', '', '', '.0', 'e0', '0e-1', '.00E+0'];
const FRACTION_SUFFIXES = ['.5', '1e-1', '.00000000000000000001', '1e-400'];

/** JSON for one member. A fraction is marked, because a parser may round it to an integer. */
interface ValueText {
  readonly text: string;
  readonly isFraction: boolean;
}

function validValues(schema: Schema): Arbitrary<ValueText> {
  return fc
    .tuple(fc.bigInt(boundsOf(schema)), fc.constantFrom(...INTEGER_SUFFIXES))
    .map(([integer, suffix]) => ({ text: `${integer}${suffix}`, isFraction: false }));
}

function anyValues(schema: Schema): Arbitrary<ValueText> {
  const fractions = fc.tuple(fc.bigInt(boundsOf(schema)), fc.constantFrom(...FRACTION_SUFFIXES));
  const others = fc.oneof(
    integersNear(schema).map(String),
    fc.constantFrom('-0', '1e3', '1e400', '-1', '0.0', 'null', 'true', '"5"', '[5]', '{}'),
    fc.json({ maxDepth: 2 }),
  );
  return fc.oneof(
    fractions.map(([integer, suffix]) => ({ text: `${integer}${suffix}`, isFraction: true })),
    { weight: 3, arbitrary: others.map((text) => ({ text, isFraction: false })) },
  );
}

interface BodyText extends ValueText {
  /** What is sent in place of the text's own bytes. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

function objects(schema: Schema, values: (schema: Schema) => Arbitrary<ValueText>): Arbitrary<BodyText> {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    values(property).map((value) => ({ ...value, text: `${JSON.stringify(name)}:${value.text}` })),
  );
  const unknown = fc.dictionary(
    fc.string().filter((name) => !(name in (schema.properties ?? {}))),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 2 },
  );
  return fc.tuple(fc.tuple(...members), unknown, fc.nat(2)).map(([known, others, place]) => {
    const texts = Object.entries(others).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    texts.splice(place, 0, ...known.map(({ text }) => text));
    return { text: `{${texts.join(' ,')}}`, isFraction: known.some(({ isFraction }) => isFraction) };
  });
}

/** One character taken away, put in or doubled. */
function damaged(bodies: Arbitrary<BodyText>): Arbitrary<BodyText> {
  const damage = fc.constantFrom('', '', '{', '}', '[', ',', ':', '"', '\\', '\u0000', '\ufeff', 'x', '//');
  return fc.tuple(bodies, fc.nat(40), damage, fc.nat(1)).map(([{ text }, place, inserted, taken]) => {
    const at = place % (text.length + 1);
    return { text: text.slice(0, at) + inserted + text.slice(at + taken), isFraction: false };
  });
}

function padded(bodies: Arbitrary<BodyText>): Arbitrary<BodyText> {
  return fc.tuple(bodies, fc.constantFrom(-1, 0, 1, 40_000)).map(([body, excess]) => ({
    ...body,
    text: body.text + ' '.repeat(Math.max(0, LARGEST_BODY_BYTES - Buffer.byteLength(body.text) + excess)),
  }));
}

function notUtf8(bodies: Arbitrary<BodyText>): Arbitrary<BodyText> {
  return bodies.map((body) => ({
    ...body,
    bytes: Buffer.concat([Buffer.from(`{"a":"`), Buffer.of(0xff), Buffer.from(`",${body.text.slice(1)}`)]),
  }));
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bodies of an operation, sound and broken; `isValid` is the schema's judgement of a parsed body. */
export function bodiesOf(
  schema: Schema,
  isValid: (body: unknown) => boolean,
): Arbitrary<Part<Uint8Array<ArrayBuffer>>> {
  const sound = objects(schema, validValues);
  const loose = fc.json({ maxDepth: 3 }).map((text) => ({ text, isFraction: false }));
  const texts: Arbitrary<BodyText> = fc.oneof(
    { weight: 8, arbitrary: sound },
    { weight: 5, arbitrary: objects(schema, anyValues) },
    { weight: 2, arbitrary: damaged(sound) },
    objects({}, validValues),
    loose,
    padded(sound),
    notUtf8(sound),
  );
  return texts.map(({ text, isFraction, bytes = Buffer.from(text) }) => {
    if (bytes.byteLength > LARGEST_BODY_BYTES) return part(bytes, TOO_LARGE);
    try {
      if (!isFraction && isValid(JSON.parse(strictUtf8.decode(bytes)))) return part(bytes);
    } catch {
      // What cannot be parsed is invalid.
    }
    return part(bytes, INVALID);
  });
}
