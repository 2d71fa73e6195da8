import type { TestContext } from 'node:test';
import { launchService, type ServiceProcess, serviceEnvironment } from '../../blackbox/service-process.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { clockAhead } from '../../support/machine-environment.ts';
import { testEngine } from '../../support/test-database.ts';

export const HOUR_MS = 3_600_000;
/** How far a time may be from that of the database: far less than the clocks are wrong, and more than a test takes. */
export const TOLERANCE_MS = HOUR_MS / 2;

/** Two instances on one PostgreSQL, whose machines have wrong clocks, and the operator's view of their database. */
export interface SkewedServices {
  readonly app: TestApp;
  /** Its clock is two hours ahead. */
  readonly ahead: ServiceProcess;
  /** Its clock is two hours behind. */
  readonly behind: ServiceProcess;
  /** The time of the database. */
  now(): Promise<number>;
}

export async function startSkewed(
  t: TestContext,
  variables: Readonly<Record<string, string>> = {},
): Promise<SkewedServices> {
  const app = await startApp(t, { nowMs: 'now', config: variables });
  const folder = temporaryFolder(t);
  const launch = async (aheadMs: number) => {
    const service = await launchService(
      serviceEnvironment(undefined, folder, {
        PETSTORE_ADDRESS_LIMIT: '1000000',
        ...testEngine().variables,
        ...variables,
        PETSTORE_DATABASE: app.database.url,
        ...clockAhead(aheadMs),
      }),
    );
    t.after(() => service.kill9());
    return service;
  };
  const [ahead, behind] = await Promise.all([launch(2 * HOUR_MS), launch(-2 * HOUR_MS)]);
  return { app, ahead, behind, now: () => app.admin.now() };
}

/** The app with its requests sent to an instance. */
export function at({ url }: ServiceProcess, app: TestApp): TestApp {
  return { ...app, request: (method, target, sending = {}) => send(url, method, target, sending, app.key) };
}

async function send(
  url: string,
  method: string,
  target: string,
  { key, headers, body }: Parameters<TestApp['request']>[2] & object,
  ownKey: string,
): ReturnType<TestApp['request']> {
  const all = new Headers(headers);
  const sent = key === undefined ? ownKey : key;
  if (sent !== null) all.set('Authorization', `Bearer ${sent}`);
  if (body !== undefined && !all.has('Content-Type')) all.set('Content-Type', 'application/json');
  const response = await fetch(`${url}${target}`, {
    method,
    headers: all,
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const isJson = response.headers.get('Content-Type') === 'application/json' && text !== '';
  const json = isJson ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, bytes, text, json, code: json?.code };
}
