import { test } from 'node:test';
import { useEngine } from '../support/test-database.ts';
import { repeatThroughRefusals } from '../writes/refused-repeats.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

test('a write that is repeated on two instances through the limit, a ban and a change of the plan is executed one time', (t) =>
  repeatThroughRefusals(t, 2));
