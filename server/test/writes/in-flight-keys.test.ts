import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteOutcome } from '../../src/domain/write-command.ts';
import { InFlightKeys } from '../../src/http/writes/idempotency-key.ts';

const WRITTEN = { kind: 'written' } as WriteOutcome;
const REPLAYED = { kind: 'replayed' } as WriteOutcome;
const of = (fingerprint: string) => ({ scope: 'a key', fingerprint });

/** A write that ends when the test says so. */
function heldWrite() {
  const { promise, resolve, reject } = Promise.withResolvers<WriteOutcome>();
  const write = { runs: 0, resolve, reject };
  return Object.assign(write, {
    run: () => {
      write.runs += 1;
      return promise;
    },
  });
}

test('the same request does not run while it is running, and is refused unless it is a repetition', async () => {
  for (const outcome of [WRITTEN, REPLAYED]) {
    const keys = new InFlightKeys();
    const [first, second] = [heldWrite(), heldWrite()];
    const answer = keys.run(of('one'), first.run);
    const repeated = Promise.allSettled([keys.run(of('one'), second.run)]);
    second.resolve(REPLAYED);
    first.resolve(outcome);
    assert.equal(await answer, outcome);
    const [end] = await repeated;
    if (end.status === 'fulfilled') assert.equal(end.value, REPLAYED);
    else
      assert.deepEqual(
        [outcome, (end.reason as { code: string }).code],
        [WRITTEN, 'idempotency_in_progress'],
      );
    assert.equal(second.runs, 0);
    const later = heldWrite();
    later.resolve(REPLAYED);
    assert.equal(await keys.run(of('one'), later.run), REPLAYED, 'the key is free again');
  }
});

test('another request with the key runs after the end of the first, also after its failure', async () => {
  for (const isFailed of [false, true]) {
    const keys = new InFlightKeys();
    const [first, second] = [heldWrite(), heldWrite()];
    const answer = Promise.allSettled([keys.run(of('one'), first.run)]);
    const other = keys.run(of('another'), second.run);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(second.runs, 0);
    second.resolve({ kind: 'key_reused' });
    if (isFailed) first.reject(new Error('The disk is full.'));
    else first.resolve(WRITTEN);
    await answer;
    assert.deepEqual(await other, { kind: 'key_reused' });
    assert.equal(second.runs, 1);
  }
});

test('of several other requests with the key each waits for the one before', async () => {
  const keys = new InFlightKeys();
  const writes = [heldWrite(), heldWrite(), heldWrite()];
  const answers = writes.map(({ run }, i) => keys.run(of(`request ${i}`), run));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let ended = 0; ended < 3; ended += 1) {
    await turn();
    assert.deepEqual(
      writes.map(({ runs }) => runs),
      writes.map((_, i) => (i <= ended ? 1 : 0)),
    );
    writes[ended]?.resolve(WRITTEN);
  }
  await Promise.all(answers);
});
