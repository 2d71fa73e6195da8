import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REASONS } from '@petstore-inventory/shared/words';
import { linesOf, place, take } from '../orders/order-requests.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { adjust, batch, revert, setStatus, update, wholeLedger } from '../support/stock-requests.ts';

/** One write of each operation, with these members in its body. */
const WRITES: Readonly<Record<string, (app: TestApp, explanation: object) => Promise<Answer>>> = {
  updateInventory: (app, explanation) => update(app, 1, { quantity: 9, ...explanation }),
  adjustInventory: (app, explanation) => adjust(app, 1, { delta: -1, ...explanation }),
  setInventoryStatus: (app, explanation) => setStatus(app, 1, { status: 'pending', ...explanation }),
  batchInventory: (app, explanation) => batch(app, { changes: [{ petId: 1, quantity: 8, ...explanation }] }),
  revertMovement: (app, explanation) => revert(app, 3, explanation),
  placeOrder: (app, explanation) => place(app, { ...linesOf([2, 1]), ...explanation }),
  deliverOrder: (app, explanation) => take(app, 'deliver', 1, { ...linesOf([2, 1]), ...explanation }),
  returnOrder: (app, explanation) => take(app, 'return', 1, { ...linesOf([2, 1]), ...explanation }),
};

/** Writes that are possible once. */
const OTHERS: typeof WRITES = {
  cancelOrder: (app, explanation) => take(app, 'cancel', 2, explanation),
};

async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(t, { pets: [petRow(1n, 5), petRow(2n, 200)] });
  await update(app, 1, { quantity: 6 });
  await place(app, linesOf([2, 100]));
  await take(app, 'approve', 1);
  await take(app, 'deliver', 1, linesOf([2, 50]));
  await place(app, linesOf([2, 1]));
  return app;
}

const EXPLANATION = {
  reason: 'received',
  note: 'Zoë sagt: „schön“ 🐕 "quoted" \\ \n\t\u0001',
  referenceDocumentUri: 'gid://erp/Delivery/4711?x=ä',
  referenceId: 'delivery-4711',
  occurredAt: '2026-02-28T23:59:59.123456+05:30',
} as const;

/** Makes the next write a different one. */
function another(operation: string, i: number): object {
  if (operation === 'setInventoryStatus') return { status: i % 2 === 0 ? 'sold' : 'pending' };
  const isSet = operation === 'updateInventory' || operation === 'batchInventory';
  if (isSet) return { quantity: 100 + i };
  return operation === 'adjustInventory' ? { delta: 1 } : {};
}

for (const [operation, write] of Object.entries(WRITES)) {
  test(`${operation} records author, time and explanation without a change`, async (t) => {
    const app = await startShop(t);
    const isPatch = operation === 'updateInventory';
    const unknown = isPatch ? { actor: 'somebody else', recordedAt: 'yesterday' } : {};
    const { status, text } = await write(app, { ...EXPLANATION, ...unknown });
    assert.ok(status === 200 || status === 201, text);
    const last = (await wholeLedger(app)).at(-1);
    const { reason, note, referenceDocumentUri, referenceId, occurredAt } = last ?? {};
    assert.deepEqual(
      { reason, note, referenceDocumentUri, referenceId, occurredAt },
      { ...EXPLANATION, occurredAt: '2026-02-28T18:29:59.123Z' },
    );
    assert.equal(last?.actor.keyId, app.principal.key.id);
    assert.equal(last?.recordedAt, new Date(app.clock.nowMs).toISOString());
    assert.deepEqual((await app.admin.verify()).faults, []);
  });

  test(`${operation} takes every reason, and texts of just their length`, async (t) => {
    const app = await startShop(t);
    for (const [i, reason] of REASONS.entries()) {
      const isOnce = operation === 'revertMovement' && i > 0;
      const { status, text } = await write(app, { ...another(operation, i), reason });
      assert.ok(isOnce ? status === 409 : status < 300, `${reason}: ${text}`);
    }
    for (const explanation of [
      { note: 'x'.repeat(1_000) },
      { note: '🐕'.repeat(1_000) },
      { referenceId: 'é'.repeat(200) },
      { referenceDocumentUri: `https://a.example/${'x'.repeat(1_982)}` },
      { reason: operation === 'adjustInventory' ? 'other' : null, note: null, referenceId: null },
      { referenceDocumentUri: null, occurredAt: null },
    ]) {
      const { status, text } = await write(app, explanation);
      assert.ok(status < 300 || status === 409, text);
    }
  });
}

for (const [operation, write] of Object.entries({ ...WRITES, ...OTHERS })) {
  test(`${operation} refuses text that cannot be stored unchanged, and names the field`, async (t) => {
    const app = await startShop(t);
    const before = (await wholeLedger(app)).length;
    const bad: readonly (readonly [string, unknown])[] = [
      ...['', 'Received', 'stolen', 5, ['other']].map((value) => ['reason', value] as const),
      ...['x'.repeat(1_001), '🐕'.repeat(1_001), 'a\0b', '\ud800', 'x\udc00y', 5, {}].map(
        (value) => ['note', value] as const,
      ),
      ...['x'.repeat(201), '\0', '\udfff', 7].map((value) => ['referenceId', value] as const),
      ...[
        '',
        'x',
        '/relative',
        '//host/x',
        'https://',
        `https://a.example/${'x'.repeat(1_983)}`,
        'a:\0',
        'urn:x:\ud800',
        'urn:x:\udc00\ud800y',
        1,
      ].map((value) => ['referenceDocumentUri', value] as const),
      ...['2026-02-29T00:00:00Z', '2026-07-01', '2026-07-01T12:00:00', 'now', 1_790_000_000_000].map(
        (value) => ['occurredAt', value] as const,
      ),
    ];
    for (const [field, value] of bad) {
      const { status, code, text } = await write(app, { [field]: value });
      assert.deepEqual([status, code], [400, 'validation_failed'], `${field} ${JSON.stringify(value)}`);
      assert.match(text, new RegExp(`"message":"(?:changes\\[0\\]\\.)?${field} must be`), text);
    }
    assert.equal((await wholeLedger(app)).length, before);
  });
}

test('a movement without an explanation has null fields, and an empty text stays a text', async (t) => {
  const app = await startShop(t);
  await update(app, 1, { quantity: 7 });
  await update(app, 1, { quantity: 8, note: '', referenceId: '' });
  const [silent, empty] = (await wholeLedger(app)).slice(-2);
  assert.deepEqual(
    [silent?.reason, silent?.note, silent?.referenceDocumentUri, silent?.referenceId, silent?.occurredAt],
    [null, null, null, null, null],
  );
  assert.deepEqual([empty?.note, empty?.referenceId, empty?.reason], ['', '', null]);
});
