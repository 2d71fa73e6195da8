import { test } from 'node:test';
import { migratesOnce } from '../support/start-together.ts';

test('of instances that start at once on an empty database, on both runtimes, one makes it, 50 times', async (t) => {
  await migratesOnce(t, 50);
});
