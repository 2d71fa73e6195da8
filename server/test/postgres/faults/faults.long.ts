import { test } from 'node:test';
import type { SeededRandom } from '../../support/limit-clients.ts';
import { ALL_FAULTS, type Fault, stopsInBlackHole, survivesFaults } from '../support/faults.ts';

function someOf(count: number): (random: SeededRandom) => readonly Fault[] {
  return (random) => Array.from({ length: count }, () => random.pick(ALL_FAULTS));
}

test('no acknowledged change is lost, and no list is old, through 80 faults', async (t) => {
  await survivesFaults(t, { runtime: 'node', pick: someOf(80) });
});

test('no acknowledged change is lost, and no list is old, through 30 faults on Bun', async (t) => {
  await survivesFaults(t, { runtime: 'bun', pick: someOf(30) });
});

test('on Bun, an instance stops on SIGTERM, although its connection to the database is a black hole', async (t) => {
  await stopsInBlackHole(t, 'bun');
});
