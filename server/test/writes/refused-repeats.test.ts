import { test } from 'node:test';
import { repeatThroughRefusals } from './refused-repeats.ts';

test('a write that is repeated through the limit, a ban and a change of the plan is executed one time', (t) =>
  repeatThroughRefusals(t, 1));
