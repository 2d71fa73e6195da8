import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ActivityEntry } from '../src/api/schemas.ts';
import { petIdsOf, sentenceOf } from '../src/pages/system/log/sentence.ts';
import { de } from '../src/texts/de.ts';
import { en } from '../src/texts/en.ts';
import { createFormat } from '../src/texts/format.ts';

const DOCUMENT = JSON.parse(readFileSync(new URL('../../admin-openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: { ActivityAction: { 'x-actions': string[] } } };
};
/** All actions that operations and commands record, as the document of the service lists them. */
const ACTIONS = DOCUMENT.components.schemas.ActivityAction['x-actions'];

const LANGUAGES = {
  en: { texts: en, format: createFormat('en-GB', 'now') },
  de: { texts: de, format: createFormat('de-DE', 'jetzt') },
} as const;
const petNames = new Map([
  ['1', 'Rex'],
  ['2', 'Bella'],
]);

const entryOf = (changed: Partial<ActivityEntry>): ActivityEntry => ({
  recordedAt: '2026-11-20T10:00:00.000Z',
  actor: { keyId: 'key_4fQ2n8Zk1bXw0aLr', name: 'Ada' },
  requestId: null,
  action: 'pets.create',
  target: null,
  details: {},
  ...changed,
});

const partsOf = (language: keyof typeof LANGUAGES, changed: Partial<ActivityEntry>) =>
  sentenceOf(entryOf(changed), { ...LANGUAGES[language], petNames });
const textOf = (language: keyof typeof LANGUAGES, changed: Partial<ActivityEntry>) =>
  partsOf(language, changed)
    .map(({ text }) => text)
    .join('');

test('each recorded action has a sentence of its own in both languages, with its author and what it changed', () => {
  assert.ok(ACTIONS.length > 50);
  for (const language of ['en', 'de'] as const) {
    const said = new Set<string>();
    for (const action of ACTIONS) {
      assert.ok(Object.hasOwn(LANGUAGES[language].texts.log.sentences, action), `${language} ${action}`);
      for (const target of [null, '12']) {
        const text = textOf(language, { action, target });
        assert.match(text, /^Ada /, action);
        assert.doesNotMatch(text, /[[\]{}|]|undefined|null|NaN| {2}|,$|:$/, `${action}: ${text}`);
        assert.ok(!text.includes(action), text);
        if (target !== null) said.add(text);
      }
    }
    assert.equal(said.size, ACTIONS.length, 'no two actions have the same sentence');
  }
  for (const language of ['en', 'de'] as const) {
    const { actions } = LANGUAGES[language].texts.log;
    assert.deepEqual(Object.keys(actions).toSorted(), ACTIONS.toSorted());
    assert.equal(new Set(Object.values(actions)).size, ACTIONS.length, 'no two actions have the same name');
  }
  assert.deepEqual(
    Object.keys(en.log.sentences).toSorted(),
    ACTIONS.toSorted(),
    'no sentence is left from an action that is gone',
  );
});

test('sentences have the numbers, lists and names of their language', () => {
  const order = {
    action: 'orders.place',
    details: { lines: [1, '2', 3].map((petId) => ({ petId, quantity: 1_200 })) },
  };
  assert.equal(
    textOf('en', order),
    'Ada placed an order for 1,200\u00A0× Rex, 1,200\u00A0× Bella and 1,200\u00A0× Pet 3',
  );
  assert.equal(
    textOf('de', order),
    'Ada hat eine Bestellung aufgegeben: 1.200\u00A0× Rex, 1.200\u00A0× Bella und 1.200\u00A0× Tier 3',
  );
  assert.deepEqual(petIdsOf(entryOf(order)), ['1', '2', '3']);
  const batch = { action: 'inventory.batch', details: { changes: 1 } };
  assert.equal(textOf('en', batch), 'Ada changed 1 pet in one step');
  assert.equal(
    textOf('de', { ...batch, details: { changes: 5_003 } }),
    'Ada hat 5.003 Tiere in einem Schritt geändert',
  );
  assert.equal(
    textOf('en', { action: 'inventory.adjust', target: '1', details: { delta: -3 } }),
    'Ada changed the stock of Rex by −3',
  );
  const account = { action: 'accounts.create', target: 'acc_1', details: { name: 'Till', plan: 'pro' } };
  assert.equal(textOf('en', account), 'Ada created the account Till with the plan Pro');
  assert.equal(
    textOf('en', { ...account, details: { plan: 'later' } }),
    'Ada created the account acc_1 with the plan later',
  );
  const change = { action: 'bulk-changes.apply', target: 'blk_1' };
  const details = { set: { category: 'Dogs', status: 'sold' }, pets: { planned: 40, refused: 2 } };
  assert.equal(
    textOf('en', { ...change, details }),
    'Ada applied a change of 42 pets: Category → Dogs and Status → Sold',
  );
  assert.equal(
    textOf('de', { ...change, details }),
    'Ada hat eine Änderung von 42 Tieren übernommen: Kategorie → Dogs und Status → Verkauft',
  );
  assert.equal(
    textOf('de', { action: 'pets.update', target: '1', details: {}, actor: { keyId: null, name: 'cli' } }),
    'Betreiber hat Rex bearbeitet',
  );
});

test('an edit of a pet names the values before and after, and a change of many pets its new ones', () => {
  const edit = (details: ActivityEntry['details']) =>
    textOf('en', { action: 'pets.update', target: '1', details });
  assert.equal(
    edit({ name: 'Rex', previousName: null, category: null, previousCategory: 'Dogs' }),
    'Ada edited Rex: Name – → Rex and Category Dogs → No category',
  );
  assert.equal(
    edit({ lowStockAt: 1_000, previousLowStockAt: 5, restockAt: 2_000, previousRestockAt: null }),
    'Ada edited Rex: Low at 5 → 1,000 and Enough at – → 2,000',
  );
  const noThresholds = { lowStockAt: null, previousLowStockAt: 5, restockAt: null, previousRestockAt: 9 };
  assert.equal(edit(noThresholds), 'Ada edited Rex: Low at 5 → shop default');
  const codes = {
    sku: 'A-1',
    previousSku: null,
    barcodes: [],
    previousBarcodes: ['4006381333931', '96385074'],
  };
  assert.equal(edit(codes), 'Ada edited Rex: SKU – → A-1 and Barcodes 4006381333931, 96385074 → –');
  assert.equal(edit({ name: 'Rex' }), 'Ada edited Rex: Name → Rex', 'a line of an earlier release');
  const many = (set: object) =>
    textOf('en', { action: 'bulk-changes.apply', target: 'blk_1', details: { set, pets: { planned: 3 } } });
  const start = 'Ada applied a change of 3 pets: ';
  assert.equal(
    many({ thresholds: { lowStockAt: 20, restockAt: 60 } }),
    `${start}Low at → 20 and Enough at → 60`,
  );
  assert.equal(many({ thresholds: { lowStockAt: null, restockAt: null } }), `${start}Low at → shop default`);
  assert.equal(many({ archived: true }), `${start}Archived`);
  assert.equal(many({ archived: false }), `${start}Restored`);
  assert.equal(
    many({ ordered: 'suggested', supplier: 'Zoo' }),
    `${start}Marked as ordered and Supplier → Zoo`,
  );
  assert.equal(many({ sku: 'F-{petId}', inStorePrefix: '20' }), `${start}SKU → F-{petId} and Barcodes`);
  const renamed = { name: 'كلب', previousName: 'قط' };
  const parts = partsOf('en', { action: 'pets.update', target: '1', details: renamed });
  assert.deepEqual(
    parts.slice(-4),
    [{ text: 'Name ' }, { text: 'قط', isValue: true }, { text: ' → ' }, { text: 'كلب', isValue: true }],
    'a value is apart from the arrow and the words around it, which can be of another direction',
  );
});

test('what was changed leads to its page, and what is gone does not', () => {
  const links = (changed: Partial<ActivityEntry>) =>
    partsOf('en', changed).flatMap(({ href }) => (href === undefined ? [] : [href]));
  const author = '/system/log?actor=key_4fQ2n8Zk1bXw0aLr';
  const pages = [
    ['inventory.set', '/pets/1'],
    ['reorders.update', '/pets/1'],
    ['orders.deliver', '/orders/1'],
    ['accounts.update', '/access/accounts/1'],
    ['keys.lift-ban', '/access/keys/1'],
    ['admin-keys.revoke', '/access/management-keys/1'],
    ['sign-in-codes.create', '/access/management-keys/1'],
    ['imports.apply', '/imports/1'],
    ['stocktakes.close', '/stocktakes/1'],
    ['webhooks.resend', '/webhooks/1'],
  ] as const;
  for (const [action, page] of pages)
    assert.deepEqual(links({ action, target: '1' }), [author, page], action);
  for (const action of ['pets.delete', 'imports.delete', 'webhooks.delete', 'thresholds.set'])
    assert.deepEqual(links({ action, target: '1' }), [author], action);
  assert.deepEqual(links({ action: 'webhooks.update', target: '../x' }), [author, '/webhooks/..%2Fx']);
  const count = { action: 'stocktakes.count', target: 'stk_1', details: { petId: '2', counted: 8 } };
  assert.deepEqual(links(count), [author, '/pets/2', '/stocktakes/stk_1']);
  assert.equal(textOf('en', count), 'Ada counted 8 of Bella for the stock-take stk_1');
  const stocktakeNames = new Map([['stk_1', 'Autumn']]);
  const named = sentenceOf(entryOf(count), { ...LANGUAGES.en, petNames, stocktakeNames });
  assert.deepEqual(named.at(-1), { text: 'Autumn', isValue: true, href: '/stocktakes/stk_1' });
  assert.equal(
    textOf('en', { action: 'pets.delete', target: '9', details: { name: 'Typo' } }),
    'Ada deleted Typo',
  );
});

test('an action that is newer than the page, and values of another shape, have a readable sentence', () => {
  const newer = { action: 'gadgets.polish', target: '12' };
  assert.equal(textOf('en', newer), 'Ada: gadgets.polish, 12');
  assert.equal(textOf('de', { ...newer, target: null }), 'Ada: gadgets.polish');
  assert.equal(textOf('en', { action: 'toString' }), 'Ada: toString');
  for (const details of [
    { lines: 'all' },
    { lines: [null, { petId: {} }] },
    { set: [], pets: null, changes: 'x', expiresAt: 'soon', plan: {}, petId: undefined },
  ]) {
    for (const action of ACTIONS) {
      const text = textOf('en', { action, target: '1', details });
      assert.doesNotMatch(text, /[[\]{}]|undefined|NaN|Invalid/, text);
    }
  }
});
