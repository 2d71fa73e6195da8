import {
  AUTHORIZATION,
  chunked,
  type EdgeRequest,
  edge,
  get,
  HOST,
  JSON_TYPE,
  patch,
  rawPatch,
  refused,
  SMUGGLED,
} from './edge-request.ts';

const BODY = '{"quantity":5}';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const TOO_LONG = 'a'.repeat(17_000);

function withLength(value: string): string {
  return rawPatch(`Content-Length:${value}\r\n`, BODY);
}

function withEncoding(line: string): string {
  return rawPatch(`${line}\r\n`, chunked(BODY));
}

function inChunks(chunks: string): string {
  return rawPatch(CHUNKED, chunks);
}

/** Where two readers could disagree about the end of a body (RFC 9112 section 6.3). */
const AMBIGUOUS: readonly EdgeRequest[] = [
  refused('Content-Length before Transfer-Encoding', rawPatch(LENGTH + CHUNKED, `0\r\n\r\n${SMUGGLED}`)),
  refused('Transfer-Encoding before Content-Length', rawPatch(CHUNKED + LENGTH, `0\r\n\r\n${SMUGGLED}`)),
  refused('two different Content-Lengths', rawPatch(`${LENGTH}Content-Length: 1\r\n`, BODY)),
  refused('two equal Content-Lengths', rawPatch(LENGTH + LENGTH, BODY)),
  refused('a list of Content-Lengths', withLength(' 14, 14')),
  refused('Content-Length with a plus', withLength(' +14')),
  refused('a negative Content-Length', withLength(' -1')),
  refused('a hexadecimal Content-Length', withLength(' 0x0e')),
  refused('a Content-Length with a space inside', withLength(' 1 4')),
  refused('an empty Content-Length', withLength('')),
  refused('a Content-Length beyond 64 bits', withLength(' 18446744073709551630')),
  refused('chunked that is not last', withEncoding('Transfer-Encoding: chunked, identity')),
  refused('an unknown transfer coding', withEncoding('Transfer-Encoding: xchunked')),
  refused('a transfer coding before chunked', withEncoding('Transfer-Encoding: gzip, chunked')),
  refused('the transfer coding identity', withEncoding('Transfer-Encoding: identity')),
  refused('a space before the colon of Transfer-Encoding', withEncoding('Transfer-Encoding : chunked')),
  refused('a vertical tab before chunked', withEncoding('Transfer-Encoding: \x0bchunked')),
  refused(
    'a second Transfer-Encoding that is not chunked',
    withEncoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: x'),
  ),
];

const CHUNKS: readonly EdgeRequest[] = [
  edge('a chunked body', inChunks(chunked(BODY)), [200]),
  edge('a chunk extension', inChunks(`e;a=b\r\n${BODY}\r\n0\r\n\r\n`), [200]),
  edge('trailers', inChunks(`e\r\n${BODY}\r\n0\r\nX-Trailer: 1\r\n\r\n`), [200]),
  edge(
    'one chunk a byte',
    inChunks(`${[...BODY].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`),
    [200],
  ),
  refused('a request where trailers could be', inChunks(`e\r\n${BODY}\r\n0\r\n${SMUGGLED}`)),
  refused('a chunk size beyond 64 bits', inChunks(`FFFFFFFFFFFFFFFFF1\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('a chunk size that is no number', inChunks(`zz\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('a negative chunk size', inChunks(`-e\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('a chunk size with 0x', inChunks(`0xe\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('a chunk longer than its size', inChunks(`5\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('a chunk size that ends in a bare line feed', inChunks(`e\n${BODY}\r\n0\r\n\r\n`)),
  refused('an endless chunk extension', inChunks(`e;${TOO_LONG}\r\n${BODY}\r\n0\r\n\r\n`), [400, 413, 431]),
];

/** Refused before the body is read; the body must not be parsed as requests. */
const UNREAD: readonly EdgeRequest[] = [
  edge('a body over 16 KiB by its length', patch(`{"quantity":5,"x":"${TOO_LONG}"}`), [413], {
    next: 'either',
  }),
  edge('a body over 16 KiB by its chunks', inChunks(chunked(`{"quantity":5,"x":"${TOO_LONG}"}`)), [413], {
    next: 'either',
  }),
  edge('a body over 16 KiB made of requests', patch(SMUGGLED.repeat(100)), [413], { next: 'either' }),
  edge('a body of a terabyte that never comes', rawPatch('Content-Length: 1000000000000\r\n', ''), [413], {
    next: 'closed',
  }),
  edge(
    'a body without a key',
    `PATCH /v1/inventory/1 HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    [401],
    { next: 'either' },
  ),
  edge(
    'a body in chunks without a key',
    `PATCH /v1/inventory/1 HTTP/1.1\r\n${HOST}${JSON_TYPE}${CHUNKED}\r\n${chunked(SMUGGLED)}`,
    [401],
    { next: 'either' },
  ),
  edge(
    'a body of another type',
    `PATCH /v1/inventory/1 HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    [415],
    { next: 'either' },
  ),
  edge('a body that is no JSON but a request', patch(SMUGGLED), [400], { next: 'either' }),
  edge('a body for a missing pet', patch(BODY, '', 4711n), [404], { next: 'either' }),
  ...['GET', 'POST', 'DELETE', 'OPTIONS', 'BREW'].map((method) =>
    edge(
      `${method} of the list with a request for a body`,
      `${method} /v1/inventory HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
      [{ GET: [200, 400], OPTIONS: [204], BREW: [400, 405] }[method] ?? [405]],
      { next: 'either' },
    ),
  ),
  edge(
    'GET of the list with a chunked request for a body',
    `${get(CHUNKED)}${chunked(SMUGGLED)}`,
    [[200, 400]],
    {
      next: 'either',
    },
  ),
];

/** Answered before the body arrives; a later fault in the body must not cause a second answer. */
const ANSWERED_EARLY: readonly EdgeRequest[] = [
  edge('a list with chunks that never come', get(CHUNKED), [[200, 400]], { next: 'closed' }),
  edge('a list, then half of its chunks', `${get(CHUNKED)}1\r\na\r\n`, [[200, 400]], { next: 'closed' }),
  edge('a list with a chunk of no size', `${get(CHUNKED)}zz\r\na\r\n`, [[200, 400]], { next: 'closed' }),
  edge('a list with a wrong chunk behind a right one', `${get(CHUNKED)}1\r\na\r\nzz\r\n`, [[200, 400]], {
    next: 'closed',
  }),
  edge(
    'chunks that never come, without a key',
    rawPatch(CHUNKED, '').replace(AUTHORIZATION, ''),
    [[400, 401]],
    { next: 'closed' },
  ),
  edge(
    'chunks that never come, of another type',
    rawPatch(CHUNKED, '').replace(JSON_TYPE, ''),
    [[400, 415]],
    {
      next: 'closed',
    },
  ),
];

export const FRAMING_EDGES: readonly EdgeRequest[] = [...AMBIGUOUS, ...CHUNKS, ...UNREAD, ...ANSWERED_EARLY];
