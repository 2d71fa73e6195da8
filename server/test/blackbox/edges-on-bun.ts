import type { EdgeRequest } from './edge-request.ts';

/** Differences of the parser of `Bun.serve` from Node's, before the service sees a request. */
export interface OnBun extends Partial<Pick<EdgeRequest, 'answers' | 'atLeast' | 'next'>> {
  /** Bun may answer on its own: without the Error body and our headers. */
  readonly isBare?: boolean;
  /** Only when the next request is in the same packet. */
  readonly isOnlyPipelined?: boolean;
}

/** Bun refuses these itself, with an empty body, and closes the connection. */
const REFUSED_BARE: Readonly<Record<number, readonly string[]>> = {
  400: [
    ...['Content-Length before Transfer-Encoding', 'Transfer-Encoding before Content-Length'],
    ...['two different Content-Lengths', 'a list of Content-Lengths', 'Content-Length with a plus'],
    ...['a negative Content-Length', 'a hexadecimal Content-Length', 'a Content-Length with a space inside'],
    ...['an empty Content-Length', 'a Content-Length beyond 64 bits', 'chunked that is not last'],
    ...[
      'a transfer coding before chunked',
      'an unknown transfer coding',
      'the transfer coding identity',
      'a vertical tab before chunked',
    ],
    ...['a space before the colon of Transfer-Encoding', 'a second Transfer-Encoding that is not chunked'],
    ...['a chunk size beyond 64 bits', 'a chunk size that is no number', 'a negative chunk size'],
    ...['a chunk size with 0x', 'a chunk longer than its size', 'a chunk size that ends in a bare line feed'],
    ...['a request where trailers could be', 'trailers', 'the preface of HTTP/2', 'the start of TLS'],
    ...['two spaces in the request line', 'a path without its slash', 'an absolute target of another scheme'],
    ...['OPTIONS *', 'GET *', 'an empty line before the request', 'a folded header', 'one bare line feed'],
    ...['a bare carriage return in a value', 'NUL in a value', 'a header without a colon', 'no Host'],
    ...['a header without a name', 'a space in the name of a header', 'a space before the first header'],
  ],
  413: ['an endless chunk extension', 'a body of a terabyte that never comes'],
  431: [
    ...['an address of 20,000 characters', 'a header of 20,000 characters', 'a name of 20,000 characters'],
    ...['3,000 headers', '300 headers'],
  ],
  505: [
    ...['an HTTP/0.9 line', 'an HTTP/0.9 line with headers', 'HTTP/1.2', 'HTTP/2.0', 'bare line feeds'],
    ...['a space in the path', 'NUL in the path'],
  ],
};

/** Bun closes the connection on methods it does not know. */
const CLOSED = ['a method in lower case', 'BREW of the list with a request for a body'];

/** Bun closes a connection if the next request arrives before a pending one is answered. */
const UNANSWERED_WHEN_PIPELINED = [
  ...['a chunked body', 'a chunk extension', 'one chunk a byte', 'a body for a missing pet'],
  ...['an unknown expectation', 'an update that closes, then a list', 'a tab in a Content-Type'],
];

const ANSWERED_TWICE = [
  ...[
    'a list with chunks that never come',
    'a list, then half of its chunks',
    'a list with a chunk of no size',
  ],
  ...['a list with a wrong chunk behind a right one', 'chunks that never come, without a key'],
  ...['chunks that never come, of another type'],
];

function differences(titles: readonly string[], difference: OnBun): [string, OnBun][] {
  return titles.map((title) => [title, difference]);
}

/** Where Bun is known to differ, by the title of the row; all other rows must be answered as on Node. */
export const ON_BUN: ReadonlyMap<string, OnBun> = new Map([
  ...Object.entries(REFUSED_BARE).flatMap(([status, titles]) =>
    differences(titles, { answers: [[Number(status)]], next: 'closed', isBare: true }),
  ),
  ...differences(CLOSED, { answers: [], atLeast: 0, next: 'closed' }),
  ...differences(UNANSWERED_WHEN_PIPELINED, { atLeast: 0, next: 'either', isOnlyPipelined: true }),
  ...differences(['two updates and a list', 'an update, a refused one, a list'], {
    atLeast: 0,
    next: 'either',
  }),
  ...differences(['an update, a missing pet, a list', 'two updates and half a body'], {
    atLeast: 0,
    next: 'either',
  }),
  ...differences(['a whole update'], { atLeast: 0 }),
  ...differences(['an update, then CONNECT'], { atLeast: 0 }),
  // The refusal overtakes an answer that is pending; the connection ends with it.
  ...differences(
    ['an update, then nonsense', 'two updates, then nonsense', 'an update, then too long a header'],
    {
      answers: [[200, 400, 431], [200, 400, 431], [400]],
      atLeast: 0,
      isBare: true,
    },
  ),
  ...differences(['a list, then nonsense', 'a list, then no Host'], { isBare: true }),
  // Equal ones are as good as one (RFC 9110 section 8.6).
  ...differences(['two equal Content-Lengths'], { answers: [[200]], atLeast: 0, next: 'either' }),
  // Bun also answers the bytes in place of the body, and then closes the connection.
  ...differences(ANSWERED_TWICE, { answers: [[200, 401, 415], [400]], atLeast: 1, isBare: true }),
  // Bun joins repeated headers, which makes an invalid media type.
  ...differences(['two Content-Types'], { answers: [[415]] }),
]);
