import { serversOf } from '../../domain/database-address.ts';
import { inBackground } from '../../process/in-background.ts';
import { Connection, newClient, RESPONSE_TIMEOUT_MS, type ConnectionOptions } from './connection.ts';
import {
  newestPrimary,
  readServer,
  SameServer,
  type ServerFacts,
  type ServerIdentity,
} from './server/same-server.ts';
import { DURABLE_SESSION } from './server/server-safety.ts';
import { ENDPOINTS_CHANNEL, LISTEN, READ, REFUSE_LEFT } from './statements.ts';

/** When the process ends, queries without a response by then are given up. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * For statements that find rows by key, however large the tables are: to plan them again, or to compile them, costs
 * more than to run them (DECISIONS.md).
 */
const BY_KEY = 'SET plan_cache_mode = force_generic_plan; SET jit = off';

/** The calls of `probe`, one per second, from one look at the server of the address to the next. */
const PROBES_PER_LOOK = 5;

interface ConnectionsOptions {
  readonly url: string;
  /** The address of a replica, for older history. */
  readonly readUrl?: string | undefined;
  /** Settings of the server whose unsafe value the operator accepts. */
  readonly acceptedUnsafe: readonly string[];
  /** Called when all connections leave their server for another one. */
  readonly onOtherServer: () => void;
  readonly onListingLost: () => void;
  readonly onReadingLost: () => void;
  /** Called soon after any process has committed movements. */
  readonly onMovements: () => void;
  /** Called soon after any process has committed a change of a webhook endpoint. */
  readonly onEndpoints: () => void;
}

/**
 * The connections of a serving process, each in pipeline mode; none waits for the queries of another. Four stay open.
 * Connections for the history open when they are first needed. All connections except the replica's are on one server.
 */
export class Connections {
  /** For charges. */
  readonly charging: Connection;
  /** For the ledger. */
  readonly writing: Connection;
  /** For the readings of the list. */
  readonly listing: Connection;
  /** For all other reads. */
  readonly reading: Connection;
  /** For the history, which takes longer than the rest. */
  readonly history: Connection;
  /** For history that a replica can serve, if there is one. */
  readonly replica: Connection | undefined;
  readonly #url: string;
  readonly #sameServer: SameServer;
  #looking: Promise<void> | undefined;
  #probes = 0;
  #isLeaving = false;
  #isClosing = false;

  constructor({ url, readUrl, acceptedUnsafe, ...observers }: ConnectionsOptions) {
    this.#url = url;
    this.#sameServer = new SameServer((server) => {
      this.#leaveOthers(server);
      observers.onOtherServer();
    });
    const durable = acceptedUnsafe.includes('synchronous_commit') ? '' : DURABLE_SESSION;
    const onServer = (
      session: string,
      { onLost, onNotification }: Pick<ConnectionOptions, 'onLost' | 'onNotification'> = {},
    ) =>
      new Connection(url, {
        session: `${durable}; ${REFUSE_LEFT}; ${session}`,
        admit: (server) => this.#sameServer.admit(server),
        onLost: () => {
          onLost?.();
          this.#noteLost();
        },
        ...(onNotification && { onNotification }),
      });
    // Counts survive a process. A crash of the server may lose the last ones, and only those.
    this.charging = onServer(`SET synchronous_commit = off; ${BY_KEY}`);
    this.writing = onServer('');
    this.listing = onServer('', { onLost: observers.onListingLost });
    this.reading = onServer(LISTEN, {
      onLost: observers.onReadingLost,
      onNotification: (channel) =>
        channel === ENDPOINTS_CHANNEL ? observers.onEndpoints() : observers.onMovements(),
    });
    this.history = onServer(BY_KEY);
    this.replica = readUrl === undefined ? undefined : new Connection(readUrl, { session: BY_KEY });
  }

  /** Opens the permanent connections now, because the server may have room for fewer. */
  async open(): Promise<void> {
    await Promise.all(this.#held.map((connection) => connection.client()));
  }

  /**
   * Checks the connections that may be idle for long, without waiting, and from time to time whether the address still
   * leads to their server: an old primary may run on after a failover, with all its connections.
   */
  probe(): void {
    for (const connection of this.#all) if (connection !== this.reading) connection.probe(READ.probe);
    this.#probes += 1;
    if (this.#probes % PROBES_PER_LOOK === 0)
      inBackground(
        () => this.#look(),
        () => undefined,
      );
  }

  /** Waits for a last command, then closes. A database that does not respond is given up after a while. */
  async close(lastWork: () => Promise<void>): Promise<void> {
    this.#isClosing = true;
    const deadline = setTimeout(() => {
      for (const connection of this.#all) connection.cut();
    }, CLOSE_TIMEOUT_MS);
    await lastWork();
    await this.#looking?.catch(() => undefined);
    await Promise.all(this.#all.map((connection) => connection.close()));
    clearTimeout(deadline);
  }

  /** After a lost connection, the others may be on a server that was replaced. Cuts them where that cannot be found out. */
  #noteLost(): void {
    if (this.#isLeaving || this.#isClosing) return;
    inBackground(
      () => this.#lookAgain(),
      () => this.#leaveOthers(undefined),
    );
  }

  /** A look that has begun before a loss may have found the server that is gone now. */
  async #lookAgain(): Promise<void> {
    await this.#looking?.catch(() => undefined);
    if (!this.#isClosing) await this.#look();
  }

  /** Opens one more session for a moment. It cuts the others where it is on another server. */
  #look(): Promise<void> {
    this.#looking ??= this.#admitNew().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** All servers of the address: an old primary before the new one may still run, and would be kept. */
  async #admitNew(): Promise<void> {
    const looks = await Promise.allSettled(serversOf(this.#url).map((server) => this.#factsOf(server)));
    const found = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
    const newest = newestPrimary(found) ?? found[0];
    if (newest === undefined) throw (looks[0] as PromiseRejectedResult).reason;
    this.#sameServer.admit(newest);
  }

  async #factsOf(server: string): Promise<ServerFacts> {
    const client = newClient(server, { query_timeout: RESPONSE_TIMEOUT_MS });
    try {
      await client.connect();
      return await readServer(client);
    } finally {
      client.end().catch(() => {});
    }
  }

  /** Cuts the sessions on other servers than this one, or all. */
  #leaveOthers(server: ServerIdentity | undefined): void {
    this.#isLeaving = true;
    for (const connection of this.#onServer) connection.leave(server);
    this.#isLeaving = false;
  }

  get #held(): readonly Connection[] {
    return [this.charging, this.writing, this.listing, this.reading];
  }

  get #onServer(): readonly Connection[] {
    return [...this.#held, this.history];
  }

  get #all(): readonly Connection[] {
    return [...this.#onServer, ...(this.replica ? [this.replica] : [])];
  }
}
