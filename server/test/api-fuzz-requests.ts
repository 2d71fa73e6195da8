import fc, { type Arbitrary } from 'fast-check';
import {
  BAD_KEY,
  bodiesOf,
  type Fault,
  INVALID,
  integerTexts,
  isIntegerText,
  LACKS_SCOPE,
  NO_SUCH_PET,
  NOT_ACCEPTABLE,
  type Part,
  part,
  UNKNOWN_PATH,
  UNREADABLE,
  WRONG_MEDIA_TYPE,
  WRONG_METHOD,
} from './api-fuzz-values.ts';
import {
  DOCUMENT,
  type DocumentedOperation,
  findOperation,
  methodsAt,
  operationsIn,
  type Schema,
  validatorAt,
} from './openapi-document.ts';

/** What the requests may name, because the service has it. */
export interface Surroundings {
  readonly petIds: readonly bigint[];
  /** Cursors that the service gave, each with how many pets stand before its page. */
  readonly cursors: readonly { readonly text: string; readonly before: number }[];
}

/** What is sent as `Authorization`: a key with all scopes, one without any, or what is no key. */
export type Credential = 'own' | 'scopeless' | 'two' | (typeof BAD_CREDENTIALS)[number];

const BAD_CREDENTIALS = ['none', 'empty', 'basic', 'other scheme', 'wrong checksum', 'two words'] as const;

/** The part of the list that a request with valid parameters asks for. */
export interface Page {
  readonly before: number;
  readonly limit: number;
}

export interface FuzzRequest {
  /** The operation it is for, or `none`. */
  readonly operationId: string;
  readonly method: string;
  readonly target: string;
  readonly credential: Credential;
  /** An `If-None-Match` of `current` stands for the ETag of the list. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly isStreamed: boolean;
  readonly petId: string | undefined;
  readonly page: Page | undefined;
  readonly faults: readonly Fault[];
}

type Headers = Readonly<Record<string, string>>;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const WHOLE_LIST: Page = { before: 0, limit: Number.POSITIVE_INFINITY };
const DEFAULT_PAGE_ITEMS = 100;

/** Mostly the sound parts, now and then one of the others. */
function mostly<T>(sound: Arbitrary<Part<T>>, others: Arbitrary<Part<T>>, weight = 12): Arbitrary<Part<T>> {
  return fc.oneof({ weight, arbitrary: sound }, { weight: 1, arbitrary: others });
}

function constants<T>(values: readonly T[], ...faults: readonly Fault[]): Arbitrary<Part<T>> {
  return fc.constantFrom(...values.map((value) => part(value, ...faults)));
}

function credentialsFor(needsScope: boolean): Arbitrary<Part<Credential>> {
  const others = fc.oneof(
    { weight: 2, arbitrary: constants<Credential>(BAD_CREDENTIALS, BAD_KEY) },
    constants<Credential>(['scopeless'], ...(needsScope ? [LACKS_SCOPE] : [])),
    constants<Credential>(['two'], UNREADABLE),
  );
  return mostly(constants<Credential>(['own']), others);
}

const accepts: Arbitrary<Part<Headers>> = mostly(
  constants<Headers>([
    {},
    { Accept: '*/*', 'Accept-Encoding': 'gzip, br' },
    { Accept: 'application/json' },
    { Accept: 'text/html, application/*;q=0.1', 'Accept-Encoding': 'gzip;q=0' },
  ]),
  constants<Headers>([{ Accept: 'text/html' }, { Accept: 'application/json;q=0, */*' }], NOT_ACCEPTABLE),
);

function pathsOf({ path, operation }: DocumentedOperation, petIds: readonly bigint[]) {
  const schema = operation.parameters?.find((parameter) => parameter.in === 'path')?.schema;
  const target = (petId: string) => `/v1${path.replace(/\{\w+\}/, petId)}`;
  if (!schema) return fc.constant(part({ target: target(''), petId: undefined }));
  const texts = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...petIds.map(String)) },
    { weight: 3, arbitrary: integerTexts(schema) },
  );
  return fc
    .tuple(
      texts.filter((text) => !/^\.{1,2}$/.test(text)),
      fc.boolean(),
    )
    .map(([petId, isEscaped]) => {
      const inPath = isEscaped ? escaped(petId) : encodeURIComponent(petId);
      if (!isIntegerText(schema, petId)) return part({ target: target(inPath), petId }, INVALID);
      const faults = petIds.includes(BigInt(petId)) ? [] : [NO_SUCH_PET];
      return part({ target: target(inPath), petId }, ...faults);
    });
}

/** The same text, every byte of it as `%xx`, which means the same (RFC 3986 section 2.3). */
function escaped(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
}

type Query = { readonly query: string; readonly page: Page | undefined };

function queriesOf({ operation }: DocumentedOperation, cursors: Surroundings['cursors']) {
  const limit = operation.parameters?.find(({ name }) => name === 'limit')?.schema;
  const none: Arbitrary<Part<Query>> = fc.constant(part({ query: '', page: limit ? WHOLE_LIST : undefined }));
  if (!limit) return none;
  const cursorParts = mostly(
    fc.constantFrom({ text: undefined, before: 0 }, ...cursors).map((cursor) => part(cursor)),
    fc
      .oneof(
        fc.constant(''),
        fc.string().map((text) => `${text}~`),
      )
      .map((text) => part({ text, before: 0 }, INVALID)),
    6,
  );
  const limitTexts = fc.option(fc.oneof(fc.integer({ min: 1, max: 9 }).map(String), integerTexts(limit)));
  const others = mostly(constants(['']), constants(['sort=petId', 'limit=1&limit=1', 'Limit=5'], INVALID), 9);
  const pages = fc.tuple(limitTexts, cursorParts, others).map(([text, cursor, other]) => {
    const faults = [...cursor.faults, ...other.faults];
    if (text !== null && !isIntegerText(limit, text)) faults.push(INVALID);
    const pairs = [text === null ? '' : `limit=${encodeURIComponent(text)}`, other.value];
    if (cursor.value.text !== undefined) pairs.push(`cursor=${encodeURIComponent(cursor.value.text)}`);
    const query = pairs.filter(Boolean).join('&');
    if (query === '') return part<Query>({ query, page: WHOLE_LIST });
    const items = text === null ? DEFAULT_PAGE_ITEMS : Number(text);
    const page = { before: cursor.value.before, limit: items };
    return part<Query>({ query: `?${query}`, page }, ...faults);
  });
  return fc.oneof(none, pages);
}

function headersOf({ operation }: DocumentedOperation): Arbitrary<Headers> {
  const names = (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name);
  const values = fc.constantFrom('current', '*', '"unknown"', 'W/"x", "y"');
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), values))).map(Object.fromEntries<string>),
  );
}

type Body = { readonly headers: Headers; readonly body: FuzzRequest['body'] };

function bodyOf({ method, path, operation }: DocumentedOperation): Arbitrary<Part<Body>> {
  const content = operation.requestBody?.content;
  if (!content) return fc.constant(part({ headers: {}, body: undefined }));
  const types = Object.keys(content);
  const [type] = types as [string];
  const validate = validatorAt('paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema');
  const bodies = bodiesOf(resolved(content[type]!.schema), (body) => validate(body));
  const sound = types.flatMap((name) => [name, name.toUpperCase(), `${name}; charset=utf-8`]);
  const wrong = ['', 'text/plain', 'application/jsonp', `x${type}`, `${type}; charset=utf-16`];
  const headers = mostly(
    constants<Headers>(sound.map((name) => ({ 'Content-Type': name }))),
    fc.oneof(
      constants<Headers>(
        wrong.map((name) => ({ 'Content-Type': name })),
        WRONG_MEDIA_TYPE,
      ),
      constants<Headers>([{ 'Content-Type': type, 'Content-Encoding': 'gzip' }], WRONG_MEDIA_TYPE),
    ),
  );
  const full = fc
    .tuple(headers, bodies)
    .map(([{ value, faults }, body]) =>
      part<Body>({ headers: value, body: body.value }, ...faults, ...body.faults),
    );
  return mostly(
    full,
    headers.map(({ value, faults }) => part({ headers: value, body: undefined }, ...faults, INVALID)),
    20,
  );
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (DOCUMENT.components.schemas[name] as Schema);
}

/** Requests for one documented operation, each part of them sound or not. */
function requestsFor(place: DocumentedOperation, surroundings: Surroundings): Arbitrary<FuzzRequest> {
  const { operationId, 'x-scope': scope } = place.operation;
  const methods = place.method === 'GET' ? ['GET', 'GET', 'HEAD'] : [place.method];
  return fc
    .record({
      method: fc.constantFrom(...methods),
      credential: credentialsFor(scope !== undefined),
      accept: accepts,
      path: pathsOf(place, surroundings.petIds),
      query: queriesOf(place, surroundings.cursors),
      headers: headersOf(place),
      body: bodyOf(place),
      isStreamed: fc.boolean(),
    })
    .map(({ method, credential, accept, path, query, headers, body, isStreamed }) => ({
      operationId,
      method,
      target: path.value.target + query.value.query,
      credential: credential.value,
      headers: { ...accept.value, ...headers, ...body.value.headers },
      body: body.value.body,
      isStreamed,
      petId: path.value.petId,
      page: query.value.page,
      faults: [credential, path, query, accept, body].flatMap(({ faults }) => faults),
    }));
}

/** Known paths with methods they do not have, unknown paths, and paths that cannot be read. */
function requestsOutside({ petIds }: Surroundings): Arbitrary<FuzzRequest> {
  const known = operationsIn(DOCUMENT).map(({ path }) => `/v1${path.replace(/\{\w+\}/, String(petIds[0]))}`);
  const strange = fc
    .constantFrom(...known)
    .chain((path) =>
      fc.constantFrom(
        `${path}/`,
        `/${path}`,
        path.toUpperCase(),
        path.replace('/v1', '/v2'),
        path.slice(3),
        `${path}x/y`,
      ),
    );
  // Dot segments are resolved on the way, and may lead back to the front page.
  const invented = fc.webPath().filter((path) => new URL(`http://any${path}`).pathname !== '/');
  const paths = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known).map((path) => part(path)) },
    fc
      .oneof(strange, invented)
      .filter((path) => methodsAt(decodeURI(path)).length === 0)
      .map((path) => part(path, UNKNOWN_PATH)),
    fc.constantFrom(...known).map((path) => part(`${path}%zz`, UNREADABLE)),
  );
  return fc
    .tuple(paths, fc.constantFrom(...METHODS), credentialsFor(false))
    .filter(([path, method]) => path.faults.length > 0 || !findOperation(method, path.value))
    .map(([path, method, credential]) => ({
      operationId: 'none',
      method,
      target: path.value,
      credential: credential.value,
      headers: {},
      body: undefined,
      isStreamed: false,
      petId: undefined,
      page: undefined,
      faults: faultsOutside(method, path.faults, credential.faults),
    }));
}

function faultsOutside(method: string, ofPath: readonly Fault[], ofCredential: readonly Fault[]) {
  if (ofPath.length > 0) return [...ofPath, ...ofCredential];
  // A preflight cannot carry a key, so that OPTIONS asks for none.
  if (method === 'OPTIONS') return ofCredential.filter((fault) => fault !== BAD_KEY);
  return [WRONG_METHOD, ...ofCredential];
}

/** Requests of every kind, made from the committed document. */
export function fuzzRequests(surroundings: Surroundings): Arbitrary<FuzzRequest> {
  const places = operationsIn(DOCUMENT).map((place) => ({
    weight: place.operation.requestBody ? 6 : 3,
    arbitrary: requestsFor(place, surroundings),
  }));
  return fc.oneof(...places, { weight: 2, arbitrary: requestsOutside(surroundings) });
}
