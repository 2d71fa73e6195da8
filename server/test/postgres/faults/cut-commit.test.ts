import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/domain/errors.ts';
import { useEngine } from '../../support/test-database.ts';
import { startHeldStore } from '../held-store.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { setQuantity } from '../support/shared-stores.ts';

useEngine(new PostgresEngine());

/** How the answers to the statements of a change begin that are the last to arrive (CommandComplete). */
const LAST_ANSWERS = { 'the COMMIT': 'C\0\0\0\x0bCOMMIT\0', 'the change of stock': 'C\0\0\0\x0dUPDATE 1\0' };

for (const [statement, answer] of Object.entries(LAST_ANSWERS)) {
  test(`a change whose connection breaks before the answer to ${statement} is unconfirmed, never "not changed"`, async (t) => {
    const { database, answers, store } = await startHeldStore(t);
    await setQuantity(store, 1n, 1_111);
    answers.cutAt(answer);
    const cause = await setQuantity(store, 1n, 2_222).catch((error: unknown) => error);
    assert.ok(cause instanceof ApiError);
    assert.deepEqual(
      [cause.code, cause.message],
      ['service_unavailable', 'The change could not be confirmed; read it back.'],
    );
    if (statement === 'the COMMIT') {
      const [[quantity] = []] = await database.rows('SELECT quantity FROM inventory WHERE pet_id = 1');
      assert.equal(quantity, 2_222, 'it was made');
    }
    assert.equal((await setQuantity(store, 1n, 3_333))?.quantity, 3_333);
  });
}
