import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_STATUSES } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import {
  packMessage,
  packReply,
  unpackMessage,
  unpackReply,
} from '../../src/store/sqlite/packed-messages.ts';
import type { WriterMessage, WriterReply } from '../../src/store/sqlite/writer-messages.ts';

const textOrNull = fc.option(fc.string({ unit: 'grapheme' }), { nil: null });
const moment = fc.maxSafeNat();
const units = fc.maxSafeNat();
const petId = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const author = fc.record({
  actor: fc.string(),
  actorName: fc.string(),
  requestId: textOrNull,
  atMs: moment,
});
const explanation = fc.record({
  reason: fc.constantFrom(null, 'sold', 'received'),
  note: textOrNull,
  referenceDocumentUri: textOrNull,
  referenceId: textOrNull,
  occurredAtMs: fc.option(moment, { nil: null }),
});

const placement = fc.record({
  author,
  command: fc.record({
    kind: fc.constant('place'),
    lines: fc.array(fc.record({ petId, quantity: units }), { minLength: 1, maxLength: 100 }),
    expiresAtMs: fc.option(fc.option(moment, { nil: null }), { nil: undefined }),
    explanation,
  }),
  idempotency: fc.option(fc.record({ scope: fc.string(), fingerprint: fc.string() }), { nil: undefined }),
});

test('a new order arrives in the writing thread as it was sent', () => {
  fc.assert(
    fc.property(placement, (request) => {
      const message = { kind: 'changeStock', request } as WriterMessage;
      assert.deepEqual(defined(unpackMessage(clone(packMessage(message)))), defined(message));
    }),
  );
});

const order = fc.record({
  orderId: fc.maxSafeNat(),
  status: fc.constantFrom(...ORDER_STATUSES),
  version: fc.maxSafeNat(),
  lines: fc.array(fc.record({ petId, quantity: units, delivered: units, returned: units }), { minLength: 1 }),
  referenceId: textOrNull,
  note: textOrNull,
  expiresAtMs: fc.option(moment, { nil: null }),
  createdAtMs: moment,
  updatedAtMs: moment,
  actor: fc.string(),
  actorName: fc.string(),
});

test('an order arrives in the serving thread as it was written', () => {
  fc.assert(
    fc.property(order, fc.constantFrom('done', 'invalid_transition'), (written, code) => {
      const result = { kind: 'order', code, order: written, line: null, petId: null, stock: null };
      const reply = { kind: 'written', result } as WriterReply;
      assert.deepEqual(defined(unpackReply(clone(packReply(reply)))), defined(reply));
    }),
  );
});

/** As between two threads. */
function clone<T>(value: T): T {
  return structuredClone(value);
}

/** Without members that are `undefined`: to have one, and not to have it, is the same. */
function defined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(defined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, defined(member)]));
}
