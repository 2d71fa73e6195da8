import type { TestContext } from 'node:test';
import type {
  NewWebhookEndpoint,
  WebhookSenderStore,
  WithSecret,
} from '../../src/domain/webhooks/webhook-store.ts';
import { besideWriting, isPostgres, openAdminEngine } from '../../src/store/open-engine.ts';
import { type EventClient, EventReader } from '../../src/store/webhooks/event-reader.ts';
import { SecretBox } from '../../src/store/webhooks/secret-box.ts';
import { SqlWebhookSenderStore } from '../../src/store/webhooks/sender-store.ts';
import { parseNetworks } from '../../src/webhooks/delivery/addresses.ts';
import { type Clocks, clocksOf, Deliverer } from '../../src/webhooks/delivery/attempt.ts';
import { Destinations, type Resolve } from '../../src/webhooks/delivery/destination.ts';
import { HttpDelivery } from '../../src/webhooks/delivery/http-delivery.ts';
import { LEASE_MS } from '../../src/webhooks/lease-clock.ts';
import { systemWait, type Wait } from '../../src/webhooks/periodic-task.ts';
import { RECORDED_DATA, type SourceLimits } from '../../src/webhooks/queues/event-source.ts';
import { Sender } from '../../src/webhooks/sender.ts';
import { petRow, TEST_PEPPER } from '../support/command-line.ts';
import { type EndpointShop, newEndpointShop } from '../webhook-endpoints/endpoint-shop.ts';

const LOOPBACK = ['127.0.0.0/8'];

export interface SendingOptions {
  readonly owner?: string;
  readonly clocks?: Clocks;
  readonly wait?: Wait;
  readonly resolve?: Resolve;
  /** Milliseconds for one attempt. */
  readonly timeoutMs?: number;
  /** Between the sender and the database. */
  readonly wrap?: (store: WebhookSenderStore) => WebhookSenderStore;
  /** Between the sender and the events of the database. */
  readonly wrapReads?: (client: EventClient) => EventClient;
  /** Instead of requests to receivers. */
  readonly deliverer?: Pick<Deliverer, 'attempt'>;
  readonly limits?: SourceLimits;
}

/** A running sender of a test. */
export interface RunningSender {
  readonly sender: Sender;
  /** Also closes its connections. */
  readonly stop: (timeoutMs?: number) => Promise<void>;
  /** Endpoints that it paused, with the reason. */
  readonly paused: readonly (readonly [string, string])[];
  /** Endpoints whose secret does not open. */
  readonly unopened: readonly string[];
  /** Endpoints whose events could not be read or sent, with the error. */
  readonly errors: readonly (readonly [string, string])[];
  /** Errors after which it must be started again. */
  readonly fatal: readonly unknown[];
}

export interface SendingShop extends EndpointShop {
  startSender(options?: SendingOptions): Promise<RunningSender>;
  /** Makes one movement per quantity. */
  change(petId: number, ...quantities: readonly number[]): Promise<void>;
  subscribe(url: string, fields?: Partial<NewWebhookEndpoint>): Promise<WithSecret>;
}

/** A database with senders that may send to this machine. The first movement has the sequence 1. */
export async function newSendingShop(t: TestContext): Promise<SendingShop> {
  const stops: (() => Promise<void>)[] = [];
  // Before the database is removed: hooks run in the order in which they are added.
  t.after(() => Promise.all(stops.map((stop) => stop())));
  const shop = await newEndpointShop(t);
  const startSender = async (options: SendingOptions = {}): Promise<RunningSender> => {
    const paused: [string, string][] = [];
    const unopened: string[] = [];
    const errors: [string, string][] = [];
    const fatal: unknown[] = [];
    const [reading, writing] = [
      await openAdminEngine(shop.database.url),
      await openAdminEngine(shop.database.url),
    ];
    // In one thread, SQLite must not wait for the lock of a transaction that cannot go on meanwhile.
    if (!isPostgres(shop.database.url)) await writing.exec('PRAGMA busy_timeout = 0');
    const store = new SqlWebhookSenderStore(
      writing,
      new SecretBox(() => TEST_PEPPER),
      besideWriting(shop.database.url, writing, () =>
        openAdminEngine(shop.database.url, { responseTimeoutMs: LEASE_MS }),
      ),
    );
    const networks = parseNetworks(LOOPBACK);
    const { clocks = clocksOf(Date.now), resolve = async () => ['127.0.0.1'] } = options;
    const delivery = new HttpDelivery({
      destinations: new Destinations(networks, resolve, clocks.elapsedMs),
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    });
    const sender = await Sender.start({
      owner: options.owner ?? 'sender',
      store: options.wrap?.(store) ?? store,
      reader: new EventReader(options.wrapReads?.(reading) ?? reading),
      ...(options.limits && { limits: options.limits }),
      source: RECORDED_DATA,
      deliverer: options.deliverer ?? new Deliverer({ delivery, networks, version: '1.0.0', clocks }),
      clocks,
      machineMs: Date.now,
      random: () => 0.5,
      wait: options.wait ?? systemWait,
      onPaused: (id, reason) => paused.push([id, reason]),
      onUnopened: (id) => unopened.push(id),
      onError: (id, error) => errors.push([id, String(error)]),
      onFatal: (error) => fatal.push(error),
    });
    const stopAll = async (timeoutMs?: number) => {
      await sender.stop(timeoutMs);
      delivery.close();
      await Promise.all([reading.close(), writing.close()]);
    };
    let stopping: Promise<void> | undefined;
    const stop = (timeoutMs?: number) => {
      stopping ??= stopAll(timeoutMs);
      return stopping;
    };
    stops.push(stop);
    return { sender, stop, paused, unopened, errors, fatal };
  };
  return {
    ...shop,
    startSender,
    change: async (petId, ...quantities) => {
      for (const quantity of quantities) await shop.store.importPets([petRow(petId, { quantity })], 'test');
    },
    subscribe: (url, fields) => shop.newEndpoint({ url, ...fields }),
  };
}

/** Counts how often a sender has renewed its leases. */
export function countedLeases(): Required<Pick<SendingOptions, 'wrap'>> & { readonly count: () => number } {
  let leases = 0;
  return {
    count: () => leases,
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      report: (progress) => store.report(progress),
      pause: (pauses) => store.pause(pauses),
      lease: async (owner, ms) => {
        const leased = await store.lease(owner, ms);
        leases += 1;
        return leased;
      },
    }),
  };
}
