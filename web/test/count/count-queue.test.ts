import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { afterOwnCounts, type Count } from '../../src/counts/count.ts';
import { CountQueue, isCountKey, MAX_COUNTS, QueueFullError } from '../../src/counts/count-queue.ts';
import { CountSender } from '../../src/counts/count-sender.ts';
import { detailEdits, withDetails } from '../../src/counts/detail-edits.ts';
import { nextKey } from '../../src/counts/send-count.ts';
import { rowOfLine, tagOf } from '../../src/stock/stock-row.ts';
import type { BrowserStorage } from '../../src/storage/browser-storage.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const ME = 'key_me';

class MemoryStorage implements BrowserStorage {
  readonly #items = new Map<string, string>();
  #keys: string[] = [];
  get length() {
    return this.#items.size;
  }
  key(index: number) {
    return this.#keys[index] ?? null;
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (!this.#items.has(key)) this.#keys.push(key);
    this.#items.set(key, value);
  }
  removeItem(key: string) {
    this.#items.delete(key);
    this.#keys = this.#keys.filter((one) => one !== key);
  }
}

const countOf = (number: number, fields: Partial<Count> = {}): Count => ({
  id: String(number).padStart(6, '0'),
  key: `key-${number}`,
  petId: String(number),
  name: `Pet ${number}`,
  counted: 5,
  expected: 3,
  tag: '"1-1-a"',
  countedAt: '2026-07-01T12:00:00.000Z',
  keyId: ME,
  by: 'Ada',
  state: 'waiting',
  ...fields,
});

test('counts of a later key of a person become those of the person', () => {
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1, { keyId: 'key_later' }));
  queue.add(countOf(2));
  queue.add(countOf(3, { keyId: 'key_other' }));
  queue.move('key_later', ME);
  assert.deepEqual(
    queue.counts.map(({ keyId }) => keyId),
    ['key_other', ME, ME],
  );
});

test('settled counts end, except those of one person, and what waits or needs a decision stays', () => {
  const queue = new CountQueue(new MemoryStorage());
  const states = ['sent', 'kept', 'undone', 'waiting', 'conflict', 'refused'] as const;
  for (const [index, state] of states.entries()) {
    queue.add(countOf(index, { state }));
    queue.add(countOf(10 + index, { state, keyId: 'key_other' }));
  }
  queue.endSettled(ME);
  assert.equal(queue.counts.filter(({ keyId }) => keyId === ME).length, states.length);
  queue.endSettled();
  const open = states.slice(3).flatMap((state) => [state, state]);
  assert.deepEqual(queue.counts.map(({ state }) => state).toSorted(), open.toSorted());
});

test('counts are read again from the storage, the newest first, and damaged ones are left out', () => {
  const storage = new MemoryStorage();
  const queue = new CountQueue(storage);
  queue.add(countOf(1));
  queue.add(countOf(2));
  storage.setItem('count:000003', '{"id":');
  storage.setItem('count:000004', 'null');
  storage.setItem('language', 'de');
  const again = new CountQueue(storage);
  assert.deepEqual(
    again.counts.map(({ id }) => id),
    ['000002', '000001'],
  );
});

test('a full queue makes room by recorded counts only', (t) => {
  if (isSkippedDaily(t)) return;
  const queue = new CountQueue(new MemoryStorage());
  for (let i = 1; i <= MAX_COUNTS; i += 1) queue.add(countOf(i, i === 7 ? { state: 'sent' } : {}));
  queue.add(countOf(MAX_COUNTS + 1));
  assert.equal(queue.counts.length, MAX_COUNTS);
  assert.ok(!queue.counts.some(({ id }) => id === '000007'));
  assert.throws(() => queue.add(countOf(MAX_COUNTS + 2)), QueueFullError);
});

test('a full queue makes room by the oldest recorded count', () => {
  const storage = new MemoryStorage();
  for (let i = 1; i <= MAX_COUNTS; i += 1) {
    const count = countOf(i, i === 7 || i === 9 ? { state: 'sent' } : {});
    storage.setItem(`count:${count.id}`, JSON.stringify(count));
  }
  const queue = new CountQueue(storage);
  queue.add(countOf(MAX_COUNTS + 1));
  const sent = queue.counts.filter(({ state }) => state === 'sent');
  assert.deepEqual([queue.counts.length, sent.map(({ id }) => id)], [MAX_COUNTS, ['000009']]);
});

test('what another tab does with a count is seen, also where it clears the storage', () => {
  const storage = new MemoryStorage();
  const [here, there] = [new CountQueue(storage), new CountQueue(storage)];
  here.add(countOf(1));
  assert.equal(there.counts[0]?.state, 'waiting');
  here.update('000001', { state: 'sent' });
  there.refresh();
  assert.equal(there.counts[0]?.state, 'sent');
  const keys = [null, 'count:000001', 'draft:000001'];
  assert.deepEqual(keys.map(isCountKey), [true, true, false]);
});

test('a number that is no whole one is no count', () => {
  const storage = new MemoryStorage();
  for (const counted of ['5', 1.5, null]) {
    storage.setItem('count:000001', JSON.stringify({ ...countOf(1), counted }));
    assert.deepEqual(new CountQueue(storage).counts, [], String(counted));
  }
});

test('full browser storage refuses the count', () => {
  const storage = new MemoryStorage();
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  assert.throws(() => new CountQueue(storage).add(countOf(1)), QueueFullError);
});

test('what waits is not sent with the session of somebody else, also when that begins between two counts', async () => {
  const queue = new CountQueue(new MemoryStorage());
  for (const number of [1, 2]) queue.add(countOf(number));
  let owner = ME;
  const send = async () => {
    owner = 'key_other';
    return { state: 'sent' } as const;
  };
  await new CountSender(queue, send, (keyId) => keyId === owner).run(ME);
  assert.deepEqual(
    queue.counts.map(({ id, state, isTried }) => [id, state, isTried]),
    [
      ['000002', 'waiting', undefined],
      ['000001', 'sent', true],
    ],
  );
});

test('full browser storage does not stop sending', async () => {
  const storage = new MemoryStorage();
  const queue = new CountQueue(storage);
  for (const number of [1, 2]) queue.add(countOf(number));
  const setItem = storage.setItem.bind(storage);
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const sent: string[] = [];
  const send = async ({ key }: Count) => {
    sent.push(key);
    return { state: 'sent' } as const;
  };
  await new CountSender(queue, send).run(ME);
  assert.deepEqual(sent, ['key-1', 'key-2']);
  assert.deepEqual(
    queue.counts.map(({ state }) => state),
    ['sent', 'sent'],
  );
  // A reload sends them again, and the service knows their keys.
  await new CountSender(new CountQueue(storage), send).run(ME);
  assert.deepEqual(sent.slice(2), ['key-1', 'key-2']);
  storage.setItem = setItem;
  queue.update('000001', { state: 'undone' });
  assert.equal(queue.counts[1]?.state, 'undone');
  queue.remove('000002');
  assert.deepEqual(
    new CountQueue(storage).counts.map(({ state }) => state),
    ['undone'],
  );
});

test('a count is marked before it is sent, so that it is not withdrawn meanwhile', async () => {
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1));
  const marks: unknown[] = [];
  const sender = new CountSender(queue, async () => {
    marks.push(queue.counts[0]?.isTried);
    return undefined;
  });
  await sender.run(ME);
  assert.deepEqual(marks, [true]);
  assert.equal(queue.counts[0]?.state, 'waiting');
});

test('counts are sent in their order, and an attempt without an answer keeps all that wait', async () => {
  const queue = new CountQueue(new MemoryStorage());
  for (const number of [1, 2, 3]) queue.add(countOf(number));
  queue.add(countOf(4, { keyId: 'key_other' }));
  const sent: string[] = [];
  let isOnline = true;
  const sender = new CountSender(queue, async ({ id }) => {
    if (!isOnline) return undefined;
    sent.push(id);
    isOnline = sent.length < 2;
    return { state: 'sent' };
  });
  await sender.run(ME);
  assert.deepEqual(sent, ['000001', '000002']);
  await sender.run(ME);
  isOnline = true;
  sent.length = 0;
  await sender.run(ME);
  assert.deepEqual(sent, ['000003']);
  assert.deepEqual(
    queue.counts.map(({ state }) => state),
    ['waiting', 'sent', 'sent', 'sent'],
  );
});

test('a count that is made while the last answer is handled is sent immediately', async () => {
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1));
  const sent: string[] = [];
  const sender = new CountSender(queue, async ({ id }) => {
    sent.push(id);
    return { state: 'sent' };
  });
  let isAdded = false;
  queue.subscribe(() => {
    if (isAdded || queue.counts.some(({ state }) => state === 'waiting')) return;
    isAdded = true;
    // After the sender found no other count, and before it ended.
    queueMicrotask(() => {
      queue.add(countOf(2));
      void sender.run(ME);
    });
  });
  await sender.run(ME);
  assert.deepEqual(sent, ['000001', '000002']);
});

/** The locks of the tabs of a browser; `undefined`: of a page without TLS. */
function useLocks(t: TestContext, locks: object | undefined): void {
  const before = Object.getOwnPropertyDescriptor(navigator, 'locks');
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
  t.after(() => {
    if (before) Object.defineProperty(navigator, 'locks', before);
    else delete (navigator as { locks?: object }).locks;
  });
}

test('a tab without locks sends a count once, however often it is asked to', async (t) => {
  useLocks(t, undefined);
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1));
  const sent: string[] = [];
  const sender = new CountSender(queue, async ({ id }) => {
    sent.push(id);
    await Promise.resolve();
    return { state: 'sent' };
  });
  await Promise.all([sender.run(ME), sender.run(ME)]);
  assert.deepEqual(sent, ['000001']);
});

test('two tabs without locks make an addition once that was refused because of its tag', async (t) => {
  useLocks(t, undefined);
  const storage = new MemoryStorage();
  const addition = { delta: 3, isMatched: true as const };
  new CountQueue(storage).add(countOf(1, { edit: addition }));
  const made = new Set<string>();
  /** The second tab has its answers later: its first one when the first tab has sent the addition again. */
  const answers = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
  const tab = (name: 'first' | 'second') =>
    new CountSender(new CountQueue(storage), async ({ key, edit }) => {
      if (edit?.isMatched) {
        if (name === 'second') await answers.second.promise;
        return { edit: { delta: 3 }, key: `${key}.${name}`, isTried: false };
      }
      made.add(key);
      if (name === 'first') {
        answers.second.resolve();
        await answers.first.promise;
      }
      return { state: 'sent', tag: '"2-2-b"' };
    }).run(ME);
  const tabs = [tab('first'), tab('second')];
  await answers.second.promise;
  await tabs[1];
  answers.first.resolve();
  await tabs[0];
  assert.deepEqual([...made], ['key-1.first']);
  assert.equal(new CountQueue(storage).counts[0]?.state, 'sent');
});

test('the key after a refusal is the same in each tab, and a key that the service takes', () => {
  assert.equal(nextKey('0a1b'), '0a1b.2');
  assert.equal(nextKey('0a1b.2'), '0a1b.3');
});

test('of two tabs with locks one sends a count', async (t) => {
  let last: Promise<unknown> = Promise.resolve();
  useLocks(t, {
    request: (name: string, work: () => Promise<unknown>) => {
      assert.equal(name, 'petstore-counts');
      last = last.then(work);
      return last;
    },
  });
  const storage = new MemoryStorage();
  new CountQueue(storage).add(countOf(1));
  const sent: string[] = [];
  const runInTab = () =>
    new CountSender(new CountQueue(storage), async ({ id }) => {
      sent.push(id);
      await Promise.resolve();
      return { state: 'sent' };
    }).run(ME);
  await Promise.all([runInTab(), runInTab()]);
  assert.deepEqual(sent, ['000001']);
});

test('a count moves on only the counts of its pet that were made on its state', async () => {
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1, { petId: '9', counted: 5 }));
  queue.add(countOf(2, { petId: '8' }));
  queue.add(countOf(3, { petId: '9', expected: 4, tag: '"7-7-g"' }));
  const sent: string[] = [];
  const sender = new CountSender(queue, async ({ id, tag, expected }) => {
    sent.push(`${id} ${tag} ${expected}`);
    return id === '000001' ? { state: 'sent', tag: '"2-2-b"' } : { state: 'conflict' };
  });
  await sender.run(ME);
  assert.deepEqual(sent, ['000001 "1-1-a" 3', '000002 "1-1-a" 3', '000003 "7-7-g" 4']);
});

test('a second count of a pet is sent on top of the first', async () => {
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1, { petId: '9', counted: 5 }));
  queue.add(countOf(2, { petId: '9', counted: 6 }));
  const tags: string[] = [];
  const sender = new CountSender(queue, async ({ tag }) => {
    tags.push(tag);
    return { state: 'sent', tag: `"${tags.length + 1}-${tags.length + 1}-a"` };
  });
  await sender.run(ME);
  assert.deepEqual(tags, ['"1-1-a"', '"2-2-a"']);
  assert.deepEqual(
    queue.counts.map(({ expected, counted }) => [expected, counted]),
    [
      [5, 6],
      [3, 5],
    ],
  );
});

test('a count holds for the pet as it was chosen, after the counts of this browser', () => {
  const seen = rowOfLine(['9', null, null, 3, 0, 'available', null, null, null, 4, 4, 4, null, null, []]);
  const tagged = (version: number) => tagOf({ version, lastSequence: version, updatedAtMs: version });
  const sent = countOf(1, { petId: '9', state: 'sent', counted: 6, tag: tagged(5) });
  const undone = countOf(2, { petId: '9', state: 'undone', expected: 3, tag: tagged(6) });
  const others = [
    countOf(3, { petId: '8', state: 'sent', tag: tagged(5) }),
    countOf(4, { petId: '9', tag: tagged(5) }),
    countOf(5, { petId: '9', state: 'sent', tag: tagged(8) }),
  ];
  const quantityAfter = (counts: readonly Count[]) => {
    const { version, quantity } = afterOwnCounts(seen, counts);
    return [version, quantity];
  };
  assert.deepEqual(quantityAfter(others), [4, 3]);
  assert.deepEqual(quantityAfter([sent, ...others]), [5, 6]);
  assert.deepEqual(quantityAfter([undone, sent, ...others]), [6, 3]);
});

test('a count that leaves the stock as it is moves the next one of its pet on with that stock', async () => {
  const queue = new CountQueue(new MemoryStorage());
  const tags = ['"2-2-b"', '"3-3-c"'];
  for (const number of [1, 2]) {
    queue.add(countOf(number, { petId: '7', counted: number, stocktakeId: 'stk_1' }));
  }
  const sent: Count[] = [];
  const sender = new CountSender(queue, async (count) => {
    sent.push(count);
    return { state: 'sent', tag: tags[sent.length - 1] ?? '', stock: 3 };
  });
  await sender.run(ME);
  assert.deepEqual(
    sent.map(({ counted, expected, tag, stocktakeId }) => [counted, expected, tag, stocktakeId]),
    [
      [1, 3, '"1-1-a"', 'stk_1'],
      [2, 3, '"2-2-b"', 'stk_1'],
    ],
  );
  const [last] = queue.counts;
  assert.equal(last?.stock, 3);
  const line = ['7', null, null, 3, 0, 'available', null, null, null, 1, 1, 10, null, null, []] as const;
  const row = afterOwnCounts(rowOfLine(line), queue.counts);
  assert.deepEqual([row.version, row.quantity], [3, 3]);
});

test('a count that is made after the clock was set back is still the newest one', () => {
  const queue = new CountQueue(new MemoryStorage());
  const made = [
    '2026-07-02T12:00:00.000Z first',
    '2026-07-01T12:00:00.000Z second',
    '2026-07-02T12:00:00.001Z',
  ];
  for (const [i, id] of made.entries()) queue.add(countOf(i, { id }));
  queue.add(countOf(3, { id: made[2] ?? '' }));
  assert.deepEqual(
    queue.counts.map(({ key }) => key),
    ['key-3', 'key-2', 'key-1', 'key-0'],
  );
  assert.equal(queue.next(ME)?.key, 'key-0');
});

test('a number that was typed after units were added does not overwrite a sale in between', async () => {
  const queue = new CountQueue(new MemoryStorage());
  queue.add(countOf(1, { petId: '9', edit: { delta: 3 }, expected: 10, counted: 13 }));
  queue.add(countOf(2, { petId: '9', edit: {}, expected: 10, counted: 20 }));
  const tags: string[] = [];
  const sender = new CountSender(queue, async ({ tag, edit }) => {
    tags.push(tag);
    // Somebody sold two meanwhile.
    return edit?.delta === undefined ? { state: 'conflict' } : { state: 'sent', tag: '"3-3-c"', stock: 11 };
  });
  await sender.run(ME);
  assert.deepEqual(tags, ['"1-1-a"', '"1-1-a"'], 'it names what the person saw');
});

test('a reservation that a count does not mind is none for the next count of the pet either', async () => {
  const queue = new CountQueue(new MemoryStorage());
  for (const number of [1, 2]) queue.add(countOf(number, { petId: '9', counted: number }));
  const sent: string[] = [];
  const sender = new CountSender(queue, async ({ counted, tag }) => {
    // With the quantity from which the second one goes on.
    sent.push(`${counted} ${tag} ${queue.counts[0]?.expected}`);
    if (tag === '"1-1-a"') return { tag: '"2-2-b"', key: 'key-again' };
    return { state: 'sent', tag: '"3-3-c"' };
  });
  await sender.run(ME);
  assert.deepEqual(sent, ['1 "1-1-a" 3', '1 "2-2-b" 3', '2 "3-3-c" 1']);
});

test('details of a pet that was sold meanwhile move no count on, and those of an unchanged one do', async () => {
  for (const stock of [2, undefined]) {
    const queue = new CountQueue(new MemoryStorage());
    const details = { values: { name: 'Rex' }, before: { name: 'Bello' } };
    queue.add(countOf(1, { petId: '9', expected: 3, counted: 3, edit: { details } }));
    queue.add(countOf(2, { petId: '9', expected: 3, counted: 7 }));
    const tags: string[] = [];
    const sender = new CountSender(queue, async ({ tag, edit }) => {
      tags.push(tag);
      return edit
        ? { state: 'sent', tag: '"3-3-c"', ...(stock !== undefined && { stock }) }
        : { state: 'sent' };
    });
    await sender.run(ME);
    assert.deepEqual(tags, ['"1-1-a"', stock === undefined ? '"3-3-c"' : '"1-1-a"']);
    assert.equal(queue.counts[0]?.expected, 3);
  }
});

test('a pet shows the details that wait, and recorded ones until it is read again', () => {
  const details = (name: string) => ({ edit: { details: { values: { name }, before: { name: null } } } });
  const counts = [
    countOf(4, { petId: '9', ...details('other'), keyId: 'key_other' }),
    countOf(3, { petId: '9', ...details('decided'), state: 'conflict' }),
    countOf(2, { petId: '9', ...details('second') }),
    countOf(1, { petId: '9', ...details('first'), state: 'sent', tag: '"5-5-a"' }),
  ];
  const edits = detailEdits(counts, ME).get('9');
  for (const version of [4, 5])
    assert.equal(withDetails({ version, name: 'stored' }, edits).name, 'second', String(version));
  const recorded = detailEdits(counts.slice(3), ME).get('9');
  assert.equal(withDetails({ version: 4, name: 'stored' }, recorded).name, 'first');
  assert.equal(withDetails({ version: 5, name: 'stored' }, recorded).name, 'stored');
});
