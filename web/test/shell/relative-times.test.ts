import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '../../src/texts/format.ts';

test('a relative time is a distance, and never the name of another day or month', () => {
  const morning = Date.parse('2026-11-25T08:00:00Z');
  const [english, german] = [createFormat('en-GB', 'now'), createFormat('de-DE', 'jetzt')];
  const shown = (moment: string) => {
    const date = new Date(moment);
    return [english.relative(date, morning), german.relative(date, morning)];
  };
  // Two nights before, and not yesterday.
  assert.deepEqual(shown('2026-11-23T20:00:00Z'), ['1 day ago', 'vor 1 Tag']);
  assert.deepEqual(shown('2026-11-22T09:00:00Z'), ['2 days ago', 'vor 2 Tagen']);
  assert.deepEqual(shown('2026-11-27T07:00:00Z'), ['in 1 day', 'in 1 Tag']);
  assert.deepEqual(shown('2026-09-30T08:00:00Z'), ['1 mo ago', 'vor 1 Monat']);
  assert.deepEqual(shown('2026-11-25T08:00:04Z'), ['now', 'jetzt']);
});
