import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { type GaugeFacts, DatabaseGauges } from '../../src/http/metrics/database-gauges.ts';

const checkHealth = async () => {};
const isDiskFull = () => false;
const now = () => 0;
/** Five seconds before `now`. */
const BACKUP = { madeAtMs: -5_000, sequence: 7, bytes: 10 };

test('the database is read once per minute for all gauges and scrapes, and a failure keeps the last values', async () => {
  const registry = new Registry();
  let nowMs = 0;
  let reads = 0;
  let facts: GaugeFacts | undefined;
  const read = async () => {
    reads += 1;
    if (!facts) throw new Error('The database does not answer.');
    return facts;
  };
  new DatabaseGauges(registry, { read, now, checkHealth, isDiskFull }, () => nowMs);
  const values = async () => {
    const text = await registry.metrics();
    return [...text.matchAll(/^petstore_(?!ready|disk_full|clock)(\w+) (\d+|\+Inf)$/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );
  };

  assert.deepEqual(await values(), [], 'an unknown value is not a 0');
  facts = { pets: 3, bytes: 4096, freeBytes: 512, newestBackup: BACKUP };
  assert.deepEqual(await values(), []);
  assert.equal(reads, 1);
  nowMs = 60_000;
  const lines = ['pets 3', 'database_size_bytes 4096', 'disk_free_bytes 512', 'newest_backup_age_seconds 5'];
  assert.deepEqual(await Promise.all([values(), values()]), [lines, lines]);
  assert.equal(reads, 2);
  facts = undefined;
  nowMs = 120_000;
  assert.deepEqual(await values(), lines);
  assert.equal(reads, 3);
  facts = { pets: 3, bytes: 4096, freeBytes: undefined, newestBackup: undefined };
  nowMs = 180_000;
  const unknown = [...lines.slice(0, 2), 'newest_backup_age_seconds +Inf'];
  assert.deepEqual(await values(), unknown, 'the disk of another machine is unknown');
});

test('a scrape does not wait for a database that does not respond', async () => {
  const registry = new Registry();
  const { promise, resolve } = Promise.withResolvers<GaugeFacts>();
  new DatabaseGauges(registry, { read: () => promise, now, checkHealth, isDiskFull }, () => 0);
  assert.doesNotMatch(await registry.metrics(), /^petstore_pets \d/m);
  resolve({ pets: 3, bytes: 4096, freeBytes: 512, newestBackup: undefined });
  assert.match(await registry.metrics(), /^petstore_pets 3$/m);
});

test('a service whose database refuses or does not respond is not ready', async () => {
  const registry = new Registry();
  let health = Promise.resolve();
  let isFull = false;
  const read = async () => ({ pets: 3, bytes: 4096, freeBytes: 512, newestBackup: undefined });
  const parts = { read, now: () => 5_500, checkHealth: () => health, isDiskFull: () => isFull };
  new DatabaseGauges(registry, parts);
  assert.match(await registry.metrics(), /^petstore_clock_seconds 5\.5$/m);
  assert.match(await registry.metrics(), /^petstore_ready 1$/m);
  assert.match(await registry.metrics(), /^petstore_disk_full 0$/m);
  isFull = true;
  assert.match(await registry.metrics(), /^petstore_disk_full 1$/m);
  health = Promise.reject(new Error('The database does not answer.'));
  assert.match(await registry.metrics(), /^petstore_ready 0$/m);
  health = new Promise<never>(() => {});
  assert.match(await registry.metrics(), /^petstore_ready 0$/m);
});
