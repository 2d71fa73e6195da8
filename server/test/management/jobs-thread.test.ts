import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { JobsThread } from '../../src/management/jobs/jobs-thread.ts';
import { ImportShop, STAFF } from '../imports/import-shop.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';

test('an import whose thread cannot open the database fails, and can be planned again', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload('petId,quantity\n1,5\n');
  const errors: string[] = [];
  const start = (url: string) => {
    const thread = new JobsThread(
      { url, rules: DEFAULT_RULES, pepper: new Uint8Array(32) },
      {
        hasWork: () => true,
        maxOpenFailures: 1,
        onError: (message, cause) => errors.push(`${message} ${String(cause)}`),
        onUnopened: async () => void (await shop.store.imports.failUnstarted(0)),
      },
    );
    t.after(() => thread.close());
    thread.wake();
    return thread;
  };
  const stuck = start(`sqlite:${join(temporaryFolder(t), 'missing.db')}`);
  await until(async () => (await shop.find(id)).state === 'failed', 'it fails');
  await stuck.close();
  assert.match(errors[0] ?? '', /An import is tried again\. .*There is no database/);
  const { failure } = await shop.find(id);
  assert.equal(failure, 'not_started');
  const failures = errors.length;
  await shop.store.imports.plan(id, STAFF);
  start(shop.database.url);
  await until(async () => (await shop.find(id)).state === 'planned', 'another thread plans it');
  assert.equal(errors.length, failures);
});

test('an import that another runner works on, or that came just now, is not ended', async (t) => {
  const shop = await ImportShop.open(t);
  const { imports, importJobs } = shop.store;
  const first = await shop.upload('petId,quantity\n1,5\n');
  const second = await shop.upload('petId,quantity\n2,5\n');
  assert.equal(await imports.failUnstarted(60_000), 0, 'they came just now');
  const task = await importJobs.claim();
  assert.equal(await imports.failUnstarted(0), 0, 'a runner works on the first one');
  // Of two that came in the same millisecond either is the first one.
  const waiting = task?.id === first ? second : first;
  assert.equal((await shop.find(waiting)).state, 'checking');
  await shop.endLeases();
  assert.equal(await imports.failUnstarted(0), 2);
  await imports.plan(first, STAFF);
  await shop.runJobs();
  assert.equal((await shop.find(first)).state, 'planned');
});
