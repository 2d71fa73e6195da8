import { test } from 'node:test';
import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { assertPagesAreBounded, assertStepsAreBounded, filtersOf } from './order-plans.ts';

useEngine(new PostgresEngine());

const ORDERS = 30_000;

test('a page of any filter reads a bounded number of rows of many orders', (t) =>
  assertPagesAreBounded(t, ORDERS, filtersOf(ORDERS)));

test('a batch of steps, and a look for due orders, read the rows of their own orders', (t) =>
  assertStepsAreBounded(t, ORDERS));
