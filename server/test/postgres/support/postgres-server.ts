import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from 'pg';
import { KeptClient } from './kept-client.ts';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts';
import { Postmaster, type Settings } from './postmaster.ts';

/** All that makes promises durable is left as PostgreSQL brings it: on. */
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  // In the data folder, so that a server that is killed leaves nothing behind.
  dynamic_shared_memory_type: 'mmap',
};
const CONNECTED_TIMEOUT_MS = 90_000;

export type Row = Readonly<Record<string, unknown>>;

/** How the superuser reaches a server. */
export interface ServerAccess {
  /** The same after every start. */
  readonly port: number;
  readonly password: string;
}

/** A real PostgreSQL on 127.0.0.1, which other tests may use as well. */
export class DatabaseServer {
  readonly port: number;
  readonly password: string;
  #owner: Promise<unknown> | undefined;
  readonly #kept = new KeptClient(() => this.url());

  constructor({ port, password }: ServerAccess) {
    this.port = port;
    this.password = password;
  }

  /** The address of a database for the superuser. */
  url(database = 'postgres'): string {
    return this.#urlOf('postgres', database);
  }

  /** Creates a database, empty or a copy of another one. Returns its address for its owner, who is not a superuser. */
  async createDatabase(template = 'template0'): Promise<string> {
    this.#owner ??= this.#makeOwner();
    await this.#owner;
    const name = `petstore_${randomBytes(6).toString('hex')}`;
    // PostgreSQL copies files in a third of the time that it takes to write them into the log as well.
    await this.#kept.run(`CREATE DATABASE ${name} OWNER petstore TEMPLATE ${template} STRATEGY file_copy`);
    return this.#urlOf('petstore', name);
  }

  /** Ends all connections to a database, and removes it. */
  dropDatabase(name: string): Promise<void> {
    return this.#kept.run(`DROP DATABASE ${name} WITH (FORCE)`);
  }

  /** Runs a statement as the superuser, on its own connection. */
  async query(sql: string, database?: string): Promise<Row[]> {
    const client = new Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: CONNECTED_TIMEOUT_MS,
    });
    // A connection that breaks fails the query that waits for it.
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends every client's connection to a database, from within; returns how many there were. */
  async terminateBackends(database: string): Promise<number> {
    return this.terminateWhere(`datname = '${database}'`);
  }

  protected async terminateWhere(condition: string): Promise<number> {
    const rows = await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND ${condition}`,
    );
    return rows.length;
  }

  #makeOwner(): Promise<unknown> {
    return this.query(
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'petstore') THEN
         CREATE ROLE petstore LOGIN PASSWORD '${this.password}';
       END IF; END $$`,
    );
  }

  #urlOf(user: string, database: string): string {
    return `postgres://${user}:${this.password}@127.0.0.1:${this.port}/${database}`;
  }
}

/** A PostgreSQL for one test, which may stop, configure and break it. `startPostgres` starts it. */
export class PostgresServer extends DatabaseServer {
  readonly #postmaster: Postmaster;
  #settings: Settings;

  constructor(postmaster: Postmaster, password: string, settings: Settings) {
    super({ port: postmaster.port, password });
    this.#postmaster = postmaster;
    this.#settings = settings;
  }

  /** The process id of the postmaster; another one after every start. */
  get pid(): number {
    return this.#postmaster.pid;
  }

  /** All that the server has written. */
  logs(): string {
    return this.#postmaster.log;
  }

  /** Ends every client's connection, or those to one database, from within; returns how many there were. */
  override async terminateBackends(database?: string): Promise<number> {
    return database === undefined ? this.terminateWhere('true') : super.terminateBackends(database);
  }

  /** Freezes the server (SIGSTOP): connections stay, new ones are taken by the system, nothing is answered. */
  suspend(): void {
    this.#postmaster.suspend();
  }

  resume(): void {
    this.#postmaster.resume();
  }

  /** Kills the postmaster and all its children, and resolves when they are gone. */
  kill9(): Promise<void> {
    return this.#postmaster.kill9();
  }

  /** Ends all connections and shuts the server down in an orderly way. */
  stop(): Promise<void> {
    return this.#postmaster.stop();
  }

  /** Starts again on the same data and port, with the settings it had and these. */
  start(settings: Settings = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...settings };
    return this.#postmaster.start(this.#settings);
  }

  /**
   * Starts a standby that follows this server, which is stopped for a moment. It ends with the test.
   * @param port The way of the standby to this server.
   */
  async startStandby(
    t: Pick<TestContext, 'after'>,
    settings: Settings = {},
    port = this.port,
  ): Promise<PostgresServer> {
    const { temporary } = await postgresBinaries();
    await this.stop();
    const postmaster = await this.#postmaster.copy(await mkdtemp(join(temporary, 'petstore-standby-')));
    t.after(() => postmaster.destroy());
    await this.start();
    await postmaster.becomeReplica();
    const following = {
      ...this.#settings,
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${this.password}`,
    };
    await postmaster.startOnFreePort(following);
    return new PostgresServer(postmaster, this.password, following);
  }

  /** Restarts as a read-only replica, also for later starts. It follows no other server. */
  async startAsReplica(): Promise<void> {
    await this.#postmaster.becomeReplica();
    await this.start();
  }
}

/** Starts a PostgreSQL of the caller's own; it ends, and its data goes, with the test or with the process. */
export async function startPostgres(
  t: Pick<TestContext, 'after'>,
  options: { readonly settings?: Settings; readonly binaries?: PostgresBinaries } = {},
): Promise<PostgresServer> {
  const binaries = options.binaries ?? (await postgresBinaries());
  const folder = await mkdtemp(join(binaries.temporary, 'petstore-postgres-'));
  const postmaster = new Postmaster(binaries, folder);
  t.after(() => postmaster.destroy());
  const password = randomBytes(12).toString('hex');
  const settings = { ...SETTINGS, ...options.settings };
  await postmaster.initialise(password);
  await postmaster.startOnFreePort(settings);
  return new PostgresServer(postmaster, password, settings);
}
