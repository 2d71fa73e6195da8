import { randomBytes } from 'node:crypto';
import { Client, types } from 'pg';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { ListReader } from '../../../src/store/postgres/list-reader.ts';
import { atProcessEnd } from '../../support/runner/at-process-end.ts';
import {
  plainInteger,
  type TestDatabase,
  type TestEngine,
  type TestListReader,
  type Value,
} from '../../support/test-database.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { sharedPostgres } from './shared-postgres.ts';

/** The code of a connection that an operator ended (postgresql.org/docs/current/errcodes-appendix.html). */
const ADMIN_SHUTDOWN = '57P01';
/** OID of int8 (src/include/catalog/pg_type.dat). */
const INT8 = 20;

class PostgresDatabase implements TestDatabase {
  readonly url: string;
  readonly #server: DatabaseServer;
  readonly #name: string;
  #client: Promise<Client> | undefined;

  constructor(server: DatabaseServer, url: URL) {
    this.#server = server;
    this.#name = url.pathname.slice(1);
    this.url = url.href;
  }

  rows(sql: string): Promise<Value[][]> {
    return this.#again(async (client) => (await client.query<Value[]>({ text: sql, rowMode: 'array' })).rows);
  }

  async run(sql: string): Promise<void> {
    await this.#again((client) => client.query(sql));
  }

  async unguard(): Promise<void> {
    await this.run('ALTER TABLE movements DISABLE TRIGGER USER; ALTER TABLE prunes DISABLE TRIGGER USER');
  }

  openListReader(onRebuild: (chunks: number) => void): TestListReader {
    const connection = new Connection(this.url, { onLost: () => reader.forget() });
    const reader = new ListReader(connection, onRebuild);
    return { list: (head) => reader.list(head), close: () => connection.close() };
  }

  async remove(): Promise<void> {
    await (await this.#client)?.end();
    await this.#server.dropDatabase(this.#name);
  }

  /** Once more where a test ended the connection, and the client learns of it by this question. */
  async #again<T>(question: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await question(await this.#connected());
    } catch (error) {
      if ((error as { code?: unknown }).code !== ADMIN_SHUTDOWN) throw error;
      this.#client = undefined;
      return question(await this.#connected());
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url, types: { getTypeParser: exactParser } });
    // A test may end all connections of a database; the next question makes a new one.
    client.on('error', () => {
      this.#client = undefined;
    });
    await client.connect();
    return client;
  }
}

/** Databases on the shared PostgreSQL. */
export class PostgresEngine implements TestEngine {
  readonly share = 0.15;
  readonly runsAll: boolean;
  readonly noticeTimeoutMs = 5_000;
  readonly variables = { PETSTORE_PEPPER: randomBytes(24).toString('hex') };
  /** Made while the test before still runs. */
  #next: Promise<PostgresDatabase> | undefined;

  /** To be called outside of any test: the databases go when all tests of the process have ended. */
  constructor({ runsAll = true }: { readonly runsAll?: boolean } = {}) {
    this.runsAll = runsAll;
    atProcessEnd(async () => (await this.#next)?.remove());
  }

  async server(): Promise<DatabaseServer> {
    return (await sharedPostgres()).server;
  }

  async newDatabase(): Promise<TestDatabase> {
    const database = await (this.#next ?? this.#copyTemplate());
    this.#next = this.#copyTemplate();
    return database;
  }

  async #copyTemplate(): Promise<PostgresDatabase> {
    const { server, template } = await sharedPostgres();
    return new PostgresDatabase(server, new URL(await server.createDatabase(template)));
  }
}

/** Reads int8 as a number where that is exact, else as a bigint; the rest as `pg` does. */
function exactParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? (text: string) => plainInteger(BigInt(text)) : types.getTypeParser(oid, format);
}
