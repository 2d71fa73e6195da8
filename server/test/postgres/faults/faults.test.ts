import { test } from 'node:test';
import type { SeededRandom } from '../../support/limit-clients.ts';
import { ALL_FAULTS, type Fault, stopsInBlackHole, survivesFaults } from '../support/faults.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** Of each pair the slower one; the long run has both. */
const ONLY_LONG: readonly Fault[] = [
  'the way of all instances to the database is a black hole',
  'an instance stops for 5 s',
  'the database stops',
];

test('no acknowledged change is lost, and no list is old, through a fault', async (t) => {
  const faults = ALL_FAULTS.filter((fault) => !ONLY_LONG.includes(fault));
  // Another one in each run; the long run has many of each.
  const pick = (random: SeededRandom) => [faults[random.integer(0, faults.length - 1)] as Fault];
  await survivesFaults(t, { runtime: 'node', pick });
});

test('an instance stops on SIGTERM, although its connection to the database is a black hole', async (t) => {
  if (isSkippedDaily(t)) return;
  await stopsInBlackHole(t, 'node');
});
