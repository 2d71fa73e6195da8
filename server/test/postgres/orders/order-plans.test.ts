import { test } from 'node:test';
import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { assertStepsAreBounded } from './order-plans.ts';

useEngine(new PostgresEngine());

const ORDERS = 5_000;

// order-plans.long.ts has more orders, and the pages of lists.
test('a batch of steps reads the rows of its own orders', (t) => assertStepsAreBounded(t, ORDERS));
