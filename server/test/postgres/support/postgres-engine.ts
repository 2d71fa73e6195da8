import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { Client, types } from 'pg';
import { connectAdmin, inTransaction } from '../../../src/store/postgres/admin/client.ts';
import { migrate } from '../../../src/store/postgres/admin/migrate.ts';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { ListReader } from '../../../src/store/postgres/list-reader.ts';
import {
  plainInteger,
  type TestDatabase,
  type TestEngine,
  type TestListReader,
  type Value,
} from '../../support/test-database.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** OID of int8 (src/include/catalog/pg_type.dat). */
const INT8 = 20;

/** A database with the schema in it, from which others are copied: making one anew takes three times as long. */
interface Template {
  readonly server: PostgresServer;
  readonly url: URL;
}

class PostgresDatabase implements TestDatabase {
  readonly url: string;
  readonly #server: PostgresServer;
  readonly #name: string;
  #client: Promise<Client> | undefined;

  constructor(server: PostgresServer, url: URL) {
    this.#server = server;
    this.#name = url.pathname.slice(1);
    this.url = url.href;
  }

  async rows(sql: string): Promise<Value[][]> {
    const client = await this.#connected();
    return (await client.query<Value[]>({ text: sql, rowMode: 'array' })).rows;
  }

  async run(sql: string): Promise<void> {
    const client = await this.#connected();
    await client.query(sql);
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
    await this.#server.query(`DROP DATABASE ${this.#name} WITH (FORCE)`);
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

/** Databases on one PostgreSQL of this process, which starts with the first of them. */
export class PostgresEngine implements TestEngine {
  readonly share = 0.15;
  readonly noticesWithinMs = 5_000;
  readonly variables = { PETSTORE_PEPPER: randomBytes(24).toString('hex') };
  readonly #closing: (() => Promise<void>)[] = [];
  #template: Promise<Template> | undefined;
  /** Made while the test before still runs. */
  #next: Promise<PostgresDatabase> | undefined;

  /** To be called outside of any test: the server goes when all tests of the process have ended. */
  constructor() {
    after(async () => {
      await this.#next;
      for (const close of this.#closing) await close();
    });
  }

  async server(): Promise<PostgresServer> {
    this.#template ??= this.#makeTemplate();
    return (await this.#template).server;
  }

  async newDatabase(): Promise<TestDatabase> {
    const database = await (this.#next ?? this.#copyTemplate());
    this.#next = this.#copyTemplate();
    return database;
  }

  async #copyTemplate(): Promise<PostgresDatabase> {
    this.#template ??= this.#makeTemplate();
    const { server, url } = await this.#template;
    const copy = new URL(url);
    copy.pathname = `/test_${randomBytes(6).toString('hex')}`;
    // Files are copied in a third of the time that it takes to write them into the log as well.
    const [name, template] = [copy, url].map(({ pathname }) => pathname.slice(1));
    await server.query(`CREATE DATABASE ${name} OWNER petstore TEMPLATE ${template} STRATEGY file_copy`);
    return new PostgresDatabase(server, copy);
  }

  async #makeTemplate(): Promise<Template> {
    const server = await startPostgres({
      after: (close: () => Promise<void>) => void this.#closing.push(close),
    });
    const url = await server.createDatabase();
    const client = await connectAdmin(url);
    await inTransaction(client, () => migrate(client, url, 'none'));
    await client.end();
    return { server, url: new URL(url) };
  }
}

/** Reads int8 as a number where that is exact, else as a bigint; the rest as `pg` does. */
function exactParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? (text: string) => plainInteger(BigInt(text)) : types.getTypeParser(oid, format);
}
