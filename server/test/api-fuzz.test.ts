import { test } from 'node:test';
import { fuzzApi } from './api-fuzz.ts';

test('20,000 requests made from the document are answered as it says', async (t) => {
  await fuzzApi(t, { cases: 20_000, seed: 1 });
});
