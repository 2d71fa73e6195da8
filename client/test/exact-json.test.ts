import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact, writeExact } from '../src/exact-json.ts';

test('petIds are read with all digits, other numbers as numbers, and texts as they are', () => {
  const note = 'a\n1234567890123456 "petId":9007199254740993, \\"12345678901234567890\\" \\';
  const json = `{"petId":9007199254740993,"petIds":[7,-9223372036854775808],"note":${JSON.stringify(note)},
    "total":12345678901234567890,"ratio":0.12345678901234567,"rows":[{"petId":-7,"quantity":1}],"none":null}`;
  assert.deepEqual(parseExact(json), {
    petId: 9007199254740993n,
    petIds: [7n, -(2n ** 63n)],
    note,
    total: Number('12345678901234567890'),
    ratio: Number('0.12345678901234567'),
    rows: [{ petId: -7n, quantity: 1 }],
    none: null,
  });
  assert.deepEqual(parseExact('{"sold":7,"petId":7}', /^sold$/), { sold: 7n, petId: 7 });
});

test('petIds are written with all digits, and texts that look like them as texts', () => {
  const note = '"petId":"7", "petIds":["7"]';
  const rows = [{ petId: '9007199254740993', quantity: 4n, note }];
  assert.equal(
    writeExact({ rows, petIds: [9007199254740993n, 7] }),
    `{"rows":[{"petId":9007199254740993,"quantity":4,"note":${JSON.stringify(note)}}],"petIds":[9007199254740993,7]}`,
  );
  assert.throws(() => writeExact({ expiresAt: new Date(Number.NaN) }), { code: 'invalid_argument' });
});
