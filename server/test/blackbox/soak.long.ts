import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { orderOf, placeOrder, stepOrder } from '../store/durability/order-requests.ts';
import { request, setQuantity } from './api-request.ts';
import { RUNTIMES } from './service-process.ts';
import { type Service, startService } from './service.ts';

/* Load for a long time: what the process holds stays bounded. SOAK_MINUTES=2 is for a look. */

const MINUTES = Number(process.env.SOAK_MINUTES ?? '30');
const SAMPLES = 30;
const CLIENTS = 4;
/** Growth of the memory from the second third to the last third. */
const MEMORY_GROWTH = 1.15;
const MORE_DESCRIPTORS = 8;
/** SQLite begins the log again after a checkpoint of 1,000 pages; one transaction can make it longer. */
const WAL_BYTES = 32_000_000;
/** A movement, its order and its indexes. */
const BYTES_PER_CHANGE = 4_000;
const PETS = Array.from({ length: 200 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 1_000_000 }));

interface Sample {
  readonly memory: number;
  readonly descriptors: number;
  readonly wal: number;
  readonly database: number;
  readonly changes: number;
}

function sampleOf(service: Service, changes: number): Sample {
  const size = (suffix: string) => statSync(join(service.databaseDir, `petstore.db${suffix}`)).size;
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
  return {
    memory: Number(kilobytes) * 1_024,
    descriptors: readdirSync(`/proc/${service.pid}/fd`).length,
    wal: size('-wal'),
    database: size(''),
    changes,
  };
}

const most = (samples: readonly Sample[], key: keyof Sample) => Math.max(...samples.map((one) => one[key]));

for (const runtime of RUNTIMES) {
  test(
    `${MINUTES} minutes of load leave memory, descriptors, log and disk bounded, on ${runtime}`,
    {
      skip: process.platform !== 'linux' && 'NOT RUN: it reads /proc of Linux',
      timeout: (MINUTES + 5) * 60_000,
    },
    async (t) => {
      const service = await startService(t, { runtime, pets: PETS });
      let isRunning = true;
      let changes = 0;
      const use = async (client: number) => {
        for (let turn = 0; isRunning; turn += 1) {
          const petId = 1 + ((turn * CLIENTS + client) % PETS.length);
          assert.equal((await setQuantity(service, petId, 1_000_000 - (turn % 1_000))).status, 200);
          const order = orderOf(await placeOrder(service, petId, 1));
          assert.equal((await stepOrder(service, order.orderId, 'approve')).status, 200);
          assert.equal((await stepOrder(service, order.orderId, 'deliver')).status, 200);
          changes += 4;
          for (const path of ['/v1/inventory', '/v1/movements?limit=20', `/v1/inventory/${petId}`]) {
            assert.equal((await request(service, { path, key: service.key })).status, 200);
          }
        }
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => use(client)));
      const samples: Sample[] = [];
      for (let index = 0; index < SAMPLES; index += 1) {
        await Promise.race([delay((MINUTES * 60_000) / SAMPLES), clients]);
        samples.push(sampleOf(service, changes));
      }
      isRunning = false;
      await clients;
      const [first, middle, last] = [0, 1, 2].map((third) =>
        samples.slice((third * SAMPLES) / 3, ((third + 1) * SAMPLES) / 3),
      ) as [Sample[], Sample[], Sample[]];
      const [early, end] = [first[0], last.at(-1)] as [Sample, Sample];
      const perChange = (end.database - early.database) / Math.max(1, end.changes - early.changes);
      t.diagnostic(
        `${end.changes} changes; memory ${middle.map(({ memory }) => Math.round(memory / 1e6)).join(' ')} | ${last.map(({ memory }) => Math.round(memory / 1e6)).join(' ')} MB; at most ${most(samples, 'descriptors')} descriptors, ${most(samples, 'wal')} bytes of log; ${Math.round(perChange)} bytes per change`,
      );
      assert.ok(most(last, 'memory') <= most(middle, 'memory') * MEMORY_GROWTH, 'memory is bounded');
      assert.ok(
        most(last, 'descriptors') <= most(middle, 'descriptors') + MORE_DESCRIPTORS,
        'descriptors are',
      );
      assert.ok(most(samples, 'wal') <= WAL_BYTES, 'the log is');
      assert.ok(perChange <= BYTES_PER_CHANGE, 'the database grows with its changes alone');
      assert.ok(service.isAlive());
      assert.equal(await service.stop(), 0);
      assert.deepEqual((await service.cli('verify')).faults, []);
    },
  );
}
