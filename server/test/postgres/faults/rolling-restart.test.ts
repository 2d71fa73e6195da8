import { test } from 'node:test';
import { PROBING, restartsUnnoticed } from './rolling-restart.ts';

test(`no request fails while two instances are restarted behind ${PROBING.name}`, async (t) => {
  await restartsUnnoticed(t, PROBING, 1);
});
