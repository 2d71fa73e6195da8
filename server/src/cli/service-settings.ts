import { type Config, readConfig } from '../config.ts';
import { VARIABLES } from '../config-variables.ts';

/** Settings of the service that its commands need too. None of them is a secret. */
const SHARED = [
  'host',
  'port',
  'baseUrl',
  'stagingBaseUrl',
  'maxQuantity',
  'statusPolicy',
  'orderHoldSeconds',
  'webhookNetworks',
  'maxWebhookEndpoints',
  'trustedProxies',
  'allowHttpSessions',
] as const satisfies readonly (keyof Config)[];

/** Variables of the environment with their values, as a service recorded them. */
type RecordedSettings = Readonly<Record<string, string>>;

/** The settings that a listening service records: those it was given, and its port. */
export function settingsToRecord(environment: NodeJS.ProcessEnv, port: number): RecordedSettings {
  const given = SHARED.map((key) => VARIABLES[key].name).flatMap((name) => {
    const text = environment[name];
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...Object.fromEntries(given), PORT: String(port) };
}

/** Each instance has its own address. */
const OWN: readonly (keyof Config)[] = ['host', 'port'];

/** The variables of which the service that started before had another value, or none. */
export function otherSettings(recorded: RecordedSettings, own: RecordedSettings): readonly string[] {
  // Before the first start nothing is recorded.
  if (recorded.PORT === undefined) return [];
  const names = SHARED.filter((key) => !OWN.includes(key)).map((key) => VARIABLES[key].name);
  return names.filter((name) => recorded[name] !== own[name]);
}

/**
 * The configuration of a command: what its own environment leaves open is as in the service that started last on the
 * same database.
 */
export function withRecorded(config: Config, recorded: RecordedSettings): Config {
  const known = SHARED.map((key) => VARIABLES[key].name).filter((name) => recorded[name] !== undefined);
  const environment = { ...Object.fromEntries(known.map((name) => [name, recorded[name]])), ...process.env };
  try {
    // The port on which a service did listen: a command does not listen, and its PORT may be that of another program.
    const all = readConfig({ ...environment, PORT: recorded.PORT ?? environment.PORT });
    return { ...config, ...Object.fromEntries(SHARED.map((key) => [key, all[key]])) };
  } catch {
    // Another release recorded a value that this one does not know.
    return config;
  }
}

/** Where the address of the service in `withRecorded` is from. */
export type AddressSource = 'environment' | 'service' | 'default';

export function addressSource(recorded: RecordedSettings): AddressSource {
  const names = [VARIABLES.baseUrl.name, VARIABLES.stagingBaseUrl.name];
  if (names.some((name) => process.env[name] !== undefined)) return 'environment';
  if (recorded.PORT !== undefined) return 'service';
  return process.env.PORT === undefined ? 'default' : 'environment';
}
