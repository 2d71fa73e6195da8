import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_HASH, movementHash } from '../../../src/domain/ledger/ledger.ts';
import { hashFaults, type MovementJson } from './movement-pages.ts';

/** Movements of one pet with chained hashes. */
const LEDGER: readonly MovementJson[] = hashed(
  [1, 2, 3].map((sequence) => ({
    sequence,
    petId: 2n ** 53n + 1n,
    version: sequence,
    kind: 'adjust',
    delta: 1,
    quantityBefore: sequence - 1,
    quantityAfter: sequence,
    statusBefore: 'available',
    statusAfter: 'available',
    reservedBefore: 1,
    reservedAfter: 1,
    alertBefore: 'low',
    alertAfter: 'low',
    alert: null,
    orderId: 4,
    reason: 'correction',
    note: 'one more',
    referenceDocumentUri: 'https://erp.example/1',
    referenceId: `mark ${sequence}`,
    occurredAt: '2026-07-01T07:30:00.000Z',
    recordedAt: '2026-07-01T07:30:00.001Z',
    actor: { keyId: 'key_1', name: 'till' },
    requestId: `request-${sequence}`,
    revertedSequence: null,
    previousSequence: sequence === 1 ? null : sequence - 1,
    hash: FIRST_HASH,
  })),
);

function hashed(movements: readonly MovementJson[]): MovementJson[] {
  let hash = FIRST_HASH;
  return movements.map((movement) => {
    const { occurredAt, recordedAt, actor } = movement;
    const times = { occurredAtMs: Date.parse(occurredAt ?? ''), recordedAtMs: Date.parse(recordedAt) };
    hash = movementHash(hash, { ...movement, ...times, actor: actor.keyId ?? actor.name });
    return { ...movement, hash };
  });
}

const CHANGES: readonly Partial<MovementJson>[] = [
  { sequence: 9 },
  { petId: 2n ** 53n },
  { version: 9 },
  { kind: 'set' },
  { quantityBefore: 9 },
  { quantityAfter: 9 },
  { statusBefore: 'sold' },
  { statusAfter: 'sold' },
  { reservedBefore: 9 },
  { reservedAfter: 9 },
  { alertBefore: null },
  { alertAfter: 'out' },
  { orderId: null },
  { reason: null },
  { note: null },
  { referenceDocumentUri: null },
  { referenceId: 'mark 9' },
  { occurredAt: '2026-07-01T07:30:00.001Z' },
  { recordedAt: '2026-07-01T07:30:00.002Z' },
  { actor: { keyId: null, name: 'till' } },
  { requestId: null },
  { revertedSequence: 1 },
  { previousSequence: null },
];

test('a ledger is refuted when any hashed field of a movement was changed, and when one is missing', () => {
  assert.deepEqual(hashFaults(LEDGER), []);
  for (const change of CHANGES) {
    const changed = LEDGER.map((movement, index) => (index === 1 ? { ...movement, ...change } : movement));
    assert.equal(hashFaults(changed).length, 1, Object.keys(change).join());
  }
  assert.deepEqual(hashFaults(LEDGER.toSpliced(1, 1)), ['Movement 3 has another hash than its fields make.']);
  const renamed = LEDGER.map((movement) => ({ ...movement, actor: { ...movement.actor, name: 'new' } }));
  assert.deepEqual(hashFaults(renamed), [], 'the name of a key is not hashed');
  const derived = LEDGER.map((movement) => ({ ...movement, alert: 'low' as const }));
  assert.deepEqual(hashFaults(derived), [], 'the alert follows from the levels, which are hashed');
});
