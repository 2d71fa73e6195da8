import assert from 'node:assert/strict';
import { ERROR_STATUS, type ErrorCode } from '../../src/domain/errors.ts';
import { type RawResponse, RawSocket } from './raw-socket.ts';

export interface ApiRequest {
  /** `GET` when left out. */
  readonly method?: string;
  /** The request target, byte for byte. */
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends one request on its own connection and returns the answer, after a check of the general contract. */
export async function request(service: { readonly port: number }, options: ApiRequest): Promise<RawResponse> {
  const socket = await RawSocket.open(service.port);
  try {
    const body = Buffer.from(options.body ?? '');
    const headers = {
      Host: 'localhost',
      Connection: 'close',
      ...(options.key === undefined ? {} : { Authorization: `Bearer ${options.key}` }),
      ...(options.body === undefined ? {} : { 'Content-Length': String(body.length) }),
      ...options.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `${options.method ?? 'GET'} ${options.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
    socket.send(Buffer.concat([Buffer.from(head, 'latin1'), body]));
    const response = await socket.next({ isAnswerToHead: options.method === 'HEAD' });
    assert.ok(response, 'the connection was closed without an answer');
    assertContract(response, isPageRequest(options.path, headers));
    return response;
  } finally {
    socket.destroy();
  }
}

/** Whether a browser opens an address that belongs to no interface: then an error is a page. */
export function isPageRequest(path: string, headers: Readonly<Record<string, string | undefined>>): boolean {
  const isInterface = /^\/(?:admin\/)?v1(?:[/?]|$)/.test(path);
  return !isInterface && (headers.Accept ?? '').includes('text/html') && headers.Authorization === undefined;
}

/**
 * The contract of every answer (specification, sections 7 and 8): limit headers, a request id, and the Error body; and one
 * date (RFC 9110 section 6.6.1).
 * @param isPage Whether a missing address may be answered by a page.
 */
export function assertContract(response: RawResponse, isPage = false): void {
  const { status, headers, body } = response;
  const what = `${status} ${JSON.stringify([...headers])} ${body.toString('utf8', 0, 300)}`;
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]{1,128}$/, what);
  for (const name of ['limit', 'remaining', 'reset']) {
    assert.match(headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/, `X-RateLimit-${name}: ${what}`);
  }
  assert.match(headers.get('date') ?? '', /^[A-Z][a-z]{2}, [^,]+ GMT$/, what);
  if (status < 400 || body.length === 0) return;
  if (isPage && status === 404 && headers.get('content-type') === 'text/html; charset=utf-8') return;
  assert.match(headers.get('content-type') ?? '', /^application\/json(?:;|$)/, what);
  const error = errorOf(response);
  assert.deepEqual(Object.keys(error).toSorted(), ['code', 'message', 'status'], what);
  assert.equal(error.status, status, what);
  assert.equal(ERROR_STATUS[error.code], status, what);
  assert.ok(typeof error.message === 'string' && error.message.length > 0, what);
}

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
}

export function errorOf(response: RawResponse): ErrorBody {
  return JSON.parse(response.body.toString()) as ErrorBody;
}

/** The inventory as the service lists it: the quantity of each petId, spelled with the digits of the answer. */
export async function listedQuantities(service: { port: number; key: string }): Promise<Map<string, string>> {
  const { status, body } = await request(service, { path: '/v1/inventory', key: service.key });
  const text = body.toString();
  assert.equal(status, 200, text);
  const item = /\{"petId":([^,]+),"quantity":([^,]+),"status":"(?:available|pending|sold)"\}/g;
  const quantities = new Map(
    [...text.matchAll(item)].map(([, petId = '', quantity = '']) => [petId, quantity]),
  );
  assert.equal(
    quantities.size,
    (JSON.parse(text) as unknown[]).length,
    'the list holds other items than the specified ones',
  );
  return quantities;
}

/** Sends `updateInventory`. */
export function setQuantity(
  service: { readonly port: number; readonly key: string },
  petId: bigint | number,
  quantity: number,
): Promise<RawResponse> {
  return request(service, {
    method: 'PATCH',
    path: `/v1/inventory/${petId}`,
    key: service.key,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ quantity }),
  });
}
