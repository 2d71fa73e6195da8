import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PlacesOfPets } from '../../src/store/audit/latest-movements.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const near = fc.integer({ min: -300, max: 300 }).map(BigInt);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** Ids that differ in high bits alone. */
const spread = fc.integer({ min: -300, max: 300 }).map((n) => BigInt(n) << 32n);

test('each pet has one place, in the order in which they came', () => {
  const property = fc.property(fc.array(fc.oneof(near, int64, spread), { maxLength: 2_000 }), (petIds) => {
    const places = new PlacesOfPets();
    const model = new Map<bigint, number>();
    for (const petId of petIds) {
      assert.equal(places.get(petId), model.get(petId));
      if (!model.has(petId)) model.set(petId, model.size);
      assert.equal(places.add(petId), model.get(petId));
      assert.equal(places.size, model.size);
    }
    for (const [petId, place] of model) assert.equal(places.petIdAt(place), petId);
  });
  fc.assert(property, { numRuns: 200 });
});

/** The longest step, in milliseconds of CPU time, of reading this number of pets, 250 per step as in an audit. */
function longestStepMs(pets: number): number {
  const places = new PlacesOfPets();
  let longestMs = 0;
  for (let i = 0; i < pets; i += 250) {
    const before = process.threadCpuUsage();
    for (let k = i; k < i + 250; k += 1) places.add(BigInt(k) * 1_000_003n);
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  }
  assert.equal(places.size, pets);
  return longestMs;
}

test('no single new pet moves all others', (t) => {
  if (isSkippedDaily(t)) return;
  const longestMs = Math.min(...[1, 2, 3].map(() => longestStepMs(600_000)));
  assert.ok(longestMs < 15, `${longestMs} ms for 250 of 600,000 pets`);
});
