import { test } from 'node:test';
import { useRightClock } from '../support/machine-environment.ts';
import { certify, type Sizes, STAGE_OPTIONS } from './certificate.ts';
import { KILL, STAGES } from './stage.ts';

// It compares times of clients with those of the service.
await useRightClock();

const SIZES: Sizes = {
  races: 1,
  clients: 8,
  moves: 120,
  faults: () => [KILL],
  writers: 60,
  versions: 2,
  orders: 120,
  expiring: 40,
  holdMs: 1_500,
  keys: 8,
  duplicates: 6,
  kills: 1,
  failures: 1,
};

for (const { name, start } of STAGES.filter(({ isDaily }) => isDaily)) {
  test(`${name}: concurrent clients lose no write, and the ledger explains every response`, async (t) => {
    await certify(t, await start(t, STAGE_OPTIONS), SIZES, Date.now() % 1_000_000);
  });
}
