import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PET_FIELDS, type PetField } from '@petstore-inventory/shared/pet-file/headings';
import { parseWithSource } from '@petstore-inventory/shared/pet-file/json-row';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { shownFile } from '@petstore-inventory/shared/pet-file/shown-file';
import { PetFileError, RefusedFile } from '@petstore-inventory/shared/pet-file/refused-file';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { readPetFile } from '../support/read-pet-file.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'pet-file-'));
after(() => rmSync(folder, { recursive: true }));

const HEADER = 'petId,name,category,quantity,status';
const NOT_INT64 = 'is not a whole number of 64 bits in plain digits, such as 42.';
const NOT_QUANTITY = 'is not a whole number from 0 to 9007199254740991.';
const NOT_THRESHOLD = 'is neither none nor a whole number from 0 to 9007199254740991.';

function read(name: string, content: string | Uint8Array): PetRow[] {
  const path = join(folder, name);
  writeFileSync(path, content);
  return readPetFile(path);
}

/** The message that refuses a file, without its folder. */
function refusal(name: string, content: string | Uint8Array): string {
  return refusalOf(() => read(name, content));
}

function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert(error instanceof PetFileError, String(error));
    return error.message.replaceAll(join(folder, '/'), '');
  }
  return assert.fail('the file was accepted');
}

function assertEnds(text: string, end: string): void {
  assert.equal(text.slice(-end.length), end);
}

function pet(petId: bigint, quantity: number, more: Partial<PetRow> = {}): PetRow {
  return { petId, name: null, category: null, quantity, status: null, ...more };
}

const rex = pet(1n, 5, { name: 'Rex', category: 'Dogs', status: 'pending' });

describe('a good file gives its rows', () => {
  const good: readonly [title: string, name: string, content: string, rows: readonly PetRow[]][] = [
    ['CSV', 'a.csv', `${HEADER}\n1,Rex,Dogs,5,pending\n`, [rex]],
    ['columns in any order', 'a.csv', 'status,quantity,petId,category,name\npending,5,1,Dogs,Rex', [rex]],
    ['required columns only', 'a.csv', 'quantity,petId\n0,-7\n', [pet(-7n, 0)]],
    ['empty optional fields', 'a.csv', `${HEADER}\n1,,,5,\n2,"",  ,6,""\n`, [pet(1n, 5), pet(2n, 6)]],
    ['BOM and CRLF', 'a.csv', `\ufeff${HEADER}\r\n1,Rex,Dogs,5,pending\r\n`, [rex]],
    [
      'mixed line ends and blank lines',
      'a.csv',
      `\n${HEADER}\r\n\r\n1,Rex,Dogs,5,pending\r2,,,6,\n\n`,
      [rex, pet(2n, 6)],
    ],
    [
      'quoted fields',
      'a.csv',
      '"petId","quantity","name"\n"1","5","a ""b"", c"\n',
      [pet(1n, 5, { name: 'a "b", c' })],
    ],
    ['texts trimmed', 'a.csv', 'petId,quantity,name\n1,5,"\r\n Rex\t"\n', [pet(1n, 5, { name: 'Rex' })]],
    ['an upper-case extension', 'A.CSV', 'petId,quantity\n1,5', [pet(1n, 5)]],
    [
      '200 characters, counted as people count',
      'a.csv',
      `petId,quantity,name\n1,5,${'😀'.repeat(200)}`,
      [pet(1n, 5, { name: '😀'.repeat(200) })],
    ],
    [
      'NDJSON',
      'a.ndjson',
      '{"petId":1,"name":"Rex","category":"Dogs","quantity":5,"status":"pending"}\r\n\r\n{"petId":"2","quantity":6,"name":null}',
      [rex, pet(2n, 6)],
    ],
    ['JSON Lines', 'a.jsonl', '{"petId":1,"quantity":5}', [pet(1n, 5)]],
    [
      'a JSON array',
      'a.json',
      '\ufeff [\n{ "petId" : 1, "name": "a\\"]},b", "quantity": 5},{"petId":"2","quantity":6} ]\n',
      [pet(1n, 5, { name: 'a"]},b' }), pet(2n, 6)],
    ],
    [
      'colons in texts',
      'a.json',
      '[{"petId":1,"name":"a: \\"petId\\": b","quantity":5}]',
      [pet(1n, 5, { name: 'a: "petId": b' })],
    ],
  ];
  for (const [title, name, content, rows] of good) {
    test(title, () => assert.deepEqual(read(name, content), rows));
  }

  test('the sample shop has 60 pets of every status, some that ran out, and some that are low', () => {
    const rows = readPetFile(fileURLToPath(new URL('../../sample/pets.csv', import.meta.url)));
    assert.deepEqual(
      rows.map(({ petId }) => petId),
      Array.from({ length: 60 }, (_, index) => BigInt(index + 1)),
    );
    assert(rows.every(({ name, category }) => name !== null && category !== null));
    assert(rows.some(({ quantity }) => quantity === 0));
    const isLow = (row: PetRow) => row.quantity > 0 && row.quantity <= (row.thresholds?.lowStockAt ?? -1);
    assert.deepEqual(new Set(rows.filter(({ thresholds }) => thresholds).map(isLow)), new Set([true, false]));
    assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(PET_STATUSES));
  });
});

describe('a petId keeps every digit of an int64, and nothing else is one', () => {
  const exact = [
    '0',
    '-1',
    '2147483648',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
  ];
  for (const digits of exact) {
    test(`${digits} in each format`, () => {
      const rows = [pet(BigInt(digits), 1)];
      assert.deepEqual(read('a.csv', `petId,quantity\n${digits},1\n`), rows);
      for (const spelling of [digits, `"${digits}"`]) {
        assert.deepEqual(read('a.json', `[{"petId":${spelling},"quantity":1}]`), rows);
        assert.deepEqual(read('a.ndjson', `{"petId": ${spelling},"quantity":1}`), rows);
      }
    });
  }

  const wrong = [
    '9223372036854775808',
    '-9223372036854775809',
    '01',
    '-0',
    '+1',
    '1.0',
    '1e2',
    '0x10',
    ' 1',
    '1 ',
    '١',
    'NaN',
    '1n',
  ];
  for (const text of wrong) {
    test(`${JSON.stringify(text)} is refused in each format`, () => {
      const fault = `${JSON.stringify(text)} ${NOT_INT64}`;
      assertEnds(refusal('a.csv', `petId,quantity\n${text},1\n`), `  line 2, petId: ${fault}`);
      assertEnds(refusal('a.json', `[{"petId":"${text}","quantity":1}]`), `petId: ${fault}`);
    });
  }

  for (const source of [
    '9223372036854775808',
    '-0',
    '1.0',
    '1e2',
    '9007199254740990.6',
    '1e400',
    'true',
    '[1]',
    '{}',
  ]) {
    test(`the JSON value ${source} is refused`, () => {
      const shown = source === '[1]' ? '[…]' : source === '{}' ? '{…}' : source;
      const message = refusal('a.ndjson', `{"petId":${source},"quantity":1}`);
      assertEnds(message, `  line 1, petId: ${shown} ${NOT_INT64}`);
    });
  }
});

describe('a quantity is a whole number by value', () => {
  for (const [source, quantity] of [
    ['5', 5],
    ['5.0', 5],
    ['1e3', 1000],
    ['1200E-2', 12],
    ['0.05e2', 5],
    ['-0', 0],
    ['0e999', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740991.000', 9007199254740991],
  ] as const) {
    test(`the JSON number ${source} is ${quantity}`, () => {
      assert.deepEqual(read('a.json', `[{"petId":1,"quantity":${source}}]`), [pet(1n, quantity)]);
    });
  }

  for (const source of [
    '5.4',
    '5.0000000000000000000001',
    '1e400',
    '1e-400',
    '-1',
    '9007199254740992',
    '9007199254740991.4',
    '9007199254740993',
    '"5"',
    'true',
    '[]',
  ]) {
    test(`the JSON value ${source} is refused`, () => {
      const message = refusal('a.json', `[{"petId":1,"quantity":${source}}]`);
      assertEnds(
        message,
        `  line 1, element 1, quantity: ${source === '[]' ? '[…]' : source} ${NOT_QUANTITY}`,
      );
    });
  }

  for (const text of ['-5', '+5', '5.4', '1e3', '5;', '0x5', 'five', '9007199254740992', '9'.repeat(50)]) {
    test(`the CSV text ${JSON.stringify(text)} is refused`, () => {
      assertEnds(
        refusal('a.csv', `petId,quantity\n1,${text}`),
        `  line 2, quantity: "${text}" ${NOT_QUANTITY}`,
      );
    });
  }

  test('a runtime whose revivers see no text of numbers reads them exactly too', () => {
    for (const json of [
      '{"a":9007199254740993,"b":[-0,1.50e2],"c":"12 \\\\\\" 34"}',
      '9223372036854775807',
      '[]',
    ]) {
      assert.deepEqual(parseWithSource(json, false), parseWithSource(json, true));
    }
    assert.throws(() => parseWithSource('{"a":1.}', false), SyntaxError);
  });

  test('named columns and members are left out, and others are refused', () => {
    const files = {
      'a.csv': 'code,petId,message,quantity\nx,1,"a, b",5\n',
      'a.json': '[{"code":"x","petId":1,"quantity":5,"message":null}]',
    };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content);
      assert.deepEqual(readPetFile(join(folder, name), { ignored: ['code', 'message'] }), [pet(1n, 5)]);
      assert.match(refusal(name, content), /the (?:columns|member) "code".* not kept/);
    }
  });

  test('a field that is left out is as if the file did not have it', () => {
    const ignored = ['Menge', 'status'];
    writeFileSync(join(folder, 'a.csv'), 'petId, Menge ,quantity,status\n1,9,5,sold\n');
    assert.deepEqual(readPetFile(join(folder, 'a.csv'), { ignored }), [pet(1n, 5)]);
    writeFileSync(join(folder, 'a.json'), '[{"petId":1,"quantity":5,"status":"gone"}]');
    assert.deepEqual(readPetFile(join(folder, 'a.json'), { ignored }), [pet(1n, 5)]);
  });

  test('the advice about columns that are not kept is a command line that works', () => {
    const head = (...names: string[]) => `petId,quantity,${names.join()}\n`;
    const advice = (names: string[]) =>
      / To leave out what is not kept, repeat with --ignore (.*)\. Nothing/.exec(
        refusal('a.csv', head(...names)),
      )?.[1];
    assert.equal(advice(['price', 'colour']), 'price,colour');
    assert.equal(advice(['unit price', 'größe']), "'unit price,größe'");
    // A shell or the option would read these as something else.
    assert.equal(advice(["it's", '"a,b"', 'x'.repeat(61), '$(ls)']), "'$(ls)'");
    assert.equal(advice(['a\u001b[31m']), undefined);
  });

  test('leading zeros in CSV mean nothing', () => {
    assert.deepEqual(read('a.csv', 'petId,quantity\n1,007'), [pet(1n, 7)]);
  });
});

describe('thresholds of a row are two numbers, none, or absent', () => {
  const low = (lowStockAt: number | null, restockAt: number | null) => [
    pet(1n, 5, { thresholds: { lowStockAt, restockAt } }),
  ];
  const good: readonly [lowStockAt: string, restockAt: string, rows: readonly PetRow[]][] = [
    ['', '', [pet(1n, 5)]],
    ['3', '', low(3, null)],
    ['3', 'none', low(3, null)],
    ['3', '4', low(3, 4)],
    ['0', '9007199254740991', low(0, 9007199254740991)],
    ['none', '', low(null, null)],
    ['none', 'none', low(null, null)],
  ];
  const inJson = (text: string) => (/^\d+$/.test(text) ? text : JSON.stringify(text));
  for (const [lowStockAt, restockAt, rows] of good) {
    test(`lowStockAt ${lowStockAt || 'empty'} and restockAt ${restockAt || 'empty'} in each format`, () => {
      assert.deepEqual(
        read('a.csv', `restockAt,petId,quantity,lowStockAt\n${restockAt},1,5,${lowStockAt}`),
        rows,
      );
      const object = `{"petId":1,"quantity":5,"lowStockAt":${inJson(lowStockAt)},"restockAt":${inJson(restockAt)}}`;
      assert.deepEqual(read('a.ndjson', object), rows);
      assert.deepEqual(read('a.json', `[${object.replaceAll('""', 'null')}]`), rows);
    });
  }

  test('a column alone, and numbers by value in JSON', () => {
    assert.deepEqual(read('a.csv', 'petId,quantity,lowStockAt\n1,5,007'), low(7, null));
    assert.deepEqual(
      read('a.json', '[{"petId":1,"quantity":5,"lowStockAt":3.0,"restockAt":1e3}]'),
      low(3, 1000),
    );
    assert.deepEqual(read('a.json', '[{"petId":1,"quantity":5,"lowStockAt":3}]'), low(3, null));
  });

  const needed = 'it needs a number as lowStockAt in the same row.';
  const bad: readonly [lowStockAt: string, restockAt: string, field: string, fault: string][] = [
    ['3', '3', 'restockAt', '3 is not greater than lowStockAt, which is 3.'],
    ['3', '2', 'restockAt', '2 is not greater than lowStockAt, which is 3.'],
    ['', '3', 'restockAt', needed],
    ['', 'none', 'restockAt', needed],
    ['none', '3', 'restockAt', needed],
    ...['-1', '1.5', 'None', '3 4', '9007199254740992'].flatMap(
      (text): [string, string, string, string][] => [
        [text, '', 'lowStockAt', `${JSON.stringify(text)} ${NOT_THRESHOLD}`],
        ['3', text, 'restockAt', `${JSON.stringify(text)} ${NOT_THRESHOLD}`],
      ],
    ),
  ];
  for (const [lowStockAt, restockAt, field, fault] of bad) {
    test(`lowStockAt ${JSON.stringify(lowStockAt)} and restockAt ${JSON.stringify(restockAt)} are refused`, () => {
      const content = `petId,quantity,lowStockAt,restockAt\n2,5,,\n1,5,${lowStockAt},${restockAt}`;
      assert.equal(
        refusal('a.csv', content),
        `a.csv: 1 row is wrong; nothing was imported.\n  line 3, ${field}: ${fault}`,
      );
    });
  }

  for (const source of ['-1', '1.5', '3.0000000000000000000001', '9007199254740992', '"3"', 'true', '[]']) {
    test(`the JSON value ${source} is refused as a threshold`, () => {
      const shown = source === '[]' ? '[…]' : source;
      assertEnds(
        refusal('a.json', `[\n{"petId":1,"quantity":5,"lowStockAt":1,"restockAt":${source}}]`),
        `  line 2, element 1, restockAt: ${shown} ${NOT_THRESHOLD}`,
      );
    });
  }
});

describe('wrong rows are named by line and field, and refuse the whole file', () => {
  const one = (file: string, fault: string) => `${file}: 1 row is wrong; nothing was imported.\n  ${fault}`;
  const bad: readonly [title: string, name: string, content: string, message: string][] = [
    [
      'several rows',
      'pets.csv',
      `${HEADER}\n1,Rex,Dogs,5,lost\n2,Tom,Cats,3,sold\n3,Kim,Cats,-5,\nx,,,,\n`,
      `pets.csv: 3 rows are wrong; nothing was imported.\n  line 2, status: "lost" is not one of available, pending, sold.\n  line 4, quantity: "-5" ${NOT_QUANTITY}\n  line 5, petId: "x" ${NOT_INT64}\n  line 5, quantity: it is missing; every row needs it.`,
    ],
    [
      'a duplicate',
      'a.csv',
      'petId,quantity\n7,1\n8,1\n7,2\n',
      one('a.csv', 'line 4, petId: 7 is on line 2 already; keep one of the two rows.'),
    ],
    [
      'a duplicate in another spelling',
      'a.json',
      '[\n{"petId":7,"quantity":1},\n{"petId":"7","quantity":1}]',
      one('a.json', 'line 3, element 2, petId: 7 is on line 2 already; keep one of the two rows.'),
    ],
    [
      'a duplicate beyond 2^53',
      'a.ndjson',
      '{"petId":9007199254740993,"quantity":1}\n{"petId":9007199254740992,"quantity":1}\n{"petId":9007199254740993,"quantity":1}',
      one('a.ndjson', 'line 3, petId: 9007199254740993 is on line 1 already; keep one of the two rows.'),
    ],
    [
      'fields too few',
      'a.csv',
      'petId,quantity\n1,1\n2\n',
      one(
        'a.csv',
        'line 3: the header has 2 fields, this row has 1; quote a field that has a separator in it.',
      ),
    ],
    [
      'fields too many',
      'a.csv',
      'petId,quantity\n1,1,1\n',
      one(
        'a.csv',
        'line 2: the header has 2 fields, this row has 3; quote a field that has a separator in it.',
      ),
    ],
    [
      'after a field of many lines',
      'a.csv',
      'name,petId,quantity\n"\n\n Rex",1,1\nTom,2,x\n',
      one('a.csv', `line 5, quantity: "x" ${NOT_QUANTITY}`),
    ],
    [
      'within a row of many lines',
      'a.csv',
      'name,petId,quantity\r\n"\r\n\r\n Rex",1,x\r\n',
      one('a.csv', `line 4, quantity: "x" ${NOT_QUANTITY}`),
    ],
    [
      'after blank lines',
      'a.csv',
      '\r\npetId,quantity\r\n\r\n\r\n1,x\r\n',
      one('a.csv', `line 5, quantity: "x" ${NOT_QUANTITY}`),
    ],
    [
      'a control character',
      'a.csv',
      'petId,quantity,name\n1,1,"a\u001b[2Jb"',
      one('a.csv', 'line 2, name: "a\\u001b[2Jb" has the control character U+001B; remove it.'),
    ],
    [
      'a C1 control character and a direction mark',
      'a.csv',
      'petId,quantity,name\n1,1,a\u009b\u202eb',
      one('a.csv', 'line 2, name: "a\\u009b\\u202eb" has the control character U+009B; remove it.'),
    ],
    [
      'a line break inside',
      'a.csv',
      'petId,quantity,category\n1,1,"a\nb"',
      one('a.csv', 'line 2, category: "a\\nb" has a line break; write it on one line.'),
    ],
    [
      'half a surrogate pair',
      'a.json',
      '[{"petId":1,"quantity":1,"name":"\\ud83d"}]',
      one(
        'a.json',
        'line 1, element 1, name: "\\ud83d" has half a character (U+D83D); send it as UTF-8 again.',
      ),
    ],
    [
      '201 characters',
      'a.csv',
      `petId,quantity,name\n1,1,${'x'.repeat(201)}`,
      one('a.csv', 'line 2, name: it has 201 characters, and may have 200.'),
    ],
    [
      'a long value, cut',
      'a.csv',
      `petId,quantity\n1,${'x'.repeat(1000)}`,
      one('a.csv', `line 2, quantity: "${'x'.repeat(60)}…" ${NOT_QUANTITY}`),
    ],
    [
      'a name that is not a text',
      'a.json',
      '[{"petId":1,"quantity":1,"name":7.50,"category":{}}]',
      'a.json: 1 row is wrong; nothing was imported.\n  line 1, element 1, name: 7.50 is not a text; put it in quotes.\n  line 1, element 1, category: {…} is not a text; put it in quotes.',
    ],
    [
      'missing members',
      'a.ndjson',
      '{"name":"Rex"}',
      'a.ndjson: 1 row is wrong; nothing was imported.\n  line 1, petId: it is missing; every row needs it.\n  line 1, quantity: it is missing; every row needs it.',
    ],
    [
      'unknown members',
      'a.ndjson',
      '{"petId":1,"quantity":1,"__proto__":{"a":1},"Name":"x"}',
      'a.ndjson: 1 row is wrong; nothing was imported.\n  line 1: the member "__proto__" is not kept; remove it, or name it as one of petId, sku, barcodes, name, category, quantity, status, lowStockAt, restockAt, supplier.\n  line 1: the member "Name" is not kept; remove it, or name it as one of petId, sku, barcodes, name, category, quantity, status, lowStockAt, restockAt, supplier.\nTo leave out what is not kept, repeat with --ignore __proto__,Name.',
    ],
    [
      'a member twice',
      'a.ndjson',
      '{"petId":1,"quantity":1,"name":"x:","quant\\u0069ty":2}',
      one('a.ndjson', 'line 1, quantity: it is there twice; leave one of them out.'),
    ],
    [
      'no object',
      'a.json',
      '[{"petId":1,"quantity":1},\n[1],\n5.0,"x",null]',
      'a.json: 4 rows are wrong; nothing was imported.\n  line 2, element 2: […] is not an object with petId and quantity.\n  line 3, element 3: 5.0 is not an object with petId and quantity.\n  line 3, element 4: "x" is not an object with petId and quantity.\n  line 3, element 5: null is not an object with petId and quantity.',
    ],
    [
      'a line that is not JSON',
      'a.ndjson',
      '{"petId":1,"quantity":1}\n{"petId":2,\n',
      one('a.ndjson', 'line 2: the value that begins here is not valid JSON.'),
    ],
    [
      'an element of many lines',
      'a.json',
      '[\n  {\n    "petId": 1,\n    "quantity": 1\n  },\n  {\n    "petId": 2,\n    "quantity": "x"\n  }\n]',
      one('a.json', `line 6, element 2, quantity: "x" ${NOT_QUANTITY}`),
    ],
  ];
  for (const [title, name, content, message] of bad) {
    test(title, () => assert.equal(refusal(name, content), message));
  }

  test('twenty faults are listed, the others counted', () => {
    const lines = refusal('a.csv', `petId,quantity\n${'x,1\n'.repeat(37)}`).split('\n');
    assert.equal(lines[0], 'a.csv: 37 rows are wrong; nothing was imported.');
    assert.equal(lines.length, 22);
    assert.equal(lines[20], `  line 21, petId: "x" ${NOT_INT64}`);
    assert.equal(lines[21], '  … and 17 more');
  });
});

describe('a file that cannot be understood is refused in one sentence with the position', () => {
  const stop = (name: string, line: number, message: string) =>
    `${name}, line ${line}: ${message} Nothing was imported.`;
  const tooLong =
    'the row that begins here has more than 65536 characters; look for a quote that is not closed.';
  const neverClosed =
    'a quote is opened in the row that begins here and never closed; close it, or remove it.';
  const bad: readonly [title: string, name: string, content: string | Uint8Array, message: string][] = [
    [
      'empty',
      'a.csv',
      '',
      'a.csv: the file is empty; give it a header and one row per pet, or a JSON array. Nothing was imported.',
    ],
    [
      'a BOM and blank lines',
      'a.json',
      '\ufeff\r\n \t\n',
      'a.json: the file is empty; give it a header and one row per pet, or a JSON array. Nothing was imported.',
    ],
    [
      'header only',
      'a.csv',
      `${HEADER}\r\n`,
      'a.csv: there are no pets below the header; add one row per pet. Nothing was imported.',
    ],
    [
      'an empty array',
      'a.json',
      '[ ]',
      'a.json: there are no pets in the file; add one object per pet. Nothing was imported.',
    ],
    [
      'unknown columns',
      'a.csv',
      'petId,quantity,colour,Colour\n1,1,red,x',
      stop(
        'a.csv',
        1,
        'the columns "colour", "Colour" are not kept; remove them, or name them as some of petId, sku, barcodes, name, category, quantity, status, lowStockAt, restockAt, supplier. To leave out what is not kept, repeat with --ignore colour,Colour.',
      ),
    ],
    [
      'no quantity',
      'a.csv',
      'petId,name\n1,x',
      stop(
        'a.csv',
        1,
        'the column quantity is missing; name its heading quantity, or one of qty, stock, Menge, Bestand.',
      ),
    ],
    [
      'a column twice',
      'a.csv',
      'petId,quantity,petId\n1,1,2',
      stop('a.csv', 1, 'the column petId is there twice; leave one of them out.'),
    ],
    [
      'an open quote',
      'a.csv',
      'petId,quantity,name\n1,1,"a\nb"\n2,1,"c\n3,1,d\n',
      stop('a.csv', 4, neverClosed),
    ],
    ['an open quote in the header', 'a.csv', 'petId,"quantity\n1,1\n', stop('a.csv', 1, neverClosed)],
    [
      'text after a quote',
      'a.csv',
      'petId,quantity,name\r\n1,1,"a\r\n\r\nb"\r\n2,1,"c"d\r\n',
      stop('a.csv', 5, 'a closing quote must be followed by a separator or the end of the line.'),
    ],
    [
      'a quote within',
      'a.csv',
      'petId,quantity,name\r\n1,1,"a\r\n\r\nb"\r\n2,1,c"d\r\n',
      stop('a.csv', 5, 'a field with a quote in it must be quoted as a whole, and its quotes doubled.'),
    ],
    [
      'a cut character at the end',
      'a.ndjson',
      Buffer.from([0x7b, 0x0a, 0xe2, 0x82]),
      stop('a.ndjson', 2, 'this is not UTF-8 text; save the file as UTF-8.'),
    ],
    [
      'no array',
      'a.json',
      '\n{"petId":1,"quantity":1}',
      stop('a.json', 2, 'a JSON array must begin here; a file of one object a line is named .ndjson.'),
    ],
    [
      'a comma too many',
      'a.json',
      '[\n{"petId":1,"quantity":1},\n]',
      stop('a.json', 3, 'an element is missing here, or there is a comma too many before it.'),
    ],
    [
      'two commas',
      'a.json',
      '[{"petId":1,"quantity":1},\n,{"petId":2,"quantity":1}]',
      stop('a.json', 2, 'the value that begins here is not valid JSON.'),
    ],
    [
      'no comma',
      'a.json',
      '[\n{"petId":1,"quantity":1}\n\n{"petId":2,"quantity":1}]',
      stop('a.json', 4, 'there must be a comma, or the end of the array, before this.'),
    ],
    [
      'a broken element',
      'a.json',
      '[{"petId":1,"quantity":1},\n{\n"petId":2,"quantity":}]',
      stop('a.json', 2, 'the value that begins here is not valid JSON.'),
    ],
    [
      'an open element',
      'a.json',
      '[\n{"petId":1,"quantity":1},\n{"petId":2,\n',
      stop('a.json', 3, 'the value that begins here is never closed; look for a missing } or ].'),
    ],
    [
      'an open string',
      'a.json',
      '[\n{"petId":1,\n"name":"Rex,\n"quantity":1}]',
      stop('a.json', 3, 'a string is not closed on this line; write a line break in it as \\n.'),
    ],
    [
      'an open string at the end',
      'a.json',
      '[{"petId":1,\n"name":"Rex\\',
      stop('a.json', 2, 'a string is not closed on this line; write a line break in it as \\n.'),
    ],
    [
      'an open array',
      'a.json',
      '[{"petId":1,"quantity":1}\n',
      stop('a.json', 2, 'the file ends before its array does; close it with ].'),
    ],
    [
      'two arrays',
      'a.json',
      '[{"petId":1,"quantity":1}]\n[]',
      stop('a.json', 2, 'nothing may follow the end of the array.'),
    ],
    [
      'deep nesting',
      'a.json',
      `[${'['.repeat(60_000)}`,
      stop('a.json', 1, 'the value that begins here is never closed; look for a missing } or ].'),
    ],
    ['deeper nesting', 'a.json', `[${'['.repeat(100_000)}`, stop('a.json', 1, tooLong)],
    [
      'a long line',
      'a.ndjson',
      `{"petId":1,"quantity":1}\n${' '.repeat(65_537)}`,
      stop('a.ndjson', 2, tooLong),
    ],
    ['a long row', 'a.csv', `petId,quantity\n1,1\n2,${'9'.repeat(2_000_000)}`, stop('a.csv', 3, tooLong)],
    [
      'a quote that opens before a megabyte',
      'a.csv',
      `petId,quantity,name\n1,1,"a${'\nb'.repeat(1_000_000)}`,
      stop('a.csv', 2, neverClosed),
    ],
    [
      'a file that shows no format',
      'a.txt',
      'colour;size\n',
      'a.txt: this is neither JSON nor CSV with the headings petId and quantity. Add --format csv, json, ndjson or xlsx, or name the file with one of .csv, .tsv, .json, .ndjson, .jsonl, .xlsx. Nothing was imported.',
    ],
  ];
  for (const [title, name, content, message] of bad) {
    test(title, () => assert.equal(refusal(name, content), message));
  }

  test('a missing file, a file taken for a folder, and a folder', () => {
    const path = (name: string) => join(folder, name);
    assert.equal(
      refusalOf(() => readPetFile(path('none.csv'))),
      'none.csv: there is no such file; check the name, or give - to read standard input.',
    );
    writeFileSync(path('file'), '');
    assert.equal(
      refusalOf(() => readPetFile(path('file/a.csv'))),
      'file/a.csv: there is no such file; check the name, or give - to read standard input.',
    );
    mkdirSync(path('folder.csv'));
    assert.equal(
      refusalOf(() => readPetFile(path('folder.csv'))),
      'folder.csv: this is a folder; name a file in it.',
    );
  });

  test('for any bytes, the result is rows or one PetFileError', (t) => {
    if (isSkippedDaily(t)) return;
    const piece = fc.constantFrom(
      'petId',
      'quantity',
      'name',
      'lowStockAt',
      'none',
      '"',
      ',',
      ':',
      '\n',
      '\r',
      '{',
      '}',
      '[',
      ']',
      '\\',
      '1',
      '-',
      '.',
      'e9',
      ' ',
      '\ufeff',
      'petId,quantity\n',
      '{"petId":1,"quantity":2}',
    );
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(content, fc.constantFrom('a.csv', 'a.json', 'a.ndjson'), (bytes, name) => {
        try {
          assert(read(name, bytes).length > 0);
        } catch (error) {
          assert(error instanceof PetFileError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the format does not matter', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: fc.constantFrom('a', '"', ',', ' ', ':', '\\', '{', 'é', '😀'), maxLength: 12 }),
    )
    .map((value) => value.replace(/\p{Cc}/gu, '').trim())
    // An export writes an apostrophe before a formula, which an import removes.
    .map((value) => value.replace(/^'+(?=[=+\-@＝＋－＠])/u, '') || null);
  const thresholds: fc.Arbitrary<Thresholds> = fc
    .tuple(fc.option(fc.nat()), fc.option(fc.integer({ min: 1, max: 99 })))
    .map(([low, more]) => ({
      lowStockAt: low,
      restockAt: low === null || more === null ? null : low + more,
    }));
  const row: fc.Arbitrary<PetRow> = fc.record(
    {
      petId: fc.oneof(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.bigInt({ min: -9n, max: 99n }),
      ),
      name: text,
      category: text,
      quantity: fc.oneof(fc.nat(), fc.maxSafeNat()),
      status: fc.constantFrom(...PET_STATUSES),
      thresholds,
      supplier: text.filter((value) => value?.toLowerCase() !== 'none'),
    },
    { noNullPrototype: true, requiredKeys: ['petId', 'name', 'category', 'quantity', 'status'] },
  );
  const rows = fc.uniqueArray(row, { selector: ({ petId }) => petId, minLength: 1, maxLength: 20 });
  /** Codes have tests of their own. */
  const fields = PET_FIELDS.filter((name) => name !== 'sku' && name !== 'barcodes');
  const columns = fc.shuffledSubarray(fields, { minLength: fields.length });
  /** Answers the many small questions of how to spell a file. */
  const coin = fc.infiniteStream(fc.boolean());

  /** A value of a field as a file has it: `null` may be left out, unlike a threshold or a supplier to remove. */
  function writtenValue({ thresholds: wanted, supplier, ...fields }: PetRow, name: PetField) {
    if (name === 'sku' || name === 'barcodes') return null;
    if (name === 'supplier') return supplier === undefined ? null : (supplier ?? 'none');
    if (name !== 'lowStockAt' && name !== 'restockAt') return fields[name];
    if (wanted === undefined) return null;
    return wanted[name] ?? (name === 'lowStockAt' ? 'none' : null);
  }

  function csv(pets: readonly PetRow[], names: readonly PetField[], flip: () => boolean): string {
    const field = (value: string) => {
      const padded = flip() || !/["\n]/.test(value) ? value : ` ${value}`;
      return flip() || /[",\n\r]/.test(padded) ? `"${padded.replaceAll('"', '""')}"` : padded;
    };
    const end = () => (flip() ? '\r\n' : '\n');
    const lines = pets.map(
      (each) => names.map((name) => field(String(writtenValue(each, name) ?? ''))).join(',') + end(),
    );
    return (flip() ? '\ufeff' : '') + names.map(field).join(',') + end() + lines.join('');
  }

  function json(each: PetRow, names: readonly PetField[], flip: () => boolean): string {
    const space = () => (flip() ? ' ' : '');
    const members = names.flatMap((name) => {
      const value = writtenValue(each, name);
      if (value === null && flip()) return [];
      const number = typeof value === 'number' && flip() ? `${value}.0` : String(value);
      const source = typeof value === 'string' || value === null ? JSON.stringify(value) : number;
      return `${space()}"${name}"${space()}:${space()}${typeof value === 'bigint' && flip() ? `"${source}"` : source}`;
    });
    return `{${members.join(',')}${space()}}`;
  }

  test('rows written as CSV, NDJSON and a JSON array, with any quotes and spaces, are read as the same rows', (t) => {
    if (isSkippedDaily(t)) return;
    fc.assert(
      fc.property(rows, columns, coin, (pets, names, coins) => {
        const flip = () => coins.next().value;
        const objects = () => pets.map((each) => json(each, names, flip));
        const between = () => (flip() ? ',\r\n' : ',');
        assert.deepEqual(read('a.csv', csv(pets, names, flip)), pets);
        assert.deepEqual(read('a.ndjson', objects().join('\n')), pets);
        assert.deepEqual(read('a.json', `[${objects().join(between())}]`), pets);
      }),
      { numRuns: 300 },
    );
  });
});

test('a fault shows no name of a member as it is, and its row is whole characters', () => {
  const name = '\\u001b[31m\\nline 9: forged';
  const message = refusal('repeated.ndjson', `{"petId":1,"quantity":1,"${name}":1,"${name}":2}\n`);
  assert.deepEqual(message.split('\n').length, 2, message);
  assert.ok(!message.includes('\u001b'), message);
  assert.match(message, /the member "\\u001b\[31m\\nline 9: forged" is not kept; [^-]*$/);
  const path = join(folder, 'cut.csv');
  writeFileSync(path, `petId,quantity\n7,${'🐕'.repeat(200)}\n`);
  assert.throws(
    () => readPetFile(path),
    (error) => error instanceof RefusedFile && error.faults[0]?.row?.isWellFormed() === true,
  );
  writeFileSync(path, `petId,quantity\n77,${'🐕'.repeat(200)}\n`);
  assert.throws(
    () => readPetFile(path),
    (error) => error instanceof RefusedFile && error.faults[0]?.row?.isWellFormed() === true,
  );
});

test('the name of a file commands no terminal', () => {
  assert.equal(shownFile('\u001b[31mx.csv'), '\\u001b[31mx.csv');
  assert.throws(() => readPetFile('\u001b[31mx.csv'), {
    message: /^\\u001b\[31mx\.csv: there is no such file/,
  });
});
