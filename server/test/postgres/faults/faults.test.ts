import { test } from 'node:test';
import { ALL_FAULTS, stopsInBlackHole, survivesFaults } from '../support/faults.ts';

test('no acknowledged change is lost, and no list is old, through each fault once', async (t) => {
  // Of the two black holes the one in which the other instances go on; the long run has both.
  const faults = ALL_FAULTS.filter((fault) => !fault.startsWith('the way of all'));
  await survivesFaults(t, { runtime: 'node', pick: () => faults });
});

test('on Bun, sessions that are terminated and a database that is killed cost nothing either', async (t) => {
  const pick = () => ['all sessions are terminated', 'the database is killed'] as const;
  await survivesFaults(t, { runtime: 'bun', pick });
});

test('an instance that is told to stop ends, though its way to the database is a black hole', async (t) => {
  await stopsInBlackHole(t, 'node');
});
