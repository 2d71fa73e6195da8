import type { TestApp } from '../../../server/test/support/harness.ts';
import { fetchFrom } from '../../../server/test/support/web-exchange.ts';
import { type ClientOptions, PetstoreClient } from '../../src/index.ts';

/** A `fetch` that calls a service in this process. */
export function fetchOf({ app }: Pick<TestApp, 'app'>): typeof fetch {
  return (input, init) => fetchFrom(app, new Request(input, init));
}

/** A client of a service in this process. */
export function clientOf(
  app: Pick<TestApp, 'app' | 'key'>,
  options: Partial<ClientOptions> = {},
): PetstoreClient {
  return new PetstoreClient({
    apiKey: app.key,
    baseUrl: 'http://localhost/v1',
    fetch: fetchOf(app),
    ...options,
  });
}
