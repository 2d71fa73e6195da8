import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IDEMPOTENCY_TTL_MS } from '../../src/domain/write-command.ts';
import { PurgeCursor } from '../../src/store/idempotency/purge-cursor.ts';

const NOW_MS = Date.UTC(2026, 6, 1);
const MINUTE = 60_000;

test('the purge continues after its cursor, and stops before the first valid record', () => {
  const purge = new PurgeCursor();
  const question = { after: 0, oldMs: NOW_MS - IDEMPOTENCY_TTL_MS, nowMs: NOW_MS };
  assert.deepEqual(purge.next(NOW_MS), question);
  purge.note({ firstKept: null, firstAhead: null, last: 100 });
  assert.deepEqual(purge.next(NOW_MS), { ...question, after: 100 });
  purge.note({ firstKept: 131, firstAhead: null, last: 200 });
  assert.deepEqual(purge.next(NOW_MS), { ...question, after: 130 });
  purge.note({ firstKept: null, firstAhead: null, last: null });
  assert.equal(purge.next(NOW_MS).after, 130, 'nothing is there');
});

test('answers from the future are skipped, and checked again a minute later', () => {
  let elapsedMs = 5;
  const purge = new PurgeCursor(() => elapsedMs);
  purge.note({ firstKept: null, firstAhead: 50, last: 100 });
  elapsedMs += MINUTE - 1;
  assert.equal(purge.next(NOW_MS).after, 100);
  elapsedMs += 1;
  assert.equal(purge.next(NOW_MS).after, 49);
  purge.note({ firstKept: null, firstAhead: null, last: 100 });
  elapsedMs += MINUTE;
  assert.equal(purge.next(NOW_MS).after, 100, 'none is left');
});
