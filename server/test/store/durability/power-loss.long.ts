import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openStore } from '../../../src/store/open.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { setQuantity } from '../../blackbox/api-request.ts';
import { startService } from '../../blackbox/service.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { environmentOf, temporaryFolder } from '../../support/command-line.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';
import { RULES } from '../../writes/stock-fixtures.ts';
import { mayTrace } from './failing-calls.ts';

/*
 * The writes of a service to its files are recorded with strace. An image of the disk after a loss of power has every
 * write before the last fsync of its file, and of those after it any: dropped, in another order, torn, or with a tail.
 */

const IMAGES = Number(process.env.POWER_LOSS_IMAGES ?? '500');
const SEED = Number(process.env.POWER_LOSS_SEED ?? '26');
const CHANGES = 800;
const PETS = 5;
const SECTOR = 512;
/** The clock of strace and that of this process differ by less. */
const CLOCKS_DIFFER_MS = 2;
const KINDS = ['cut', 'dropped', 'reordered', 'torn', 'garbage tail'] as const;
const FILES = ['petstore.db', 'petstore.db-wal'];

/** A write or a truncation of a file, or the end of an fsync that began at `from` of the list. */
type Step =
  | {
      readonly kind: 'write';
      readonly file: string;
      readonly atMs: number;
      readonly offset: number;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'truncate'; readonly file: string; readonly atMs: number; readonly size: number }
  | { readonly kind: 'sync'; readonly file: string; readonly atMs: number; readonly from: number };

const LINE =
  /^(\d+) +([\d.]+) (?:(\w+)\(\d+<([^>]*)>(?:, (.*?))?(?:\) += (-?\d+).*| <unfinished \.\.\.>)|<\.\.\. (\w+) resumed>.*\) += (-?\d+).*)$/;

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

/** Reads the output of strace. */
function stepsOf(trace: string): Step[] {
  const steps: Step[] = [];
  /** Where the fsync of each thread began. */
  const syncs = new Map<string, { readonly file: string; readonly from: number }>();
  for (const line of trace.split('\n')) {
    const match = LINE.exec(line);
    if (!match) continue;
    const [, pid = '', time, call, path = '', words = '', result, resumed, resumedResult] = match;
    const atMs = Number(time) * 1_000;
    const file = bytesOf(path).toString().split('/').at(-1) as string;
    if (call === 'pwrite64') {
      const [, hex = '', offset] = /^"([^"]*)", \d+, (\d+)$/.exec(words) ?? [];
      assert.ok(offset !== undefined, line.slice(0, 200));
      steps.push({ kind: 'write', file, atMs, offset: Number(offset), bytes: bytesOf(hex) });
    } else if (call === 'ftruncate') {
      steps.push({ kind: 'truncate', file, atMs, size: Number(words) });
    } else if (call === 'fsync' || call === 'fdatasync') {
      if (result === undefined) syncs.set(pid, { file, from: steps.length });
      else if (result === '0') steps.push({ kind: 'sync', file, atMs, from: steps.length });
    } else if (resumed?.endsWith('sync') && resumedResult === '0') {
      const begun = syncs.get(pid);
      if (begun) steps.push({ kind: 'sync', atMs, ...begun });
    }
  }
  return steps;
}

/** The content of a file, with room for what can follow. */
class Content {
  readonly #bytes: Buffer;
  #size: number;

  constructor(start: Buffer, capacity: number) {
    this.#bytes = Buffer.alloc(Math.max(capacity, start.length));
    start.copy(this.#bytes);
    this.#size = start.length;
  }

  write(offset: number, bytes: Buffer): void {
    bytes.copy(this.#bytes, offset);
    this.#size = Math.max(this.#size, offset + bytes.length);
  }

  apply(step: Step): void {
    if (step.kind === 'write') this.write(step.offset, step.bytes);
    if (step.kind !== 'truncate') return;
    this.#bytes.fill(0, Math.min(step.size, this.#size), Math.max(step.size, this.#size));
    this.#size = step.size;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}

/** Some of the steps that no fsync confirmed, as a disk can have them. */
function survivors(kind: (typeof KINDS)[number], pending: readonly Step[], random: SeededRandom): Step[] {
  if (kind === 'cut' || kind === 'garbage tail') return pending.slice(0, random.integer(0, pending.length));
  const kept = pending.filter(() => random.integer(0, 2) > 0);
  if (kind !== 'reordered') return kept;
  const keyed = kept.map((step) => ({ step, key: random.next() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ step }) => step);
}

function imageOf(
  start: Buffer,
  steps: readonly Step[],
  kind: (typeof KINDS)[number],
  random: SeededRandom,
): Buffer {
  const ends = steps.map((step) => (step.kind === 'write' ? step.offset + step.bytes.length : 0));
  const content = new Content(
    start,
    ends.reduce((most, end) => Math.max(most, end), 0),
  );
  const confirmed = steps.findLast((step) => step.kind === 'sync');
  const from = confirmed?.kind === 'sync' ? confirmed.from : 0;
  for (const step of steps.slice(0, from)) content.apply(step);
  for (const step of survivors(kind, steps.slice(from), random)) {
    if (kind === 'torn' && step.kind === 'write' && random.chance(1 / 2)) {
      const sectors = random.integer(0, Math.floor(step.bytes.length / SECTOR));
      content.write(step.offset, step.bytes.subarray(0, sectors * SECTOR));
    } else content.apply(step);
  }
  return content.bytes();
}

/** Indexes of `from` are those of all files; this makes those of one. */
function stepsOfFile(steps: readonly Step[], file: string): Step[] {
  const own: Step[] = [];
  const before: number[] = [];
  for (const step of steps) {
    before.push(own.length);
    if (step.file !== file) continue;
    own.push(step.kind === 'sync' ? { ...step, from: before[step.from] ?? own.length } : step);
  }
  return own;
}

test(`${IMAGES} images of the disk after a loss of power are verified and start, and lack no acknowledged change`, async (t) => {
  if (!mayTrace(t)) return;
  t.diagnostic(`seed ${SEED}`);
  const databaseDir = temporaryFolder(t);
  const pets = Array.from({ length: PETS }, (_, i) => ({ petId: BigInt(i + 1), quantity: 0 }));
  const prepared = await startService(t, { databaseDir, pets });
  const before = Number((await prepared.cli('verify')).movements);
  assert.equal(await prepared.stop(), 0);
  const started = new Map(
    FILES.map((file) => {
      const path = join(databaseDir, file);
      return [file, existsSync(path) ? readFileSync(path) : Buffer.alloc(0)] as const;
    }),
  );
  const trace = join(databaseDir, 'trace');
  const paths = FILES.flatMap((file) => ['-P', join(databaseDir, file)]);
  const words = [
    ...['-f', '-y', '-ttt', '-xx', '-s', '70000', ...paths, '-o', trace],
    ...['-e', 'trace=pwrite64,ftruncate,fsync,fdatasync', process.execPath, MAIN, 'serve'],
  ];
  const strace = spawn('strace', words, {
    cwd: databaseDir,
    env: environmentOf(databaseDir, { PETSTORE_ADDRESS_LIMIT: '1000000' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => strace.kill('SIGKILL'));
  let port = 0;
  let pid = 0;
  createInterface({ input: strace.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as { msg?: string; url?: string; pid?: number };
    if (entry.msg === 'listening') port = Number(new URL(entry.url ?? '').port);
    pid = entry.pid ?? pid;
  });
  await until(() => port > 0, 'the service listens');
  /** When each change was acknowledged. */
  const acknowledgedAtMs: number[] = [];
  for (let change = 1; change <= CHANGES; change += 1) {
    const { status } = await setQuantity({ port, key: prepared.key }, 1 + (change % PETS), change);
    assert.equal(status, 200);
    acknowledgedAtMs.push(performance.timeOrigin + performance.now());
  }
  const ended = once(strace, 'exit');
  // strace would wait for the service, which does not get its signal.
  process.kill(pid, 'SIGTERM');
  await ended;

  const steps = stepsOf(readFileSync(trace, 'latin1'));
  const count = (kind: Step['kind'], file: string) =>
    steps.filter((step) => step.kind === kind && step.file === file).length;
  const [writes, syncs, checkpointed] = [
    steps.filter(({ kind }) => kind === 'write').length,
    count('sync', 'petstore.db-wal'),
    count('write', 'petstore.db'),
  ];
  t.diagnostic(`${writes} writes, ${syncs} fsyncs of the log, ${checkpointed} writes of checkpoints`);
  assert.ok(syncs >= CHANGES && checkpointed > 0);

  const random = new SeededRandom(SEED);
  const found = new Map<string, number>();
  for (let image = 0; image < IMAGES; image += 1) {
    const kind = KINDS[image % KINDS.length] as (typeof KINDS)[number];
    const cut = random.integer(1, steps.length);
    const folder = join(databaseDir, `image-${image}`);
    mkdirSync(folder);
    for (const file of FILES) {
      const content = imageOf(
        started.get(file) as Buffer,
        stepsOfFile(steps.slice(0, cut), file),
        kind,
        random,
      );
      const tail =
        kind === 'garbage tail' && file.endsWith('-wal')
          ? Buffer.from(Array.from({ length: random.integer(1, 9_000) }, () => random.integer(0, 255)))
          : Buffer.alloc(0);
      writeFileSync(join(folder, file), Buffer.concat([content, tail]), { mode: 0o600 });
    }
    copyFileSync(join(databaseDir, 'petstore.db.pepper'), join(folder, 'petstore.db.pepper'));
    const what = `seed ${SEED}, image ${image} (${kind}) after ${cut} of ${steps.length} steps`;
    const url = `sqlite:${join(folder, 'petstore.db')}`;
    const admin = await openAdmin(url);
    const { faults, movements } = await admin.verify();
    await admin.close();
    assert.deepEqual(faults, [], what);
    const changes = movements - before;
    const cutAtMs = steps[cut - 1]?.atMs as number;
    const least = acknowledgedAtMs.filter((ms) => ms < cutAtMs - CLOCKS_DIFFER_MS).length;
    assert.ok(changes >= least && changes <= least + 2, `${what}: ${changes} changes, not ${least}`);
    const store = await openStore({
      database: url,
      rules: RULES,
      environment: 'production',
      onCommit: () => undefined,
      onListRebuild: () => undefined,
      onError: (message) => assert.fail(`${what}: ${message}`),
    });
    try {
      await store.checkHealth();
      const item = await store.findItem(BigInt(1 + (changes % PETS)), 1);
      assert.equal(Number(item?.quantity), changes, what);
    } finally {
      await store.close();
    }
    rmSync(folder, { recursive: true });
    found.set(kind, (found.get(kind) ?? 0) + 1);
  }
  t.diagnostic(`verified and started: ${JSON.stringify([...found])}`);
});
