import assert from 'node:assert/strict';
import { ERROR_STATUS, type ErrorCode } from '../../src/domain/errors.ts';
import { INTERFACE_DATE } from '../../src/http/request/interface-date.ts';
import { bigIntegersOf, type ExactJson, parseExactJson } from './exact-json.ts';
import { assertLimitHeaders } from './limit-headers.ts';
import {
  closedValidatorIn,
  type DocumentedOperation,
  faultsOf,
  findOperation,
  type ResponseObject,
  type Schema,
  validatorOf,
} from './openapi-document.ts';

export interface SentRequest {
  readonly method: string;
  /** The path as sent, without the query; empty for bytes that do not parse as a request. */
  readonly path: string;
  readonly authorization: string | null;
  /** Whether a browser opens an address that belongs to no interface. */
  readonly isPage?: boolean;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, decompressed. */
  readonly text: string;
}

const SERVICE_PATHS: readonly string[] = [
  '/',
  '/admin/openapi.json',
  '/docs',
  '/docs/',
  '/favicon.ico',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/readyz',
];

/** Headers of HTTP itself, which the document need not repeat for each operation. */
const UNDOCUMENTED_HEADERS = new Set([
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'vary',
  'x-content-type-options',
]);
/** Headers that an answer may have outside the operations of the document. */
const HEADERS_OUTSIDE = [
  'accept-patch',
  'allow',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'etag',
  'petstore-version',
  'ratelimit',
  'ratelimit-policy',
  'referrer-policy',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
];

const SECRET = /ps[ka]_(?:live|test)_[0-9A-Za-z]{8,}/;
/** Where keys are created and rotated. */
const MAKES_KEY = /^\/admin\/v1\/(?:admin-)?keys(?:\/[^/]+\/rotate)?$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

const requestIds = new Set<string>();

/**
 * Asserts that the committed document allows an answer to this request, that it has the mandatory headers, and that it
 * contains no secret. `nowMs` is the clock of the service.
 */
export function assertContract(sent: SentRequest, answer: ReceivedAnswer, nowMs: number): void {
  const what = `${sent.method} ${sent.path} -> ${answer.status} ${answer.text.slice(0, 300)}`;
  try {
    assertEveryAnswer(sent, answer);
    const isHtml = answer.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    const isMissingPage = sent.isPage && answer.status === 404 && isHtml;
    const isError = answer.status >= 400 && answer.text !== '' && !isMissingPage;
    const error = isError ? assertErrorBody(answer) : undefined;
    assertLimitHeaders({ ...answer, code: error?.code }, nowMs);
    assertHeadersOfStatus(answer);
    const documented = findOperation(sent.method, sent.path);
    if (documented) assertDocumented(documented, sent.method, answer);
    else assertOutside(sent, answer);
  } catch (error) {
    if (error instanceof Error) error.message = `${what}\n${error.message}`;
    throw error;
  }
}

function assertEveryAnswer({ method, path, authorization }: SentRequest, answer: ReceivedAnswer): void {
  const { status, headers, text } = answer;
  const requestId = headers.get('X-Request-Id') ?? '';
  assert.match(requestId, /^[\w-]{8,64}$/, 'X-Request-Id');
  assert.ok(!requestIds.has(requestId), `X-Request-Id ${requestId} was given before`);
  requestIds.add(requestId);
  assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(headers.get('Petstore-Version'), INTERFACE_DATE);
  if (status === 204 || status === 304) assert.equal(text, '', 'the body is empty');
  else if (method !== 'HEAD') assert.notEqual(text, '', 'the body is not empty');

  const everything = `${[...headers].join('\n')}\n${text}`;
  // The response to the creation of a key is the only one that may have its secret.
  if (!MAKES_KEY.test(path) || status !== 201) {
    assert.doesNotMatch(everything, SECRET, 'an answer never holds a key');
  }
  const credential = authorization?.split(' ').at(-1) ?? '';
  assert.ok(
    credential.length < 8 || !everything.includes(credential),
    'an answer never holds the credential',
  );
}

function assertErrorBody({ status, headers, text }: ReceivedAnswer): { code: ErrorCode } {
  assert.equal(headers.get('Content-Type'), 'application/json');
  assert.equal(headers.get('Cache-Control'), 'no-store', 'an error is never cached');
  const body = JSON.parse(text) as { code: ErrorCode; message: unknown; status: unknown };
  assert.deepEqual(Object.keys(body).toSorted(), ['code', 'message', 'status']);
  assert.equal(body.status, status, 'status repeats the HTTP status');
  assert.equal(ERROR_STATUS[body.code], status, `${body.code} does not travel with ${status}`);
  assert.ok(typeof body.message === 'string' && body.message.length >= 10, 'message describes the error');
  return body;
}

function assertHeadersOfStatus({ status, headers }: ReceivedAnswer): void {
  if (status === 401 || status === 403) {
    assert.match(headers.get('WWW-Authenticate') ?? '', /^Bearer realm="\w+"/, 'WWW-Authenticate');
  } else assert.equal(headers.get('WWW-Authenticate'), null);
  if (status === 405) assert.match(headers.get('Allow') ?? '', /^[A-Z]+(?:, [A-Z]+)*$/, 'Allow');
  if (status === 415)
    assert.ok(headers.get('Accept-Patch') ?? headers.get('Accept'), 'the accepted media types');
}

function assertDocumented(
  { document, method, path, operation }: DocumentedOperation,
  sentMethod: string,
  answer: ReceivedAnswer,
): void {
  const { status, headers, text } = answer;
  const response = operation.responses[status];
  assert.ok(response, `${operation.operationId} does not document ${status}`);
  const steps = ['paths', path, method.toLowerCase(), 'responses', String(status)];
  assertDocumentedHeaders(response, headers);
  if (!response.content) {
    assert.equal(text, '', 'the document has no body here');
    return;
  }
  const contentType = headers.get('Content-Type') ?? '';
  assert.ok(contentType in response.content, `Content-Type ${contentType} is not documented`);
  if (sentMethod === 'HEAD' || contentType !== 'application/json') return;
  const validate = closedValidatorIn(document, ...steps, 'content', contentType, 'schema');
  assert.ok(validate(JSON.parse(text)), faultsOf(validate));
  assertExactIntegers(parseExactJson(text));
}

function assertDocumentedHeaders({ headers: documented = {} }: ResponseObject, headers: Headers): void {
  const known = new Set([...UNDOCUMENTED_HEADERS]);
  for (const [name, { required, schema }] of Object.entries(documented)) {
    known.add(name.toLowerCase());
    const value = headers.get(name);
    if (value === null) assert.ok(!required, `the header ${name} is missing`);
    else assertHeaderValue(name, schema, value);
  }
  for (const name of headers.keys()) assert.ok(known.has(name), `the header ${name} is not documented`);
}

function assertHeaderValue(name: string, schema: Schema, value: string): void {
  assert.notEqual(value, '', `${name} is empty`);
  if (schema.type === 'integer') assert.match(value, /^-?\d+$/, `${name} must be an integer`);
  const validate = validatorOf(schema);
  const isValid = validate(schema.type === 'integer' ? Number(value) : value);
  assert.ok(isValid, `${name}: ${value}: ${faultsOf(validate)}`);
}

/** Beyond 2^53 a validator sees rounded numbers; all such integers of the interface are int64. */
function assertExactIntegers(body: ExactJson): void {
  for (const integer of bigIntegersOf(body)) {
    assert.ok(integer >= MIN_INT64 && integer <= MAX_INT64, `${integer} is not an int64`);
  }
}

/** Answers that belong to no operation: unknown paths and methods, preflights, and the service's own pages. */
function assertOutside(
  { method, path, isPage: mayBePage }: SentRequest,
  { status, headers }: ReceivedAnswer,
): void {
  const isPage =
    headers.get('Content-Type') === 'text/html; charset=utf-8' && !/^\/(?:admin|v1)\b/.test(path);
  const allowed =
    isPage || SERVICE_PATHS.includes(path)
      ? [200, 204, 304, 401, 405, 412, 429, 503]
      : [400, 401, 404, 405, 429, 503];
  if (method === 'OPTIONS') allowed.push(204);
  // The cookie of a session, with a request of another site.
  if (path.startsWith('/admin/v1/')) allowed.push(403);
  if (path === '/docs/') allowed.push(308);
  if (mayBePage) allowed.push(404);
  if (path === '') allowed.push(408, 413, 431);
  assert.ok(allowed.includes(status), `${status} is not an answer outside the operations`);
  const known = new Set([...UNDOCUMENTED_HEADERS, ...HEADERS_OUTSIDE]);
  if (status === 308) known.add('location');
  for (const name of headers.keys()) assert.ok(known.has(name), `the header ${name} has no business here`);
}
