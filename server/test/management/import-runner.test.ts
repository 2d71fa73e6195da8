import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportJobs, ImportTask } from '../../src/domain/import-jobs.ts';
import { ImportRunner } from '../../src/management/jobs/import-runner.ts';

const TASK = { id: 'imp_1', state: 'applying', owner: 'runner', changes: 1 } as ImportTask;

/** A runner whose import fails when it is applied, and what it does with the import then. */
async function runFailing(error: Error, isReleased = true) {
  const done: string[] = [];
  const jobs = {
    claim: async () => TASK,
    apply: () => Promise.reject(error),
    clearRows: async () => Boolean(done.push('clear rows')),
    fail: async (_task: ImportTask, reason: string) => void done.push(`fail ${reason}`),
    release: async (_task: ImportTask, delayMs: number) => {
      done.push(`release ${delayMs}`);
      if (!isReleased) throw new Error('no connection');
    },
  };
  const runner = new ImportRunner(jobs as unknown as ImportJobs, 1_000, () => false);
  const result = await runner.runNext().catch((thrown: Error) => thrown);
  return { result, done };
}

test('an import for which the disk has no room has failed, without its plan', async () => {
  const full = new Error('not applied', { cause: Object.assign(new Error('full'), { errcode: 13 }) });
  assert.deepEqual(await runFailing(full), { result: true, done: ['clear rows', 'fail disk_full'] });
});

test('an import whose database fails is tried again in 5 s, also where it cannot be released', async () => {
  const lost = new Error('lost');
  for (const isReleased of [true, false])
    assert.deepEqual(await runFailing(lost, isReleased), { result: lost, done: ['release 5000'] });
});
