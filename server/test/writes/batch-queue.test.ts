import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/domain/errors.ts';
import { BatchQueue, type BatchQueueLimits, MAX_EXPECTED_WAIT_MS } from '../../src/store/batch-queue.ts';
import { DatabaseBusy } from '../../src/store/errors.ts';

/** A queue whose commits end when the test ends them. */
class HeldQueue {
  readonly batches: number[][] = [];
  readonly queue: BatchQueue<number, string>;
  #ends: { resolve: (results: string[]) => void; reject: (reason: Error) => void }[] = [];

  constructor(limits: Partial<BatchQueueLimits> = {}) {
    const commit = (writes: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        this.batches.push(writes);
        this.#ends.push({ resolve, reject });
      });
    this.queue = new BatchQueue(commit, { batchSize: 100, waiting: 1_000, ...limits });
  }

  submit(...writes: number[]): Promise<PromiseSettledResult<string>[]> {
    return Promise.allSettled(writes.map((write) => this.queue.submit(write)));
  }

  async begun(count: number): Promise<void> {
    for (let turn = 0; this.batches.length < count && turn < 1_000; turn += 1) await nextTurn();
    assert.equal(this.batches.length, count, `${count} commits have begun`);
  }

  succeed(): void {
    this.#ends.shift()?.resolve((this.batches.at(-1) ?? []).map((write) => `done ${write}`));
  }

  fail(reason: Error): void {
    this.#ends.shift()?.reject(reason);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function values(settled: readonly PromiseSettledResult<string>[]): string[] {
  return settled.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)));
}

test('writes that arrive in one turn of the event loop are one commit', async () => {
  const held = new HeldQueue();
  const answers = held.submit(1, 2, 3);
  await held.begun(1);
  assert.deepEqual(held.batches, [[1, 2, 3]]);
  held.succeed();
  assert.deepEqual(values(await answers), ['done 1', 'done 2', 'done 3']);
});

test('a lone caller waits for one turn, and after a commit of several the next one waits for more', async () => {
  const held = new HeldQueue();
  const waitedTurns = async (...writes: number[]) => {
    const { length } = held.batches;
    const answers = held.submit(...writes);
    let turns = 0;
    for (; held.batches.length === length; turns += 1) await nextTurn();
    held.succeed();
    await answers;
    return turns;
  };
  assert.equal(await waitedTurns(1), 1);
  assert.equal(await waitedTurns(2, 3), 1);
  assert.equal(await waitedTurns(4), 3);
  assert.equal(await waitedTurns(5), 1);
});

test('writes that arrive during a commit share the next one, in order', async () => {
  const held = new HeldQueue();
  const first = held.submit(1);
  await held.begun(1);
  const second = held.submit(2, 3);
  await nextTurn();
  const third = held.submit(4);
  // More turns than a batch waits for others.
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  assert.deepEqual(held.batches, [[1]], 'one commit runs at a time');
  held.succeed();
  await held.begun(2);
  assert.deepEqual(held.batches, [[1], [2, 3, 4]]);
  assert.deepEqual(values(await first), ['done 1']);
  held.succeed();
  assert.deepEqual(values([...(await second), ...(await third)]), ['done 2', 'done 3', 'done 4']);
});

test('no write is answered before its own commit has ended', async () => {
  const held = new HeldQueue();
  let answered = 0;
  const answers = [1, 2].map((write) => held.queue.submit(write).then(() => (answered += 1)));
  await held.begun(1);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  assert.equal(answered, 0);
  held.succeed();
  await Promise.all(answers);
  assert.equal(answered, 2);
});

test('a commit never has more writes than its size, and none is left behind', async () => {
  const held = new HeldQueue({ batchSize: 3 });
  const answers = held.submit(1, 2, 3, 4, 5, 6, 7);
  for (const begun of [1, 2, 3]) {
    await held.begun(begun);
    held.succeed();
  }
  assert.deepEqual(held.batches, [[1, 2, 3], [4, 5, 6], [7]]);
  assert.equal(values(await answers).at(-1), 'done 7');
});

test('a commit that fails fails for all its writes alike, and the next one succeeds', async () => {
  const held = new HeldQueue();
  const failed = held.submit(1, 2);
  await held.begun(1);
  const later = held.submit(3);
  held.fail(new Error('no space'));
  assert.deepEqual(values(await failed), ['Error: no space', 'Error: no space']);
  await held.begun(2);
  held.succeed();
  assert.deepEqual(values(await later), ['done 3']);
});

test('writes behind a commit that found the database busy are refused with it, because they have waited as long', async () => {
  const held = new HeldQueue({ waiting: 2 });
  const first = held.submit(1);
  await held.begun(1);
  const behind = held.submit(2, 3);
  held.fail(new DatabaseBusy(new Error('locked')));
  const settled = [...(await first), ...(await behind)];
  assert.deepEqual(values(settled), Array(3).fill('ApiError: The database is busy.'));
  const later = held.submit(4, 5);
  await held.begun(2);
  held.succeed();
  assert.deepEqual(values(await later), ['done 4', 'done 5']);
});

test('a write to a full queue is refused immediately with 503, and freed room is used again', async () => {
  const held = new HeldQueue({ waiting: 2 });
  const first = held.submit(1);
  await held.begun(1);
  const waiting = held.submit(2, 3);
  await assert.rejects(held.queue.submit(4), (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.status], ['service_unavailable', 503]);
    assert.match(error.headers['Retry-After'] ?? '', /^[1-9]\d*$/);
    return true;
  });
  held.succeed();
  await held.begun(2);
  const after = held.submit(5);
  held.succeed();
  await held.begun(3);
  held.succeed();
  assert.deepEqual(values([...(await first), ...(await waiting), ...(await after)]), [
    'done 1',
    'done 2',
    'done 3',
    'done 5',
  ]);
});

test('a write behind a batch that hangs is refused, and those that wait are written when it ends', async () => {
  let nowMs = 0;
  const held = new HeldQueue({ clock: () => nowMs });
  const first = held.submit(1);
  await held.begun(1);
  nowMs = MAX_EXPECTED_WAIT_MS;
  const waiting = held.submit(2);
  nowMs += 1;
  await assert.rejects(held.queue.submit(3), {
    code: 'service_unavailable',
    headers: { 'Retry-After': '1' },
  });
  const own = held.queue.submitAlways(4);
  held.succeed();
  await held.begun(2);
  held.succeed();
  assert.deepEqual(values([...(await first), ...(await waiting)]), ['done 1', 'done 2']);
  assert.equal(await own, 'done 4');
  // The batch that hung was the last but one.
  const after = held.submit(5);
  await held.begun(3);
  held.succeed();
  assert.deepEqual(values(await after), ['done 5']);
});

test('a write is refused when the batches before it would take too long', async () => {
  let nowMs = 0;
  const held = new HeldQueue({ batchSize: 10, clock: () => nowMs });
  const first = held.submit(...range(0, 10));
  await held.begun(1);
  const accepted = held.submit(...range(10, 40));
  nowMs += 500;
  held.succeed();
  await held.begun(2);
  // 20 wait, two batches of 500 ms; with 30 the next write would wait for three.
  const last = held.submit(...range(40, 50));
  nowMs += 1;
  const late = held.submit(50);
  assert.equal(held.queue.expectedWaitMs(), 1_501);
  assert.match(values(await late)[0] as string, /ApiError: Too much is waiting/);
  nowMs += 99;
  held.succeed();
  // Between two batches, those before a new write count too, and the last one took 100 ms.
  await nextTurn();
  assert.equal(held.queue.expectedWaitMs(), 300);
  for (const begun of [3, 4, 5]) {
    await held.begun(begun);
    held.succeed();
  }
  const written = values([...(await first), ...(await accepted), ...(await last)]);
  assert.deepEqual(
    written,
    range(0, 50).map((write) => `done ${write}`),
  );
});

test('draining waits for running and queued writes, and ends immediately when there is none', async () => {
  const held = new HeldQueue({ batchSize: 1 });
  await held.queue.drain();
  const answers = held.submit(1, 2);
  let isDrained = false;
  const drained = held.queue.drain().then(() => {
    isDrained = true;
  });
  for (const begun of [1, 2]) {
    await held.begun(begun);
    assert.equal(isDrained, false);
    held.succeed();
  }
  await drained;
  assert.deepEqual(values(await answers), ['done 1', 'done 2']);
});

test('draining also ends when the running commit fails', async () => {
  const held = new HeldQueue();
  const answers = held.submit(1);
  const drained = held.queue.drain();
  await held.begun(1);
  held.fail(new Error('no space'));
  await drained;
  assert.deepEqual(values(await answers), ['Error: no space']);
});

test('a batch takes as much weight as it may hold, and a single heavier item alone', async () => {
  const batches: number[][] = [];
  const queue = new BatchQueue<number, number>(
    async (items) => {
      batches.push(items);
      return items;
    },
    { batchSize: 10, waiting: 1_000 },
    (item) => item,
  );
  const items = [4, 5, 2, 30, 1, 9, 1];
  assert.deepEqual(await Promise.all(items.map((item) => queue.submit(item))), items);
  assert.deepEqual(batches, [[4, 5], [2], [30], [1, 9], [1]]);
});

test('the queue is limited by weight', async () => {
  const queue = new BatchQueue<number, number>(
    async (items) => items,
    { batchSize: 10, waiting: 10 },
    (item) => item,
  );
  const first = queue.submit(12);
  await assert.rejects(queue.submit(1), { code: 'service_unavailable' });
  assert.equal(await first, 12);
  assert.equal(await queue.submit(1), 1);
});

test('a configured pause separates batches, and ends the drain', async () => {
  const held = new HeldQueue({ pauseMs: 40 });
  const first = held.submit(1);
  await held.begun(1);
  const second = held.submit(2);
  held.succeed();
  await first;
  const endedAtMs = performance.now();
  while (held.batches.length < 2) await nextTurn();
  assert.ok(performance.now() - endedAtMs >= 35, `${performance.now() - endedAtMs} ms`);
  held.succeed();
  await second;
  await held.queue.drain();
  assert.deepEqual(held.batches, [[1], [2]]);
});
