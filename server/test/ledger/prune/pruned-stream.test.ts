import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { openStream } from '../../live/app-stream.ts';
import { startApp } from '../../support/harness.ts';
import { petRow, petRows } from '../../support/pet-rows.ts';

test('a stream and a serving process continue over prunes and imports between changes', async (t) => {
  const app = await startApp(t, { pets: petRows(3) });
  const stream = await openStream(t, app, { query: '?after=0' });
  let position = 3;
  const takeOne = async () => {
    position += 1;
    const events = await stream.takeEvents(position);
    assert.deepEqual([events.length, events.at(-1)?.id], [position, String(position)]);
  };
  const change = async (quantity: number) => {
    app.clock.nowMs += 1_000;
    const { status } = await app.request('PATCH', '/v1/inventory/1', { body: JSON.stringify({ quantity }) });
    assert.equal(status, 200);
    await takeOne();
  };
  for (let round = 1; round <= 3; round += 1) {
    await change(round * 10);
    await change(round * 10 + 1);
    for (let more = 0; more < round; more += 1) {
      const { prune } = await app.admin.pruneMovements(app.clock.nowMs + 1, CLI_AUTHOR);
      assert.equal(prune !== undefined, more === 0);
    }
    if (round === 2) {
      await app.admin.importPets([petRow(2n, 77)], 'cli', app.clock.nowMs);
      await takeOne();
    }
    await change(round * 10 + 2);
    const report = await app.audits.next();
    assert.deepEqual([report.faults, report.prunes.length], [[], round]);
  }
  const last = (await app.audits.next()).head;
  await app.admin.pruneMovements(app.clock.nowMs + 1, CLI_AUTHOR);
  const { head, prunes } = await app.audits.next();
  assert.deepEqual(head, { sequence: last.sequence, hash: prunes.at(-1)?.hash });
  assert.notEqual(head.hash, last.hash);
});
