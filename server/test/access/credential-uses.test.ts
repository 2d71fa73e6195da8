import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CredentialUses } from '../../src/store/access/credential-uses.ts';
import { DeferredWrites } from '../../src/store/sqlite/deferred-writes.ts';
import { MemoryLimits } from '../../src/store/sqlite/memory-limits.ts';
import type { WriterMessage } from '../../src/store/sqlite/writer-messages.ts';
import type { WriterThread } from '../../src/store/sqlite/writer-thread.ts';

const NOW_MS = Date.UTC(2026, 6, 1);
const MINUTE = 60_000;

test('a use that could not be written is written later, unless a newer one replaced it', () => {
  const uses = new CredentialUses();
  for (const id of ['key_one', 'key_two']) uses.note(id, NOW_MS);
  const unwritten = uses.take();
  uses.note('key_one', NOW_MS + MINUTE);
  uses.requeue(unwritten);
  assert.deepEqual(
    uses.take().toSorted((a, b) => a.id.localeCompare(b.id)),
    [
      { id: 'key_one', usedAtMs: NOW_MS + MINUTE },
      { id: 'key_two', usedAtMs: NOW_MS },
    ],
  );
  assert.deepEqual(uses.take(), []);
});

test('uses of keys and sessions whose commit failed are in the next one', async () => {
  const sent: WriterMessage[] = [];
  const writer = {
    isCertain: true,
    submit: async (message: WriterMessage) => {
      sent.push(message);
      if (sent.length === 1) throw new Error('The disk is full.');
    },
  } as unknown as WriterThread;
  const errors: string[] = [];
  const limits = new MemoryLimits({ counts: [], finished: 0 }, () => undefined);
  const writes = new DeferredWrites(writer, limits, (message) => errors.push(message));
  writes.keyUses.note('key_one', NOW_MS);
  writes.sessionUses.note('ses_one', NOW_MS);
  for (let i = 0; i < 3; i += 1) await writes.write();
  const message = {
    ...{ kind: 'saveCounts', counts: [], minutes: [], quotas: [] },
    keyUses: [{ id: 'key_one', usedAtMs: NOW_MS }],
    sessionUses: [{ id: 'ses_one', usedAtMs: NOW_MS }],
  };
  assert.deepEqual(sent, [message, message]);
  assert.equal(errors.length, 1);
});
