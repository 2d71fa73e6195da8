import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { invalidArgument } from './errors.ts';
import { headerText } from './http/request.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { VERSION } from './version.ts';

/** How long and how often a call tries. */
interface Patience {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxWaitMs: number;
}

const DEFAULTS: Patience = { timeoutMs: 60_000, maxRetries: 4, maxWaitMs: 120_000 };

/** The checked options of a client. */
export interface Settings extends Patience {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly maxConcurrent: number;
  readonly cacheCharacters: number;
}

/** @throws PetstoreError for an option that cannot work, or a key of another kind. */
export function readSettings(options: ClientOptions, prefix = 'psk_'): Settings {
  const { apiKey, cache = 8_000_000, userAgent } = options;
  if (!RegExp(`^${prefix}[!-~]+$`).test(apiKey ?? '')) {
    // The key is not in the message.
    throw invalidArgument(
      apiKey?.startsWith(prefix)
        ? 'apiKey must have no spaces or line breaks.'
        : `apiKey must begin with ${prefix}.`,
    );
  }
  const agent = headerText(
    'userAgent',
    `petstore-inventory-client/${VERSION}${userAgent ? ` ${userAgent}` : ''}`,
  );
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${apiKey}`,
      // A page cannot set it: the browser would need the service's leave for it.
      ...(!('document' in globalThis || 'WorkerGlobalScope' in globalThis) && { 'User-Agent': agent }),
    },
    fetch: options.fetch ?? globalThis.fetch,
    clock: options.clock ?? SYSTEM_CLOCK,
    ...effectiveOptions(DEFAULTS, options),
    maxConcurrent: atLeast('maxConcurrent', options.maxConcurrent ?? 8, 1),
    cacheCharacters: cache === false ? 0 : atLeast('cache', cache, 0),
  };
}

/** The options of one call, with those of the client for absent ones. */
export interface EffectiveOptions extends Patience {
  readonly signal: AbortSignal | undefined;
}

/** @throws PetstoreError for an option that cannot work. */
export function effectiveOptions(settings: Patience, options: RequestOptions = {}): EffectiveOptions {
  return {
    timeoutMs: atLeast('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1),
    maxRetries: atLeast('maxRetries', options.maxRetries ?? settings.maxRetries, 0),
    maxWaitMs: atLeast('maxWaitMs', options.maxWaitMs ?? settings.maxWaitMs, 0),
    signal: options.signal,
  };
}

/** The address without a slash at its end, with the version of the interface. */
function readBaseUrl(text: string): string {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {}
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    // The address is not in the message, because it may have a password.
    throw invalidArgument(
      'baseUrl must be an address such as http://localhost:8080, without a password or query.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path}${path.endsWith('/v1') ? '' : '/v1'}`;
}

function atLeast(name: string, value: number, min: number): number {
  if (value >= min) return value;
  throw invalidArgument(`${name} must be a number of at least ${min}, not ${value}.`);
}
