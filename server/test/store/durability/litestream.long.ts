import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listedQuantities, setQuantity } from '../../blackbox/api-request.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { commandLine, json, run, temporaryFolder } from '../../support/command-line.ts';
import { machineEnvironment, rightTimeMs } from '../../support/machine-environment.ts';
import { until } from '../../support/until.ts';

/* The recipe of docs/operating.md, "Every second of SQLite", with the real program and the files of deploy/litestream. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CHANGES = 300;
const ROUNDS = 3;
/** Copies of the log that a round waits for, so that some are older than the last. */
const COPIES = 6;
const program = ['litestream', join(homedir(), 'go/bin/litestream')].find(
  (path) => spawnSync(path, ['version']).status === 0,
);
const skip = program
  ? false
  : 'NOT RUN: no litestream here (go install github.com/benbjohnson/litestream/cmd/litestream@v0.3.13)';
const PETS = [1n, 2n, 3n].map((petId) => ({ petId, quantity: 0 }));

interface Replicated {
  readonly folder: string;
  readonly service: Service;
  readonly litestream: ChildProcess;
  /** Runs the commands of the page that restore into another folder. Returns its command line. */
  readonly restore: (t: TestContext) => Promise<string>;
  /** When each copy of the log was made. */
  readonly copiedAtMs: () => number[];
}

function local(text: string, folder: string): string {
  return text
    .replaceAll('/etc/petstore', folder)
    .replaceAll('/var/lib/petstore/petstore.db', join(folder, 'petstore.db'))
    .replaceAll('/mnt/petstore-replica', join(folder, 'replica'));
}

async function replicated(t: TestContext): Promise<Replicated> {
  const folder = temporaryFolder(t);
  const config = readFileSync(join(ROOT, 'deploy/litestream/folder.yml'), 'utf8');
  writeFileSync(join(folder, 'litestream.yml'), local(config, folder));
  const service = await startService(t, { databaseDir: folder, pets: PETS });
  const words = ['replicate', '-config', join(folder, 'litestream.yml')];
  const litestream = spawn(program as string, words, { stdio: 'ignore' });
  t.after(() => litestream.kill('SIGKILL'));
  const copies = () => globSync(join(folder, 'replica/generations/*/wal/*.wal.lz4'));
  return {
    folder,
    service,
    litestream,
    copiedAtMs: () =>
      copies()
        .map((file) => statSync(file).mtimeMs)
        .toSorted((a, b) => a - b),
    restore: async (inner) => {
      const target = temporaryFolder(inner);
      copyFileSync(join(folder, 'petstore.db.pepper'), join(target, 'petstore.db.pepper'));
      const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
      const [, commands = ''] = /```\n(litestream restore[\s\S]*?)```/.exec(page) ?? [];
      const [first = '', second = '', third = ''] = commands.trim().split('\n');
      const [, ...restoreWords] = local(first, folder).split(' ');
      const restored = await run(program as string, restoreWords, target, machineEnvironment());
      assert.equal(restored.code, 0, restored.stderr);
      assert.equal(second, 'petstore-server restore restored.db');
      await json(commandLine(target), ...second.split(' ').slice(1));
      assert.equal(third, 'rm restored.db');
      rmSync(join(target, 'restored.db'));
      return target;
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Serves a restored folder, and returns the sum of its changes: each adds one to one pet. */
async function changesIn(t: TestContext, folder: string, key: string): Promise<number> {
  const service = await startService(t, { databaseDir: folder, key });
  const quantities = await listedQuantities(service);
  assert.deepEqual((await service.cli('verify')).faults, []);
  assert.equal((await setQuantity(service, 3, 7)).status, 200);
  assert.equal(await service.stop(), 0);
  return PETS.reduce((sum, { petId }) => sum + Number(quantities.get(String(petId))), 0);
}

test(`${CHANGES} changes that were replicated are all in a restored database`, { skip }, async (t) => {
  const { service, litestream, restore } = await replicated(t);
  for (let change = 0; change < CHANGES; change += 1) {
    const { status } = await setQuantity(
      service,
      1 + (change % PETS.length),
      1 + Math.floor(change / PETS.length),
    );
    assert.equal(status, 200);
  }
  let folder = '';
  await until(async () => {
    folder = await restore(t).catch(() => '');
    return folder !== '' && (await changesIn(t, folder, service.key)) === CHANGES;
  }, 'everything is replicated');
  await kill(litestream);
  await service.kill9();
});

for (let round = 1; round <= ROUNDS; round += 1) {
  test(
    `a kill of the service and of Litestream loses only changes after the last copy, round ${round}`,
    { skip },
    async (t) => {
      const { service, litestream, restore, copiedAtMs } = await replicated(t);
      /** When each change was acknowledged. */
      const acknowledgedAtMs: number[] = [];
      const extra = randomInt(100);
      while (acknowledgedAtMs.length < CHANGES + extra || copiedAtMs().length < COPIES) {
        const change = acknowledgedAtMs.length;
        const { status } = await setQuantity(
          service,
          1 + (change % PETS.length),
          1 + Math.floor(change / PETS.length),
        );
        assert.equal(status, 200);
        acknowledgedAtMs.push(rightTimeMs());
      }
      await Promise.all([kill(litestream), service.kill9()]);
      const found = await changesIn(t, await restore(t), service.key);
      // A copy has the log of before it began, that is of after the end of the one before the last.
      const since = copiedAtMs().at(-3) as number;
      const safe = acknowledgedAtMs.filter((ms) => ms < since).length;
      const sent = acknowledgedAtMs.length;
      t.diagnostic(`${sent} acknowledged, ${safe} of them before the last copy began, ${found} restored`);
      assert.ok(safe > 0 && found >= safe && found <= sent, `${found} of ${safe} to ${sent}`);
    },
  );
}

test('the shipped configurations name the database and a place of their kind', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  for (const [name, kind] of [
    ['folder', 'file'],
    ['s3', 's3'],
    ['sftp', 'sftp'],
  ]) {
    const words = ['databases', '-config', join(ROOT, `deploy/litestream/${name}.yml`)];
    const { code, stdout, stderr } = await run(program as string, words, folder, machineEnvironment());
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^/var/lib/petstore/petstore\\.db +${kind}$`, 'm'));
  }
});
