import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareEvents,
  isEventId,
  placeBefore,
  recentEvents,
  shownPlace,
} from '../../src/pages/webhooks/events.ts';

test('the place before an event is an id that a replay takes, directly before it', () => {
  assert.equal(placeBefore('815.2-1a2b3c4d'), '815.1');
  const place = placeBefore('815.0-1a2b3c4d');
  assert.ok(isEventId(place));
  assert.equal(shownPlace(place), '814');
  assert.equal(shownPlace('814.1'), '814.1');
  assert.ok(compareEvents(place, '815.0-1a2b3c4d') < 0);
  assert.ok(
    compareEvents(place, '814.1-1a2b3c4d') > 0,
    'the events of the movement before are not sent again',
  );
});

test('the log has each event once, the newest first, without tests and without what the queue will send', () => {
  const attempt = (eventId: string, attemptedAt: string, error: string | null) => {
    return { eventId, eventType: 'inventory.changed', attemptedAt, error };
  };
  const log = [
    attempt('9.0-aaaaaaaa', '7', 'The status is 500.'),
    attempt('7.0-aaaaaaaa', '6', 'The status is 500.'),
    attempt('msg_test', '5', null),
    attempt('7.0-aaaaaaaa', '4', null),
    attempt('8.1-aaaaaaaa', '3', 'The status is 500.'),
    attempt('8.0-aaaaaaaa', '2', null),
  ];
  const found = recentEvents(log, '8.1').map((event) => [event.eventId, event.attemptedAt, event.isAccepted]);
  assert.deepEqual(found, [
    ['8.1-aaaaaaaa', '3', false],
    ['8.0-aaaaaaaa', '2', true],
    ['7.0-aaaaaaaa', '6', true],
  ]);
});
