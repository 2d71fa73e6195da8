import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact, writeExact } from '../src/api/exact-json.ts';

test('petIds of 64 bits are read and written with all digits', () => {
  const json = '{"petId":9223372036854775807,"lines":[{"petId":-1,"quantity":9007199254740991}]}';
  const value = { petId: '9223372036854775807', lines: [{ petId: '-1', quantity: Number.MAX_SAFE_INTEGER }] };
  assert.deepEqual(parseExact(json), value);
  assert.equal(writeExact(value), json);
  assert.deepEqual(parseExact('{"petIds":[7,9007199254740993]}'), { petIds: ['7', '9007199254740993'] });
  assert.equal(
    writeExact({ petIds: ['7', '9007199254740993'], url: '' }),
    '{"petIds":[7,9007199254740993],"url":""}',
  );
  assert.equal(writeExact({ petIds: [] }), '{"petIds":[]}');
});

test('an integer that a number cannot hold is a text; others stay numbers', () => {
  assert.deepEqual(parseExact('{"available":9007199254740993,"sold":-9007199254740993,"x":1.5e20}'), {
    available: '9007199254740993',
    sold: '-9007199254740993',
    x: 1.5e20,
  });
  assert.deepEqual(
    parseExact('[9007199254740991,1234567890123456.5]'),
    [9007199254740991, 1234567890123456.5],
  );
});

test('texts of users stay as they are', () => {
  for (const text of [
    '"petId":5',
    '\\"petId":5',
    ':1234567890123456789,',
    '"petIds":[1]',
    '{"petId":"7"}',
    '\\\\"',
  ]) {
    const value = { note: text, name: `${text}12345678901234567890` };
    assert.deepEqual(parseExact(JSON.stringify(value)), value);
    assert.deepEqual(JSON.parse(writeExact(value)), value);
  }
});
