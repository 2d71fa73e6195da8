import { test } from 'node:test';
import { BALANCERS, restartsUnnoticed } from './rolling-restart.ts';

for (const balancer of BALANCERS) {
  test(`no request fails while two instances are restarted behind ${balancer.name}`, async (t) => {
    await restartsUnnoticed(t, balancer, 1);
  });
}
