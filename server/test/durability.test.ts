import { test } from 'node:test';
import { survivesKills } from './killed-service.ts';

test('no acknowledged change is lost when the process is killed 20 times under load', async (t) => {
  await survivesKills(t, { rounds: 20, leastMs: 50, mostMs: 450 });
});
