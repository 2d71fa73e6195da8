import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventPosition } from '../../src/domain/webhooks/events.ts';
import { type EventClient, EventReader, type EventScan } from '../../src/store/webhooks/event-reader.ts';
import { EventSource, EventsReplaced, RECORDED_DATA } from '../../src/webhooks/queues/event-source.ts';

/** A ledger whose newest event is where the test says, and of which each scan reads two sequences. */
class Ledger extends EventReader {
  newest = 5;

  constructor() {
    super({} as EventClient);
  }

  override async head(): Promise<EventPosition> {
    return { sequence: this.newest, number: 1 };
  }

  override async scan(after: EventPosition, head: EventPosition): Promise<EventScan> {
    const sequence = Math.min(after.sequence + 2, head.sequence);
    return { movements: [], recorded: [], upTo: { sequence, number: 1 } };
  }
}

const NO_RECEIVER = { isWanted: () => false, offer: () => assert.fail('There is no event.') };

test('a database with fewer events than before ends the source, and one without new events is not read', async () => {
  const ledger = new Ledger();
  const source = await EventSource.start(ledger, RECORDED_DATA);
  assert.equal(await source.poll(NO_RECEIVER), false);
  ledger.newest = 4;
  await assert.rejects(source.poll(NO_RECEIVER), EventsReplaced);
});

test('where one scan does not reach the newest event, the next one follows without a pause', async () => {
  const ledger = new Ledger();
  const source = await EventSource.start(ledger, RECORDED_DATA);
  ledger.newest = 10;
  const polls: unknown[] = [];
  for (let scan = 0; scan < 3; scan += 1)
    polls.push([await source.poll(NO_RECEIVER), source.position.sequence]);
  assert.deepEqual(polls, [
    [true, 7],
    [true, 9],
    [false, 10],
  ]);
});
