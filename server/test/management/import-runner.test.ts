import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileFault } from '@petstore-inventory/shared/pet-file/faults';
import type { CheckResult, ImportJobs, ImportTask, UndoPage } from '../../src/domain/import-jobs.ts';
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

const UNDO = { ...TASK, state: 'checking', undoes: 'imp_0' } as ImportTask;

/** Runs a task on a disk with so many free bytes, of which 1,000 are the reserve, and returns what it does. */
async function runOnDisk(task: ImportTask, free: number | undefined, pages: readonly UndoPage[] = []) {
  const done: unknown[] = [];
  const left = [...pages];
  const jobs = {
    claim: async () => task,
    freeBytes: async () => free,
    clearRows: async () => true,
    apply: async () => void done.push('apply'),
    addUndo: async () => left.shift(),
    finishCheck: async (_task: ImportTask, { faults, faultCount }: CheckResult) =>
      void done.push([faults.length, faultCount]),
    fail: async (_task: ImportTask, reason: string) => void done.push(`fail ${reason}`),
  };
  const disk = { reserveBytes: 1_000, capacityBytes: undefined };
  const runner = new ImportRunner(jobs as unknown as ImportJobs, 1_000, () => false, disk);
  assert.equal(await runner.runNext(), true);
  return done;
}

test('the plan of an undo leaves the reserve of the disk, and a disk of unknown size keeps nothing back', async () => {
  assert.deepEqual(await runOnDisk(UNDO, 2_000, [{ faults: [], last: undefined }]), ['fail disk_full']);
  assert.deepEqual(await runOnDisk(TASK, 1_500), ['fail disk_full']);
  assert.deepEqual(await runOnDisk(TASK, undefined), ['apply']);
});

test('the plan of an undo keeps a hundred of its faults, and counts all', async () => {
  const faults = Array.from({ length: 80 }, () => ({}) as FileFault);
  const pages = [
    { faults, last: 80n },
    { faults, last: undefined },
  ];
  assert.deepEqual(await runOnDisk(UNDO, undefined, pages), [[100, 160]]);
});
