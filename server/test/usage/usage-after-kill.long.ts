import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAdmin } from '../../src/store/open-admin.ts';
import { startService } from '../blackbox/service.ts';
import { temporaryFolder } from '../support/command-line.ts';

const LOAD_MS = 2_500;
/** Counts are saved each second; a saving may take a while on a busy machine. */
const SAVED_AFTER_MS = 2_000;

/** Sends requests until the process is gone. Returns the moments of their responses. */
async function sendUntilKilled(url: string, key: string): Promise<number[]> {
  const respondedAtMs: number[] = [];
  for (;;) {
    const options = { headers: { Authorization: `Bearer ${key}` } };
    const response = await fetch(`${url}/v1/inventory/1`, options).catch(() => undefined);
    if (response?.status !== 200) return respondedAtMs;
    await response.text().catch(() => '');
    respondedAtMs.push(performance.now());
  }
}

test('after kill -9 the history has all requests except the last ones, and counts on from there', async (t) => {
  const folder = temporaryFolder(t);
  const pets = [{ petId: 1n, quantity: 1 }];
  const service = await startService(t, { databaseDir: folder, pets });
  const sending = sendUntilKilled(service.url, service.key);
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
  const killedAtMs = performance.now();
  await service.kill9();
  const respondedAtMs = await sending;
  const admin = await openAdmin(`sqlite:${join(folder, 'petstore.db')}`);
  t.after(() => admin.close());
  const [account] = await admin.accounts.list();
  const readTotal = async () => {
    const query = { unit: 'minute', sinceMs: 0, untilMs: Date.UTC(2100, 0, 1) } as const;
    const periods = await admin.usage.read(account?.id ?? '', query);
    return periods.reduce((sum, { requests }) => sum + requests, 0);
  };
  const kept = await readTotal();
  const saved = respondedAtMs.filter((atMs) => atMs < killedAtMs - SAVED_AFTER_MS).length;
  t.diagnostic(`${kept} of ${respondedAtMs.length} requests are in the history; at least ${saved} must be`);
  assert.ok(saved > 0 && kept >= saved, `${kept} of ${saved}`);
  assert.ok(kept <= respondedAtMs.length + 1, 'a request counts once');

  const again = await startService(t, { databaseDir: folder, key: service.key });
  const headers = { Authorization: `Bearer ${service.key}` };
  for (let i = 0; i < 5; i += 1) await (await fetch(`${again.url}/v1/inventory/1`, { headers })).text();
  assert.equal(await again.stop(), 0);
  assert.equal(await readTotal(), kept + 5);
});
