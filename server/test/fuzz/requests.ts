import fc, { type Arbitrary } from 'fast-check';
import {
  DOCUMENT,
  type DocumentedOperation,
  findOperation,
  methodsAt,
  operationsIn,
} from '../support/openapi-document.ts';
import { bodyOf } from './bodies.ts';
import {
  BAD_KEY,
  constants,
  type Fault,
  INVALID,
  LACKS_SCOPE,
  mostly,
  NOT_ACCEPTABLE,
  type Part,
  part,
  UNKNOWN_PATH,
  UNREADABLE,
  WRONG_METHOD,
} from './parts.ts';
import { queriesOf } from './queries.ts';
import { ANY_CHARACTER, integerTexts, isIntegerText, type KnownValues } from './values.ts';

/** Values that requests may use, because the service has them. */
export interface Surroundings extends KnownValues {
  /** Cursors from the service, each with the number of pets before its page. */
  readonly cursors: readonly { readonly text: string; readonly before: number }[];
}

/** The `Authorization` header: a key with all scopes, one without any, or an invalid key. */
export type Credential = 'own' | 'scopeless' | 'two' | (typeof BAD_CREDENTIALS)[number];

const BAD_CREDENTIALS = ['none', 'empty', 'basic', 'other scheme', 'wrong checksum', 'two words'] as const;

export interface FuzzRequest {
  /** The operation it is for, or `none`. */
  readonly operationId: string;
  readonly method: string;
  /** `@3` means the newest movement but three, in the path and in the query; `$3` is that of orders. */
  readonly target: string;
  readonly credential: Credential;
  /** `current` means the ETag of the target of the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly isStreamed: boolean;
  /** The text of the path parameter. */
  readonly parameter: string | undefined;
  /** The parameters of a sound query. */
  readonly query: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

export type Headers = Readonly<Record<string, string>>;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
/** Recent movements, counted back from the newest; the last one is in the future. */
const RECENT = ['@0', '@1', '@2', '@3', '@7', '@-1'];
/** The same for orders. */
const RECENT_ORDERS = ['$0', '$0', '$0', '$1', '$1', '$2', '$4', '$-1'];
const RECENT_TEXT = /^[@$]-?\d+$/;

export function credentialsFor(needsScope: boolean): Arbitrary<Part<Credential>> {
  const others = fc.oneof(
    { weight: 2, arbitrary: constants<Credential>(BAD_CREDENTIALS, BAD_KEY) },
    constants<Credential>(['scopeless'], ...(needsScope ? [LACKS_SCOPE] : [])),
    constants<Credential>(['two'], UNREADABLE),
  );
  return mostly(constants<Credential>(['own']), others);
}

export function acceptsOf({ operation }: DocumentedOperation): Arbitrary<Part<Headers>> {
  const types = Object.keys(operation.responses['200']?.content ?? { 'application/json': {} });
  const [type, ...others] = types as [string];
  if (others.length > 0) return constants<Headers>([{}, { Accept: '*/*' }]);
  const other = type === 'application/json' ? 'text/event-stream' : 'application/json';
  return mostly(
    constants<Headers>([
      {},
      { Accept: '*/*', 'Accept-Encoding': 'gzip, br' },
      { Accept: type },
      { Accept: `text/html, ${type.split('/')[0]}/*;q=0.1`, 'Accept-Encoding': 'gzip;q=0' },
    ]),
    constants<Headers>(
      [{ Accept: 'image/png' }, { Accept: other }, { Accept: `${type};q=0, */*` }],
      NOT_ACCEPTABLE,
    ),
  );
}

function pathsOf({ path, operation }: DocumentedOperation, { petIds }: Surroundings) {
  const parameter = operation.parameters?.find((one) => one.in === 'path');
  const target = (text: string) => `/v1${path.replace(/\{\w+\}/, text)}`;
  if (!parameter) return fc.constant(part({ target: target(''), parameter: undefined }));
  const { schema } = parameter;
  const known = { petId: petIds.map(String), orderId: RECENT_ORDERS }[parameter.name] ?? RECENT;
  const texts = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: integerTexts(schema) },
  );
  return fc
    .tuple(
      texts.filter((text) => !/^\.{1,2}$/.test(text)),
      fc.boolean(),
    )
    .map(([text, isEscaped]) => {
      if (RECENT_TEXT.test(text)) return part({ target: target(text), parameter: text });
      const inPath = isEscaped ? escaped(text) : encodeURIComponent(text);
      const place = { target: target(inPath), parameter: text };
      return isIntegerText(schema, text) ? part(place) : part(place, INVALID);
    });
}

/** The same text, every byte of it as `%xx`, which means the same (RFC 3986 section 2.3). */
export function escaped(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
}

const SOUND_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'If-None-Match': ['current', '*', '"unknown"', 'W/"x", "y"'],
  'If-Match': ['current', 'current', '*', '"unknown"', 'W/"x"', '"x", current,, "y"'],
  'Idempotency-Key': ['k0', '"k0"', 'k1', 'k2', '"a\\"b"'],
  'Last-Event-ID': ['0', '1', '@0'],
};
const BAD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'If-Match': ['x', '"a" "b"', 'W/', ','],
  'If-None-Match': ['x', '"a" "b"', 'W/', ','],
  'Idempotency-Key': ['a b', '"a', '"a"b', 'x'.repeat(256)],
  'Last-Event-ID': ['x', '-1', '01', '@-1'],
};

/** Every read understands these, whether it has a tag or not. */
const OF_READS = ['If-Match', 'If-None-Match'];

export function headersOf({ method, operation }: DocumentedOperation): Arbitrary<Part<Headers>> {
  const isRead = method === 'GET';
  const documented = (operation.parameters ?? []).filter((one) => one.in === 'header');
  const names = new Set([...documented.map(({ name }) => name), ...(isRead ? OF_READS : [])]);
  const each = [...names].map((name) => {
    const sound = constants((SOUND_HEADERS[name] ?? []).map((value): Headers => ({ [name]: value })));
    const none = fc.constant(part<Headers>({}));
    // A read passes over an `If-None-Match` that cannot be read: its answer is right without it.
    const bad = isRead && name === 'If-None-Match' ? undefined : BAD_HEADERS[name];
    if (!bad) return fc.oneof({ weight: 2, arbitrary: none }, sound);
    const faulty = constants(
      bad.map((value): Headers => ({ [name]: value })),
      INVALID,
    );
    return mostly(fc.oneof({ weight: 2, arbitrary: none }, sound), faulty, 15);
  });
  return fc
    .tuple(...each)
    .map((parts) =>
      part<Headers>(
        Object.assign({}, ...parts.map(({ value }) => value)),
        ...parts.flatMap(({ faults }) => faults),
      ),
    );
}

/** Requests for one documented operation, each part of them sound or not. */
function requestsFor(place: DocumentedOperation, surroundings: Surroundings): Arbitrary<FuzzRequest> {
  const { operationId, 'x-scope': scope } = place.operation;
  const methods = place.method === 'GET' ? ['GET', 'GET', 'HEAD'] : [place.method];
  return fc
    .record({
      method: fc.constantFrom(...methods),
      credential: credentialsFor(scope !== undefined),
      accept: acceptsOf(place),
      path: pathsOf(place, surroundings),
      query: queriesOf(place, surroundings),
      headers: headersOf(place),
      body: bodyOf(place, surroundings),
      isStreamed: fc.boolean(),
    })
    .map(({ method, credential, accept, path, query, headers, body, isStreamed }) => {
      const faults = [credential, path, query, accept, headers, body].flatMap((one) => one.faults);
      const isEndless = operationId === 'streamMovements' && faults.length === 0;
      return {
        operationId,
        // The answer to a valid GET would never end.
        method: isEndless ? 'HEAD' : method,
        target: path.value.target + query.value.text,
        credential: credential.value,
        headers: { ...accept.value, ...headers.value, ...body.value.headers },
        body: body.value.body,
        isStreamed,
        parameter: path.value.parameter,
        query: query.value.parameters,
        faults,
      };
    });
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
        `${path}x/y/z`,
      ),
    );
  // Dot segments are resolved on the way, and may lead back to the front page.
  const invented = inventedPath().filter((path) => new URL(`http://any${path}`).pathname !== '/');
  const paths = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known).map((path) => part(path)) },
    fc
      .oneof(strange, invented)
      .filter((path) => methodsAt(decodeURI(path)).length === 0)
      .map((path) => part(path, UNKNOWN_PATH)),
    fc.constantFrom(...known).map((path) => part(`${path}%zz`, UNREADABLE)),
  );
  // Few of these requests have nothing else wrong, so more of them have a bad credential than others do.
  const credentials = fc.oneof(
    { weight: 4, arbitrary: credentialsFor(false) },
    constants<Credential>(BAD_CREDENTIALS, BAD_KEY),
  );
  return fc
    .tuple(paths, fc.constantFrom(...METHODS), credentials)
    .filter(([path, method]) => path.faults.length > 0 || !findOperation(method, path.value))
    .map(([path, method, credential]) => ({
      operationId: 'none',
      method,
      target: path.value,
      credential: credential.value,
      headers: {},
      body: undefined,
      isStreamed: false,
      parameter: undefined,
      query: {},
      faults: faultsOutside(method, path.faults, credential.faults),
    }));
}

const PATH_CHARACTERS = [..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@"];

/** A path of any characters (RFC 3986 section 3.3). `fc.webPath` is slow: see `ANY_CHARACTER`. */
function inventedPath(): Arbitrary<string> {
  const encoded = ANY_CHARACTER.map(encodeURIComponent);
  const character = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...PATH_CHARACTERS) },
    { weight: 1, arbitrary: encoded },
  );
  const segment = fc.array(character, { maxLength: 10 }).map((characters) => characters.join(''));
  return fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => `/${segments.join('/')}`);
}

function faultsOutside(method: string, ofPath: readonly Fault[], ofCredential: readonly Fault[]) {
  if (ofPath.length > 0) return [...ofPath, ...ofCredential];
  // A preflight cannot have a key, so OPTIONS requires none.
  if (method === 'OPTIONS') return ofCredential.filter((fault) => fault !== BAD_KEY);
  return [WRONG_METHOD, ...ofCredential];
}

/** An audit reads the whole ledger, which a run makes long. Few deliveries follow an approval, and few reverts a movement. */
const WEIGHTS: Readonly<Record<string, number>> = {
  auditLedger: 6,
  batchInventory: 14,
  approveOrder: 14,
  deliverOrder: 18,
  revertMovement: 20,
};

/** The operations of stock and orders. Those of webhook endpoints have a model of their own. */
export const FUZZED_OPERATIONS = operationsIn(DOCUMENT).filter(
  ({ path }) => !path.startsWith('/webhook-endpoints'),
);

/** Requests of every kind, made from the committed document. */
export function fuzzRequests(surroundings: Surroundings): Arbitrary<FuzzRequest> {
  const places = FUZZED_OPERATIONS.map((place) => ({
    weight: WEIGHTS[place.operation.operationId] ?? (place.operation.requestBody ? 12 : 8),
    arbitrary: requestsFor(place, surroundings),
  }));
  return fc.oneof(...places, { weight: 9, arbitrary: requestsOutside(surroundings) });
}
