import { test } from 'node:test';
import type { SeededRandom } from '../support/limit-clients.ts';
import { certify, type Sizes, STAGE_OPTIONS } from './certificate.ts';
import { STAGES, type Stage } from './stage.ts';

const FAULTS_PER_RACE = 5;

const SIZES: Sizes = {
  races: 10,
  clients: 16,
  moves: 4_000,
  faults: (stage: Stage, random: SeededRandom) =>
    Array.from({ length: FAULTS_PER_RACE }, () => random.pick(Object.keys(stage.faults))),
  writers: 1_000,
  versions: 20,
  orders: 2_000,
  expiring: 10_000,
  holdMs: 60_000,
  keys: 500,
  duplicates: 20,
  kills: 4,
  failures: 4,
};

for (const { name, start } of STAGES) {
  test(`${name}: clients lose nothing over ${SIZES.races} races of ${SIZES.moves} moves while processes fail`, async (t) => {
    // `RACE_SEED` has the clients of an earlier run choose the same moves again.
    const seed = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000);
    await certify(t, await start(t, STAGE_OPTIONS), SIZES, seed);
  });
}
