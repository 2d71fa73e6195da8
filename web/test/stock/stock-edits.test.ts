import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../server/test/support/until.ts';
import { ApiError } from '../../src/api/api-error.ts';
import type { Movement } from '../../src/api/schemas.ts';
import type { Count } from '../../src/counts/count.ts';
import type { WaitingDetails } from '../../src/counts/details.ts';
import { parseQuantity, type QuantityEdit } from '../../src/components/parse-quantity.ts';
import {
  EditBook,
  type WaitingEdits,
  type PendingEdit,
  type SavedEdit,
  type StockCalls,
  withWaitingEdits,
} from '../../src/pages/stock/edit/edit-book.ts';
import { type RowLine, rowOfLine, type StockRow, tagOf } from '../../src/stock/stock-row.ts';
import { StockStore } from '../../src/stock/stock-store.ts';

const lineOf = (quantity: number, version: number): RowLine => [
  '1',
  'Labrador',
  'Dogs',
  quantity,
  0,
  'available',
  null,
  null,
  null,
  version,
  version,
  version,
  null,
  null,
  [],
];
const rowOf = (quantity: number, version: number): StockRow => rowOfLine(lineOf(quantity, version));

/** A service with one pet, whose stock others change too, and the edits of a page. */
function openBook(quantity: number) {
  const store = new StockStore();
  store.append([rowOf(quantity, 1)]);
  const saved: SavedEdit[] = [];
  const failed: unknown[] = [];
  let stock = rowOf(quantity, 1);
  const tags: string[] = [];
  const keys: string[] = [];
  let beforeNext = () => {};
  const change = (next: number): Movement => {
    const before = stock;
    stock = rowOf(next, before.version + 1);
    const movement = {
      petId: '1',
      sequence: stock.version,
      version: stock.version,
      delta: next - before.quantity,
      quantityBefore: before.quantity,
      quantityAfter: next,
      statusAfter: 'available',
      reservedAfter: 0,
      alertAfter: null,
      recordedAt: new Date(stock.updatedAtMs).toISOString(),
      actor: { keyId: 'key', name: 'till' },
    };
    return movement as unknown as Movement;
  };
  let last = change(quantity);
  store.put(stock);
  const calls: StockCalls = {
    setQuantity: async (row, count, key) => {
      keys.push(key);
      const run = beforeNext;
      beforeNext = () => {};
      run();
      tags.push(tagOf(row));
      if (row.version !== stock.version) throw new ApiError('precondition_failed', '', 412);
      last = change(count);
      return stock;
    },
    addQuantity: async (_petId, delta, key) => {
      keys.push(key);
      const run = beforeNext;
      beforeNext = () => {};
      run();
      last = change(stock.quantity + delta);
      return last;
    },
    revertMovement: async () => change(0),
    readRow: async () => stock,
    newestMovement: async () => (hasHistory ? last : Promise.reject(new Error('no history'))),
  };
  const waiting: (readonly [tag: string, edit: QuantityEdit['kind'], quantity: number, triedKey?: string])[] =
    [];
  let isOffline = false;
  let hasKeptConflict = false;
  let hasHistory = true;
  const kept: WaitingEdits = {
    mustWait: (petId) => isOffline || (petId === '1' && waiting.length > 0),
    keep: (row, { kind, quantity: typed }, triedKey) =>
      void waiting.push([
        tagOf(row),
        kind,
        typed,
        ...(triedKey === undefined ? ([] as const) : ([triedKey] as const)),
      ]),
    keepTheirs: () => {},
    setMine: () => hasKeptConflict,
  };
  const book = new EditBook(store, calls, kept, {
    onSaved: (edit) => saved.push(edit),
    onFailed: (_row, error) => failed.push(error),
  });
  return {
    store,
    calls,
    book,
    saved,
    failed,
    tags,
    keys,
    waiting,
    setOffline: (isNow: boolean) => {
      isOffline = isNow;
    },
    /** The queue of this browser has the person's number, and sends it. */
    keepConflict: () => {
      hasKeptConflict = true;
    },
    loseHistory: () => {
      hasHistory = false;
    },
    quantity: () => stock.quantity,
    /** Somebody else changes the pet; the live stream says so only with `isSeen`. */
    sell: (next: number, isSeen = true) => {
      last = change(next);
      if (isSeen) store.apply(last, () => false);
    },
    beforeNext: (run: () => void) => {
      beforeNext = run;
    },
    /** What the page shows for the pet. */
    seen: () => store.find('1') as StockRow,
    typed: (text: string, seen: StockRow) => {
      const edit = parseQuantity(text, (store.find('1') as StockRow).quantity);
      assert.ok(edit);
      book.save(seen, edit);
    },
    settled: async () => {
      await until(() => book.edits.get('1')?.kind !== 'saving', 'the edit was answered');
      assert.deepEqual(failed, []);
    },
  };
}

test('a count that was typed over another quantity asks: before, now and mine', async () => {
  const shop = openBook(3);
  const seen = shop.seen();
  shop.sell(8);
  shop.typed('6', seen);
  await shop.settled();
  assert.equal(shop.quantity(), 8);
  assert.deepEqual(shop.tags, [tagOf(seen)]);
  const asked = shop.book.edits.get('1');
  assert.ok(asked?.kind === 'conflict');
  assert.deepEqual([asked.before, shop.seen().quantity, asked.quantity], [3, 8, 6]);
  // Another sale while the person decides asks again.
  const decided = shop.seen();
  shop.sell(7);
  shop.book.setMine(decided);
  await shop.settled();
  assert.equal(shop.quantity(), 7);
  shop.book.setMine(shop.seen());
  await shop.settled();
  assert.equal(shop.quantity(), 6);
  assert.deepEqual(
    shop.saved.map(({ before, after }) => [before, after]),
    [[7, 6]],
  );
});

test('a refused count shows what the pet has now, although the stream is late and its history cannot be read', async () => {
  const shop = openBook(3);
  shop.loseHistory();
  const seen = shop.seen();
  shop.sell(8, false);
  shop.typed('6', seen);
  await shop.settled();
  assert.equal(shop.book.edits.get('1')?.kind, 'conflict');
  assert.equal(shop.seen().quantity, 8);
});

test('a count is set in spite of changes that leave the quantity as it was seen', async () => {
  const shop = openBook(3);
  const seen = shop.seen();
  shop.sell(2);
  shop.sell(3, false);
  shop.typed('6', seen);
  await shop.settled();
  assert.equal(shop.quantity(), 6);
  assert.equal(shop.book.edits.size, 0);
});

test('a pet that is changed again and again is asked about at last', async () => {
  const shop = openBook(3);
  const again = () => {
    shop.sell(3, false);
    shop.beforeNext(again);
  };
  shop.beforeNext(again);
  shop.typed('6', shop.seen());
  await shop.settled();
  assert.equal(shop.tags.length, 5);
  assert.equal(shop.book.edits.get('1')?.kind, 'conflict');
});

test('edits of this page that are under way are no conflict with the next one', async () => {
  const shop = openBook(3);
  const seen = shop.seen();
  shop.typed('6', seen);
  shop.typed('+1', seen);
  shop.typed('9', seen);
  await until(() => shop.saved.length === 3, 'all are saved');
  assert.equal(shop.quantity(), 9);
  assert.deepEqual(
    shop.saved.map(({ before, after }) => [before, after]),
    [
      [3, 6],
      [6, 7],
      [7, 9],
    ],
  );
  // Somebody else between two edits of this page is one.
  const before = shop.seen();
  shop.typed('4', before);
  await until(() => shop.saved.length === 4, 'it is saved');
  shop.sell(5, false);
  shop.typed('+1', before);
  shop.typed('2', before);
  await shop.settled();
  assert.equal(shop.quantity(), 6);
  assert.equal(shop.book.edits.get('1')?.kind, 'conflict');
});

test('an edit that fails does not stop the next one, whose number shows until its own answer', async () => {
  const shop = openBook(3);
  const shown: unknown[] = [];
  shop.beforeNext(() => {
    shop.typed('7', shop.seen());
    shop.beforeNext(() => shown.push(shop.book.edits.get('1'), shop.book.isBusy({ petId: '1' })));
    throw new ApiError('not_found', '', 404);
  });
  shop.typed('6', shop.seen());
  await until(() => shop.saved.length === 1, 'the second is saved');
  assert.deepEqual([shop.failed.length, shop.quantity(), shop.book.edits.size], [1, 7, 0]);
  assert.deepEqual(shown, [{ kind: 'saving', quantity: 7 }, true]);
  assert.equal(shop.book.isBusy({ petId: '1' }), false);
});

test('a change of many pets that fails does not stop an edit of one of them', async () => {
  const shop = openBook(3);
  const many = shop.book.run(['1', '2'], () => Promise.reject(new Error('refused')));
  shop.typed('6', shop.seen());
  await assert.rejects(many, /refused/);
  await until(() => shop.saved.length === 1, 'the edit is saved');
  assert.equal(shop.quantity(), 6);
});

test('an answer that is late does not replace what the pet has since', async () => {
  const shop = openBook(3);
  const { setQuantity } = shop.calls;
  Object.assign(shop.calls, {
    setQuantity: async (...sent: Parameters<StockCalls['setQuantity']>) => {
      const answer = await setQuantity(...sent);
      shop.sell(5);
      return answer;
    },
  });
  shop.typed('6', shop.seen());
  await shop.settled();
  assert.deepEqual([shop.saved[0]?.after, shop.seen().quantity], [6, 5]);
});

test('a number that changes nothing is not sent, nor is one that somebody else or the queue has set', async () => {
  const shop = openBook(3);
  shop.typed('3', shop.seen());
  const seen = shop.seen();
  shop.sell(8);
  shop.typed('6', seen);
  await shop.settled();
  assert.equal(shop.book.edits.get('1')?.kind, 'conflict');
  const { length } = shop.keys;
  shop.sell(6);
  shop.book.setMine(shop.seen());
  await shop.settled();
  assert.equal(shop.book.edits.size, 0);
  shop.sell(8);
  shop.typed('7', seen);
  await shop.settled();
  shop.keepConflict();
  shop.book.setMine(shop.seen());
  await shop.settled();
  assert.deepEqual([length, shop.keys.length, shop.quantity()], [1, 2, 8]);
});

test('an edit without a connection is kept as it was typed, and edits after it wait behind it', async () => {
  const shop = openBook(3);
  shop.setOffline(true);
  const seen = shop.seen();
  shop.typed('6', seen);
  await shop.settled();
  shop.setOffline(false);
  shop.typed('+2', seen);
  await shop.settled();
  assert.deepEqual([shop.keys, shop.quantity(), shop.book.edits.size], [[], 3, 0]);
  assert.deepEqual(shop.waiting, [
    [tagOf(seen), 'set', 6],
    [tagOf(seen), 'add', 5],
  ]);
});

for (const typed of ['6', '+3']) {
  for (const error of [
    new ApiError('offline', '', 0),
    // The change may be made all the same.
    new ApiError('service_unavailable', '', 503),
  ]) {
    test(`the edit ${typed} with the answer ${error.code} is kept with the key that was sent, and nothing fails`, async () => {
      const shop = openBook(3);
      const seen = shop.seen();
      shop.beforeNext(() => {
        throw error;
      });
      shop.typed(typed, seen);
      await shop.settled();
      assert.equal(shop.keys.length, 1);
      assert.deepEqual(shop.waiting, [[tagOf(seen), typed === '6' ? 'set' : 'add', 6, shop.keys[0]]]);
      assert.equal(shop.book.edits.size, 0);
    });
  }
}

test('edits that wait, or need a decision, show in the list; those of others do not', () => {
  const count = { petId: '1', keyId: 'me', counted: 9, expected: 4 } as Count;
  const counts: Count[] = [
    { ...count, state: 'waiting' },
    { ...count, state: 'waiting', counted: 5 },
    { ...count, petId: '2', state: 'waiting', keyId: 'other' },
    { ...count, petId: '3', state: 'sent' },
    { ...count, petId: '4', state: 'conflict' },
    { ...count, petId: '5', state: 'waiting' },
    { ...count, petId: '6', state: 'waiting', edit: { details: {} as WaitingDetails } },
  ];
  const own = new Map<string, PendingEdit>([['5', { kind: 'saving', quantity: 8 }]]);
  assert.deepEqual(
    [...withWaitingEdits(own, counts, 'me')],
    [
      ['5', { kind: 'saving', quantity: 8 }],
      ['1', { kind: 'waiting', quantity: 9 }],
      ['4', { kind: 'conflict', quantity: 9, before: 4, theirs: undefined }],
    ],
  );
});
