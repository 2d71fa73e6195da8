import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cached } from '../../src/http/request/content-negotiation.ts';

test('headers of a hostile client take the places of others for a moment only', () => {
  const computed = new Map<string, number>();
  const read = cached((header) => {
    computed.set(header, (computed.get(header) ?? 0) + 1);
    return header.length;
  });
  const honest = 'application/json, */*;q=0.5';
  const flood = (from: number, count: number) => {
    for (let i = from; i < from + count; i += 1) read(`text/${i}`);
  };
  flood(0, 2_500);
  for (let i = 0; i < 50; i += 1) assert.equal(read(honest), honest.length);
  assert.equal(computed.get(honest), 1, 'after the flood');
  // While it goes on, an honest header is read again once per thousand of the others.
  for (let i = 0; i < 3_000; i += 1) {
    flood(10_000 + i, 1);
    read(honest);
  }
  assert.ok((computed.get(honest) ?? 0) <= 5, `${computed.get(honest)} times`);
});
