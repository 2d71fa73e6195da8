import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { request } from '../../blackbox/api-request.ts';
import { launchService, type ServiceProcess, serviceEnvironment } from '../../blackbox/service-process.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { Progress } from '../../support/progress.ts';
import { sharedPostgres } from './shared-postgres.ts';

const STARTED = ['node', 'bun', 'node', 'bun'] as const;

/**
 * Starts instances concurrently on an empty database, repeatedly. Asserts that the schema is created once and all
 * serve.
 */
export async function migratesOnce(t: TestContext, rounds: number): Promise<void> {
  const { server: postgres } = await sharedPostgres();
  const folder = temporaryFolder(t);
  const progress = new Progress('rounds', rounds);
  for (let round = 1; round <= rounds; round += 1) {
    const url = await postgres.createDatabase();
    const variables = { PETSTORE_DATABASE: url, PETSTORE_PEPPER: randomBytes(24).toString('hex') };
    const started = await Promise.allSettled(
      STARTED.map((runtime) => launchService(serviceEnvironment(runtime, folder, variables))),
    );
    const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    t.after(() => Promise.all(running.map((instance) => instance.kill9())));
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    const steps = await postgres.query(
      'SELECT version, count(*)::integer AS times FROM schema_migrations GROUP BY version ORDER BY version',
      new URL(url).pathname.slice(1),
    );
    assert.deepEqual(
      steps,
      steps.map((_, index) => ({ version: index + 1, times: 1 })),
    );
    assert.ok(steps.length > 0, `round ${round}: the schema was made`);
    await assertAllServe(running);
    progress.step();
  }
}

async function assertAllServe(running: readonly ServiceProcess[]): Promise<void> {
  for (const instance of running) {
    assert.equal((await request(instance, { path: '/readyz' })).status, 200);
    assert.equal((await request(instance, { path: '/v1/inventory' })).status, 401);
  }
  assert.deepEqual(await Promise.all(running.map((instance) => instance.stop())), [0, 0, 0, 0]);
}
