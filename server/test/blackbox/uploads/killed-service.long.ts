import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../../src/cli/keys/new-key.ts';
import { startCluster } from '../../postgres/support/cluster.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { until } from '../../support/until.ts';
import { request } from '../api-request.ts';
import type { WithAdmin } from '../operator.ts';
import { startService } from '../service.ts';
import type { ServiceProcess } from '../service-process.ts';

const PETS = 200_000;
const SUPPLIERS = 50;
const FILE = `petId,quantity,name,supplier\n${Array.from({ length: PETS }, (_, i) => `${i},${i % 7},Pet ${i},Supplier ${i % SUPPLIERS}\n`).join('')}`;
/** A killed instance holds an import for up to 60 s, and others look for such work every 15 s. */
const RESUMED_TIMEOUT_MS = 150_000;
/** More than any other transaction writes, and much less than the import. */
const WRITTEN_BYTES = 6_000_000;

interface KilledShop {
  readonly withAdmin: WithAdmin;
  readonly first: ServiceProcess;
  /** The size of what grows while an import writes, before its commit too. */
  writtenBytes(): Promise<number>;
  /** The instance that continues after the kill of the first one. */
  successor(): Promise<ServiceProcess>;
  /** Instances that serve meanwhile. */
  readonly others?: readonly ServiceProcess[];
}

interface ImportJson {
  readonly id: string;
  readonly state: string;
  readonly checkedBytes: number;
}

/** Kills the instance that works on an import, in one of its states; another one must finish it. */
async function killIn(t: TestContext, state: 'checking' | 'applying', shop: KilledShop): Promise<void> {
  const { withAdmin, first } = shop;
  const key = await withAdmin(async (admin, config) => {
    const fields = { role: 'staff', name: 'staff', scopes: null, expiresAtMs: null } as const;
    return (await createKey(config, admin, fields)).secret;
  });
  let at = first;
  const send = async (method: string, path: string, body?: string): Promise<ImportJson> => {
    const file = body === undefined ? {} : { body, headers: { 'Content-Type': 'text/csv' } };
    const response = await request(at, { method, path: `/admin/v1/imports${path}`, key, ...file });
    assert.ok(response.status < 300, response.body.toString());
    return JSON.parse(response.body.toString()) as ImportJson;
  };
  const wait = async (id: string, isSo: (found: ImportJson) => boolean): Promise<ImportJson> => {
    for (const deadline = Date.now() + RESUMED_TIMEOUT_MS; ; await delay(100)) {
      const found = await send('GET', `/${id}`);
      if (isSo(found)) return found;
      assert.ok(Date.now() < deadline, `in time: ${JSON.stringify(found)}`);
    }
  };
  const { id } = await send('POST', '', FILE);
  if (state === 'checking') await wait(id, ({ checkedBytes }) => checkedBytes > 0);
  else {
    await wait(id, (found) => found.state === 'planned');
    const before = await shop.writtenBytes();
    await send('POST', `/${id}/apply`);
    await until(async () => (await shop.writtenBytes()) > before + WRITTEN_BYTES, 'the import writes');
  }
  assert.equal((await send('GET', `/${id}`)).state, state);
  if (state === 'applying') {
    for (const instance of [first, ...(shop.others ?? [])]) {
      for (const action of ['apply', 'cancel']) {
        const path = `/admin/v1/imports/${id}/${action}`;
        const response = await request(instance, { method: 'POST', path, key });
        // On SQLite the import has the lock that this needs.
        assert.ok([409, 503].includes(response.status), `${action}: ${response.body}`);
      }
    }
  }
  await first.kill9();
  const killedAtMs = Date.now();
  at = await shop.successor();
  if (state === 'checking') {
    assert.equal((await wait(id, (found) => found.state !== 'checking')).state, 'planned');
    await send('POST', `/${id}/apply`);
  }
  assert.equal((await wait(id, (found) => found.state !== 'applying')).state, 'applied');
  t.diagnostic(`finished ${Math.round((Date.now() - killedAtMs) / 1_000)} s after the kill`);
  await withAdmin(async (admin) => {
    const { faults, movements } = await admin.verify();
    assert.deepEqual([faults, Number(movements)], [[], PETS]);
    assert.equal((await admin.reorders.suppliers()).length, SUPPLIERS);
    const last = BigInt(PETS - 1);
    assert.equal((await admin.reorders.find(last)).supplier, `Supplier ${(PETS - 1) % SUPPLIERS}`);
    assert.equal((await admin.activity.list({ action: 'imports.apply', limit: 10 })).length, 1);
  });
  for (const instance of [at, ...(shop.others ?? [])]) {
    const list = await request(instance, { path: '/admin/v1/inventory', key });
    assert.equal((JSON.parse(list.body.toString()) as unknown[]).length, PETS);
  }
}

describe('a service that is killed during an import', { concurrency: true }, () => {
  for (const state of ['checking', 'applying'] as const) {
    test(`while it is ${state}, on SQLite, finishes it after its restart`, async (t) => {
      const databaseDir = temporaryFolder(t);
      const service = await startService(t, { databaseDir });
      const successor = () => startService(t, { databaseDir, key: service.key });
      const writtenBytes = async () => statSync(join(databaseDir, 'petstore.db-wal')).size;
      await killIn(t, state, { withAdmin: service.withAdmin, first: service, successor, writtenBytes });
    });

    test(`while it is ${state}, on PostgreSQL, leaves it to the other instances`, async (t) => {
      const cluster = await startCluster(t, { instances: 3 });
      const [first, second, ...others] = cluster.instances;
      assert.ok(first && second);
      const name = new URL(cluster.databaseUrl).pathname.slice(1);
      const writtenBytes = async () => {
        const [row] = await cluster.postgres.query("SELECT pg_relation_size('movements') AS bytes", name);
        return Number(row?.bytes);
      };
      const successor = async () => second;
      await killIn(t, state, { withAdmin: cluster.withAdmin, first, successor, others, writtenBytes });
    });
  }
});
