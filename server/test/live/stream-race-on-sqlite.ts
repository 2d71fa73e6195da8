import { test } from 'node:test';
import { startService } from '../blackbox/service.ts';
import type { Runtime } from '../blackbox/service-process.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { type RacedService, raceStreams, type StreamRace } from './stream-race.ts';

export const petIds = [1n, 2n, 3n, 4_611_686_018_427_387_905n, -5n];
export const pets = petIds.map((petId) => ({ petId, quantity: 0 }));
export const RACE: StreamRace = { petIds, writers: 6, readers: 16, changes: 150 };

/** Tests that readers of one process receive exactly the ledger although it is killed. */
export function raceOnSqlite(runtime: Runtime): void {
  test(`on ${runtime} with SQLite, readers that disconnect and resume receive exactly the ledger, over a kill -9`, async (t) => {
    const databaseDir = temporaryFolder(t);
    let service = await startService(t, { runtime, databaseDir, pets });
    const { key } = service;
    const raced: RacedService = {
      key,
      get port() {
        return service.port;
      },
      killOne: async () => {
        await service.kill9();
        service = await startService(t, { runtime, databaseDir, key });
        return service;
      },
    };
    await raceStreams(t, raced, RACE);
  });
}
