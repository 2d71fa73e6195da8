import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { PostgresAdminEngine } from '../../src/store/postgres/admin/engine.ts';
import { readBatch } from '../../src/store/postgres/load-batch.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { update } from '../support/stock-requests.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

/** Of a batch with one revert. */
const STATEMENTS = 3;

test('a movement that a prune deletes between two statements is missing, or has its stock', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n)] });
  for (let i = 1; i <= STATEMENTS + 1; i++) await update(app, 7, { quantity: 100 + i });
  await app.database.unguard();
  const engine = await PostgresAdminEngine.connect(app.database.url);
  t.after(() => engine.close());
  const found: boolean[] = [];
  for (let statement = 1; statement <= STATEMENTS; statement++) {
    const sequence = statement + 1;
    const prune = () => app.database.run(`DELETE FROM movements WHERE sequence = ${sequence}`);
    const client = interrupted(engine.client, statement, prune);
    const keys = {
      petIds: [],
      sequences: [sequence],
      orderIds: [],
      placesOrders: false,
      addsEvents: false,
      scopes: [],
    };
    const {
      snapshot: { movements, stock },
    } = await readBatch(client, keys);
    found.push(movements.has(sequence));
    assert.ok(!movements.has(sequence) || stock.has(7n), `after statement ${statement}`);
  }
  assert.deepEqual(found, [false, false, true], 'the last statement reads the movement');
});

/** A client that runs one statement at a time, with a command after one of them. */
function interrupted(client: pg.Client, after: number, command: () => Promise<void>): pg.Client {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  const query = (statement: pg.QueryConfig) => {
    last = last.then(async () => {
      const result = await client.query(statement);
      count += 1;
      if (count === after) await command();
      return result;
    });
    return last;
  };
  return { query } as unknown as pg.Client;
}
