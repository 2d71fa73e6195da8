import type { Socket } from 'node:net';
import { Client } from 'pg';

const CONNECTED_TIMEOUT_MS = 90_000;

/**
 * A connection that stays open for the next statement, because each needs a process of the server. It keeps no process
 * of a test from ending, and is replaced after a loss.
 */
export class KeptClient {
  readonly #url: () => string;
  #client: Promise<Client> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param url Read for each new connection. */
  constructor(url: () => string) {
    this.#url = url;
  }

  /** Runs a statement after the ones before it. */
  run(sql: string): Promise<void> {
    const result = this.#last.then(() => this.#query(sql));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #query(sql: string): Promise<void> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    const socket = client.connection.stream as Socket;
    socket.ref();
    try {
      await client.query(sql);
    } finally {
      socket.unref();
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url(),
      connectionTimeoutMillis: CONNECTED_TIMEOUT_MS,
    });
    const forget = () => {
      this.#client = undefined;
    };
    // A connection that breaks fails the statement that waits for it.
    client.on('error', forget).on('end', forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }
}
