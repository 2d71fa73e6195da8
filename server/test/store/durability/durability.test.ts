import { test } from 'node:test';
import { survivesKills } from './killed-service.ts';

test('no acknowledged change is lost when the process is killed 5 times under load', async (t) => {
  await survivesKills(t, { rounds: 5, minMs: 50, maxMs: 450 });
});
