import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { fitMemoryToLoad } from '../process/fit-memory-to-load.ts';
import { CountedClock, machineTimeMs } from '../domain/timestamps.ts';
import { giveWay } from '../process/give-way.ts';
import type { AdminEngine } from '../store/admin/admin-engine.ts';
import { besideWriting, isPostgres, openAdminEngine } from '../store/open-engine.ts';
import { EventReader } from '../store/webhooks/event-reader.ts';
import { SecretBox } from '../store/webhooks/secret-box.ts';
import { SqlWebhookSenderStore } from '../store/webhooks/sender-store.ts';
import { parseNetworks } from './delivery/addresses.ts';
import { type AttemptResult, clocksOf, Deliverer, newTraceparent } from './delivery/attempt.ts';
import { createResolve, Destinations } from './delivery/destination.ts';
import { HttpDelivery } from './delivery/http-delivery.ts';
import { LEASE_MS } from './lease-clock.ts';
import { systemWait } from './periodic-task.ts';
import { RECORDED_DATA } from './queues/event-source.ts';
import { Sender } from './sender.ts';
import type { SenderCommand, SenderData, SenderNews } from './sender-thread.ts';

const NUMBERS_INTERVAL_MS = 1_000;
/** A later response is of no use: the leases are over. */
const POSTGRES_TIMEOUT_MS = LEASE_MS;
/** The thread must not block for longer while another one writes: attempts are in progress. */
const SQLITE_BUSY_TIMEOUT_MS = 100;
/** Cache of each connection. */
const SQLITE_CACHE_KIB = 256;

const { url, pepper, owner, networks, version, isTraced, sendsTraceparent } = workerData as SenderData;

/** A sender with its connections: reads do not wait for reports, nor run in their transactions. */
interface Running {
  readonly sender: Sender;
  readonly close: (withinMs: number) => Promise<void>;
}

async function start(): Promise<Running> {
  const engines = [await openEngine(), await openEngine()] as const;
  const [writing, reading] = engines;
  const allowed = parseNetworks(networks);
  const clock = await CountedClock.read(reading);
  const clocks = clocksOf(clock.now);
  const destinations = new Destinations(allowed, createResolve(), clocks.elapsedMs);
  const delivery = new HttpDelivery({ destinations });
  const sender = await Sender.start({
    owner,
    store: new SqlWebhookSenderStore(
      writing,
      new SecretBox(() => pepper),
      besideWriting(url, writing, openEngine),
    ),
    reader: new EventReader(reading),
    source: RECORDED_DATA,
    deliverer: new Deliverer({
      delivery,
      networks: allowed,
      version,
      clocks,
      traceparent: sendsTraceparent ? newTraceparent : undefined,
    }),
    clocks,
    machineMs: machineTimeMs,
    random: Math.random,
    wait: systemWait,
    ...(isTraced && { onAttempt: postAttempt }),
    onPaused: (id, reason) => post({ kind: 'paused', id, reason }),
    onUnopened: (id) => post({ kind: 'unopened', id }),
    // As text, because not every error can be copied to another thread.
    onError: (id, error) => post({ kind: 'failed', id, error: inspect(error) }),
    onFatal: crash,
  });
  const timer = setInterval(() => {
    post({ kind: 'numbers', numbers: sender.numbers() });
    // Until the database can be read again, the time is counted on; the tasks of the sender report that it cannot.
    clock.correct().catch(() => undefined);
  }, NUMBERS_INTERVAL_MS);
  const close = async (withinMs: number) => {
    clearInterval(timer);
    await sender.stop(withinMs);
    delivery.close();
    await Promise.all(engines.map((engine) => engine.close()));
  };
  return { sender, close };
}

async function openEngine(): Promise<AdminEngine> {
  const engine = await openAdminEngine(url, { responseTimeoutMs: POSTGRES_TIMEOUT_MS });
  if (!isPostgres(url)) {
    await engine.exec(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
    await engine.exec(`PRAGMA cache_size = -${SQLITE_CACHE_KIB}`);
  }
  return engine;
}

function postAttempt(receiver: string, { attempt: made, traceparent }: AttemptResult): void {
  const { eventId, eventType, attempt, durationMs, statusCode, errorCode } = made;
  const facts = { eventId, eventType, attempt, durationMs, statusCode, errorCode, traceparent };
  post({ kind: 'attempt', attempt: { url: receiver, ...facts } });
}

function post(news: SenderNews): void {
  parentPort?.postMessage(news);
}

/** Ends the thread by an uncaught error, which its parent logs. */
function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

// Deliveries to many endpoints can take a processor for minutes; changes and requests go first.
giveWay();
const starting = start();
starting.catch(crash);
fitMemoryToLoad({ decidesGrowth: true });

parentPort?.on('message', (command: SenderCommand) => {
  starting
    .then(async ({ sender, close }) => {
      if (command === 'wake') return sender.wake();
      await close(command.closeWithinMs);
      parentPort?.close();
    })
    .catch(crash);
});
