import fc, { type Arbitrary } from 'fast-check';
import { type DocumentedOperation, type ParameterObject, validatorOf } from '../support/openapi-document.ts';
import { type Body, bodyOf } from './bodies.ts';
import type { Prepared } from './contract-service.ts';
import { constants, type Fault, INVALID, mostly, type Part, part, WRONG_MEDIA_TYPE } from './parts.ts';
import { VERSION_1 } from './queries.ts';
import { acceptsOf, type Credential, credentialsFor, escaped, type Headers, headersOf } from './requests.ts';
import { ANY_CHARACTER, isIntegerText, MOMENTS } from './values.ts';

/** A request whose answer is judged by the document and by its faults alone, without a model of the shop. */
export interface ContractRequest {
  /** The operation, such as `/v1 getPet`. */
  readonly name: string;
  /** The path of the operations of its document. */
  readonly base: string;
  readonly method: string;
  /** `~3` means the id of the newest resource but three of the collection before it. */
  readonly target: string;
  readonly credential: Credential;
  readonly headers: Headers;
  readonly body: Body['body'];
  readonly isStreamed: boolean;
  readonly faults: readonly Fault[];
}

const RECENT = ['~0', '~0', '~0', '~1', '~2', '~5'];
/** Ids of nothing, some of them of another kind of resource. */
const STRANGE = [
  ...['x', '0', '-1', 'acc_0000000000000000', 'key_0000000000000000', 'whe_0000000000000000', 'imp_none'],
  ...['9223372036854775807', '9223372036854775808', 'a b', 'a\0b', '🐕', "'; --", '%', '~', 'x'.repeat(200)],
];

function pathsOf({ path, operation }: DocumentedOperation, base: string): Arbitrary<Part<string>> {
  const target = (text: string) => base + path.replace(/\{\w+\}/, text);
  const schema = operation.parameters?.find((one) => one.in === 'path')?.schema;
  if (!schema) return constants([target('')]);
  const isSound = (text: string) =>
    // An id that is only too long is that of nothing: 404.
    schema.type === 'integer' ? isIntegerText(schema, text) : !schema.pattern || validatorOf(schema)(text);
  const strange = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...STRANGE) },
    fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !/^\.{1,2}$/.test(text) && text.isWellFormed()),
  );
  const written = fc.tuple(strange, fc.boolean()).map(([text, isEscaped]) => {
    const place = target(isEscaped ? escaped(text) : encodeURIComponent(text));
    return isSound(text) ? part(place) : part(place, INVALID);
  });
  return fc.oneof({ weight: 7, arbitrary: constants(RECENT.map(target)) }, { weight: 1, arbitrary: written });
}

/** Texts for any parameter. Whether they fit is the schema's judgement. */
const TEXTS = [
  ...[
    '',
    'x',
    'a b',
    'a\0b',
    '\u0301',
    '🐕🐕',
    'İ',
    'pet',
    'Cats 1',
    'null',
    'true',
    'x'.repeat(201),
    'x'.repeat(5_000),
  ],
  ...['0', '1', '2', '-1', '01', '1e2', '1.0', '0.0', '1.1', '999.0', '200', '201', '99999999999999999999'],
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '9223372036854775808'],
  ...MOMENTS,
  ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-30T00:00:00Z', '2026-07-01'],
  // The cursor of another operation, or of none.
  ...['acc_0000000000000000', '7', '{"petId":1}', '\0'].map((text) =>
    Buffer.from(text).toString('base64url'),
  ),
];

/** Lists of petIds; a pattern cannot express the limits of int64. */
const PET_IDS = ['1', '2,1', '-1,999', '9223372036854775807,-9223372036854775808'];
const NO_PET_IDS = ['', 'x', '01', '1,', '9223372036854775808', '0,'.repeat(100) + 0];

/**
 * Ids of events: `~` means the newest movement that is known, and one is in the future. The newest is frequent because a
 * replay also needs an endpoint that still exists: with less of it, one of twenty runs has no replay that succeeds.
 */
const EVENTS = [
  ...Array<string>(9).fill('~.0'),
  '0.0',
  '1.0',
  '1.1',
  '12.1',
  '999999.0',
  '1.0-1a2b3c4d',
  '0.1-00000000',
];

function textsOf({ name, schema, required }: ParameterObject): Arbitrary<Part<string>> {
  const validate = validatorOf(schema);
  const isInteger = schema.type === 'integer';
  const judged = (text: string) => {
    const isSpelled = !isInteger || /^(?:0|-?[1-9]\d*)$/.test(text);
    return isSpelled && validate(isInteger ? Number(text) : text) ? part(text) : part(text, INVALID);
  };
  const texts = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: ANY_CHARACTER }));
  if (required && (name === 'after' || name === 'event'))
    return fc.oneof({ weight: 5, arbitrary: constants(EVENTS) }, texts.map(judged));
  if (name === 'petId' && schema.type === 'string')
    return mostly(constants(PET_IDS), constants(NO_PET_IDS, INVALID), 3);
  if (!schema.enum) return texts.map(judged);
  return fc.oneof({ weight: 5, arbitrary: constants(schema.enum as string[]) }, texts.map(judged));
}

function queriesOf({ operation }: DocumentedOperation): Arbitrary<Part<string>> {
  if (VERSION_1.includes(operation.operationId)) return constants(['', '?limit=5', '?a']);
  const documented = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const isAlone = operation.operationId === 'listPets';
  const each = documented.map((parameter) =>
    fc.option(textsOf(parameter), { freq: parameter.required ? 20 : 1, nil: undefined }).map((text) => ({
      pairs: text ? [`${parameter.name}=${encodeURIComponent(text.value)}`] : [],
      faults: text ? text.faults : parameter.required ? [INVALID] : [],
    })),
  );
  const others = mostly(
    constants<readonly string[]>([[]]),
    constants([['sort=x'], ['%00=1'], ['Limit=5']], INVALID),
    19,
  );
  return fc.tuple(fc.tuple(...each), others).map(([parts, other]) => {
    const pairs = [...parts.flatMap((one) => one.pairs), ...other.value];
    const isMixed = isAlone && pairs.length > 1 && pairs.some((pair) => pair.startsWith('petId='));
    const text = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    return part(
      text,
      ...parts.flatMap(({ faults }) => faults),
      ...other.faults,
      ...(isMixed ? [INVALID] : []),
    );
  });
}

const FILES = [
  ...[
    '',
    '\n',
    'petId,quantity\n1,5\n',
    'petId,name,quantity\r\n7,"Rex",3\r\n',
    'petId\n1\n1\n',
    '"',
    '\ufeffpetId,quantity\n1,1',
  ],
  ...[
    '[]',
    '[{"petId":1,"quantity":7}]',
    '{"petId":2,"quantity":9007199254740993}\n',
    '[[[[',
    'null',
    '{"petId":1e400}',
  ],
];

/** Files to import. What is wrong with one is found later. */
function filesOf({ operation }: DocumentedOperation): Arbitrary<Part<Body>> {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const bodies = fc.oneof(
    fc.constantFrom(...FILES).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  const headers = mostly(
    constants(types.flatMap((type) => [type, type.toUpperCase(), `${type};`, `${type} ; charset=utf-8`])),
    constants(['', 'text/plain', 'text/csv; charset=utf-16', 'application/jsonx'], WRONG_MEDIA_TYPE),
  );
  return fc
    .tuple(headers, bodies)
    .map(([{ value, faults }, body]) => part<Body>({ headers: { 'Content-Type': value }, body }, ...faults));
}

export interface ContractPlace extends Prepared {
  /** The path of the operations of its document. */
  readonly base: string;
  readonly documented: DocumentedOperation;
}

/** Requests for one documented operation, each part of them sound or not. */
export function contractRequests({
  base,
  documented: place,
  ...prepared
}: ContractPlace): Arbitrary<ContractRequest> {
  const { operationId, 'x-scope': scope, 'x-role': role } = place.operation;
  // Reads are open to viewers.
  const needsMore = scope !== undefined || (role !== undefined && role !== 'viewer');
  const isStream = operationId === 'streamMovements';
  const methods = place.method === 'GET' ? ['GET', 'GET', 'HEAD'] : [place.method];
  const known = { document: place.document, ...prepared };
  return fc
    .record({
      method: isStream ? fc.constant('HEAD') : fc.constantFrom(...methods),
      credential: credentialsFor(needsMore),
      accept: acceptsOf(place),
      path: pathsOf(place, base),
      query: queriesOf(place),
      headers: headersOf(place),
      body: operationId === 'createImport' ? filesOf(place) : bodyOf(place, known),
      isStreamed: fc.boolean(),
    })
    .map(({ method, credential, accept, path, query, headers, body, isStreamed }) => ({
      name: `${base} ${operationId}`,
      base,
      method,
      target: path.value + query.value,
      credential: credential.value,
      headers: { ...accept.value, ...withoutPlaces(headers.value), ...body.value.headers },
      body: body.value.body,
      isStreamed,
      faults: [credential, path, query, accept, headers, body].flatMap((one) => one.faults),
    }));
}

/** Headers with any tag in place of the current one, and the first movement in place of a recent one. */
function withoutPlaces(headers: Headers): Headers {
  const fixed = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace('current', '"unknown"').replace(/^@0$/, '1').replace(/^@-1$/, '-1'),
  ]);
  return Object.fromEntries(fixed) as Headers;
}
