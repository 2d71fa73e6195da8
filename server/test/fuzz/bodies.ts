import fc, { type Arbitrary } from 'fast-check';
import { parseExactJson } from '../support/exact-json.ts';
import {
  type DocumentedOperation,
  type OperationObject,
  resolved,
  type Schema,
  validatorIn,
} from '../support/openapi-document.ts';
import { maxBodyBytes } from './hostile/body-slots.ts';
import { constants, INVALID, mostly, type Part, part, TOO_LARGE, WRONG_MEDIA_TYPE } from './parts.ts';
import {
  anyValues,
  hasForeignPetId,
  hasRepeatedLine,
  type KnownValues,
  objects,
  type ValueText,
  validValues,
} from './values.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Body {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes | undefined;
}

interface BodyText extends ValueText {
  /** The bytes to send instead of those of the text. */
  readonly bytes?: Bytes;
}

/** One character taken away, put in or doubled. */
function damaged(bodies: Arbitrary<BodyText>): Arbitrary<BodyText> {
  const damage = fc.constantFrom('', '', '{', '}', '[', ',', ':', '"', '\\', '\u0000', '\ufeff', 'x', '//');
  return fc.tuple(bodies, fc.nat(40), damage, fc.nat(1)).map(([{ text }, place, inserted, taken]) => {
    const at = place % (text.length + 1);
    return { text: text.slice(0, at) + inserted + text.slice(at + taken), isFraction: false };
  });
}

function padded(bodies: Arbitrary<BodyText>, maxBytes: number): Arbitrary<BodyText> {
  return fc.tuple(bodies, fc.constantFrom(-1, 0, 1, 40_000)).map(([body, excess]) => ({
    ...body,
    text: body.text + ' '.repeat(Math.max(0, maxBytes - Buffer.byteLength(body.text) + excess)),
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
function bodiesOf(
  schema: Schema,
  known: KnownValues,
  maxBytes: number,
  isValid: (body: unknown) => boolean,
): Arbitrary<Part<Bytes>> {
  const sound = objects(schema, validValues(known));
  const loose = fc.json({ maxDepth: 3 }).map((text) => ({ text, isFraction: false }));
  const texts: Arbitrary<BodyText> = fc.oneof(
    { weight: 14, arbitrary: sound },
    { weight: 6, arbitrary: objects(schema, anyValues(known)) },
    { weight: 2, arbitrary: damaged(sound) },
    objects({}, validValues(known)),
    loose,
    padded(sound, maxBytes),
    notUtf8(sound),
  );
  return texts.map(({ text, isFraction, bytes = Buffer.from(text) }) => {
    if (bytes.byteLength > maxBytes) return part(bytes, TOO_LARGE);
    try {
      const decoded = strictUtf8.decode(bytes);
      const exact = parseExactJson(decoded);
      const isSound = !hasForeignPetId(exact) && !hasRepeatedLine(exact);
      if (!isFraction && isValid(JSON.parse(decoded)) && isSound) return part(bytes);
    } catch {
      // Text that cannot be parsed is invalid.
    }
    return part(bytes, INVALID);
  });
}

const NO_BODY: Body = { headers: {}, body: undefined };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Bodies of an operation without one. It may read them all the same, and take an object without members. */
function strayBodies(operation: OperationObject): Arbitrary<Part<Body>> {
  if (operation.responses[413] === undefined) return constants([NO_BODY]);
  const body = (text: string, headers: Body['headers'] = JSON_TYPE): Body => ({
    headers,
    body: Buffer.from(text),
  });
  const wrong = fc.oneof(
    constants([body('{"note":"x"}'), body('[]'), body('{')], INVALID),
    constants([body(`{}${' '.repeat(maxBodyBytes(operation))}`)], TOO_LARGE),
    constants(
      ['', 'text/plain'].map((type) => body('{}', { 'Content-Type': type })),
      WRONG_MEDIA_TYPE,
    ),
  );
  return mostly(constants([NO_BODY, NO_BODY, body('{}')]), wrong);
}

/** The body of an operation, with its content headers. */
export function bodyOf(
  { document, method, path, operation }: DocumentedOperation,
  known: KnownValues,
): Arbitrary<Part<Body>> {
  const { content, required = false } = operation.requestBody ?? { content: undefined };
  if (!content) return strayBodies(operation);
  const types = Object.keys(content);
  const [type] = types as [string];
  const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema'];
  const validate = validatorIn(document, ...place);
  const maxBytes = maxBodyBytes(operation);
  const bodies = bodiesOf(resolved(document, content[type]!.schema), known, maxBytes, (body) =>
    validate(body),
  );
  const sound = types.flatMap((name) => [name, name.toUpperCase(), `${name}; charset=utf-8`]);
  const wrong = ['', 'text/plain', 'application/jsonp', `x${type}`, `${type}; charset=utf-16`];
  const headers = mostly(
    constants<Body['headers']>(sound.map((name) => ({ 'Content-Type': name }))),
    fc.oneof(
      constants<Body['headers']>(
        wrong.map((name) => ({ 'Content-Type': name })),
        WRONG_MEDIA_TYPE,
      ),
      constants<Body['headers']>([{ 'Content-Type': type, 'Content-Encoding': 'gzip' }], WRONG_MEDIA_TYPE),
    ),
  );
  const full = fc
    .tuple(headers, bodies)
    .map(([{ value, faults }, body]) =>
      part<Body>({ headers: value, body: body.value }, ...faults, ...body.faults),
    );
  const bodiless = required
    ? headers.map(({ value, faults }) => part<Body>({ headers: value, body: undefined }, ...faults, INVALID))
    : fc.constant(part<Body>({ headers: {}, body: undefined }));
  return mostly(full, bodiless, required ? 20 : 2);
}
