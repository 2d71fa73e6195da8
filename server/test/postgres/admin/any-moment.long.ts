import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listedQuantities, setQuantity } from '../../blackbox/api-request.ts';
import { run, temporaryFolder } from '../../support/command-line.ts';
import { machineEnvironment } from '../../support/machine-environment.ts';
import { until } from '../../support/until.ts';
import { startCluster } from '../support/cluster.ts';
import { debianPostgres } from '../support/postgres-binaries.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/* The recipe of docs/operating.md, "Any moment of PostgreSQL", with the files of deploy/postgres and Debian's server. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const WRITERS = [1, 2, 3, 4];
const MOMENTS = 2;
const LATER = 1_000_000;
const NOT_REACHED = /recovery ended before configured recovery target was reached/;
const debian = await debianPostgres();
const skip = debian
  ? false
  : 'NOT RUN: Debian has no PostgreSQL with pg_basebackup here (apt-get install postgresql)';

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Settings of the shipped file, with other places. */
function shippedSettings(local: (text: string) => string): Record<string, string> {
  const lines = textOf('deploy/postgres/wal-archive.conf').matchAll(/^(\w+) = (?:'(.*)'|(\w+))$/gm);
  return Object.fromEntries([...lines].map(([, name, quoted, word]) => [name, local(quoted ?? word ?? '')]));
}

/** The commands that bring a base backup into the place of the lost data. */
function shippedCommands(): string {
  const [, commands] = /As user postgres:\n\n```\n([\s\S]*?)```/.exec(textOf('docs/operating.md')) ?? [];
  return commands ?? assert.fail('docs/operating.md has the commands');
}

/** What a writer knows of its pet: the last value that was acknowledged, and the last that was sent. */
interface Written {
  acknowledged: number;
  sent: number;
}

test(
  'a lost server is restored to a moment, with exactly the changes before it, or completely',
  { skip },
  async (t) => {
    const folder = temporaryFolder(t);
    const { binaries, tools } = debian as NonNullable<typeof debian>;
    const { uid, gid } = binaries.identity;
    const archive = join(folder, 'archive');
    const programs = join(folder, 'programs');
    for (const made of [archive, join(archive, 'wal'), join(archive, 'base')]) mkdirSync(made);
    cpSync(join(ROOT, 'deploy/postgres'), programs, { recursive: true });
    if (uid !== undefined && gid !== undefined) {
      for (const owned of [folder, archive, join(archive, 'wal'), join(archive, 'base')])
        chownSync(owned, uid, gid);
    }
    const places = (text: string) =>
      text
        .replaceAll('/opt/petstore/deploy/postgres', programs)
        .replaceAll('/var/lib/petstore-archive', archive);
    const server = await startPostgres(t, { binaries, settings: shippedSettings(places) });
    const data = String((await server.query('SHOW data_directory'))[0]?.data_directory);
    const asPostgres = async (words: readonly string[]) => {
      const env = { ...machineEnvironment(), ...connectionOf(server), PATH: `${tools}:${process.env.PATH}` };
      const asOwner =
        uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
      const [program = '', ...rest] = [...asOwner, ...words];
      const { code, stdout, stderr } = await run(program, rest, folder, env);
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
      return stdout.trim();
    };
    const backUp = () => asPostgres([join(programs, 'base-backup.sh'), archive, '14']);

    const pets = WRITERS.map((petId) => ({ petId: BigInt(petId), quantity: 1 }));
    const cluster = await startCluster(t, { postgres: server, instances: 2, pets });
    const written = new Map<number, Written>(WRITERS.map((petId) => [petId, { acknowledged: 1, sent: 1 }]));
    let isWriting = true;
    const write = async (petId: number) => {
      const own = written.get(petId) as Written;
      while (isWriting) {
        own.sent += 1;
        const { status } = await setQuantity(cluster, petId, own.sent);
        assert.equal(status, 200);
        own.acknowledged = own.sent;
      }
    };
    const someChanges = async () => {
      const target = total(written) + randomInt(20, 120);
      await until(() => total(written) >= target, 'changes');
    };
    const writers = Promise.all(WRITERS.map(write));
    await someChanges();
    const base = await backUp();
    // Only the base backup needs the log.
    const [, first = ''] = /file (\w{24})\)/.exec(readFileSync(join(base, 'backup_label'), 'utf8')) ?? [];
    const kept = () => readdirSync(join(archive, 'wal')).filter((name) => /^\w{24}$/.test(name));
    assert.ok(first > `${'0'.repeat(7)}1${'0'.repeat(15)}1`, first);
    assert.deepEqual(
      kept().filter((name) => name < first),
      [],
    );

    /** Moments, and for each pet the values that it can have had then. */
    const moments: {
      readonly at: string;
      readonly values: ReadonlyMap<number, readonly [number, number]>;
    }[] = [];
    for (let taken = 0; taken < MOMENTS; taken += 1) {
      await someChanges();
      const least = new Map([...written].map(([petId, { acknowledged }]) => [petId, acknowledged]));
      const [row] = await server.query('SELECT clock_timestamp()::text AS at');
      const values = new Map(
        [...written].map(([petId, { sent }]) => [petId, [least.get(petId) as number, sent] as const]),
      );
      moments.push({ at: String(row?.at), values });
    }
    await someChanges();
    isWriting = false;
    await writers;
    const archiveAll = async () => {
      const [segment] = await server.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
      const isArchived = () => readdirSync(join(archive, 'wal')).includes(String(segment?.name));
      await until(isArchived, 'the archive has all');
    };
    await archiveAll();
    const [ahead] = await server.query(`SELECT (clock_timestamp() + interval '1 second')::text AS at`);
    await cluster.kill9();
    await server.kill9();

    const restore = async (at?: string, from = base) => {
      const commands = places(shippedCommands())
        .replaceAll('/var/lib/postgresql/15/main', data)
        .replaceAll(/\/base\/\d+/g, `/base/${basename(from)}`)
        .split('\n')
        .filter((line) => at !== undefined || !line.startsWith('echo'))
        .join('\n')
        .replaceAll('2027-01-31 11:59:30+00', at ?? '');
      rmSync(`${data}.lost`, { recursive: true, force: true });
      await asPostgres(['sh', '-euc', commands]);
      await server.start();
    };
    const isPrimary = async () => (await server.query('SELECT pg_is_in_recovery() AS is'))[0]?.is === false;
    /** The stock after a restore, of a database that is verified. A change is added, whose history is given up. */
    const restored = async () => {
      await until(isPrimary, 'the restored server accepts changes');
      const { faults } = await cluster.cli('verify');
      assert.deepEqual(faults, []);
      const { port } = await cluster.restart(0);
      const found = await listedQuantities({ port, key: cluster.key });
      assert.equal((await setQuantity({ port, key: cluster.key }, 1, LATER)).status, 200);
      await archiveAll();
      await cluster.kill9();
      await server.kill9();
      return new Map(WRITERS.map((petId) => [petId, Number(found.get(String(petId)))]));
    };

    // The lost machine has left no folder.
    rmSync(data, { recursive: true });
    await restore();
    assert.deepEqual(await restored(), new Map([...written].map(([petId, { sent }]) => [petId, sent])));
    // A try with a later moment is no history of one with an earlier moment, nor the other way round.
    for (const { at, values } of [...moments, ...moments]) {
      await restore(at);
      const found = await restored();
      for (const [petId, [least, most]] of values) {
        const quantity = found.get(petId) as number;
        assert.ok(
          quantity >= least && quantity <= most,
          `${at}: ${petId} has ${quantity}, not ${least} to ${most}`,
        );
      }
      t.diagnostic(`${at}: ${JSON.stringify([...found])}`);
    }
    await restore(String(ahead?.at)).catch(() => undefined);
    await until(() => NOT_REACHED.test(server.logs()), 'a moment that the archive does not have is refused');
    await server.kill9();

    await restore();
    await until(isPrimary, 'primary');
    await asPostgres(['cp', '-a', base, join(archive, 'base', '20200101000000')]);
    const newest = await backUp();
    assert.deepEqual(readdirSync(join(archive, 'base')).toSorted(), [basename(base), basename(newest)]);
    await server.kill9();

    // A base backup of a server that was restored to a moment leads to the end of its own history, not to that moment.
    await restore(moments[0]?.at);
    await until(isPrimary, 'restored to a moment');
    const later = await backUp();
    await server.query('CREATE TABLE after_the_restore ()');
    await archiveAll();
    await server.kill9();
    await restore(undefined, later);
    await until(isPrimary, 'restored completely');
    const [found] = await server.query(`SELECT to_regclass('after_the_restore') IS NOT NULL AS is`);
    assert.equal(found?.is, true);
  },
);

test(
  'a segment is archived completely, again without an error, and never over another one',
  { skip },
  async (t) => {
    const folder = temporaryFolder(t);
    const program = join(ROOT, 'deploy/postgres/archive-wal.sh');
    const archive = (segment: string) =>
      run('sh', [program, join(folder, segment), join(folder, 'copy')], folder, machineEnvironment());
    writeFileSync(join(folder, 'a'), 'aaa');
    writeFileSync(join(folder, 'b'), 'bbb');
    // What a crash left.
    writeFileSync(join(folder, 'copy.new'), 'torn and longer');
    assert.equal((await archive('a')).code, 0);
    assert.equal(readFileSync(join(folder, 'copy'), 'utf8'), 'aaa');
    assert.equal((await archive('a')).code, 0);
    for (const segment of ['b', 'missing']) assert.notEqual((await archive(segment)).code, 0, segment);
    assert.equal(readFileSync(join(folder, 'copy'), 'utf8'), 'aaa');
    assert.deepEqual(readdirSync(folder).toSorted(), ['a', 'b', 'copy']);
  },
);

function total(written: ReadonlyMap<number, Written>): number {
  return [...written.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
}

function connectionOf({ port, password }: PostgresServer): NodeJS.ProcessEnv {
  return { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres', PGPASSWORD: password };
}
