import { test } from 'node:test';
import { survivesKills } from './killed-service.ts';

test('no acknowledged change is lost when the process is killed 200 times under load', async (t) => {
  await survivesKills(t, { rounds: 200, minMs: 50, maxMs: 1_500 });
});
