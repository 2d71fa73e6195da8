import type { Count } from '../../src/counts/count.ts';

/** A count that waits to be sent. Its tag names the movement 41 as the newest one of the pet. */
export const WAITING_COUNT: Count = {
  id: '000001',
  key: 'key-1',
  petId: '7',
  name: 'Pet 7',
  counted: 5,
  expected: 3,
  tag: '"2-41-kx0"',
  countedAt: '2026-06-01T12:00:00.000Z',
  keyId: 'key_me',
  by: 'Me',
  state: 'waiting',
  undoKey: 'key-2',
};
