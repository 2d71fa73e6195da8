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

/** Others in each run; the long run has many of each. */
const DAILY_FAULTS = 3;

test(`no acknowledged change is lost, and no list is old, through ${DAILY_FAULTS} faults`, async (t) => {
  const faults = ALL_FAULTS.filter((fault) => !ONLY_LONG.includes(fault));
  const pick = (random: SeededRandom) => {
    const first = random.integer(0, faults.length - 1);
    return Array.from({ length: DAILY_FAULTS }, (_, i) => faults[(first + i) % faults.length] as Fault);
  };
  await survivesFaults(t, { runtime: 'node', pick });
});

test('an instance stops on SIGTERM, although its connection to the database is a black hole', async (t) => {
  if (isSkippedDaily(t)) return;
  await stopsInBlackHole(t, 'node');
});
