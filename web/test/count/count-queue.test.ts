import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterOwnCounts, type Count } from '../../src/counts/count.ts';
import { CountQueue, MAX_COUNTS, QueueFullError } from '../../src/counts/count-queue.ts';
import { CountSender } from '../../src/counts/count-sender.ts';
import { ScanBurst } from '../../src/pages/count/scan-burst.ts';
import { petIdOf } from '../../src/stock/codes.ts';
import { rowOfLine, tagOf } from '../../src/stock/stock-row.ts';
import type { BrowserStorage } from '../../src/storage/browser-storage.ts';

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

test('a full queue makes room by recorded counts only', () => {
  const queue = new CountQueue(new MemoryStorage());
  for (let i = 1; i <= MAX_COUNTS; i += 1) queue.add(countOf(i, i === 7 ? { state: 'sent' } : {}));
  queue.add(countOf(MAX_COUNTS + 1));
  assert.equal(queue.counts.length, MAX_COUNTS);
  assert.ok(!queue.counts.some(({ id }) => id === '000007'));
  assert.throws(() => queue.add(countOf(MAX_COUNTS + 2)), QueueFullError);
});

test('full browser storage refuses the count', () => {
  const storage = new MemoryStorage();
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  assert.throws(() => new CountQueue(storage).add(countOf(1)), QueueFullError);
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

/** What the last key leads to, with each key as its name and its time; `⏎` and `⇥` are Enter and Tab. */
function pressed(keys: string, timesMs: readonly number[], minLength?: number) {
  const burst = new ScanBurst();
  const names: Readonly<Record<string, string>> = { '⏎': 'Enter', '⇥': 'Tab' };
  const found = [...keys].map((key, i) => burst.press(names[key] ?? key, timesMs[i] ?? 0, minLength)).at(-1);
  return typeof found === 'object' ? found.code : burst.rest()?.code;
}
const every = (gapMs: number, keys: string) => Array.from(keys, (_key, i) => 1_000 + i * gapMs);

test('keys of scanners are codes, those of a person are none', () => {
  const scans: readonly (readonly [scanner: string, keys: string, times: readonly number[], code: string])[] =
    [
      ['USB, Enter', '4711⏎', every(2, '4711⏎'), '4711'],
      ['USB, Tab', '0045⇥', every(5, '0045⇥'), '0045'],
      ['USB, no key at the end, EAN-13', '4006381333931', every(3, '4006381333931'), '4006381333931'],
      ['USB, no key at the end, EAN-8', '96385074', every(3, '96385074'), '96385074'],
      [
        'USB, the kind of barcode before it',
        ']E04006381333931⏎',
        every(4, ']E04006381333931⏎'),
        ']E04006381333931',
      ],
      ['radio, slow', '00471⏎', every(44, '00471⏎'), '00471'],
      ['radio, a key comes late', '4711⏎', [0, 10, 100, 101, 110], '4711'],
      [
        'radio, a key comes late in a long code',
        '4006381333931⏎',
        [...every(10, '4006381').map((ms) => ms - 1_000), ...every(12, '333931⏎').map((ms) => ms - 660)],
        '4006381333931',
      ],
    ];
  for (const [scanner, keys, times, code] of scans) assert.equal(pressed(keys, times), code, scanner);
  const persons: readonly (readonly [what: string, keys: string, times: readonly number[]])[] = [
    ['a digit, and Enter with the other hand', '4⏎', [0, 25]],
    ['two digits with two fingers', '12⏎', every(20, '12⏎')],
    ['three keys of a pad that roll', '123⏎', every(30, '123⏎')],
    ['four digits', '1200⏎', every(90, '1200⏎')],
    ['Enter alone', '⏎', [0]],
    ['Tab after a letter', 'a⇥', [0, 5]],
    ['the end of what was typed', '35⏎', [0, 200, 230]],
    ['Enter after a pause', '1234⏎', [0, 10, 20, 30, 340]],
    ['thirteen digits that are no trade number', '4006381333932', every(3, '4006381333932')],
    ['a trade number that was typed', '96385074', every(120, '96385074')],
  ];
  for (const [what, keys, times] of persons) assert.equal(pressed(keys, times), undefined, what);
  assert.equal(pressed('7⏎', every(12, '7⏎'), 1), '7', 'no pet is chosen');
  assert.equal(pressed('⏎', [0], 1), undefined);
});

test('a code may follow another key, or another code', () => {
  const burst = new ScanBurst();
  assert.equal(burst.press('9', 0), 'begin');
  assert.equal(burst.press('4', 500), 'begin');
  for (const [i, key] of [...'711'].entries()) assert.equal(burst.press(key, 510 + i), undefined);
  assert.deepEqual(burst.press('Enter', 520), { code: '4711' });
  assert.equal(burst.press('Enter', 521), undefined);
  assert.equal(burst.press('7', 530), 'begin');
  burst.rest();
  assert.equal(burst.press('8', 540), 'begin');
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

test('a code is a petId in plain decimal, also with zeros before it', () => {
  assert.equal(petIdOf('0042'), '42');
  assert.equal(petIdOf(']C10042'), '42');
  assert.equal(petIdOf('-9223372036854775808'), '-9223372036854775808');
  for (const code of ['9223372036854775808', '', 'x1', '1.0', ' 1'])
    assert.equal(petIdOf(code), undefined, code);
});
