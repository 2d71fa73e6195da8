import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { openAdminEngine } from '../../../src/store/open-engine.ts';
import { requireReplayable } from '../../../src/store/webhooks/event-positions.ts';
import { filledShop } from './pruned-shop.ts';

/** More than one portion. */
const EVENTS = 4_500;

test('a prune deletes the events before the retention start, in portions, and an interrupted one is completed', async (t) => {
  const { store, database } = await filledShop(t);
  const event = (sequence: number, number: number) => `(${sequence}, ${number}, 'order.placed', NULL, '', 0)`;
  const old = Array.from({ length: EVENTS }, (_, i) => event(i % 8, 2 + i));
  await database.run(
    `INSERT INTO events VALUES ${[...old, event(8, 2), event(8, 3), event(9, 2), event(10, 2)].join()}`,
  );
  const kept = [
    [8, 2],
    [8, 3],
    [9, 2],
    [10, 2],
  ];
  const left = () => database.rows('SELECT sequence, number FROM events ORDER BY sequence, number');
  await store.previewPrune(30);
  assert.equal((await left()).length, EVENTS + kept.length);
  assert.equal((await store.pruneMovements(30, CLI_AUTHOR)).start.sequence, 8);
  assert.deepEqual(await left(), kept);
  await database.run(`INSERT INTO events VALUES ${event(3, 2)}`);
  await store.pruneMovements(30, CLI_AUTHOR);
  assert.deepEqual(await left(), kept);
});

test('events can be delivered again from the retention start on, and from no earlier place', async (t) => {
  const { store, database } = await filledShop(t);
  assert.equal((await store.pruneMovements(30, CLI_AUTHOR)).start.sequence, 8);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  await requireReplayable(engine, { sequence: 8, number: 1 });
  for (const early of [
    { sequence: 8, number: 0 },
    { sequence: 7, number: 2 },
  ])
    await assert.rejects(requireReplayable(engine, early), { code: 'history_pruned' });
});
