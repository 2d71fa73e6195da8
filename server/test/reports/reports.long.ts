import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { movementBounds, movementRows } from '../../src/domain/management/reports/movement-report.ts';
import { stockRows } from '../../src/domain/management/reports/stock-report.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';

const PETS = 10_000;
const BATCH = 1_000;
const MEGABYTE = 1_048_576;
/** What a report may add to the process, with the garbage that it leaves. */
const MOST_MEGABYTES = 250;
/** A report of five times the movements takes at most so many times as long. */
const MOST_TIMES = 8;

test('reports of 500,000 movements take five times as long as of 100,000, in the same memory', async (t) => {
  const { store } = await newAdminStore(t);
  const rows = Array.from({ length: PETS }, (_, i) =>
    petRow(i + 1, { name: `Pet ${i}`, category: `Category ${i % 100}`, quantity: 5 }),
  );
  await store.importPets(rows, 'cli');
  let written = PETS;
  const writeUpTo = async (movements: number) => {
    for (; written < movements; written += BATCH) {
      const changes = Array.from({ length: BATCH }, (_, i) => ({
        kind: 'set' as const,
        petId: BigInt(((written + i * 7) % PETS) + 1),
        quantity: (written / BATCH + i) % 90,
      }));
      const command = { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false } as const;
      await store.write(command, CLI_AUTHOR);
    }
  };
  const costs = new Map<string, number[]>();
  const measured = async (name: string, parts: AsyncIterable<readonly unknown[]>): Promise<number> => {
    const [cpu, before] = [process.cpuUsage(), process.memoryUsage.rss()];
    const began = performance.now();
    let [found, most] = [0, before];
    for await (const part of parts) {
      found += part.length;
      most = Math.max(most, process.memoryUsage.rss());
    }
    const { user, system } = process.cpuUsage(cpu);
    const ms = performance.now() - began;
    const added = (Math.max(most, process.memoryUsage.rss()) - before) / MEGABYTE;
    costs.set(name, [...(costs.get(name) ?? []), ms]);
    t.diagnostic(
      `${written} movements, ${name}: ${ms.toFixed(0)} ms, CPU ${((user + system) / 1_000).toFixed(0)} ms, ${added.toFixed(0)} MB`,
    );
    assert.ok(added < MOST_MEGABYTES, `${name} added ${added.toFixed(0)} MB`);
    return found;
  };
  for (const movements of [100_000, 500_000]) {
    await writeUpTo(movements);
    const { reports } = store;
    const bounds = await movementBounds(reports, {});
    const query = { timeZone: 'Europe/Berlin', per: 'month' as const, ...bounds };
    const half = Math.floor(movements / 2);
    await measured('movements in total', movementRows(reports, { by: 'total', ...query }));
    await measured('movements by category', movementRows(reports, { by: 'category', ...query }));
    await measured('movements by pet', movementRows(reports, { by: 'pet', ...query }));
    const one = { by: 'total', petId: 7n, ...query } as const;
    await measured('movements of a pet', movementRows(reports, one));
    assert.equal(
      await measured('stock now', stockRows(reports, { by: 'pet', sequence: bounds.upper })),
      PETS,
    );
    assert.equal(await measured('stock then', stockRows(reports, { by: 'pet', sequence: half })), PETS);
  }
  for (const [name, [small = 1, large = 0]] of costs) {
    t.diagnostic(`${name}: ${(large / small).toFixed(1)} times as long`);
    assert.ok(large < 200 || large < small * MOST_TIMES, `${name}: ${small} ms, then ${large} ms`);
  }
});
