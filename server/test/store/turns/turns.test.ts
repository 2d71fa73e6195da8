import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/harness.ts';
import { petRows } from '../../support/pet-rows.ts';
import { fetchFrom } from '../../support/web-exchange.ts';
import { measureTurns } from './turn-meter.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const PETS = 150_000;

test('work on all pets is split over many turns of the event loop, for any number of callers', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(PETS), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const read = async (path: string) => {
    const headers = { Authorization: `Bearer ${app.key}`, 'Accept-Encoding': 'gzip' };
    const { status, body } = await fetchFrom(
      app.app,
      new Request(`http://localhost/v1/${path}`, { headers }),
    );
    assert.equal(status, 200);
    let bytes = 0;
    for await (const piece of body ?? []) bytes += piece.length;
    return bytes;
  };
  const callers = (path: string) => () => Promise.all(Array.from({ length: 8 }, () => read(path)));
  // Compilation during the first request is not part of the measurement.
  await read('inventory?limit=1000');
  for (const path of ['store/inventory', 'inventory']) {
    const { totalMs, longestMs } = await measureTurns(callers(path));
    t.diagnostic(`${path}: ${longestMs.toFixed(1)} of ${totalMs.toFixed(1)} ms in one turn`);
    assert.ok(longestMs < 0.5 * totalMs, `${path}: ${longestMs} of ${totalMs} ms in one turn`);
  }
});
