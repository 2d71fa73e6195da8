import { randomUUID } from 'node:crypto';
import v8 from 'node:v8';
import { type Logger, pino } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import { App } from '../app.ts';
import { type Config, diskLimits, stockRules } from '../config.ts';
import type { Environment } from '../domain/access/api-key.ts';
import { OperatorError } from '../domain/errors.ts';
import { fitMemoryToLoad } from '../process/fit-memory-to-load.ts';
import { inBackground } from '../process/in-background.ts';
import type { Store } from '../domain/store.ts';
import { readBuild } from '../http/dashboard/built-files.ts';
import { Dashboard } from '../http/dashboard/dashboard.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import type { Listener } from '../listen/listener.ts';
import { JobsThread } from '../management/jobs/jobs-thread.ts';
import { ManagementThreads } from '../management/management-threads.ts';
import { callChecks } from '../management/refused-calls.ts';
import { OrderExpiry } from '../order-expiry.ts';
import { banFields } from '../request-log.ts';
import { openStore } from '../store/open.ts';
import { isPostgres } from '../store/open-engine.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { WebhookService } from '../webhooks/webhook-service.ts';
import { LogOutput } from './log-output.ts';
import { prepareDatabase, type SampleUse } from './prepare-database.ts';
import { otherSettings, settingsToRecord } from './service-settings.ts';
import { withDatabase } from './with-database.ts';

/** An import that waits for so long fails, if the thread cannot open the database. */
const UNSTARTED_MS = 30_000;

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The compilers of V8, which the launcher turns off for the start. */
const V8_OPTIONS = ['--opt', '--maglev', '--sparkplug'];

export interface RunningService {
  /** Where the service listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Whether it serves the dashboard. */
  readonly hasDashboard: boolean;
  /** Resolves after a signal, when the service has stopped. */
  readonly stopped: Promise<void>;
}

/** Starts the service, and stops it gracefully on SIGTERM or SIGINT. */
export async function startService(config: Config, sample: SampleUse = 'refuse'): Promise<RunningService> {
  const { version } = packageJson;
  const { pepper, environment, pepperCheck, migrations } = await prepareDatabase(config, sample);
  if (config.readDatabase !== '') {
    const { requireReplica } = await import('../store/postgres/admin/verify-replica.ts');
    await requireReplica(config.readDatabase, config.database, { environment, pepperCheck });
  }
  const metrics = new Metrics(version);
  const log = openLog(config);
  // From now on the older release refuses the database.
  if (migrations.length > 0) log.info({ version, migrations }, 'schema changed');
  const tracing = await openTracing({
    url: config.traces,
    version,
    databaseSystem: isPostgres(config.database) ? 'postgresql' : 'sqlite',
    onError: (error) => log.warn({ err: error }, 'traces were not sent'),
  });
  // Threads have connections of their own.
  const onServer: { restart(): void }[] = [];
  const onOtherServer = () => {
    for (const thread of onServer) thread.restart();
  };
  const senders: Pick<WebhookService, 'wake'>[] = [];
  const onEndpoints = () => {
    for (const sender of senders) sender.wake();
  };
  const store = await storeOf(config, { environment, metrics, tracing, log, onOtherServer, onEndpoints });
  const threads = new ManagementThreads(
    { url: config.database, rules: stockRules(config), pepper },
    callChecks(store),
  );
  const imports = importThread(config, { store, threads, pepper, log });
  const webhooks = webhookService(config, { store, tracing, metrics, pepper, log });
  onServer.push(threads, imports, webhooks);
  senders.push(webhooks);
  const hasPages = config.dashboard !== 'off';
  const dashboard = new Dashboard(readBuild(hasPages ? config.dashboard : ''), hasPages);
  const app = new App({
    version,
    config,
    store: tracing?.store(store) ?? store,
    tracing,
    ...threads.stores,
    audits: threads.audits,
    webhooks,
    dashboard,
    wakeImports: () => imports.wake(),
    pepper,
    metrics,
    log,
  });
  const listener = await listen(app, config).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const url = `http://${urlHost(config.host)}:${listener.port}`;
  // After a successful start: a failed one must not replace the settings of the service that runs.
  await withDatabase(config, async (admin) => {
    const settings = settingsToRecord(process.env, listener.port);
    // A file has one service, so that the one before has ended.
    const others = isPostgres(config.database) ? otherSettings(admin.settings, settings) : [];
    for (const name of others)
      log.warn(`the instance that started before has another ${name}; all instances must have the same`);
    await admin.recordSettings(settings);
  }).catch((error: unknown) => log.warn({ err: error }, 'commands do not get the settings of this service'));
  if (process.versions.bun)
    for (const name of SETTINGS_OF_NODE)
      if (process.env[name] !== undefined) log.warn(`${name} has no effect on Bun`);
  const expiry = new OrderExpiry(store, { onError: errorLog(log) });
  expiry.start();
  webhooks.start();
  imports.start();
  if (!process.versions.bun) for (const option of V8_OPTIONS) v8.setFlagsFromString(option);
  fitMemoryToLoad({ decidesGrowth: true });
  // Before the log line: a signal may follow it immediately.
  const signalled = stopSignal();
  log.info({ url, environment: store.environment, version, pid: process.pid }, 'listening');
  // Only lists wait for this; they get the pets of their own moment.
  inBackground(
    async () => void (await store.listInventory()),
    (error) => errorLog(log)('the list was not read at the start', error),
  );
  const stopped = stopAfter(signalled, config, {
    app,
    expiry,
    listener,
    webhooks,
    imports,
    threads,
    store,
    tracing,
    log,
  });
  return { url, hasDashboard: dashboard.isBuilt, stopped };
}

interface StoreParts {
  readonly environment: Environment;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Logger;
  /** Called when another server has the database, on which all connections of this process must be opened again. */
  readonly onOtherServer: () => void;
  readonly onEndpoints: () => void;
}

function storeOf(
  config: Config,
  { environment, metrics, tracing, log, onOtherServer, onEndpoints }: StoreParts,
): Promise<Store> {
  return openStore({
    database: config.database,
    readDatabase: config.readDatabase,
    acceptedUnsafe: config.acceptUnsafe,
    rules: stockRules(config),
    environment,
    capacityBytes: diskLimits(config).capacityBytes,
    onCommit: (writes, durationMs, requests) => {
      metrics.observeCommit(writes, durationMs);
      tracing?.commit(requests(), durationMs);
    },
    onListRebuild: (chunks) => metrics.observeListRebuild(chunks),
    onOtherServer: () => {
      log.warn('the database is on another server now; all connections are opened again');
      onOtherServer();
    },
    onEndpoints,
    onBanLifted: (ban) => log.info(banFields(ban), 'ban lifted'),
    onError: errorLog(log),
  });
}

interface RunningParts {
  readonly app: App;
  readonly expiry: OrderExpiry;
  readonly listener: Listener;
  readonly webhooks: WebhookService;
  readonly imports: JobsThread;
  readonly threads: ManagementThreads;
  readonly store: Store;
  readonly tracing: Tracing | undefined;
  readonly log: Logger;
}

/** Stops the service after a signal: first what begins requests and work, and last what they need. */
async function stopAfter(signalled: Promise<string>, config: Config, parts: RunningParts): Promise<void> {
  const { app, expiry, listener, webhooks, imports, threads, store, tracing, log } = parts;
  const signal = await signalled;
  log.info({ signal }, 'stopping');
  app.startDraining();
  const lastExpiry = expiry.stop();
  await elapsed(config.drainDelaySeconds);
  const drainedAtMs = performance.now() + config.drainTimeoutSeconds * 1_000;
  const leftMs = () => Math.max(0, drainedAtMs - performance.now());
  await listener.close(leftMs());
  await Promise.all([lastExpiry, webhooks.close(leftMs()), imports.close()]);
  await threads.close();
  await store.close();
  await tracing?.close();
  log.info('stopped');
}

function openLog({ logLevel }: Config): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    new LogOutput(process.stdout.fd),
  );
}

/** Logs errors that end no request. */
function errorLog(log: Logger): (message: string, cause: unknown) => void {
  return (message, cause) => log.error({ err: cause }, message);
}

interface Parts {
  readonly store: Store;
  readonly pepper: Uint8Array;
  readonly log: Logger;
}

/** The thread that checks and applies imports. */
function importThread(
  config: Config,
  { store, threads, pepper, log }: Parts & { readonly threads: ManagementThreads },
): JobsThread {
  return new JobsThread(
    { url: config.database, rules: stockRules(config), pepper, disk: diskLimits(config) },
    {
      hasWork: () => store.hasImportWork(),
      isPaused: () => (store.fileFault() ?? store.clockFault()) !== undefined,
      onError: errorLog(log),
      onUnopened: async () => {
        const failed = await threads.stores.management.imports.failUnstarted(UNSTARTED_MS);
        if (failed > 0) log.error({ imports: failed }, 'imports failed that could not start');
      },
    },
  );
}

/** The thread that sends webhooks. */
function webhookService(
  config: Config,
  {
    store,
    tracing,
    metrics,
    pepper,
    log,
  }: Parts & { readonly tracing: Tracing | undefined; readonly metrics: Metrics },
): WebhookService {
  return new WebhookService({
    data: {
      url: config.database,
      pepper,
      // Only one process serves a SQLite file, so it continues the leases of a process that was killed.
      owner: isPostgres(config.database) ? `${process.pid}-${randomUUID()}` : 'sqlite',
      networks: config.webhookNetworks,
      version: packageJson.version,
      isTraced: tracing !== undefined,
      sendsTraceparent: tracing?.recordsAll ?? false,
    },
    onAttempt: tracing && ((attempt) => tracing.delivery(attempt)),
    endpointBytes: () => store.webhookMemory(),
    onNumbers: (numbers) => metrics.observeWebhooks(numbers),
    onPaused: (endpointId, reason) => log.warn({ endpointId, reason }, 'webhook endpoint paused'),
    now: () => store.now(),
    onUnopened: (endpointId) =>
      log.error(
        { endpointId },
        'webhook endpoint skipped: its secret does not open under this pepper, or its row is damaged',
      ),
    onEndpointError: (endpointId, error) =>
      log.error({ endpointId, error }, 'webhook endpoint delayed: its events cannot be read or sent'),
    onError: errorLog(log),
  });
}

/** Settings of sockets that Bun's server has no means for. */
const SETTINGS_OF_NODE = ['PETSTORE_MAX_CONNECTIONS', 'PETSTORE_HEADERS_TIMEOUT'] as const;

/** The host of a URL for a listening address. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

async function listen(app: App, config: Config): Promise<Listener> {
  try {
    if (process.versions.bun) return await (await import('../listen/bun.ts')).listenOnBun(app, config);
    return await (await import('../listen/node.ts')).listenOnNode(app, config);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${config.port} is taken; stop what listens there, or set PORT to another one.`,
      );
    }
    throw new OperatorError(
      `Cannot listen on ${config.host} port ${config.port} (${message}); set PETSTORE_HOST or PORT.`,
    );
  }
}

/** The first signal starts a graceful stop; a second one of either kind ends the process immediately, because no handler is left. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (signal: string): void => {
      for (const name of STOP_SIGNALS) process.off(name, stop);
      resolve(signal);
    };
    for (const name of STOP_SIGNALS) process.on(name, stop);
  });
}

function elapsed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
