import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { environmentOf, run, temporaryFolder } from '../../support/command-line.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';
import { failCalls, failing, mayTrace } from './failing-calls.ts';

/* One call of the system on a file of the database fails, at its 1st, 2nd, 10th and random occurrences. */

const CODES = ['EIO', 'ENOSPC', 'EINTR'];
const CALLS = {
  fsync: 'fsync,fdatasync',
  pwrite: 'pwrite64',
  pread: 'pread64',
  open: 'openat',
  fcntl: 'fcntl',
  stat: 'statx,newfstatat,fstat,stat,lstat',
};
/** In a running service these are rare, in a command that opens the database they are not. */
const CALLS_OF_START = { ...CALLS, ftruncate: 'ftruncate', mmap: 'mmap' };
const FIXED = [1, 2, 10];
const SEED = 26;
const RANDOM_POINTS = 5;
const MAX_OCCURRENCE = 60;
const MAX_TURNS = 8;
const SUFFIXES = ['', '-wal', '-shm'];
const PETS = Array.from({ length: 200 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 5 }));
const PATHS = ['/v1/inventory', '/v1/inventory/1', '/v1/movements?limit=5', '/v1/store/orders', '/readyz'];

interface Point {
  readonly name: string;
  readonly calls: string;
  readonly code: string;
  readonly when: string;
}

function points(calls: Readonly<Record<string, string>>, occurrences: () => readonly number[]): Point[] {
  return Object.entries(calls).flatMap(([name, all]) =>
    CODES.flatMap((code) =>
      occurrences().map((at) => ({ name: `${name} ${at} ${code}`, calls: all, code, when: `:when=${at}` })),
    ),
  );
}

function injected(log: string): number {
  return readFileSync(log, 'utf8').split('(INJECTED)').length - 1;
}

/**
 * SQLite keeps a lock of its log that cannot be given back, and all connections of the process wait for it in vain. No
 * file system of a local disk has this error.
 */
function isUnlock(log: string): boolean {
  return /F_UNLCK.*\(INJECTED\)/.test(readFileSync(log, 'utf8'));
}

/** The stock of a pet, of which only the last acknowledged change and unconfirmed ones after it are possible. */
class Stock {
  readonly possible = new Set(['5']);
  #quantity = 5;

  async change(service: Service, petId: number): Promise<number> {
    this.#quantity += 1;
    const { status } = await setQuantity(service, petId, this.#quantity);
    if (status === 200) this.possible.clear();
    this.possible.add(String(this.#quantity));
    return status;
  }
}

test('a call that fails once ends nothing, gives no 500, loses nothing, and needs no restart', async (t) => {
  if (!mayTrace(t)) return;
  const random = new SeededRandom(SEED);
  const all = points(CALLS, () => [
    ...FIXED,
    ...Array.from({ length: RANDOM_POINTS }, () => random.integer(3, MAX_OCCURRENCE)),
  ]);
  t.diagnostic(`seed ${SEED}, ${all.length} points`);
  const databaseDir = temporaryFolder(t);
  let service = await startService(t, { databaseDir, pets: PETS });
  const statuses = new Map<number, number>();
  const stock = new Stock();
  const note = (status: number, what: string) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.ok(status === 200 || status === 503, `${what}: ${status}\n${service.logs().slice(-2_000)}`);
  };
  let failed = 0;
  let restarts = 0;
  for (const { name, ...fault } of all) {
    const log = join(databaseDir, 'trace');
    const repair = await failCalls(t, service, { ...fault, log }, SUFFIXES);
    if (!repair) return t.diagnostic('NOT RUN: strace may not attach to a process here.');
    const use = async () => {
      for (const path of PATHS) {
        note((await request(service, { path, key: service.key })).status, `${name} ${path}`);
      }
      note(await stock.change(service, 1), name);
    };
    for (let turn = 0; turn < MAX_TURNS && injected(log) === 0; turn += 1) {
      await use().catch((error: unknown) => {
        if (!isUnlock(log)) throw error;
      });
    }
    await repair();
    failed += Math.min(1, injected(log));
    if (isUnlock(log)) {
      restarts += 1;
      await service.kill9();
      service = await startService(t, { databaseDir, key: service.key });
    }
    await until(
      async () => (await request(service, { path: '/readyz' })).status === 200,
      `ready after ${name}`,
    );
    const found = (await listedQuantities(service)).get('1') ?? '';
    assert.ok(stock.possible.has(found), `${name}: ${found} is none of ${[...stock.possible].join()}`);
    await until(async () => (await stock.change(service, 1)) === 200, `a change after ${name}`);
    assert.ok(service.isAlive(), name);
  }
  t.diagnostic(
    `${failed} calls failed, ${restarts} of them unlocked and needed a restart; responses ${JSON.stringify([...statuses])}`,
  );
  assert.ok(failed > all.length / 2, `${failed} of ${all.length} points were reached`);
  await service.kill9();
  const again = await startService(t, { databaseDir, key: service.key });
  assert.deepEqual(new Set([(await listedQuantities(again)).get('1')]), stock.possible);
  assert.deepEqual((await again.cli('verify')).faults, []);
});

test('a call that fails once in a command gives its result or one sentence, and the service serves on', async (t) => {
  if (!mayTrace(t)) return;
  const random = new SeededRandom(SEED + 1);
  const all = points(CALLS_OF_START, () => [1, 2, 10, random.integer(3, 30)]);
  const databaseDir = temporaryFolder(t);
  const service = await startService(t, { databaseDir, pets: PETS });
  const stock = new Stock();
  const ended = new Map<number | null, number>();
  const accounts = new Set<string>();
  let failed = 0;
  for (const [index, { name, ...fault }] of all.entries()) {
    const log = join(databaseDir, 'trace');
    const files = SUFFIXES.map((suffix) => join(databaseDir, `petstore.db${suffix}`));
    const account = `account-${index}`;
    const { code, stdout, stderr } = await run(
      'strace',
      [
        ...failing(files, { ...fault, log }),
        process.execPath,
        MAIN,
        'accounts',
        'create',
        account,
        '--plan',
        'free',
      ],
      databaseDir,
      environmentOf(databaseDir),
    );
    ended.set(code, (ended.get(code) ?? 0) + 1);
    failed += Math.min(1, injected(log));
    if (code === 0) accounts.add(account);
    else {
      assert.equal(code, 1, `${name}: ${stdout}${stderr}`);
      assert.match(stderr, /^error: [^\n]+\n$/, name);
    }
    assert.equal(await stock.change(service, 1), 200, name);
    assert.equal((await request(service, { path: '/readyz' })).status, 200, name);
  }
  t.diagnostic(`${all.length} points, ${failed} calls failed; exit codes ${JSON.stringify([...ended])}`);
  assert.ok(failed > all.length / 2, `${failed} of ${all.length} points were reached`);
  const listed = JSON.stringify(await service.cli('accounts', 'list'));
  const lost = [...accounts].filter((account) => !listed.includes(`"${account}"`));
  assert.deepEqual(lost, []);
  assert.deepEqual((await service.cli('verify')).faults, []);
});
