import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { PlanName, Role } from '@petstore-inventory/shared/words';
import { type Logger, pino } from 'pino';
import { App } from '../../src/app.ts';
import type { AppParts } from '../../src/app-parts.ts';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { prepareDatabase, type ReadyDatabase } from '../../src/cli/prepare-database.ts';
import { type Config, readConfig, stockRules } from '../../src/config.ts';
import type { ManagementStores } from '../../src/domain/admin-store.ts';
import { createId, type Scope } from '../../src/domain/access/api-key.ts';
import { type Limits, PLAN_LIMITS } from '../../src/domain/access/plans.ts';
import type { Principal } from '../../src/domain/access/principal.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { Auditor } from '../../src/domain/ledger-store.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Store } from '../../src/domain/store.ts';
import type { Dashboard } from '../../src/http/dashboard/dashboard.ts';
import { Metrics } from '../../src/http/metrics/metrics.ts';
import { JobsThread } from '../../src/management/jobs/jobs-thread.ts';
import { ManagementThreads } from '../../src/management/management-threads.ts';
import { callChecks } from '../../src/management/refused-calls.ts';
import { banFields } from '../../src/request-log.ts';
import { openStore } from '../../src/store/open.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import { WebhookService } from '../../src/webhooks/webhook-service.ts';
import { isPageRequest } from '../blackbox/api-request.ts';
import { assertContract } from './contract.ts';
import { type ExactJson, parseExactJson } from './exact-json.ts';
import './reused-threads.ts';
import { type TestDatabase, testEngine } from './test-database.ts';
import { fetchFrom, responseOf } from './web-exchange.ts';

/** The default start of a test's clock: half a minute into a UTC minute. */
export const NOON = Date.UTC(2026, 6, 1, 12, 0, 30);
const SECRET_IN_LOG = /ps[ak]_(?:live|test)_[0-9A-Za-z]{8}|Bearer ps/;
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
const UNLIMITED: Limits = { perMinute: 1_000_000_000, perDay: 1_000_000_000 };

export interface AppOptions {
  /** When the clock of the store begins; `now`: at the time of its database, which management actions have too. */
  readonly nowMs?: number | 'now';
  /** The plan of the account, with its own limits; without it the account has more than a test can use. */
  readonly plan?: Exclude<PlanName, 'enterprise'>;
  readonly limits?: Limits;
  readonly pets?: Iterable<PetRow>;
  /** Milliseconds of monotonic clocks; the default is the test's clock. */
  readonly elapsed?: readonly (() => number)[] | undefined;
  /** Environment variables besides the address of the database. */
  readonly config?: Readonly<Record<string, string>>;
  /** The test ends sessions of the database, which the store may report. */
  readonly losesConnections?: boolean | undefined;
  readonly dashboard?: Dashboard;
  /** What is left of the disk. */
  readonly freeBytes?: AppParts['freeBytes'];
}

export interface Sending {
  /** The API key; `null` sends none, and nothing at all sends the key of the app. */
  readonly key?: string | null;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  /** Sent as `application/json` unless a header overrides it; a stream has no declared length. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** The caller's address. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as sent, and after decompression. */
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON, large integers exact; the code of an error. */
  readonly json: ExactJson;
  readonly code: string | undefined;
}

export interface MadeKey {
  readonly key: string;
  readonly principal: Principal;
}

/** The service in this process, on a real database, with a clock that the test sets. */
export interface TestApp extends MadeKey {
  readonly database: TestDatabase;
  readonly app: App;
  readonly config: Config;
  readonly store: Store;
  readonly audits: Auditor;
  /** The operator's view of the same database, on its own connection. */
  readonly admin: OpenedAdminStore;
  readonly clock: { nowMs: number };
  /** The log, each line parsed. */
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  /** Sends one request; its answer has kept the contract of the interface. */
  request(method: string, target: string, sending?: Sending): Promise<Answer>;
  /** The answer to bytes that do not parse as a request; its contract is already checked. */
  refuseUnparsed(code: ErrorCode, message: string): Promise<Answer>;
  /** Creates a management key. */
  makeAdminKey(role: Role, expiresAtMs?: number): Promise<MadeKey>;
  makeAccount(limits?: Limits): Promise<string>;
  makeKey(fields?: { accountId?: string; scopes?: readonly Scope[]; expiresAtMs?: number }): Promise<MadeKey>;
  /** Opens the store once more, as an instance that starts later does; the caller closes it. */
  openAnotherStore(): Promise<Store>;
  /** Stops all instances, and starts one with other environment variables on the same database. */
  restart(later: AppOptions['config']): Promise<TestApp>;
  close(): Promise<void>;
}

/** A write beside the requests that met a lock or a late response of a busy machine, and is repeated by itself. */
const WRITTEN_LATER = /^(?:Counts of requests|Events of bans).*(?:lock timeout|is busy|ConnectionLost)/;

/** Starts the service for one test, which closes it when it ends. */
export async function startApp(t: Pick<TestContext, 'after'>, options: AppOptions = {}): Promise<TestApp> {
  const [app] = await startApps(t, 1, options);
  return app as TestApp;
}

/** Starts instances of the service on one database, with one clock and one key; they are closed together. */
export async function startApps(
  t: Pick<TestContext, 'after'>,
  instances: number,
  options: AppOptions = {},
): Promise<TestApp[]> {
  const closing: (() => Promise<void>)[] = [];
  const closeFrom = async (first: number) => {
    const errors: unknown[] = [];
    // A step that fails must not leave the threads and connections of the others open.
    for (const step of closing.splice(first).toReversed()) await step().catch((error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
  const close = () => closeFrom(0);
  t.after(close);
  const database = await testEngine().newDatabase();
  closing.push(() => database.remove());
  const configWith = (later: AppOptions['config']) =>
    readConfig({
      PETSTORE_ADDRESS_LIMIT: '1000000',
      PETSTORE_LOG_LEVEL: 'debug',
      ...testEngine().variables,
      ...options.config,
      ...later,
      PETSTORE_DATABASE: database.url,
    });
  const config = configWith({});
  const ready = await prepareDatabase(config);
  const admin = await openAdmin(config.database, { rules: stockRules(config), pepper: () => ready.pepper });
  closing.push(() => admin.close());
  const { nowMs = NOON } = options;
  const clock = { nowMs: nowMs === 'now' ? await admin.now() : nowMs };
  if (options.pets) await admin.importPets(options.pets, 'cli', clock.nowMs);

  const making = keyMaking({ config, admin, clock }, options);
  const own = await making.makeKey();
  const { elapsed, dashboard, freeBytes, losesConnections } = options;
  const parts = {
    config,
    elapsed,
    dashboard,
    freeBytes,
    losesConnections,
    database,
    admin,
    clock,
    ...making,
    ...own,
    close,
    restart: async (later: AppOptions['config']): Promise<TestApp> => {
      await closeFrom(shared);
      return startInstance({ ...parts, config: configWith(later) }, ready, closing);
    },
  };
  const shared = closing.length;
  const apps: TestApp[] = [];
  for (let i = 0; i < instances; i += 1) apps.push(await startInstance(parts, ready, closing));
  return apps;
}

/** The common parts of all instances. */
type Surroundings = Omit<
  TestApp,
  'app' | 'store' | 'audits' | 'logs' | 'request' | 'refuseUnparsed' | 'openAnotherStore'
> &
  Pick<AppOptions, 'elapsed' | 'freeBytes' | 'losesConnections'> & {
    readonly dashboard: Dashboard | undefined;
  };

async function startInstance(
  parts: Surroundings,
  { pepper, environment }: ReadyDatabase,
  closing: (() => Promise<void>)[],
): Promise<TestApp> {
  const { config, clock } = parts;
  const { log, logs } = keptLog(config.logLevel);
  closing.push(async () => assert.doesNotMatch(JSON.stringify(logs), SECRET_IN_LOG, 'no log holds a key'));
  const metrics = new Metrics('1.0.0');
  const storeErrors: string[] = [];
  const isExpected = (error: string) =>
    WRITTEN_LATER.test(error) || (parts.losesConnections && error.includes('ConnectionLost'));
  closing.push(async () =>
    assert.deepEqual(
      storeErrors.filter((error) => !isExpected(error)),
      [],
      'the store reported no error',
    ),
  );
  const open = () =>
    openStore({
      database: config.database,
      rules: stockRules(config),
      acceptedUnsafe: config.acceptUnsafe,
      environment,
      clock: () => clock.nowMs,
      ...(parts.elapsed && { elapsed: parts.elapsed }),
      onCommit: (writes, durationMs) => metrics.observeCommit(writes, durationMs),
      onListRebuild: (chunks) => metrics.observeListRebuild(chunks),
      onBanLifted: (ban) => log.info(banFields(ban), 'ban lifted'),
      onError: (message, cause) => storeErrors.push(`${message} ${String(cause)}`),
    });
  const store = await open();
  closing.push(() => store.close());
  const threads = startThreads({ config, pepper, store }, closing);
  const webhooks = idleWebhooks({ config, pepper }, () => store.now());
  closing.push(() => webhooks.close(0));
  const app = new App({
    version: '1.0.0',
    config,
    store,
    ...threads,
    webhooks,
    dashboard: parts.dashboard,
    freeBytes: parts.freeBytes,
    pepper,
    metrics,
    log,
  });

  const request: TestApp['request'] = async (method, target, sending = {}) => {
    const sent = requestOf(method, target, sending.key === undefined ? parts.key : sending.key, sending);
    const { nowMs } = clock;
    const response = await fetchFrom(app, sent, sending.from);
    const answer = await answerOf(method, response);
    const path = target.split('?')[0] as string;
    const authorization = sent.headers.get('Authorization');
    const isPage =
      authorization === null && isPageRequest(path, { Accept: sent.headers.get('Accept') ?? '' });
    assertContract({ method, path, authorization, isPage }, answer, nowMs);
    return answer;
  };
  const refuseUnparsed: TestApp['refuseUnparsed'] = async (code, message) => {
    const answer = await answerOf('', responseOf(app.refuseUnparsed(code, message, {})));
    assertContract({ method: '', path: '', authorization: null }, answer, clock.nowMs);
    return answer;
  };
  return {
    ...parts,
    app,
    store,
    audits: threads.audits,
    logs,
    request,
    refuseUnparsed,
    openAnotherStore: open,
  };
}

/** The webhooks of an instance, without its sender. */
function idleWebhooks(
  { config, pepper }: Pick<AppParts, 'config' | 'pepper'>,
  now: () => number,
): WebhookService {
  const { database: url, webhookNetworks: networks } = config;
  const ignore = () => undefined;
  return new WebhookService({
    data: { url, pepper, owner: 'test', networks, version: '1.0.0' },
    endpointBytes: () => undefined,
    onNumbers: ignore,
    onPaused: ignore,
    onUnopened: ignore,
    now,
    onEndpointError: ignore,
    onError: ignore,
  });
}

/** The threads of management actions; each starts with its first action. */
function startThreads(
  { config, pepper, store }: Pick<AppParts, 'config' | 'pepper' | 'store'>,
  closing: (() => Promise<void>)[],
): ManagementStores & Pick<AppParts, 'audits' | 'wakeImports'> {
  const database = { url: config.database, rules: stockRules(config), pepper };
  const threads = new ManagementThreads(database, callChecks(store));
  closing.push(() => threads.close());
  const imports = new JobsThread(database, {
    hasWork: () => false,
    isPaused: () => (store.fileFault() ?? store.clockFault()) !== undefined,
    onError: () => undefined,
  });
  closing.push(() => imports.close());
  return { ...threads.stores, audits: threads.audits, wakeImports: () => imports.wake() };
}

/** Creates accounts and keys; a key belongs to the account of the options, unless the call names another one. */
function keyMaking(
  { config, admin, clock }: Pick<TestApp, 'config' | 'admin' | 'clock'>,
  options: AppOptions,
): Pick<TestApp, 'makeAccount' | 'makeKey' | 'makeAdminKey'> {
  const createAccount = async (limits: Limits = UNLIMITED, plan: PlanName = 'enterprise') => {
    const id = createId('acc');
    await admin.accounts.create({ id, name: id, plan, limits, createdAtMs: clock.nowMs }, CLI_AUTHOR);
    return id;
  };
  const limits = options.plan ? PLAN_LIMITS[options.plan] : options.limits;
  let ownAccount: Promise<string> | undefined;
  const makeKey: TestApp['makeKey'] = async ({ accountId, scopes, expiresAtMs } = {}) => {
    ownAccount ??= createAccount(limits, options.plan);
    const fields = { name: 'test', scopes: scopes ?? null, expiresAtMs: expiresAtMs ?? null };
    const { secret, principal } = await createKey(config, admin, {
      ...fields,
      accountId: accountId ?? (await ownAccount),
    });
    return { key: secret, principal };
  };
  const makeAdminKey: TestApp['makeAdminKey'] = async (role, expiresAtMs) => {
    const fields = { role, name: role, scopes: null, expiresAtMs: expiresAtMs ?? null };
    const { secret, principal } = await createKey(config, admin, fields);
    return { key: secret, principal };
  };
  return { makeAccount: (of) => createAccount(of), makeKey, makeAdminKey };
}

function keptLog(level: string): { log: Logger; logs: Record<string, unknown>[] } {
  const logs: Record<string, unknown>[] = [];
  const write = (line: string) => void logs.push(JSON.parse(line) as Record<string, unknown>);
  return { log: pino({ level }, { write }), logs };
}

function requestOf(method: string, target: string, key: string | null, { headers, body }: Sending): Request {
  const all = new Headers(headers);
  if (key !== null && !all.has('Authorization')) all.set('Authorization', `Bearer ${key}`);
  if (body === undefined) return new Request(`http://localhost${target}`, { method, headers: all });
  if (!all.has('Content-Type')) all.set('Content-Type', 'application/json');
  const isStream = body instanceof ReadableStream;
  if (!isStream && !all.has('Content-Length')) all.set('Content-Length', String(Buffer.byteLength(body)));
  return new Request(`http://localhost${target}`, { method, headers: all, body, duplex: 'half' });
}

/** Reads an answer as a client would: a server sends no body to `HEAD`, even if the `Response` has one. */
async function answerOf(method: string, response: Response): Promise<Answer> {
  const { status, headers } = response;
  const bytes = method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer());
  const decode = bytes.length > 0 ? DECODERS[headers.get('Content-Encoding') ?? ''] : undefined;
  const text = (decode ? decode(bytes) : bytes).toString();
  const isJson = text !== '' && headers.get('Content-Type') === 'application/json';
  const json = isJson ? parseExactJson(text) : null;
  const { code } = (status >= 400 && json ? json : {}) as { code?: string };
  return { status, headers, bytes, text, json, code };
}
