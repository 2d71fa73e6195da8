import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { temporaryFolder } from '../../support/command-line.ts';
import { until } from '../../support/until.ts';
import { freePort } from './free-port.ts';
import { OrphanWatch } from './orphan-watch.ts';
import { debianPostgres } from './postgres-binaries.ts';
import { childrenOf, signal } from './process-tree.ts';

const DEPLOY = fileURLToPath(new URL('../../../../deploy/patroni/', import.meta.url));
const PASSWORD = 'only-for-tests';
/** That of docs/operating.md, or that of the machine. */
const PATRONI = ['/opt/patroni/bin/patroni', 'patroni'].find(isFixed);
const NAMES = ['db1', 'db2', 'db3'];
const START_MS = 120_000;
const API = `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}`;

/** Before 3.1 a primary that hung for longer than its lease took the leader lock from the server that was promoted meanwhile. */
function isFixed(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0] = (/[\d.]+/.exec(stdout ?? '')?.[0] ?? '').split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 1);
}

/** A network namespace per member, or all on loopback. */
export interface Place {
  readonly address: string;
  /** Runs a program there. */
  readonly prefix: readonly string[];
}

/** Why no cluster can be started here; `undefined` if one can. */
export async function missingForPatroni(): Promise<string | undefined> {
  const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
  if (!(await debianPostgres())) return 'NOT RUN: Debian has no PostgreSQL here (apt-get install postgresql)';
  if (!PATRONI) {
    return "NOT RUN: no Patroni 3.1 or newer here (/usr/bin/python3 -m venv /opt/patroni && /opt/patroni/bin/pip install 'patroni[etcd3]' psycopg2-binary)";
  }
  const missing = ['etcd', 'setpriv'].filter((program) => !isThere(program));
  return missing.length > 0
    ? `NOT RUN: no ${missing.join(' and ')} here (apt-get install etcd-server)`
    : undefined;
}

/** A server of the cluster with its Patroni. */
export class Member {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly #api: string;
  readonly #data: string;
  readonly #start: () => ChildProcess;
  readonly #watch: OrphanWatch;
  #patroni: ChildProcess | undefined;

  constructor(
    name: string,
    place: Place,
    ports: readonly [number, number],
    data: string,
    start: () => ChildProcess,
  ) {
    this.name = name;
    this.address = place.address;
    this.port = ports[0];
    this.#api = `http://${place.address}:${ports[1]}`;
    this.#data = data;
    this.#start = start;
    this.#watch = new OrphanWatch(`${data}.orphan`, 'TERM');
  }

  start(): void {
    this.#patroni = this.#start();
    this.#watch.watch(this.#patroni.pid);
  }

  /** The status of a path of its REST interface; 0 where it does not respond. */
  async status(path: string): Promise<number> {
    return fetch(`${this.#api}${path}`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ status }) => status,
      () => 0,
    );
  }

  /** What its Patroni reports about it. */
  state(): Promise<string> {
    return fetch(`${this.#api}/patroni`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.text(),
      String,
    );
  }

  async switchover(candidate: Member): Promise<void> {
    const response = await fetch(`${this.#api}/switchover`, {
      method: 'POST',
      headers: { Authorization: API },
      body: JSON.stringify({ leader: this.name, candidate: candidate.name }),
    });
    if (!response.ok) throw new Error(`The switchover failed: ${await response.text()}`);
  }

  /** Kills Patroni and all processes of its server. */
  async kill9(): Promise<void> {
    this.#signal('SIGSTOP');
    const ended = this.#patroni && once(this.#patroni, 'exit');
    this.#signal('SIGKILL');
    await ended;
    this.#patroni = undefined;
  }

  suspend(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  async destroy(): Promise<void> {
    await this.kill9();
    this.#watch.release();
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#patroni?.pid !== undefined) {
      for (const pid of [this.#patroni.pid, ...childrenOf(this.#patroni.pid)]) signal(pid, name);
    }
    const file = join(this.#data, 'postmaster.pid');
    const postmaster = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
    // After a kill the file is still there, and the number may be another process.
    if (!isPostgresOf(postmaster, this.#data)) return;
    for (const pid of [postmaster, ...childrenOf(postmaster)]) signal(pid, name);
  }
}

function isPostgresOf(pid: number, data: string): boolean {
  try {
    return pid > 1 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
  } catch {
    return false;
  }
}

/** Three servers with the shipped configuration, and one etcd. Made by `startPatroni`. */
export class PatroniCluster {
  readonly members: readonly Member[];
  /** The address of all servers, for the user of a service. */
  readonly url: string;

  constructor(members: readonly Member[]) {
    this.members = members;
    const hosts = members.map(({ address, port }) => `${address}:${port}`).join();
    this.url = `postgres://petstore:${PASSWORD}@${hosts}/petstore`;
  }

  /** The member that Patroni calls the primary. */
  async primary(): Promise<Member> {
    for (const member of this.members) if ((await member.status('/primary')) === 200) return member;
    throw new Error('The cluster has no primary.');
  }

  /** The standbys that have every acknowledged change. */
  async synchronous(): Promise<readonly Member[]> {
    const found = await Promise.all(
      this.members.map(async (member) => ((await member.status('/sync')) === 200 ? [member] : [])),
    );
    return found.flat();
  }

  states(): Promise<readonly string[]> {
    return Promise.all(this.members.map(async (member) => `${member.name} ${await member.state()}`));
  }

  /** Waits until all members run, with a synchronous standby among them. */
  async untilComplete(): Promise<void> {
    const deadline = Date.now() + START_MS;
    const count = async (path: string) =>
      (await Promise.all(this.members.map((member) => member.status(path)))).filter((one) => one === 200)
        .length;
    const isComplete = async () =>
      (await count('/primary')) === 1 && (await count('/replica')) === 2 && (await count('/sync')) >= 1;
    while (!(await isComplete())) {
      if (Date.now() > deadline) throw new Error('The cluster is not complete in time.');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async query(member: Member, sql: string, database = 'postgres'): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client({
      ...{ host: member.address, port: member.port, user: 'postgres', password: PASSWORD, database },
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/**
 * Starts etcd and three members with deploy/patroni/patroni.yml, and makes the database and user of the service.
 * @param places Where the members are; after them, where etcd is.
 */
export async function startPatroni(
  t: Pick<TestContext, 'after'>,
  places: readonly Place[] = [...NAMES, 'etcd'].map(() => ({ address: '127.0.0.1', prefix: [] })),
): Promise<PatroniCluster> {
  const { binaries, tools } = (await debianPostgres()) as NonNullable<
    Awaited<ReturnType<typeof debianPostgres>>
  >;
  const { uid, gid } = binaries.identity;
  const folder = temporaryFolder(t);
  const own = (path: string) => {
    mkdirSync(path, { recursive: true });
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  };
  own(folder);
  const asUser = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const launch = (place: Place, words: readonly string[], name: string, env: NodeJS.ProcessEnv = {}) => {
    const [program = '', ...rest] = [...place.prefix, ...asUser, ...words];
    return spawn(program, rest, {
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: folder, ...env },
      stdio: ['ignore', 'ignore', process.env.PATRONI_LOGS === undefined ? 'ignore' : 'inherit'],
      detached: name !== 'etcd',
    });
  };

  const [etcdPlace] = places.slice(-1) as [Place];
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const etcdUrl = `http://${etcdPlace.address}:${clientPort}`;
  const etcd = launch(
    etcdPlace,
    [
      ...['etcd', '--data-dir', join(folder, 'etcd'), '--log-level', 'error'],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', `http://${etcdPlace.address}:${peerPort}`],
    ],
    'etcd',
  );
  t.after(() => etcd.kill('SIGKILL'));
  await until(
    () =>
      fetch(`${etcdUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'etcd serves',
  );

  const members: Member[] = [];
  for (const [index, name] of NAMES.entries()) {
    const place = places[index] as Place;
    const home = join(folder, name);
    own(home);
    const config = join(home, 'patroni.yml');
    const text = readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8');
    writeFileSync(
      config,
      text.replace('/usr/lib/postgresql/15/bin', tools).replace('/var/run/postgresql', home),
    );
    const ports = [await freePort(), await freePort()] as const;
    const data = join(home, 'data');
    const values: Readonly<Record<string, string>> = {
      'db1:8008': `${place.address}:${ports[1]}`,
      '0.0.0.0:8008': `${place.address}:${ports[1]}`,
      'db1:5432': `${place.address}:${ports[0]}`,
      '0.0.0.0:5432': `${place.address}:${ports[0]}`,
      'db1:2379,db2:2379,db3:2379': `${etcdPlace.address}:${clientPort}`,
      'REPLACE-ME': PASSWORD,
      '/var/lib/postgresql/15/petstore': data,
      '/var/lib/postgresql/.pgpass-patroni': join(home, 'pgpass'),
      db1: name,
    };
    const lines = readFileSync(join(DEPLOY, 'patroni.env'), 'utf8').matchAll(/^(PATRONI_\w+)=(.*)$/gm);
    const env = Object.fromEntries([...lines].map(([, key, value = '']) => [key, values[value] ?? value]));
    const member = new Member(name, place, ports, data, () =>
      launch(place, [PATRONI as string, config], name, env),
    );
    t.after(() => member.destroy());
    member.start();
    members.push(member);
  }
  const cluster = new PatroniCluster(members);
  await cluster.untilComplete();
  const primary = await cluster.primary();
  await cluster.query(primary, `CREATE ROLE petstore LOGIN PASSWORD '${PASSWORD}'`);
  await cluster.query(primary, 'CREATE DATABASE petstore OWNER petstore');
  return cluster;
}
