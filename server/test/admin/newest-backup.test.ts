import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { petRows } from '../support/pet-rows.ts';

test('the system has the newest backup that was recorded, and its age', async (t) => {
  const app = await startApp(t, { pets: petRows(1), nowMs: 'now' });
  const { key } = await app.makeAdminKey('viewer');
  const newestBackup = async () => {
    const { status, json } = await app.request('GET', '/admin/v1/system', { key });
    assert.equal(status, 200);
    return (json as unknown as { newestBackup: unknown }).newestBackup;
  };
  assert.equal(await newestBackup(), null);
  const { nowMs } = app.clock;
  await app.admin.recordBackup({ madeAtMs: nowMs - 90_000_000, sequence: 1, bytes: 5_000_000_000 });
  await app.admin.recordBackup({ madeAtMs: nowMs - 3_600_000, sequence: 2, bytes: 10 });
  // One that began before, and took longer.
  await app.admin.recordBackup({ madeAtMs: nowMs - 80_000_000, sequence: 1, bytes: 20 });
  const { ageSeconds, ...backup } = (await newestBackup()) as { ageSeconds: number };
  assert.deepEqual(backup, { madeAt: new Date(nowMs - 3_600_000).toISOString(), sequence: 2, bytes: 10 });
  const latestMs = (await app.admin.now()) - (nowMs - 3_600_000);
  assert.ok(ageSeconds >= 3_600 && ageSeconds * 1_000 <= latestMs, String(ageSeconds));
  // A clock that was set back.
  await app.admin.recordBackup({ madeAtMs: nowMs + 3_600_000, sequence: 2, bytes: 10 });
  assert.equal(((await newestBackup()) as { ageSeconds: number }).ageSeconds, 0);
});
