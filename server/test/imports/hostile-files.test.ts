import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import { ImportShop, STAFF } from './import-shop.ts';

const HEADER = 'petId,name,quantity\n';
const LARGE = 10_000_000;
/** As `/admin/openapi.json` bounds the message of an error. */
const MAX_MESSAGE = 500;
const object = (members: string) => `{"petId":1,"quantity":1${members}}`;
const bytes = (start: string, middle: readonly number[], end: string) =>
  Buffer.concat([Buffer.from(start), Buffer.from(middle), Buffer.from(end)]);

const NOT_UTF8 = /not UTF-8/;
const TOO_LONG = /more than 65536 characters/;
const MIXED = /partly UTF-8 and partly Windows-1252/;
const EMPTY = /the file is empty/;
const NO_JSON = /not valid JSON/;
const NO_ARRAY = /a JSON array must begin/;
const UNKNOWN_COLUMN = /^the columns? ".* not kept/;
const CONTROL = / has (?:the control|half a) character /;

/** The place and the message of the only error; or the number of new pets. */
type Expected = number | readonly [line: number | null, field: string | null, message: RegExp];

type HostileFile = readonly [title: string, ImportFormat, string | Uint8Array, Expected];

const ENCODINGS: readonly HostileFile[] = [
  ['UTF-16 with its mark', 'csv', Buffer.from(`\ufeff${HEADER}1,a,1\n`, 'utf16le'), 1],
  ['UTF-16', 'csv', Buffer.from(`${HEADER}1,a,1\n`, 'utf16le'), 1],
  ['UTF-16', 'json', Buffer.from(`[${object('')}]`, 'utf16le'), 1],
  ['UTF-16', 'ndjson', Buffer.from(object(''), 'utf16le'), 1],
  [
    'half a character of UTF-16',
    'csv',
    Buffer.from(`\ufeff${HEADER}1,a,1\n`, 'utf16le').subarray(0, -1),
    [2, null, /not UTF-16/],
  ],
  ['a byte order mark', 'csv', `\ufeff${HEADER}1,a,1\n`, 1],
  ['a byte order mark', 'json', `\ufeff[${object('')}]`, 1],
  ['a byte order mark', 'ndjson', `\ufeff${object('')}`, 1],
  ['two byte order marks', 'csv', `\ufeff\ufeff${HEADER}1,a,1\n`, 1],
  ['only a byte order mark', 'csv', '\ufeff', [null, null, EMPTY]],
  ['NUL in a name', 'csv', `${HEADER}1,a\0b,1\n`, [2, 'name', CONTROL]],
  ['NUL in a name', 'json', `[${object(',"name":"a\\u0000b"')}]`, [1, 'name', CONTROL]],
  ['only NUL', 'csv', new Uint8Array(1_000), [null, null, EMPTY]],
  ['only NUL', 'json', new Uint8Array(1_000), [1, null, NO_ARRAY]],
  ['a lone surrogate', 'ndjson', object(',"name":"\\ud800"'), [1, 'name', CONTROL]],
  ['a surrogate as UTF-8', 'csv', bytes(`${HEADER}1,`, [0xed, 0xa0, 0x80], ',1\n'), [2, null, MIXED]],
  [
    'an overlong NUL',
    'ndjson',
    bytes('{"petId":1,"name":"', [0xc0, 0x80], '","quantity":1}'),
    [1, null, NOT_UTF8],
  ],
  ['half a character', 'csv', bytes(`${HEADER}1,é,1\n2,`, [0xe2, 0x82], ''), [3, null, NOT_UTF8]],
  ['Windows-1252 after UTF-8', 'csv', bytes(`${HEADER}1,é,1\n2,`, [0xe9], ',1\n'), [3, null, NOT_UTF8]],
  ['UTF-8 after Windows-1252', 'csv', bytes(`${HEADER}1,`, [0xe9], ',1\n2,é,1\n'), [3, null, MIXED]],
  ['a zip file', 'csv', bytes('PK', [3, 4, 0, 0, 0xff, 0xfe], ''), [null, null, /this is a spreadsheet/]],
  [
    'an old spreadsheet',
    'csv',
    Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
    [null, null, /this is a spreadsheet/],
  ],
  ['lines that end in a carriage return', 'csv', 'petId,quantity\r1,1\r2,1\r', 2],
];

const SHAPES: readonly HostileFile[] = [
  ['nested arrays', 'json', '['.repeat(1_000_000), [1, null, TOO_LONG]],
  ['nested objects', 'json', '[{"a":'.repeat(100_000), [1, null, TOO_LONG]],
  ['nested objects', 'ndjson', '{"a":'.repeat(200_000), [1, null, TOO_LONG]],
  [
    'a nested name',
    'ndjson',
    object(`,"name":${'['.repeat(30_000)}${']'.repeat(30_000)}`),
    [1, 'name', /\[…\] is not a text/],
  ],
  ['an open quote', 'csv', `${HEADER}1,"${'x'.repeat(LARGE)}`, [2, null, /never closed/]],
  ['an open quote over lines', 'csv', `${HEADER}1,"${'x,1\n'.repeat(LARGE / 4)}`, [2, null, /never closed/]],
  ['only quotes', 'csv', '"'.repeat(LARGE), [1, null, TOO_LONG]],
  ['an open string', 'json', `[{"petId":1,"name":"${'x'.repeat(LARGE)}`, [1, null, TOO_LONG]],
  ['an open string', 'ndjson', `{"petId":1,"name":"${'x'.repeat(LARGE)}`, [1, null, TOO_LONG]],
  [
    '10,000 columns',
    'csv',
    `${'a,'.repeat(10_000)}\n`,
    [1, null, /(?:"a", ){9}"a" and 9990 more are not kept; /],
  ],
  ['a row of 10,001 fields', 'csv', `${HEADER}1${','.repeat(10_000)}x\n`, [2, null, /has 10001/]],
  ['a row of 10,001 empty fields', 'csv', `${HEADER}${','.repeat(10_000)}\n1,a,1\n`, 1],
  ['a name that is invisible', 'csv', `${HEADER}1,${'\u{e0001}'.repeat(90)}\0,1\n`, [2, 'name', CONTROL]],
  [
    'a long unknown member',
    'ndjson',
    object(`,"${'\u200b'.repeat(10_000)}":1`),
    [1, null, /^the member .* not kept/],
  ],
  ['a column twice', 'csv', 'petId,quantity,quantity\n1,1,2\n', [1, null, /there twice/]],
  ['a member twice', 'ndjson', object(',"quantity":2'), [1, 'quantity', /there twice/]],
  [
    '__proto__',
    'ndjson',
    object(',"__proto__":{"quantity":2}'),
    [1, null, /the member "__proto__" is not kept/],
  ],
  ['constructor', 'csv', 'petId,quantity,constructor\n1,1,2\n', [1, null, UNKNOWN_COLUMN]],
  ['only commas', 'json', `[${','.repeat(1_000_000)}]`, [1, null, NO_JSON]],
  ['an object', 'json', object(''), [1, null, NO_ARRAY]],
  ['text after the array', 'json', `[${object('')}]x`, [1, null, /nothing may follow/]],
  ['JSON', 'csv', `[${object('')}]`, [1, null, /must be quoted/]],
  ['CSV', 'json', `${HEADER}1,a,1\n`, [1, null, NO_ARRAY]],
  ['nothing', 'csv', '', [null, null, EMPTY]],
  ['nothing', 'json', '', [null, null, EMPTY]],
  ['nothing', 'ndjson', '', [null, null, EMPTY]],
  ['a million blank lines', 'csv', '\n'.repeat(1_000_000), [null, null, EMPTY]],
  ['a header', 'csv', HEADER, [null, null, /no pets below/]],
  ['an empty array', 'json', '[]', [null, null, /no pets in the file/]],
];

const VALUES: readonly HostileFile[] = [
  ['a petId twice', 'csv', `${HEADER}1,a,1\n1,a,1\n`, [3, 'petId', /1 is on line 2 already/]],
  [
    'a petId twice',
    'json',
    `[${object('')},\n{"petId":"1","quantity":1}]`,
    [2, 'petId', /on line 1 already/],
  ],
  [
    'petIds that a double cannot distinguish',
    'ndjson',
    '{"petId":9007199254740993,"quantity":1}\n{"petId":9007199254740992,"quantity":1}',
    2,
  ],
  ['a petId of 2^63', 'csv', `${HEADER}9223372036854775808,a,1\n`, [2, 'petId', /64 bits/]],
  [
    '60,000 digits',
    'ndjson',
    `{"petId":1,"quantity":1${'0'.repeat(60_000)}}`,
    [1, 'quantity', /whole number/],
  ],
  ['a large exponent', 'ndjson', '{"petId":1,"quantity":1e400}', [1, 'quantity', /1e400 is not/]],
  ['a fraction', 'ndjson', '{"petId":1,"quantity":1.5}', [1, 'quantity', /1\.5 is not/]],
  ['SQL', 'csv', `${HEADER}1,'); DROP TABLE pets; --,1\n`, 1],
];

for (const [topic, files] of Object.entries({ encodings: ENCODINGS, shapes: SHAPES, values: VALUES })) {
  test(`hostile ${topic} of a file are an error with its place, or are read exactly`, async (t) => {
    const shop = await ImportShop.open(t);
    for (const [name, format, content, expected] of files) {
      const title = `${name} as ${format}`;
      const { id, state, counts, faults, faultCount } = await shop.planned(content, format);
      if (typeof expected === 'number') {
        assert.deepEqual([state, counts.new, faultCount], ['planned', expected, 0], title);
        await shop.store.imports.cancel(id, STAFF);
        continue;
      }
      const [line, field, message] = expected;
      assert.deepEqual(
        [state, faultCount, faults[0]?.line, faults[0]?.field],
        ['invalid', 1, line, field],
        title,
      );
      assert.match(faults[0]?.message ?? '', message, title);
      assert.ok((faults[0]?.message.length ?? 0) <= MAX_MESSAGE, title);
    }
    assert.deepEqual(await shop.database.rows('SELECT count(*) FROM movements'), [[0]]);
  });
}
