import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftKey, Drafts } from '../src/drafts/drafts.ts';
import { contentHash } from '../src/pages/imports/send/content-hash.ts';
import { isFileOf, readImportDraft } from '../src/pages/imports/send/import-draft.ts';
import { readOrderDraft } from '../src/pages/orders/order-draft.ts';

class TestStorage {
  readonly texts = new Map<string, string>();
  isFull = false;
  get length() {
    return this.texts.size;
  }
  key(index: number) {
    return [...this.texts.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, text: string) {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.texts.set(key, text);
  }
  removeItem(key: string) {
    this.texts.delete(key);
  }
}

const DAY_MS = 86_400_000;
const ORDER = draftKey('key_a', 'new-order');

function open() {
  const storage = new TestStorage();
  const clock = { nowMs: 100 * DAY_MS };
  return { storage, clock, drafts: new Drafts(storage, () => clock.nowMs) };
}

test('a draft is kept with its time, replaced, and ended', () => {
  const { storage, clock, drafts } = open();
  let calls = 0;
  const unsubscribe = drafts.subscribe(() => {
    calls += 1;
  });
  assert.equal(drafts.keep(ORDER, { note: 'x' }), true);
  clock.nowMs += 1;
  assert.equal(drafts.keep(ORDER, { note: 'y' }), true);
  assert.deepEqual(drafts.find(ORDER), { keptAtMs: clock.nowMs, values: { note: 'y' } });
  drafts.end(ORDER);
  assert.equal(calls, 3);
  unsubscribe();
  assert.equal(drafts.find(ORDER), undefined);
  assert.equal(storage.length, 0);
});

test('a draft of a week is gone, and 50 are kept at most', () => {
  const { storage, clock, drafts } = open();
  drafts.keep(ORDER, 1);
  clock.nowMs += 7 * DAY_MS - 1;
  assert.equal(drafts.find(ORDER)?.values, 1);
  clock.nowMs += 1;
  assert.equal(drafts.find(ORDER), undefined);
  for (let pet = 0; pet < 60; pet += 1) {
    clock.nowMs += 1;
    drafts.keep(draftKey('key_a', `edit-pet:${pet}`), pet);
  }
  assert.equal(storage.length, 50);
  assert.equal(drafts.find(draftKey('key_a', 'edit-pet:9')), undefined);
  assert.equal(drafts.find(draftKey('key_a', 'edit-pet:10'))?.values, 10);
});

test('drafts end with their person, and other entries of the browser stay', () => {
  const { storage, drafts } = open();
  const other = draftKey('key_b', 'new-order');
  // Another key that begins in the same way is another person.
  const longer = draftKey('key_ab', 'new-order');
  storage.setItem('count:1', 'a count');
  for (const key of [ORDER, other, longer]) drafts.keep(key, key);
  drafts.endAll('key_a');
  assert.deepEqual([...storage.texts.keys()], ['count:1', ORDER]);
  drafts.endAll();
  assert.deepEqual([...storage.texts.keys()], ['count:1']);
});

test('the drafts of a key become those of its person, and the newer one of two stays', () => {
  const { clock, drafts } = open();
  const places = ['new-order', 'count', 'import'];
  const [older, newer, only] = places.map((place) => draftKey('key_b', place)) as [string, string, string];
  drafts.keep(older, 'older');
  drafts.keep(draftKey('key_a', 'count'), 'older');
  clock.nowMs += 1;
  for (const key of [newer, only]) drafts.keep(key, 'newer');
  drafts.keep(ORDER, 'newer');
  drafts.keep(draftKey('key_bc', 'count'), 'another person');
  drafts.move('key_b', 'key_a');
  assert.deepEqual(
    places.map((place) => drafts.find(draftKey('key_a', place))?.values),
    ['newer', 'newer', 'newer'],
  );
  assert.deepEqual(
    [older, newer, only].map((key) => drafts.find(key)),
    [undefined, undefined, undefined],
  );
  assert.equal(drafts.find(draftKey('key_bc', 'count'))?.values, 'another person');
});

test('without room the form is told, and what was kept before stays', () => {
  const { storage, drafts } = open();
  drafts.keep(ORDER, 'short');
  assert.equal(drafts.keep(ORDER, 'x'.repeat(100_000)), false);
  storage.isFull = true;
  assert.equal(drafts.keep(ORDER, 'other'), false);
  assert.equal(drafts.find(ORDER)?.values, 'short');
});

test('an import goes on with the file of its draft, not with another one of its name and size', async () => {
  const fileOf = async (text: string, lastModified: number) => {
    const file = new File([text], 'delivery.csv', { lastModified });
    return { file, content: await contentHash(file) };
  };
  const prepared = await fileOf('petId,quantity\n1,20\n2,30', 1_000);
  const draft = { file: { name: 'delivery.csv', size: 24, lastModified: 1_000 }, content: prepared.content };
  assert.equal(prepared.file.size, draft.file.size);
  assert.equal(isFileOf(draft, prepared), true);
  assert.equal(isFileOf(draft, await fileOf('petId,quantity\n1,20\n2,30', 2_000)), true, 'a copy');
  // An editor that keeps the time of a file does not make it the same.
  assert.equal(isFileOf(draft, await fileOf('petId,quantity\n1,30\n2,20', 1_000)), false, 'an edit');
  assert.equal(isFileOf(draft, { ...prepared, file: { ...draft.file, name: 'b.csv' } }), false);
  // A draft of an earlier release has no content.
  const { file } = draft;
  assert.equal(isFileOf({ file }, await fileOf('petId,quantity\n1,20\n2,30', 1_000)), true);
  assert.equal(isFileOf({ file }, await fileOf('petId,quantity\n1,20\n2,30', 2_000)), false);
  const hashes = new Set(
    await Promise.all(
      Array.from({ length: 5_000 }, (_, at) => contentHash(new File([`1,${5_000 + at}`], 'a'))),
    ),
  );
  assert.equal(hashes.size, 5_000);
});

test('what no form has written is no draft, and the next draft removes it', () => {
  const { storage, clock, drafts } = open();
  const texts = [
    '{"keptAtMs":',
    'null',
    '3',
    '[]',
    '{}',
    `{"keptAtMs":${clock.nowMs}}`,
    `{"keptAtMs":"${clock.nowMs}","values":1}`,
    `{"keptAtMs":1e999,"values":1}`,
    `{"keptAtMs":${clock.nowMs},"values":"${'x'.repeat(100_000)}"}`,
    `{"keptAtMs":${clock.nowMs},"values":${'['.repeat(50_000)}`,
  ];
  for (const [number, text] of texts.entries()) {
    const key = draftKey('key_a', String(number));
    storage.setItem(key, text);
    assert.equal(drafts.find(key), undefined, text.slice(0, 60));
  }
  drafts.keep(ORDER, 1);
  assert.deepEqual([...storage.texts.keys()], [ORDER]);
});

test('an order that was kept is read, with the request that may have arrived', () => {
  const order = {
    lines: [{ pet: { petId: '9007199254740993', name: null, available: 4 }, units: '2' }],
    reference: 'R',
    note: '',
    hold: 'week',
    attempt: { text: '[]', key: 'k', atMs: 1 },
  };
  assert.deepEqual(readOrderDraft(JSON.parse(JSON.stringify(order))), order);
  const [line] = order.lines;
  for (const wrong of [
    { lines: [{ ...line, units: 2 }] },
    { lines: [{ ...line, pet: { ...line?.pet, petId: '1/../2' } }] },
    { lines: [{ ...line, pet: { ...line?.pet, available: '4' } }] },
    { lines: {} },
    { hold: 'toString' },
    { note: null },
  ])
    assert.equal(readOrderDraft({ ...order, ...wrong }), undefined, JSON.stringify(wrong));
  assert.equal(readOrderDraft({ ...order, attempt: { key: 'k' } })?.attempt, undefined);
});

test('an import that was prepared is read, and one of unknown fields is not', () => {
  const kept = {
    file: { name: 'a.csv', size: 3, lastModified: 4 },
    answer: { encoding: 'windows-1252' },
    mapping: ['petId', null, 'quantity'],
    mode: 'add',
    decimal: null,
    mended: [[2, { petId: '1', quantity: '5' }]],
  };
  assert.deepEqual(readImportDraft(JSON.parse(JSON.stringify(kept))), kept);
  for (const wrong of [
    { mapping: ['petId', 'price'] },
    { mapping: 'petId' },
    { mode: 'replace' },
    { file: { name: 'a.csv' } },
    { mended: [['2', {}]] },
    { mended: [[2, { petId: 1 }]] },
    { mended: {} },
  ])
    assert.equal(readImportDraft({ ...kept, ...wrong }), undefined, JSON.stringify(wrong));
  assert.deepEqual(readImportDraft({ ...kept, answer: { encoding: 'x', sheet: 4 } })?.answer, {});
});
