import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactPetIdSchema } from '../../src/http/schemas/pet-id.ts';
import { longArray } from '../../src/http/schemas/long-array.ts';

const schema = longArray(ExactPetIdSchema, 50_000, 'petIds').min(1, 'must have 1 petId or more.');
const issuesOf = (value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

test('a long array has one issue, of its first wrong element', () => {
  assert.equal(issuesOf([1n, -5n, 2n ** 63n - 1n]), undefined);
  assert.deepEqual(issuesOf([1n, 2n, 2n ** 63n, {}, {}]), ['2: must be a 64-bit integer.']);
  assert.deepEqual(issuesOf(Array(50_000).fill({})), ['0: must be a 64-bit integer.']);
  assert.deepEqual(issuesOf([]), [': must have 1 petId or more.']);
  assert.deepEqual(issuesOf(Array(50_001).fill(1n)), [': must have at most 50000 petIds.']);
  assert.deepEqual(issuesOf({}), [': must be an array of petIds.']);
});
