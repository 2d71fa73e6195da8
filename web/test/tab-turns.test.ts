import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/test/support/until.ts';
import { inStoredTurn } from '../src/session/tab-turns.ts';
import type { BrowserStorage } from '../src/storage/browser-storage.ts';

const LONG_MS = 600_000;

/** What two tabs of a browser share. */
function newStorage(): BrowserStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => void items.set(key, text),
    removeItem: (key) => void items.delete(key),
  };
}

test('without locks, what begins or ends the session is done in one tab at a time', async () => {
  const storage = newStorage();
  const log: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = inStoredTurn(storage, LONG_MS, async () => {
    log.push('first begins');
    await held.promise;
    log.push('first ends');
    throw new Error('refused');
  });
  await until(() => log.length === 1, 'the first has its turn');
  const other = inStoredTurn(storage, LONG_MS, async () => void log.push('other'));
  held.resolve();
  await assert.rejects(first, /refused/);
  await other;
  assert.deepEqual(log, ['first begins', 'first ends', 'other']);
  assert.equal(storage.items.size, 0);
});

test('of two tabs that find the place free together, one has the first turn', async () => {
  const storage = newStorage();
  const log: string[] = [];
  let looks = 0;
  const read = storage.getItem;
  storage.getItem = (key) => {
    looks += 1;
    return read(key);
  };
  // Its browser process has not heard yet of what the other tab has written.
  let isLate = true;
  const late: BrowserStorage = {
    ...storage,
    getItem: (key) => {
      const found = isLate ? null : read(key);
      isLate = false;
      return found;
    },
  };
  const first = inStoredTurn(storage, LONG_MS, async () => void log.push('first'));
  const second = inStoredTurn(late, LONG_MS, async () => {
    log.push('second begins');
    const before = looks;
    await until(() => looks > before + 1 || log.includes('first'), 'the other one looks');
    log.push('second ends');
  });
  await Promise.all([first, second]);
  assert.deepEqual(log, ['second begins', 'second ends', 'first']);
});

test('a tab that was closed during its turn holds the others up for its limit alone', async () => {
  const storage = newStorage();
  let isBegun = false;
  void inStoredTurn(storage, 1, () => {
    isBegun = true;
    return new Promise(() => {});
  });
  await until(() => isBegun, 'the turn of the tab that is closed');
  assert.equal(await inStoredTurn(storage, LONG_MS, async () => 'done'), 'done');
});

test('a storage that is full, or has another text, holds no sign-in and no sign-out up', async () => {
  const full = newStorage();
  full.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  assert.equal(await inStoredTurn(full, LONG_MS, async () => 'done'), 'done');
  const strange = newStorage();
  strange.setItem('petstore.session-turn', 'now');
  assert.equal(await inStoredTurn(strange, LONG_MS, async () => 'done'), 'done');
});
