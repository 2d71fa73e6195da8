import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { callChecks } from '../../src/management/refused-calls.ts';
import { openStore } from '../../src/store/open.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { ServedFiles } from '../../src/store/sqlite/file/served-files.ts';
import { type StartedWriter, WriterThread } from '../../src/store/sqlite/writer-thread.ts';
import { errorOf, request, setQuantity } from '../blackbox/api-request.ts';
import { makeAdminKey } from '../blackbox/operator.ts';
import { type Service, startService } from '../blackbox/service.ts';
import { RUNTIMES } from '../blackbox/service-process.ts';
import { petRow, temporaryFolder } from '../support/command-line.ts';
import { RULES } from '../writes/stock-fixtures.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const DEADLINE_MS = 60_000;
const SENTENCE = /petstore\.db(?:-wal|-shm)? was deleted, moved or replaced .*; stop it, put the file back/;

/** Each leaves the paths of a database naming other files than those that are open, or none. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'the database was deleted': (file) => rmSync(file),
  'the log was deleted': (file) => rmSync(`${file}-wal`),
  'the index of the log was deleted': (file) => rmSync(`${file}-shm`),
  'everything was deleted': (file) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`);
  },
  'the database was moved away': (file) => renameSync(file, `${file}.old`),
  'the folder was moved away': (file) => renameSync(join(file, '..'), join(file, '..', '..', 'moved')),
  'a copy took its place': (file) => {
    // In another process: closing a file of the database releases all POSIX locks of a process on it.
    assert.equal(spawnSync('cp', [file, `${file}.copy`]).status, 0);
    renameSync(`${file}.copy`, file);
  },
  'it was moved to another disk, and a link left in its place': (file) => {
    renameSync(file, `${file}.old`);
    symlinkSync(`${file}.old`, file);
  },
};

async function openServed(t: TestContext) {
  const folder = join(temporaryFolder(t), 'data');
  const url = `sqlite:${join(folder, 'petstore.db')}`;
  await prepareStore(url, [], () => ({ environment: 'production', pepperCheck: 'of this test' }));
  const admin = await openAdmin(url);
  await admin.importPets([petRow(1), petRow(2)], 'cli');
  await admin.close();
  const errors: string[] = [];
  const store = await openStore({
    database: url,
    rules: RULES,
    environment: 'production',
    onCommit: () => undefined,
    onListRebuild: () => undefined,
    onError: (message) => errors.push(message),
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await store.close();
  };
  t.after(close);
  let atMs = 1;
  const set = (quantity: number) =>
    store.write({
      author: { actor: 'key', actorName: 'test', requestId: null, atMs: ++atMs },
      command: { kind: 'change', change: { kind: 'set', petId: 1n, quantity } },
    });
  return { store, set, close, errors, file: join(folder, 'petstore.db') };
}

for (const [title, damage] of Object.entries(DAMAGES)) {
  test(`no change is acknowledged after ${title}`, async (t) => {
    const { store, set, errors, file } = await openServed(t);
    await set(5);
    await store.checkHealth();
    damage(file);
    // The very next one, whether the regular look has been there or not.
    await assert.rejects(set(6), { code: 'service_unavailable' });
    await assert.rejects(store.checkHealth(), { message: SENTENCE });
    await assert.rejects(set(7), { code: 'service_unavailable', message: /nothing was changed/ });
    assert.throws(() => store.ledger.head(), { code: 'service_unavailable' });
    await until(() => errors.length > 0);
    assert.match(errors[0] ?? '', SENTENCE);
  });
}

for (const title of ['everything was deleted', 'a copy took its place']) {
  test(`the management is refused, and confirms nothing, after ${title}`, async (t) => {
    const { store, file } = await openServed(t);
    const { refusal, doubt } = callChecks(store);
    assert.deepEqual([refusal('accounts.setPlan'), doubt()], [undefined, undefined]);
    DAMAGES[title]?.(file);
    assert.equal(
      doubt()?.message,
      'The database cannot be used now. A change could not be confirmed; read it back.',
    );
    assert.equal(refusal('accounts.setPlan')?.message, 'The database cannot be used now.');
  });
}

for (const [title, overwrite] of Object.entries({
  'an older copy': (file: string) => {
    assert.equal(spawnSync('cp', [`${file}.old`, file]).status, 0);
  },
  'not a database': (file: string) => {
    assert.equal(spawnSync('sh', ['-c', 'head -c 65536 /dev/zero > "$0"', file]).status, 0);
  },
})) {
  test(`a database overwritten by ${title} is no longer served`, async (t) => {
    const { store, set, errors, file } = await openServed(t);
    assert.equal(spawnSync('cp', [file, `${file}.old`]).status, 0);
    await set(5);
    await store.checkHealth();
    overwrite(file);
    await until(() => errors.length > 0);
    assert.match(
      errors[0] ?? '',
      /petstore\.db was (?:written|cut, or overwritten with less,) by another program|is damaged or was overwritten/,
    );
    await assert.rejects(store.checkHealth());
    await assert.rejects(set(6), { code: 'service_unavailable', message: /nothing was changed/ });
    assert.throws(() => store.ledger.head(), { code: 'service_unavailable' });
  });
}

test('a database that is deleted between a commit and its check is not called overwritten', async (t) => {
  const file = join(temporaryFolder(t), 'petstore.db');
  writeFileSync(file, '');
  const worker = new EventEmitter();
  const reply = (message: object) => setImmediate(() => worker.emit('message', message));
  const startWorker = () => {
    reply({ identities: new ServedFiles(file).identities });
    const postMessage = () => {
      rmSync(file);
      reply({ results: [] });
    };
    return Object.assign(worker, { postMessage }) as unknown as StartedWriter;
  };
  const thread = await WriterThread.start({ file, rules: RULES }, () => undefined, { startWorker });
  thread.findOverwrite = () => (existsSync(file) ? undefined : 'It was written by another program.');
  await assert.rejects(thread.submit({ kind: 'checkFile', newestSequence: 0 }), {
    code: 'service_unavailable',
  });
  assert.match(thread.loss?.message ?? '', SENTENCE);
});

test('checkpoints, commands and readers next to a service are not mistaken for another program', async (t) => {
  if (isSkippedDaily(t)) return;
  const { store, set, errors, file } = await openServed(t);
  const admin = await openAdmin(`sqlite:${file}`);
  t.after(() => admin.close());
  const checkpoints = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    for (const mode of ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']) database.exec('PRAGMA wal_checkpoint(' + mode + ')');
    database.prepare('SELECT * FROM movements').all();
    database.close();`;
  for (let round = 0; round < 5; round++) {
    for (let quantity = 0; quantity < 20; quantity++) await set(quantity);
    await admin.importPets(
      Array.from({ length: 5_000 }, (_, i) => petRow(i + 10, { quantity: round + 1 })),
      'cli',
    );
    assert.equal(spawnSync(process.execPath, ['-e', checkpoints, file]).status, 0);
    await delay(60);
    await admin.backup(join(file, '..', `copy-${round}.db`));
  }
  await store.checkHealth();
  assert.deepEqual(errors, []);
});

test('a stop does not touch files that replaced the database', async (t) => {
  const { close, file } = await openServed(t);
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${file}${suffix}`);
    writeFileSync(`${file}${suffix}`, `the new ${suffix}`);
  }
  await close();
  for (const suffix of ['', '-wal', '-shm']) {
    assert.equal(readFileSync(`${file}${suffix}`, 'utf8'), `the new ${suffix}`);
  }
});

for (const runtime of RUNTIMES) {
  test(`a service whose files are deleted while it is idle answers 503 to everything on ${runtime}`, async (t) => {
    if (runtime === 'bun' && isSkippedDaily(t)) return;
    const service = await startService(t, { runtime, pets: [{ petId: 1n, quantity: 5 }] });
    const key = await makeAdminKey(service, 'administrator');
    const createPet = (petId: number) =>
      request(service, {
        method: 'POST',
        path: '/admin/v1/pets',
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ petId, quantity: 1 }),
      });
    assert.equal((await setQuantity(service, 1, 6)).status, 200);
    assert.equal((await createPet(2)).status, 201);
    assert.equal(await readiness(service), 200);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(service.databaseDir, `petstore.db${suffix}`));
    await until(async () => (await readiness(service)) === 503);
    for (const path of ['/v1/inventory', '/v1/inventory/1', '/v1/movements', '/v1/inventory?limit=1']) {
      const answer = await request(service, { path, key: service.key });
      assert.equal(answer.status, 503, path);
      assert.equal(errorOf(answer).code, 'service_unavailable');
    }
    assert.equal((await setQuantity(service, 1, 7)).status, 503);
    assert.equal((await createPet(3)).status, 503, 'the thread of the management has the deleted files open');
    assert.equal((await request(service, { path: '/admin/v1/reports/stock', key })).status, 503);
    const lines = () =>
      service
        .logs()
        .split('\n')
        .filter((line) => line.includes('"msg":"') && SENTENCE.test(messageOf(line)));
    // A request can find the files gone before the regular check, which logs it.
    await until(() => lines().length > 0);
    assert.equal(await service.stop(), 0);
    assert.equal(lines().length, 1);
    assert.ok(!existsSync(join(service.databaseDir, 'petstore.db')));
  });
}

function messageOf(line: string): string {
  return String((JSON.parse(line) as { msg?: unknown }).msg);
}

async function readiness(service: Service): Promise<number> {
  return (await request(service, { path: '/readyz' })).status;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, 'in time');
    await delay(20);
  }
}
