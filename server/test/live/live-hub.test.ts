import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Principal } from '../../src/domain/access/principal.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { type LiveClient, LiveRoom } from './live-readers.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Runs all pending callbacks of this process. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a reader first receives its start sequence, and then each movement after its commit', async () => {
  const room = new LiveRoom();
  room.store.append(3);
  const reader = room.open();
  await reader.take();
  assert.deepEqual(reader.events, []);
  assert.equal(reader.parser.lastEventId, '3');
  assert.ok((reader.parser.retryMs ?? 0) >= 1_000);
  room.store.append(2);
  await reader.takeMovements(2);
  reader.assertLedger();
  assert.equal(reader.parser.lastEventId, '5');
  await reader.cancel();
});

const step = fc.record({
  what: fc.constantFrom(
    ...['append', 'append', 'append', 'open', 'open', 'take', 'take', 'take', 'take'],
    ...['leave', 'silence', 'break', 'second'],
  ),
  size: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

/** One random step. Returns the pending read of a reader, or its disconnect. */
function play(
  room: LiveRoom,
  readers: LiveClient[],
  what: string,
  size: number,
): Promise<unknown> | undefined {
  const { store } = room;
  const which = Math.floor(size * readers.length);
  if (what === 'append') store.append(Math.ceil(size * 700));
  else if (what === 'open') readers.push(room.open(Math.floor(size * store.length)));
  else if (what === 'silence') store.isSilent = !store.isSilent;
  else if (what === 'break') store.isGone = !store.isGone;
  else if (what === 'second') room.pass(1);
  else if (what === 'take') return readers[which]?.take();
  else if (readers.length > 1) return readers.splice(which, 1)[0]?.cancel();
  return undefined;
}

test('each reader receives the ledger from its start, for any order of reads, writes and database errors', async (t) => {
  if (isSkippedDaily(t)) return;
  let received = 0;
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const room = new LiveRoom();
    // These movements are older than the buffer and come from the ledger.
    room.store.append(2_000);
    const readers = [room.open(0)];
    const pending: Promise<unknown>[] = [];
    for (const { what, size } of steps) {
      const taking = play(room, readers, what, size);
      if (taking) pending.push(taking);
      await new Promise((resolve) => setImmediate(resolve));
    }
    room.store.isGone = false;
    // A pending query may still fail; the hub repeats it after a second.
    for (let i = 0; i < 2; i += 1) {
      await settle();
      room.pass(1);
    }
    for (const reader of readers) {
      await reader.takeUntil(String(room.store.length));
      reader.assertLedger();
      received += reader.movements.length;
      await reader.cancel();
    }
    await Promise.all(pending);
    assert.equal(room.live.readerCount, 0);
    assert.equal(room.store.listenerCount, 0);
    assert.equal(room.isTicking, false);
  });
  await fc.assert(property, { numRuns: 20 });
  assert.ok(received > 10_000, `only ${received} movements were received`);
});

test('a movement that is committed between the request and the stream follows without a notification', async () => {
  const room = new LiveRoom();
  room.store.append(3);
  const head = room.store.headNow();
  room.store.append(1);
  const reader = room.follow(head);
  const pages = reader.takeMovements(1);
  await settle();
  assert.equal(reader.movements.length, 1);
  await pages;
  reader.assertLedger();
});

test('after its last reader a hub asks its store nothing more', async () => {
  const room = new LiveRoom();
  const readers = [room.open(), room.open()];
  await readers[0]?.cancel();
  assert.deepEqual([room.store.listenerCount, room.isTicking], [1, true]);
  await readers[1]?.cancel();
  assert.deepEqual([room.store.listenerCount, room.isTicking], [0, false]);
  const reader = room.open();
  room.store.append(1);
  await reader.takeMovements(1);
  assert.equal(room.store.listenerCount, 1);
});

test('readers at the same place are handed the same bytes, read once', async () => {
  const room = new LiveRoom();
  const readers = Array.from({ length: 50 }, () => room.open());
  for (const reader of readers) await reader.take();
  const pages = readers.map((reader) => reader.take());
  await settle();
  const before = room.store.pagesRead;
  room.store.append(3);
  await Promise.all(pages);
  assert.equal(room.store.pagesRead, before + 1);
  for (const { pieces } of readers) assert.equal(pieces[1], readers[0]?.pieces[1]);
});

test('readers that reconnect together share the pages that they have missed', async () => {
  const room = new LiveRoom();
  room.store.append(1_000);
  const readers = Array.from({ length: 100 }, (_, i) => room.open(500 + (i % 10)));
  await Promise.all(readers.map((reader, i) => reader.takeMovements(500 - (i % 10))));
  for (const reader of readers) reader.assertLedger();
  assert.ok(room.store.pagesRead < 20, `${room.store.pagesRead} pages`);
});

test('a reader behind the buffer continues from the ledger, from any position', async (t) => {
  if (isSkippedDaily(t)) return;
  const room = new LiveRoom();
  const first = room.open();
  for (let i = 0; i < 20; i += 1) {
    room.store.append(1_000);
    await first.takeUntil(String(room.store.length));
  }
  const readers = Array.from({ length: 12 }, (_, i) => room.open(i * 1_613));
  await Promise.all(readers.map((reader) => reader.takeUntil('20000')));
  for (const reader of [first, ...readers]) reader.assertLedger();
});

test('a commit without a notification arrives within a second', async () => {
  const room = new LiveRoom();
  const reader = room.open();
  room.store.isSilent = true;
  await settle();
  room.store.append(1);
  const pages = reader.takeMovements(1);
  await settle();
  assert.equal(reader.movements.length, 0);
  room.pass(1);
  await pages;
  reader.assertLedger();
});

test('a comment follows after 15 seconds without an event, and not earlier', async () => {
  const room = new LiveRoom();
  const reader = room.open();
  await reader.take();
  const pages = reader.take();
  room.pass(14);
  await settle();
  assert.equal(reader.parser.comments, 0);
  room.pass(1);
  await pages;
  assert.equal(reader.parser.comments, 1);
  const more = reader.take();
  room.pass(14);
  await settle();
  assert.equal(reader.parser.comments, 1);
  room.pass(1);
  await more;
  assert.equal(reader.parser.comments, 2);
  assert.deepEqual(reader.events, []);
});

test('a reader that reads nothing for 30 seconds gets an end event, is disconnected, and can resume', async () => {
  const room = new LiveRoom();
  const slow = room.open();
  await slow.take();
  room.store.append(1);
  await slow.takeMovements(1);
  room.pass(120);
  assert.equal(room.live.readerCount, 1, 'there was nothing for it');
  room.store.append(5);
  await settle();
  room.pass(30);
  assert.equal(room.live.readerCount, 1);
  await slow.takeMovements(6);
  room.store.append(5);
  await settle();
  room.pass(30);
  assert.equal(room.live.readerCount, 1, 'it has read one piece since');
  room.pass(1);
  assert.equal(room.live.readerCount, 0);
  await slow.takeAll();
  assert.deepEqual({ ...slow.error, message: '' }, { code: 'service_unavailable', message: '', status: 503 });
  assert.match(slow.error.message, /took nothing for 30 seconds.*Last-Event-ID/);
  assert.equal(slow.parser.lastEventId, '6');
  const again = room.open(Number(slow.parser.lastEventId));
  await again.takeMovements(5);
  again.assertLedger();
});

test('a reader that falls 100,000 movements behind without reading is disconnected within seconds; one that reads is not', async (t) => {
  if (isSkippedDaily(t)) return;
  const room = new LiveRoom();
  const slow = room.open();
  const reading = room.open();
  await slow.takeMovements(0);
  const done = reading.takeMovements(100_001);
  room.store.append(100_001);
  await done;
  for (let i = 0; i < 6; i += 1) room.pass(1);
  assert.equal(room.live.readerCount, 1);
  await slow.takeAll();
  assert.match(slow.error.message, /fell 100001 movements behind.*Last-Event-ID/);
  reading.assertLedger();
});

test('a reader that is far behind has five seconds, and then its stream ends', async () => {
  const room = new LiveRoom();
  // So that the hub does not find out that there are no movements.
  room.store.isGone = true;
  const reader = room.follow({ sequence: 100_001, recordedAtMs: 0 }, 0);
  room.pass(5);
  assert.equal(room.live.readerCount, 1);
  room.pass(1);
  assert.equal(room.live.readerCount, 0);
  await reader.takeAll();
  assert.match(reader.error.message, /fell 100001 movements behind.*Last-Event-ID/);
});

test('while the ledger cannot be read streams stay open, and then nothing is skipped', async () => {
  const room = new LiveRoom();
  room.store.append(2_000);
  const live = room.open();
  const behind = room.open(0);
  await live.take();
  await behind.take();
  room.store.isGone = true;
  const all = Promise.all([live.takeMovements(10), behind.takeMovements(2_010)]);
  room.store.append(10);
  await settle();
  for (let i = 0; i < 60; i += 1) {
    room.pass(1);
    await settle();
  }
  assert.ok(live.parser.comments >= 3 && behind.parser.comments >= 3, 'heartbeats went on');
  assert.equal(live.movements.length + behind.movements.length, 0);
  assert.equal(room.errors.length, 1, 'the error was reported once');
  room.store.isGone = false;
  room.pass(1);
  await all;
  live.assertLedger();
  behind.assertLedger();
});

test('a reader whose next movement is pruned receives an error instead of a gap', async () => {
  const room = new LiveRoom();
  room.store.append(3_000);
  const behind = room.open(100);
  const live = room.open();
  await behind.takeMovements(1);
  room.store.prune(2_000);
  await behind.takeAll();
  assert.equal(behind.error.code, 'history_pruned');
  assert.equal(behind.error.status, 410);
  behind.assertLedger();
  room.store.append(1);
  await live.takeMovements(1);
  live.assertLedger();
  // This also holds for a movement that it had not yet received.
  room.store.isSilent = true;
  room.store.append(100);
  room.store.prune(3_050);
  const ended = live.takeAll();
  room.pass(1);
  await ended;
  assert.equal(live.error.code, 'history_pruned');
  live.assertLedger();
});

test('a reader behind a prune does not end one whose movements are kept', async () => {
  const room = new LiveRoom();
  room.store.append(3_000);
  const pruned = [100, 300, 500, 700].map((after) => room.open(after));
  // It waits for the pages of these four.
  const kept = room.open(2_500);
  room.store.prune(2_000);
  const taken = [...pruned.map((reader) => reader.takeAll()), kept.takeMovements(500)];
  await Promise.all(taken);
  for (const { error } of pruned) assert.equal(error.code, 'history_pruned');
  assert.equal(kept.movements.length, 500);
  kept.assertLedger();
});

test('readers far apart read four pages concurrently, and not more', async () => {
  const room = new LiveRoom();
  room.store.append(2_000);
  const { ledger } = room.store;
  const list = ledger.listMovements;
  const running = { now: 0, most: 0 };
  ledger.listMovements = async (query) => {
    running.now += 1;
    running.most = Math.max(running.most, running.now);
    await settle();
    running.now -= 1;
    return list(query);
  };
  const readers = Array.from({ length: 10 }, (_, i) => room.open(i * 200));
  await Promise.all(readers.map((reader) => reader.takeMovements(1)));
  for (const reader of readers) reader.assertLedger();
  assert.equal(running.most, 4);
});

test('when the ledger ends before the position of a reader, its stream ends', async () => {
  const room = new LiveRoom();
  room.store.append(10);
  const reader = room.open(5);
  await reader.takeMovements(5);
  room.store.cutTo(7);
  room.pass(1);
  await reader.takeAll();
  assert.match(reader.error.message, /replaced/);
});

test('when a longer, different ledger replaces the old one, every stream ends, and new readers receive the new ledger', async () => {
  const room = new LiveRoom();
  room.store.append(10);
  const readers = [room.open(5), room.open(10)];
  await readers[0]?.takeMovements(5);
  room.store.append(1);
  await Promise.all([readers[0]?.takeMovements(6), readers[1]?.takeMovements(1)]);
  const ended = Promise.all(readers.map((reader) => reader.takeAll()));
  room.store.divergeAfter(8, 20);
  await ended;
  for (const { error, parser } of readers) {
    assert.match(error.message, /replaced/);
    assert.equal(parser.lastEventId, '11', 'nothing of the new ledger was sent');
  }
  const later = room.open(8);
  await later.takeMovements(20);
  room.store.append(2);
  await later.takeMovements(22);
  later.assertLedger();
});

test('a stream that has sent nothing yet ends when a longer, different ledger replaces that of its start', async () => {
  const room = new LiveRoom();
  room.store.append(10);
  const idle = room.open();
  await idle.take();
  await settle();
  room.store.divergeAfter(8, 20);
  await idle.takeAll();
  assert.match(idle.error.message, /replaced/);
  assert.equal(idle.movements.length, 0);
  assert.equal(room.errors.length, 0);
});

test('a stream ends whose ledger was replaced before the first movement of its start could be read', async () => {
  const room = new LiveRoom();
  room.store.append(10);
  room.store.isGone = true;
  const idle = room.open();
  await idle.take();
  await settle();
  room.store.isGone = false;
  room.store.divergeAfter(8, 20);
  room.pass(1);
  await idle.takeAll();
  assert.match(idle.error.message, /replaced/);
  assert.equal(idle.movements.length, 0);
});

for (const code of ['revoked_api_key', 'expired_api_key'] as const) {
  test(`a key ends its streams within a second of being refused as ${code}`, async () => {
    const room = new LiveRoom();
    const reader = room.open(0, 5_000);
    room.identity = { key: { expiresAtMs: 5_000 } } as Principal;
    const all = reader.takeAll();
    room.pass(4);
    await settle();
    assert.equal(room.live.readerCount, 1);
    room.identity = new ApiError(code, 'The API key is not good any more.');
    if (code === 'revoked_api_key') room.store.version += 1;
    else room.nowMs += 1;
    room.pass(1);
    await all;
    assert.deepEqual(reader.error, { code, message: room.identity.message, status: 401 });
    assert.equal(room.live.readerCount, 0);
  });
}

test('a key that gets an end while its stream is open ends it then, and is checked only when it must', async () => {
  let checks = 0;
  const room: LiveRoom = new LiveRoom({
    authenticate: () => {
      checks += 1;
      return room.identity;
    },
  });
  const reader = room.open(0, null);
  const all = reader.takeAll();
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      room.pass(1);
      await settle();
    }
    return [checks, room.live.readerCount];
  };
  assert.deepEqual(await pass(3), [1, 1]);
  // As after a rotation with an overlap.
  room.identity = { key: { expiresAtMs: 7_000 } } as Principal;
  room.store.version += 1;
  assert.deepEqual(await pass(3), [2, 1]);
  room.identity = new ApiError('expired_api_key', 'The API key is not good any more.');
  assert.deepEqual(await pass(1), [3, 0]);
  await all;
});

test('a revoked key ends all of its streams, also when a database error came between', async () => {
  const room = new LiveRoom();
  const readers = [room.open(), room.open()];
  const all = Promise.all(readers.map((reader) => reader.takeAll()));
  room.store.isGone = true;
  room.pass(1);
  await settle();
  assert.equal(room.live.readerCount, 2);
  room.store.isGone = false;
  room.identity = new ApiError('revoked_api_key', 'The API key is not good any more.');
  room.store.version += 1;
  room.pass(1);
  await settle();
  assert.equal(room.live.readerCount, 0);
  await all;
  for (const { error } of readers) assert.equal(error.code, 'revoked_api_key');
});

test('no check of keys begins before the one before it has ended', async () => {
  let checks = 0;
  let finish = () => {};
  const authenticate = () => {
    checks += 1;
    return new Promise<Principal>((resolve) => {
      finish = () => resolve({ key: { expiresAtMs: null } } as Principal);
    });
  };
  const room = new LiveRoom({ authenticate });
  const reader = room.open();
  room.pass(3);
  await settle();
  assert.equal(checks, 1);
  room.store.version += 1;
  finish();
  await settle();
  room.pass(1);
  await settle();
  assert.equal(checks, 2);
  await reader.cancel();
});

test('an instance that stops ends every stream immediately, and refuses later ones', async () => {
  const room = new LiveRoom();
  const reader = room.open();
  room.live.end();
  await reader.takeAll();
  assert.match(reader.error.message, /stops or restarts.*Last-Event-ID/);
  // Not a 200 that ends: a client without a pause would connect hundreds of times while the balancer still sends it here.
  assert.throws(() => room.open(), {
    code: 'service_unavailable',
    headers: { 'Retry-After': '2' },
    message: /stops or restarts.*Last-Event-ID/,
  });
  assert.equal(room.live.readerCount, 0);
  assert.equal(room.isTicking, false);
});

test('a stream may be silent for longer than a response, and a stop waits a second for one who takes nothing', async () => {
  const room = new LiveRoom();
  const open = () => {
    const calls: unknown[] = [];
    const peer = {
      allowSilence: (seconds: number) => calls.push(seconds),
      followClient: () => calls.push('follows'),
    };
    return { reader: room.follow(room.store.headNow(), undefined, peer), calls };
  };
  const [taking, slow] = [open(), open()];
  const all = taking.reader.takeAll();
  await settle();
  assert.deepEqual(
    [taking.calls, slow.calls],
    [
      [60, 'follows'],
      [60, 'follows'],
    ],
  );
  room.live.end();
  await all;
  assert.deepEqual(
    [taking.calls, slow.calls],
    [
      [60, 'follows'],
      [60, 'follows', 1],
    ],
  );
});

test('a reader above the limit is refused, and admitted after another one disconnects', async () => {
  const room = new LiveRoom({ maxReaders: 2 });
  const reader = room.open(0, null, 'a');
  room.open(0, null, 'b');
  assert.throws(() => room.open(0, null, 'c'), {
    code: 'service_unavailable',
    headers: { 'Retry-After': '5' },
  });
  await reader.cancel();
  room.open(0, null, 'c');
  assert.equal(room.live.readerCount, 2);
});

test('no account has more than a quarter of the readers, even if its plan allows more', async () => {
  const room = new LiveRoom({ maxReaders: 50 });
  const readers = Array.from({ length: 12 }, () => room.open(0, null, 'a', 60));
  assert.throws(() => room.open(0, null, 'a', 60), {
    code: 'service_unavailable',
    headers: { 'Retry-After': '5' },
    message: /^Your account or management key has 12 live streams open here/,
  });
  for (const account of ['b', 'c', 'd']) for (let i = 0; i < 12; i += 1) room.open(0, null, account, 60);
  assert.equal(room.live.readerCount, 48);
  await readers[0]?.cancel();
  room.open(0, null, 'a', 60);
});

test('an account has one reader, even if the instance allows very few', () => {
  const room = new LiveRoom({ maxReaders: 3 });
  for (const account of ['a', 'b', 'c']) room.open(0, null, account);
  assert.equal(room.live.readerCount, 3);
});

test('an account can use its whole limit of concurrent readers, independent of other accounts', async () => {
  const room = new LiveRoom({ maxReaders: 20 });
  const [first] = [room.open(0, null, 'a', 2), room.open(0, null, 'a', 2)];
  assert.throws(() => room.open(0, null, 'a', 2), {
    code: 'service_unavailable',
    headers: { 'Retry-After': '5' },
    message: /^Your account or management key has 2 live streams open here, and may have 2\./,
  });
  assert.throws(() => room.open(0, null, 'a', 1), {
    message: /^Your account or management key has 2 live streams open here, and may have 1\./,
  });
  const other = room.open(0, null, 'b', 1);
  await first.cancel();
  room.open(0, null, 'a', 2);
  assert.throws(() => room.open(0, null, 'a', 2), { message: /has 2 live streams open here/ });
  await other.cancel();
  room.open(0, null, 'b', 1);
  assert.equal(room.live.readerCount, 3);
});
