import { test } from 'node:test';
import { surviveFaults } from './faulty-network.ts';

for (let seed = 2; seed <= 20; seed += 1) {
  test(`no change is lost or doubled on a network with every fault (${seed})`, (t) => surviveFaults(t, seed));
}
