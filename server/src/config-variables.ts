import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import {
  anyText,
  collectorUrl,
  database,
  flag,
  host,
  httpUrl,
  integer,
  list,
  moment,
  networks,
  oneOf,
  optionalHttpUrl,
  origins,
  readDatabase,
  someOf,
  token,
} from './config-parsers.ts';
import { ENVIRONMENTS } from './domain/access/api-key.ts';
import { DURABILITY_SETTINGS } from './domain/disk.ts';
import { STATUS_POLICIES, type StatusPolicy } from './domain/inventory.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

interface Variable<T> {
  readonly name: string;
  readonly default: string;
  /** The meaning of the value, with its unit; docs/configuration.md and `serve --help` show it. */
  readonly meaning: string;
  /** Returns the value, or throws a phrase that completes "PORT must be …". */
  readonly read: (text: string) => T;
}

function variable<T>(
  name: string,
  byDefault: string,
  meaning: string,
  read: (text: string) => T,
): Variable<T> {
  return { name, default: byDefault, meaning, read };
}

/** All variables, with their names, defaults, bounds and meanings. */
export const VARIABLES = {
  port: variable('PORT', '8080', 'TCP port to listen on; 0 picks a free one', integer(0, 65_535)),
  host: variable('PETSTORE_HOST', '0.0.0.0', 'address to listen on', host),
  database: variable(
    'PETSTORE_DATABASE',
    'sqlite:./data/petstore.db',
    'location of the data: a file, or postgres://user:password@host:5432/database for many instances, with a comma between several servers, host:5432,other:5432, of which the primary is used; without it start uses sqlite:./data/sample.db',
    database,
  ),
  readDatabase: variable(
    'PETSTORE_READ_DATABASE',
    '',
    'a read replica of the PostgreSQL database, for history and past lists; empty: none',
    readDatabase,
  ),
  acceptUnsafe: variable(
    'PETSTORE_ACCEPT_UNSAFE',
    '',
    `PostgreSQL settings, comma-separated, that may be off although the database can then lose acknowledged changes: ${DURABILITY_SETTINGS.join(', ')}`,
    someOf(DURABILITY_SETTINGS),
  ),
  environment: variable(
    'PETSTORE_ENVIRONMENT',
    'production',
    'production or staging: the kind of keys of a new database',
    oneOf(ENVIRONMENTS),
  ),
  baseUrl: variable(
    'PETSTORE_BASE_URL',
    'http://localhost:8080/v1',
    'public base address of production, as clients see it; its port follows PORT',
    httpUrl,
  ),
  stagingBaseUrl: variable(
    'PETSTORE_STAGING_BASE_URL',
    '',
    'public base address of staging; empty: the OpenAPI document has no staging server, except in staging, where the port follows PORT',
    optionalHttpUrl,
  ),
  pepper: variable(
    'PETSTORE_PEPPER',
    '',
    'secret under which keys are hashed, at least 32 characters; empty: generated once, in a file next to the SQLite database',
    (text) => {
      if (text !== '' && text.length < 32) throw 'at least 32 characters, or empty';
      return text;
    },
  ),
  maxQuantity: variable(
    'PETSTORE_MAX_QUANTITY',
    String(MAX_QUANTITY),
    'largest accepted quantity',
    integer(0, MAX_QUANTITY),
  ),
  statusPolicy: variable<StatusPolicy>(
    'PETSTORE_STATUS_POLICY',
    'unchanged',
    'sold-at-zero: a quantity of 0 makes an available pet sold, restocking makes it available; follow-orders: pending while all units are reserved, sold at 0, else available',
    oneOf(STATUS_POLICIES),
  ),
  orderHoldSeconds: variable(
    'PETSTORE_ORDER_HOLD',
    '1800',
    'seconds for which an order without an expiresAt of its own reserves its units until it is approved; 0: it never expires',
    integer(0, 315_360_000),
  ),
  addressLimit: variable(
    'PETSTORE_ADDRESS_LIMIT',
    '60',
    'requests per minute of an address without a valid key',
    integer(1, 1_000_000_000),
  ),
  trustedProxies: variable(
    'PETSTORE_TRUSTED_PROXIES',
    '',
    'addresses or CIDR blocks, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto are trusted',
    list,
  ),
  allowHttpSessions: variable(
    'PETSTORE_ALLOW_HTTP_SESSIONS',
    'false',
    'true: people can sign in to the dashboard without TLS also from other machines, for a network that you trust',
    flag,
  ),
  dashboard: variable(
    'PETSTORE_DASHBOARD',
    '',
    'folder of the built dashboard; empty: web/dist of this release; off: none, and / shows the documentation if it is built',
    anyText,
  ),
  corsOrigins: variable(
    'PETSTORE_CORS_ORIGINS',
    '',
    'origins, comma-separated, whose pages may call the API',
    origins,
  ),
  deprecatedAtMs: variable(
    'PETSTORE_GET_PET_DEPRECATED_AT',
    '2026-01-01T00:00:00Z',
    'time from which GET /v1/pets/{petId} is deprecated',
    moment,
  ),
  sunsetAtMs: variable(
    'PETSTORE_GET_PET_SUNSET_AT',
    '2027-12-31T23:59:59Z',
    'time from which GET /v1/pets/{petId} returns 410',
    moment,
  ),
  webhookNetworks: variable(
    'PETSTORE_WEBHOOK_NETWORKS',
    '',
    'addresses or CIDR blocks, comma-separated, that are not public and may receive webhooks, also by http; empty: only public addresses by https',
    networks,
  ),
  logLevel: variable(
    'PETSTORE_LOG_LEVEL',
    'info',
    `${LOG_LEVELS.join(', ')}; debug logs every request`,
    oneOf(LOG_LEVELS),
  ),
  metricsToken: variable(
    'PETSTORE_METRICS_TOKEN',
    '',
    'bearer token that /metrics requires; empty: none',
    token,
  ),
  traces: variable(
    'PETSTORE_TRACES',
    '',
    'address of a collector that gets traces by OTLP over HTTP, such as http://localhost:4318/v1/traces; empty: none',
    collectorUrl,
  ),
  headersTimeoutSeconds: variable(
    'PETSTORE_HEADERS_TIMEOUT',
    '5',
    'seconds in which a client must send its headers (Node)',
    integer(1, 300),
  ),
  requestTimeoutSeconds: variable(
    'PETSTORE_REQUEST_TIMEOUT',
    '15',
    'seconds in which a client must send a whole request (Node), or its body (Bun)',
    integer(1, 300),
  ),
  keepAliveTimeoutSeconds: variable(
    'PETSTORE_KEEP_ALIVE_TIMEOUT',
    '72',
    'seconds before an idle connection is closed; more than the load balancer in front has',
    integer(1, 255),
  ),
  maxConnections: variable(
    'PETSTORE_MAX_CONNECTIONS',
    '10000',
    'maximum of open connections (Node); up to 256 more are accepted for health checks',
    integer(1, 1_000_000),
  ),
  maxStreams: variable(
    'PETSTORE_MAX_STREAMS',
    '5000',
    'maximum of live streams of one process; an account, or a management key, may have a quarter of them',
    integer(0, 1_000_000),
  ),
  maxWebhookEndpoints: variable(
    'PETSTORE_MAX_WEBHOOK_ENDPOINTS',
    '20',
    'maximum of webhook endpoints of an account',
    integer(0, 1_000),
  ),
  maxImportBytes: variable(
    'PETSTORE_MAX_IMPORT_BYTES',
    '268435456',
    'largest file of an import over HTTP',
    integer(1, 2_147_483_648),
  ),
  diskReserveBytes: variable(
    'PETSTORE_DISK_RESERVE',
    '134217728',
    'bytes of the disk of the database that files of imports and their plans leave for changes',
    integer(0, 1_000_000_000_000_000),
  ),
  databaseCapacity: variable(
    'PETSTORE_DATABASE_CAPACITY',
    '0',
    'bytes that a PostgreSQL database may take, whose server does not report its disk; 0: unknown, so imports are not compared with it',
    integer(0, 1_000_000_000_000_000),
  ),
  postgresTools: variable(
    'PETSTORE_POSTGRES_TOOLS',
    '',
    'folder of pg_dump, pg_restore and psql, for backups of PostgreSQL; empty: they are on PATH',
    anyText,
  ),
  checkDatabase: variable(
    'PETSTORE_CHECK_DATABASE',
    '',
    'a PostgreSQL database on whose server backups are checked, in a temporary database; empty: PETSTORE_DATABASE',
    readDatabase,
  ),
  drainDelaySeconds: variable(
    'PETSTORE_DRAIN_DELAY',
    '0',
    'seconds in which the service still accepts connections after SIGTERM, with /readyz at 503, so that a load balancer notices',
    integer(0, 300),
  ),
  drainTimeoutSeconds: variable(
    'PETSTORE_DRAIN_TIMEOUT',
    '10',
    'seconds in which running requests, and attempts to deliver webhooks, can finish before the service stops',
    integer(1, 300),
  ),
};

/** Variables whose values are secret: error messages do not include them. */
export const SECRETS = new Set([
  'PETSTORE_DATABASE',
  'PETSTORE_READ_DATABASE',
  'PETSTORE_CHECK_DATABASE',
  'PETSTORE_PEPPER',
  'PETSTORE_METRICS_TOKEN',
  'PETSTORE_TRACES',
]);
