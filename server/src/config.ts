import { unknownNames } from './config-names.ts';
import { withoutRemains } from './config-parsers.ts';
import { SECRETS, VARIABLES } from './config-variables.ts';
import type { Environment } from './domain/access/api-key.ts';
import type { DiskLimits } from './domain/disk.ts';
import { OperatorError } from './domain/errors.ts';
import type { StockRules } from './domain/ledger/ledger-transaction.ts';

type Variables = typeof VARIABLES;

/** The configuration of a process, read once and frozen. */
export type Config = { readonly [Name in keyof Variables]: ReturnType<Variables[Name]['read']> };

/** All faults of a configuration, one sentence each. */
export class ConfigError extends OperatorError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Reads the configuration from the environment.
 * @throws ConfigError that names each wrong variable, its rule and the given value; also for unknown PETSTORE_ names.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const known = new Set(Object.values(VARIABLES).map(({ name }) => name));
  const faults = [...unknownNames(environment, known)];
  const config: Record<string, unknown> = {};
  for (const [key, { name, default: byDefault, read }] of Object.entries(VARIABLES)) {
    const text = environment[name] ?? byDefault;
    try {
      config[key] = read(withoutRemains(text));
    } catch (rule) {
      const given = SECRETS.has(name) ? 'another value' : JSON.stringify(text);
      faults.push(`${name} must be ${String(rule)}; it is ${given}.`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  followPort(config as Config, environment);
  const complete = Object.freeze(config) as Config;
  if (complete.requestTimeoutSeconds < complete.headersTimeoutSeconds) {
    faults.push('PETSTORE_REQUEST_TIMEOUT must not be less than PETSTORE_HEADERS_TIMEOUT.');
  }
  if (complete.sunsetAtMs < complete.deprecatedAtMs) {
    faults.push('PETSTORE_GET_PET_SUNSET_AT must not be before PETSTORE_GET_PET_DEPRECATED_AT.');
  }
  if (complete.readDatabase !== '' && complete.database.startsWith('sqlite:')) {
    faults.push(
      'PETSTORE_READ_DATABASE must be empty when PETSTORE_DATABASE is a SQLite file: it has no replicas.',
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return complete;
}

/** The default public address is the address on which the service listens. */
function followPort(
  config: { -readonly [Name in keyof Config]: Config[Name] },
  given: NodeJS.ProcessEnv,
): void {
  const address = `http://localhost:${config.port}/v1`;
  if (config.port === 0) return;
  if (config.environment === 'production' && given.PETSTORE_BASE_URL === undefined) config.baseUrl = address;
  if (config.environment === 'staging' && given.PETSTORE_STAGING_BASE_URL === undefined) {
    config.stagingBaseUrl = address;
  }
}

/** The rules by which every process of the shop changes stock. */
export function stockRules({ statusPolicy, maxQuantity, orderHoldSeconds }: Config): StockRules {
  return { statusPolicy, maxQuantity, orderHoldMs: orderHoldSeconds === 0 ? null : orderHoldSeconds * 1_000 };
}

export function diskLimits({ diskReserveBytes, databaseCapacity }: Config): DiskLimits {
  return {
    reserveBytes: diskReserveBytes,
    capacityBytes: databaseCapacity === 0 ? undefined : databaseCapacity,
  };
}

/** The base address of the management API; clients have another one. */
export function adminBaseUrlOf(baseUrl: string): string {
  return `${baseUrl.replace(/\/v1$/, '')}/admin/v1`;
}

/** The base address of a database's environment. */
export function baseUrlOf(config: Config, environment: Environment): string {
  if (environment === 'production') return config.baseUrl;
  // Without PETSTORE_ENVIRONMENT a staging database may have no staging address.
  return config.stagingBaseUrl === '' ? config.baseUrl : config.stagingBaseUrl;
}
