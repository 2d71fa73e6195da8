import { test } from 'node:test';
import { ALL_FAULTS, type Fault, stopsInBlackHole, survivesFaults } from '../support/faults.ts';

/** Of each pair the slower one; the long run has both. */
const ONLY_LONG: readonly Fault[] = [
  'the way of all instances to the database is a black hole',
  'an instance stops for 5 s',
  'the database stops',
];

test('no acknowledged change is lost, and no list is old, through each fault once', async (t) => {
  const faults = ALL_FAULTS.filter((fault) => !ONLY_LONG.includes(fault));
  await survivesFaults(t, { runtime: 'node', pick: () => faults });
});

test('an instance stops on SIGTERM, although its connection to the database is a black hole', async (t) => {
  await stopsInBlackHole(t, 'node');
});
