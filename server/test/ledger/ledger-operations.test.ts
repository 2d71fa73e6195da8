import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_HASH, movementHash } from '../../src/domain/ledger/ledger.ts';
import { linesOf, place } from '../orders/order-requests.ts';
import { startApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { adjust, setStatus, update, wholeLedger } from '../support/stock-requests.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

test('getStoreInventory adds up quantities by status, exactly, and names every status', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5), petRow(2n, 7), petRow(3n, 9, 'pending')] });
  const totals = async () => (await app.request('GET', '/v1/store/inventory')).text;
  assert.equal(await totals(), '{"available":12,"pending":9,"sold":0,"reservedUnits":0,"availableUnits":21}');
  await setStatus(app, 2, { status: 'sold' });
  await adjust(app, 1, { delta: -1 });
  await place(app, linesOf([1, 3], [2, 7]));
  assert.equal(await totals(), '{"available":4,"pending":9,"sold":7,"reservedUnits":10,"availableUnits":10}');
  for (const petId of [1, 2, 3]) {
    await update(app, petId, { quantity: 9_007_199_254_740_991 });
    await setStatus(app, petId, { status: 'pending' });
  }
  assert.equal(
    await totals(),
    '{"available":0,"pending":27021597764222973,"sold":0,"reservedUnits":10,"availableUnits":27021597764222963}',
  );
});

once('getStoreInventory of an empty shop is zeros, and takes no parameters and no body', async (t) => {
  const app = await startApp(t);
  const answer = await app.request('GET', '/v1/store/inventory');
  assert.deepEqual(
    [answer.status, answer.text],
    [200, '{"available":0,"pending":0,"sold":0,"reservedUnits":0,"availableUnits":0}'],
  );
  assert.equal(answer.headers.get('Cache-Control'), 'private, no-cache');
  assert.equal((await app.request('POST', '/v1/store/inventory')).status, 405);
});

interface Audit {
  readonly pets: number;
  readonly movements: number;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly isIntact: boolean;
  readonly firstBadSequence: number | null;
  readonly faults: readonly string[];
}

once(
  'auditLedger recomputes the ledger, and a client can recompute its head from the movements',
  async (t) => {
    const app = await startApp(t, { pets: petRows(3) });
    await adjust(app, 1, { delta: 4, note: 'ü' });
    await setStatus(app, 2, { status: 'sold', occurredAt: '2026-07-01T12:00:00Z' });
    const answer = await app.request('GET', '/v1/ledger/audit');
    const ledger = await wholeLedger(app);
    const { head, ...audit } = answer.json as unknown as Audit;
    assert.deepEqual(audit, {
      pets: 3,
      movements: 5,
      hashesChecked: 5,
      retentionStart: { sequence: 0, recordedAt: null },
      prunes: [],
      isIntact: true,
      firstBadSequence: null,
      faults: [],
    });
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    let hash = FIRST_HASH;
    for (const movement of ledger) {
      const { keyId, name } = movement.actor;
      hash = movementHash(hash, {
        ...(movement as unknown as Parameters<typeof movementHash>[1]),
        petId: BigInt(movement.petId),
        actor: keyId ?? name,
        occurredAtMs: movement.occurredAt === null ? null : Date.parse(movement.occurredAt),
        recordedAtMs: Date.parse(movement.recordedAt),
      });
      assert.equal(movement.hash, hash);
    }
    assert.deepEqual(head, { sequence: ledger.length, hash });
  },
);

test('auditLedger answers 200 with the faults, and names the first bad movement', async (t) => {
  const app = await startApp(t, { pets: petRows(3) });
  for (let i = 0; i < 4; i += 1) await adjust(app, 1, { delta: 1 });
  await app.database.unguard();
  await app.database.run("UPDATE movements SET note = 'forged' WHERE sequence = 5");
  const { status, json } = await app.request('GET', '/v1/ledger/audit');
  const { isIntact, firstBadSequence, faults } = json as unknown as Audit;
  assert.deepEqual([status, isIntact, firstBadSequence], [200, false, 5]);
  assert.ok(faults.length > 0);
});

once('requests for an audit during an audit share it', async (t) => {
  const app = await startApp(t, { pets: petRows(500), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.request('GET', '/v1/ledger/audit')));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  await adjust(app, 1, { delta: 1 });
  assert.match((await app.request('GET', '/v1/ledger/audit')).text, /"movements":501,/);
});
