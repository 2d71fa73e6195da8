import { type EdgeRequest, edge, get, patch, rawPatch } from './edge-request.ts';

const GARBAGE = '\x01\x02 nonsense\r\n\r\n';
const LONG_HEADER = get(`X-Long: ${'a'.repeat(20_000)}\r\n`);
const CONNECT = get().replace('GET /v1/inventory', 'CONNECT localhost:80');
const MISSING_BODY = rawPatch('Content-Length: 14\r\n', '');

/** Several requests in one packet: each answer belongs to its own, in their order (RFC 9112 section 9.3.2). */
export const PIPELINES: readonly EdgeRequest[] = [
  edge('three lists', get().repeat(3), [200, 200, 200]),
  edge('two updates and a list', patch() + patch('{"quantity":6}') + get(), [200, 200, 200]),
  edge('an update, a refused one, a list', patch() + patch('{"quantity":-1}') + get(), [200, 400, 200]),
  edge('an update, a missing pet, a list', patch() + get('', '/v1/pets/4711') + get(), [200, 404, 200]),
  edge('a list, then nonsense', get() + GARBAGE, [200, 400], { next: 'closed', atLeast: 1 }),
  edge('an update, then nonsense', patch() + GARBAGE, [200, 400], { next: 'closed', atLeast: 1 }),
  edge('two updates, then nonsense', patch() + patch() + GARBAGE, [200, 200, 400], {
    next: 'closed',
    atLeast: 1,
  }),
  edge('an update, then too long a header', patch() + LONG_HEADER, [200, 431], {
    next: 'closed',
    atLeast: 1,
  }),
  edge('a list, then no Host', get() + get().replace('Host', 'Hast'), [200, 400], { next: 'either' }),
  edge('an update, then CONNECT', patch() + CONNECT, [200, [400, 405]], { next: 'closed', atLeast: 1 }),
  edge('an update that closes, then a list', patch(undefined, 'Connection: close\r\n') + get(), [200], {
    next: 'closed',
  }),
  edge(
    'fifty lists',
    get().repeat(50),
    Array.from({ length: 50 }, () => 200),
  ),
];

/** The client ends its side after these bytes. Complete requests are answered, an incomplete one is never applied. */
export const HALF_CLOSES: readonly EdgeRequest[] = [
  edge('a list that announces a body', get('Content-Length: 100\r\n'), [[200, 400]]),
  edge('nothing', '', []),
  edge('half a request line', 'GET /v1/inv', [400], { atLeast: 0 }),
  edge('half the headers', get().slice(0, -10), [400], { atLeast: 0 }),
  edge('headers without their body', MISSING_BODY, [400], { atLeast: 0 }),
  edge('half a body', `${MISSING_BODY}{"quant`, [400], { atLeast: 0 }),
  edge(
    'a body of valid JSON that is shorter than its length',
    rawPatch('Content-Length: 20\r\n', '{"quantity":666}'),
    [400],
    {
      atLeast: 0,
    },
  ),
  edge('half a chunk', rawPatch('Transfer-Encoding: chunked\r\n', 'e\r\n{"quant'), [400], { atLeast: 0 }),
  edge(
    'chunks that are JSON, without the last one',
    rawPatch('Transfer-Encoding: chunked\r\n', '10\r\n{"quantity":666}\r\n'),
    [400],
    {
      atLeast: 0,
    },
  ),
  edge('a whole list', get(), [200]),
  edge('a whole update', patch(), [200]),
  edge('three lists and half a request', get().repeat(3) + get().slice(0, 40), [200, 200, 200, 400], {
    atLeast: 3,
  }),
  edge('two updates and half a body', `${patch().repeat(2)}${MISSING_BODY}{"q`, [200, 200, 400], {
    atLeast: 2,
  }),
];
