import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS } from '../../server/src/domain/errors.ts';
import { readGuides } from '../../web/build/guides.ts';
import { oldAddresses, placesOf } from '../../web/build/search-index.ts';
import { DocsSearch } from '../../web/src/docs/search/search.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const GUIDES = readGuides(() => '');
const PLACES = placesOf(GUIDES);
/** As the browser reads it. */
const SEARCH = DocsSearch.read(DocsSearch.of(PLACES).text);

/** What a person wants first. */
const WANTED: Readonly<Record<string, string>> = {
  'rotate key': 'docs/operating#petstore-server-keys-create',
  PETSTORE_ORDER_HOLD: 'docs/configuration#petstore_order_hold',
  petstore_order_hold: 'docs/configuration#petstore_order_hold',
  semicolon: 'docs/operating#files-of-pets',
  upgrade: 'docs/upgrading',
  upgrading: 'docs/upgrading',
  'new release': 'docs/upgrading',
  'go back to an older release': 'docs/upgrading#go-back',
  '429': 'docs/errors#rate_limit_exceeded',
  '413': 'docs/errors#body_too_large',
  backup: 'docs/operating#back-up-and-restore',
  'restore backup': 'docs/operating#back-up-and-restore',
  'lost update': 'docs/safe-writes#avoid-lost-updates',
  csv: 'docs/operating#files-of-pets',
  'webhook signature': 'docs/webhooks#receive-events',
  'forgot key': 'docs/dashboard#sign-in',
  proxy: 'docs/operating#proxy-staging-bun',
  undo: 'docs/ledger#history-and-undo',
  insufficient_stock: 'docs/errors#insufficient_stock',
  'isufficient stock': 'docs/errors#insufficient_stock',
  'petstore-server move': 'docs/operating#petstore-server-move-from-sqlite-to-postgres',
  'how do I place an order': 'docs/orders#place-an-order',
  'sign in': 'docs/dashboard#sign-in',
  login: 'docs/dashboard#sign-in',
  retry: 'docs/safe-writes#repeat-a-write-safely',
  'rate limit': 'docs/client#limits',
  scopes: 'docs/quick-start#keys-and-scopes',
  ban: 'docs/limits#bans',
  adjustInventory: 'docs/reference#v1/tag/inventory/adjustInventory',
  createPet: 'docs/reference#admin/tag/pets/createPet',
  int64: 'docs/int64',
  'petstore import': 'docs/client#petstore-export',
  petstore_ready: 'docs/operating#petstore_ready',
  petstore_disk_full: 'docs/operating#petstore_disk_full',
  'disk full': 'docs/runbook#petstorediskfull',
  PetstoreDiskFull: 'docs/runbook#petstorediskfull',
  'several instances': 'docs/growing',
  'clock wrong': 'docs/ledger#a-wrong-clock',
  'live stream': 'docs/live-stream',
  'verify ledger': 'docs/management#prune-and-verify',
  barcode: 'docs/management#codes',
  'import file': 'docs/management#import-a-file',
  excel: 'docs/operating#files-of-pets',
  PORT: 'docs/configuration#port',
  TLS: 'docs/dashboard#tls',
  SIGTERM: 'docs/operating#stop-it',
  roles: 'docs/management#keys-and-roles',
  stop: 'docs/operating#stop-it',
  etag: 'docs/safe-writes#avoid-lost-updates',
  PETSTORE_TRUSTED: 'docs/configuration#petstore_trusted_proxies',
  audit: 'docs/ledger#audit',
  'GET /v1/inventory': 'docs/reference#v1/tag/inventory/listInventory',
  'idempotency key': 'docs/safe-writes#repeat-a-write-safely',
  pagination: 'docs/responses#lists-and-pages',
  'low stock': 'docs/alerts#thresholds',
  'expire order': 'docs/orders',
  not_found: 'docs/errors#not_found',
};

test('the search finds first what a person wants', () => {
  for (const [query, address] of Object.entries(WANTED)) {
    const found = SEARCH.find(query).map((place) => place.address);
    assert.equal(found[0], address, `${query}: ${found.slice(0, 4).join(', ')}`);
  }
});

test('each operation, error code, variable, metric and command is found by its name, first', (t) => {
  if (isSkippedDaily(t)) return;
  for (const { kind, title, address } of PLACES) {
    if (kind === 'Guide' || kind === 'Client') continue;
    const [name = ''] = title.split(/, |: /);
    const first = SEARCH.find(name)[0];
    // Both interfaces have some operations.
    const isSame = first?.address === address || (kind === 'Management API' && first?.title === title);
    assert.ok(isSame, `${name}: ${first?.title}`);
  }
  for (const code of Object.keys(ERROR_STATUS)) assert.equal(SEARCH.find(code)[0]?.title, code);
});

test('a result names its page and kind, and says what it is about', () => {
  const { id: _id, ...place } = SEARCH.find('insufficient_stock')[0] ?? assert.fail();
  const { kind, title, page, address, excerpt } = place;
  assert.deepEqual(
    [kind, title, page, address],
    ['Error', 'insufficient_stock', 'Errors', 'docs/errors#insufficient_stock'],
  );
  assert.match(excerpt, /^[A-Z`].{20,150}$/);
  for (const one of PLACES)
    assert.ok(one.title !== '' && one.page !== '' && one.excerpt.length <= 141, one.address);
});

test('a hostile query is fast and finds nothing harmful', () => {
  const hostile = [
    'a'.repeat(100_000),
    'order '.repeat(20_000),
    '_'.repeat(100_000),
    '-a'.repeat(50_000),
    `${'a'.repeat(199)}!`.repeat(500),
    '<img src=x onerror=alert(1)>',
    '</script><script>',
    '\u0000\u0007\u001b[2J\u202e\ufeff',
    '\ud800 \udc00',
    '(a+)+$ [ \\ * ? {1,9999}',
    '__proto__ constructor toString hasOwnProperty',
    '👩‍👩‍👧‍👦'.repeat(2_000),
    ' \n\t',
    '',
  ];
  const startMs = performance.now();
  for (const query of hostile) assert.ok(SEARCH.find(query).length <= 20, query.slice(0, 40));
  const ms = performance.now() - startMs;
  assert.ok(ms < 2_000, `${ms} ms`);
  assert.deepEqual(SEARCH.find(''), []);
  assert.deepEqual(SEARCH.find('\u0000'), []);
});

test('what is typed is found before the word is complete, and in spite of a slip', () => {
  const first = (query: string) => SEARCH.find(query)[0]?.address;
  assert.equal(first('insufficient_st'), 'docs/errors#insufficient_stock');
  assert.equal(first('isufficient stock'), 'docs/errors#insufficient_stock');
  assert.equal(first('PETSTORE_ORD'), 'docs/configuration#petstore_order_hold');
});

test('each address of the page that had all guides leads to the same heading', () => {
  const old = oldAddresses(GUIDES);
  assert.equal(old['repeat-a-write-safely'], 'docs/safe-writes#repeat-a-write-safely');
  assert.equal(old['petstoredown'], 'docs/runbook#petstoredown');
  assert.equal(old['not_found'], 'docs/errors#not_found');
  assert.equal(old['the-ledger'], 'docs/ledger');
  assert.deepEqual(
    [old['a-tour'], old['a-tour-1']],
    ['docs/ledger#a-tour', 'docs/orders#a-tour'],
    'in the order of that page',
  );
  assert.equal(Object.keys(old).length, GUIDES.flatMap(({ sections }) => sections).length);
});
