import type { TestContext } from 'node:test';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { startApp, type TestApp } from '../support/harness.ts';

/** The service with a viewer's management key. */
export async function startManaged(t: Pick<TestContext, 'after'>) {
  const app = await startApp(t);
  const fields = { accountId: null, role: 'viewer', name: 'Ada', scopes: null, expiresAtMs: null } as const;
  const { secret, principal } = await createKey(app.config, app.admin, fields);
  const get = (target: string): ReturnType<TestApp['request']> => app.request('GET', target, { key: secret });
  return { app, get, viewer: principal };
}
