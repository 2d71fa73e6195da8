import {
  AUTHORIZATION,
  type EdgeRequest,
  edge,
  get,
  HOST,
  KEY_PLACEHOLDER,
  patch,
  refused,
} from './edge-request.ts';

const END = `${HOST}${AUTHORIZATION}\r\n`;

const REQUEST_LINES: readonly EdgeRequest[] = [
  refused('an HTTP/0.9 line', 'GET /v1/inventory\r\n\r\n'),
  refused('an HTTP/0.9 line with headers', `GET /v1/inventory\r\n${END}`),
  edge('HTTP/1.0 without a Host', `GET /v1/inventory HTTP/1.0\r\n${AUTHORIZATION}\r\n`, [200], {
    next: 'closed',
  }),
  edge('HTTP/1.0 with keep-alive', `GET /v1/inventory HTTP/1.0\r\nConnection: keep-alive\r\n${END}`, [200], {
    next: 'either',
  }),
  refused('HTTP/1.2', `GET /v1/inventory HTTP/1.2\r\n${END}`),
  refused('HTTP/2.0', `GET /v1/inventory HTTP/2.0\r\n${END}`),
  refused('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  refused('the start of TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n'),
  refused('a method in lower case', `get /v1/inventory HTTP/1.1\r\n${END}`, [400, 405]),
  edge('two spaces in the request line', `GET  /v1/inventory HTTP/1.1\r\n${END}`, [[200, 400]], {
    next: 'either',
  }),
  refused('a space in the path', `GET /v1/ inventory HTTP/1.1\r\n${END}`),
  refused('a path without its slash', `GET v1/inventory HTTP/1.1\r\n${END}`),
  refused('NUL in the path', `GET /v1/inventory\0 HTTP/1.1\r\n${END}`),
  edge('bytes beyond ASCII in the path', `GET /v1/\xff\xfe HTTP/1.1\r\n${END}`, [[400, 404]], {
    next: 'either',
  }),
  edge('a malformed percent-encoding', get('', '/v1/inventory%zz'), [400], { next: 'either' }),
  edge('bytes that are not UTF-8 in a query', get('', '/v1/inventory?cursor=%ff'), [400], { next: 'either' }),
  edge('a percent-encoding cut short', get('', '/v1/pets/1%'), [400], { next: 'either' }),
  edge('a percent-encoding of no UTF-8', get('', '/v1/pets/%ff'), [400], { next: 'either' }),
  edge('an absolute target', get('', 'http://localhost/v1/inventory'), [200]),
  edge('an absolute target of another host', get('', 'http://elsewhere.example/v1/inventory'), [[200, 400]], {
    next: 'either',
  }),
  edge('an absolute target of another scheme', get('', 'ftp://localhost/v1/inventory'), [[200, 400, 404]], {
    next: 'either',
  }),
  edge('a target of two slashes', get('', '//v1/inventory'), [[400, 404]], { next: 'either' }),
  refused('dot segments', get('', '/v1/../metrics')),
  refused('an escaped dot segment', get('', '/v1/%2e%2e/metrics')),
  refused('a backslash', get('', '/v1/..\\metrics')),
  edge('a slash at the end', get('', '/v1/inventory/'), [404]),
  edge('a doubled slash', get('', '/v1//inventory'), [404]),
  edge('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${END}`, [[204]]),
  edge('GET *', `GET * HTTP/1.1\r\n${END}`, [[400, 404]], { next: 'either' }),
  edge('CONNECT', `CONNECT localhost:80 HTTP/1.1\r\n${END}`, [[400, 404, 405]], { next: 'closed' }),
  edge('TRACE', `TRACE /v1/inventory HTTP/1.1\r\n${END}`, [405], { next: 'either' }),
  edge('HEAD', `HEAD /v1/inventory HTTP/1.1\r\n${END}`, [200], { isHead: true }),
  edge('an empty line before the request', `\r\n${get()}`, [200]),
  edge('an address of 8,000 characters', get('', `/v1/${'a'.repeat(8_000)}`), [404]),
  refused('an address of 20,000 characters', get('', `/v1/${'a'.repeat(20_000)}`), [431]),
];

const HEADERS: readonly EdgeRequest[] = [
  refused('a folded header', get('X-Folded: a\r\n b\r\n')),
  refused('bare line feeds', get().replaceAll('\r\n', '\n')),
  refused('one bare line feed', get('X-One: 1\nX-Two: 2\r\n')),
  refused('a bare carriage return in a value', get('X-One: a\rb\r\n')),
  refused('NUL in a value', get('X-One: a\0b\r\n')),
  refused('a header without a colon', get('X-One\r\n')),
  refused('a header without a name', get(': x\r\n')),
  refused('a space in the name of a header', get('X One: x\r\n')),
  refused('a space before the first header', get().replace('Host', ' Host')),
  edge('no Host', `GET /v1/inventory HTTP/1.1\r\n${AUTHORIZATION}\r\n`, [400], { next: 'either' }),
  edge('two Hosts', get('Host: elsewhere.example\r\n'), [400], { next: 'either' }),
  edge('the same Host twice', get(HOST), [400], { next: 'either' }),
  edge('a Host with a path', get().replace('localhost', 'localhost/v2'), [400], { next: 'either' }),
  edge('a Host with a space', get().replace('localhost', 'local host'), [400], { next: 'either' }),
  edge('a Host that names a user', get().replace('localhost', 'admin@localhost'), [400], { next: 'either' }),
  edge('two Authorizations', get('Authorization: Bearer other\r\n'), [400], { next: 'either' }),
  edge('the same Authorization twice', get(AUTHORIZATION), [400], { next: 'either' }),
  edge('two Content-Types', patch(undefined, 'Content-Type: text/plain\r\n'), [400], { next: 'either' }),
  edge('a tab in a Content-Type', patch().replace('json\r\n', 'json\t; x\r\n'), [200]),
  edge('a scheme in lower case', get().replace('Bearer', 'bearer'), [200]),
  edge('another scheme', get().replace('Bearer', 'Basic'), [401], { next: 'either' }),
  edge('a scheme without a key', get().replace(` ${KEY_PLACEHOLDER}`, ''), [401], { next: 'either' }),
  edge('a key with something behind it', get().replace(KEY_PLACEHOLDER, `${KEY_PLACEHOLDER} x`), [401], {
    next: 'either',
  }),
  refused('a header of 20,000 characters', get(`X-Long: ${'a'.repeat(20_000)}\r\n`), [431]),
  refused('a name of 20,000 characters', get(`${'a'.repeat(20_000)}: 1\r\n`), [431]),
  refused('3,000 headers', get('X-A: b\r\n'.repeat(3_000)), [431]),
  edge('300 headers', get('X-A: b\r\n'.repeat(300)), [[200, 431]], { next: 'either' }),
  edge('an upgrade to a WebSocket', get('Connection: Upgrade\r\nUpgrade: websocket\r\n'), [200], {
    next: 'either',
  }),
  edge(
    'an upgrade to HTTP/2',
    get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
    [200],
    { next: 'either' },
  ),
  edge('an unknown expectation', patch(undefined, 'Expect: a-miracle\r\n'), [[200, 400]], {
    next: 'either',
  }),
];

export const HEAD_EDGES: readonly EdgeRequest[] = [...REQUEST_LINES, ...HEADERS];
