import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../src/domain/errors.ts';

export interface HostileBody {
  readonly title: string;
  readonly body: string | Uint8Array;
  /** The quantity that must be set then, or the code of the refusal that changes nothing. */
  readonly outcome: number | ErrorCode;
  /** `null`: sent without this header. */
  readonly contentType: string | null;
  readonly contentEncoding: string | undefined;
}

interface Envelope {
  readonly contentType?: string | null;
  readonly contentEncoding?: string;
}

function row(
  title: string,
  body: string | Uint8Array,
  outcome: number | ErrorCode,
  { contentType = 'application/json', contentEncoding }: Envelope = {},
): HostileBody {
  return { title, body, outcome, contentType, contentEncoding };
}

function titleOf(literal: string): string {
  const shown = literal.length > 60 ? `${literal.slice(0, 20)}… of ${literal.length} characters` : literal;
  return `quantity ${shown}`;
}

function quantity(literal: string, outcome: number | ErrorCode): HostileBody {
  return row(titleOf(literal), `{"quantity":${literal}}`, outcome);
}

const MAX_QUANTITY = Number.MAX_SAFE_INTEGER;
const MAX_BODY_BYTES = 16 * 1024;

/** A valid body, padded by an unknown member to this many bytes. */
function padded(bytes: number): string {
  const frame = '{"quantity":5,"x":""}';
  return frame.replace('""', `"${'a'.repeat(bytes - frame.length)}"`);
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

const NOT_AN_OBJECT = ['null', 'true', '"5"', '[]', '5', '[{"quantity":5}]'].map((body) =>
  row(`the whole body ${body}`, body, 'validation_failed'),
);

const REFUSED = 'validation_failed';
const REFUSED_LITERALS = [
  ...['null', 'true', 'false', '"5"', '""', '[]', '[5]', '{}', '{"value":5}'],
  ...['-1', '-9007199254740991', '0.5', '-0.5', '1.5e0', '15e-1', '1e-1'],
  ...['1e400', '-1e400', '1e999999999', '1e99999999999999999999', '1e16'],
  ...['9007199254740992', '9007199254740993', '18446744073709551617', '1'.repeat(15_000)],
  // As doubles these equal an integer within the bounds; as texts they do not.
  ...['9007199254740991.4', '9007199254740990.5', '0.99999999999999999999', '5.00000000000000000001'],
  ...['1e-400', '-1e-400', '1e-99999999999999999999', `0.${'0'.repeat(15_000)}1`],
];

const ACCEPTED: readonly (readonly [string, number])[] = [
  ['0', 0],
  ['-0', 0],
  ['-0.0e0', 0],
  ['0e99999999999999999999', 0],
  ['5.0', 5],
  ['5.000000000000000000000', 5],
  ['1e3', 1000],
  ['1E+3', 1000],
  ['0.5e1', 5],
  ['50e-1', 5],
  ['100000000000000000000e-20', 1],
  ['9007199254740991', MAX_QUANTITY],
  ['9007199254740991.0', MAX_QUANTITY],
  ['9.007199254740991e15', MAX_QUANTITY],
];

const SYNTAX = [
  ...['', ' \r\n\t', '{', '}', '{"quantity"}', '{"quantity":}', '{"quantity":5', '{"quantity":5}}'],
  ...['{"quantity":5,}', '{quantity:5}', "{'quantity':5}", '{"quantity":5}//', '{/* */"quantity":5}'],
  ...['{"quantity":NaN}', '{"quantity":Infinity}', '{"quantity":-Infinity}', '{"quantity":undefined}'],
  ...['{"quantity":0x10}', '{"quantity":05}', '{"quantity":-05}', '{"quantity":+5}', '{"quantity":5.}'],
  ...['{"quantity":.5}', '{"quantity":1e}', '{"quantity":1_000}', '{"quantity":5n}', '{"quantity":- 5}'],
  ...['{"quantity":5}{"quantity":6}', '{"quantity":5}\0', '{"quantity":\x005}', '{"quantity":5,"x":"\0"}'],
  ...['{"quantity":5,"x":"\n"}', '{"quantity":5,"x":"\\x41"}', '\u00a0{"quantity":5}', 'quantity=5'],
].map((body) => row(`no JSON: ${JSON.stringify(body)}`, body, 'malformed_json'));

const MEMBERS = [
  row('no member', '{}', 'validation_failed'),
  row('the name in another case', '{"Quantity":5}', 'validation_failed'),
  row('the name with a space', '{"quantity ":5}', 'validation_failed'),
  row('the name spelled with an escape', '{"\\u0071uantity":5}', 5),
  row(
    'an escaped name with a fraction no double shows',
    '{"\\u0071uantity":0.99999999999999999999}',
    'validation_failed',
  ),
  row('unknown members', '{"quantity":5,"status":"sold","petId":1,"note":null}', 5),
  row('an unknown member with a fraction', '{"x":0.5,"quantity":7}', 7),
  row('a member of the same name deeper down, refused there', '{"quantity":5,"x":{"quantity":0.5}}', 5),
  row('a member of the same name in a list, before', '{"x":[{"quantity":1e400}],"quantity":5}', 5),
  row('only a member of the same name deeper down', '{"x":{"quantity":5}}', 'validation_failed'),
  row('its own text within a string', '{"quantity":5,"x":"\\"quantity\\":0.5"}', 5),
  row('__proto__ that holds the quantity', '{"__proto__":{"quantity":5}}', 'validation_failed'),
  row('__proto__ next to the quantity', '{"quantity":5,"__proto__":{"quantity":6}}', 5),
  row('constructor', '{"constructor":{"prototype":{"quantity":5}}}', 'validation_failed'),
  row('constructor and toString next to the quantity', '{"quantity":5,"constructor":1,"toString":1}', 5),
  row('the same member twice: the last one counts', '{"quantity":1,"quantity":2}', 2),
  row('the same member twice, the last one wrong', '{"quantity":1,"quantity":"2"}', 'validation_failed'),
  row('the same member twice, the first one wrong', '{"quantity":0.5,"quantity":2}', 2),
  row('the same member twice, once escaped', '{"quantity":1,"\\u0071uantity":2}', 2),
];

const SIZES = [
  row('8,000 lists, closed', `{"quantity":5,"x":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, 5),
  row('3,000 objects, closed', `{"quantity":5,"x":${'{"":'.repeat(3_000)}1${'}'.repeat(3_000)}}`, 5),
  row('10,000 lists, never closed', '['.repeat(10_000), 'malformed_json'),
  row('10,000 lists in quantity, never closed', `{"quantity":${'['.repeat(10_000)}`, 'malformed_json'),
  row(
    '1,200 objects in quantity',
    `${'{"quantity":'.repeat(1_200)}5${'}'.repeat(1_200)}`,
    'validation_failed',
  ),
  row(
    'a string of 16,000 characters in quantity',
    `{"quantity":"${'9'.repeat(16_000)}"}`,
    'validation_failed',
  ),
  row('exactly as many bytes as are allowed', padded(MAX_BODY_BYTES), 5),
  row('one byte more than is allowed', padded(MAX_BODY_BYTES + 1), 'body_too_large'),
];

const UTF16 = Buffer.from('\ufeff{"quantity":5}', 'utf16le');
const GZIPPED = gzipSync('{"quantity":5}');

const ENCODINGS = [
  row('a lone surrogate, escaped, in an unknown member', '{"quantity":5,"x":"\\ud800"}', 5),
  row('a lone surrogate, escaped, in a name', '{"\\udc00":1,"quantity":5}', 5),
  row('a lone surrogate in bytes', latin1('{"quantity":5,"x":"\xed\xa0\x80"}'), 'malformed_json'),
  row('bytes that are no UTF-8', latin1('{"quantity":5,"x":"\xff\xfe"}'), 'malformed_json'),
  row('an overlong UTF-8 quote', latin1('{"quantity":5,"x":\xc0\xa2"}'), 'malformed_json'),
  row('a byte order mark', '\ufeff{"quantity":5}', 'malformed_json'),
  row('UTF-16 without a charset', UTF16, 'malformed_json'),
  row('UTF-16, declared', UTF16, 'unsupported_media_type', {
    contentType: 'application/json; charset=utf-16',
  }),
  row('Latin-1, declared', '{"quantity":5}', 'unsupported_media_type', {
    contentType: 'application/json; charset=iso-8859-1',
  }),
  row('UTF-8, declared', '{"quantity":5}', 5, { contentType: 'application/json; charset=utf-8' }),
  row('UTF-8, declared in quotes and capitals', '{"quantity":5}', 5, {
    contentType: 'Application/JSON;charset="UTF-8"',
  }),
  row('a merge patch', '{"quantity":5}', 5, { contentType: 'application/merge-patch+json' }),
  row('a JSON patch', '[]', 'unsupported_media_type', { contentType: 'application/json-patch+json' }),
  row('a media type that only begins alike', '{"quantity":5}', 'unsupported_media_type', {
    contentType: 'application/jsonp',
  }),
  row('plain text', '{"quantity":5}', 'unsupported_media_type', { contentType: 'text/plain' }),
  row('a form', 'quantity=5', 'unsupported_media_type', { contentType: 'application/x-www-form-urlencoded' }),
  row('no media type', '{"quantity":5}', 'unsupported_media_type', { contentType: null }),
  row('gzip, declared', GZIPPED, 'unsupported_media_type', { contentEncoding: 'gzip' }),
  row('gzip without Content-Encoding', GZIPPED, 'malformed_json'),
];

/** Bodies of `placeOrder` with these values as the quantity of a line, of which 0 is refused. */
export function hostileOrders(petId: bigint): readonly HostileBody[] {
  const accepted = ACCEPTED.map(([literal, value]) => [literal, value === 0 ? REFUSED : value] as const);
  return [...REFUSED_LITERALS.map((literal) => [literal, REFUSED] as const), ...accepted].map(
    ([literal, outcome]) =>
      row(`a line with ${titleOf(literal)}`, `{"lines":[{"petId":${petId},"quantity":${literal}}]}`, outcome),
  );
}

/** Bodies of `updateInventory`, and the required outcome of each. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...NOT_AN_OBJECT,
  ...REFUSED_LITERALS.map((literal) => quantity(literal, REFUSED)),
  ...ACCEPTED.map(([literal, outcome]) => quantity(literal, outcome)),
  ...SYNTAX,
  ...MEMBERS,
  ...SIZES,
  ...ENCODINGS,
];
