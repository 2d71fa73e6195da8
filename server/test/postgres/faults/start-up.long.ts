import { test } from 'node:test';
import { migratesOnce } from '../support/start-together.ts';

test('instances that start concurrently on an empty database, on both runtimes, create one schema, 50 times', async (t) => {
  await migratesOnce(t, 50);
});
