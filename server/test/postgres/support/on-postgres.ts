import { describe } from 'node:test';
import { loadTests } from '../../support/runner/followed-promises.ts';
import { useEngineInProcess } from '../../support/test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

/**
 * Runs test files once more, on PostgreSQL. The name of a long one ends in `.long`.
 * @param folder The folder of the files. By default that of the service's tests.
 */
export function runOnPostgres(names: readonly string[], folder = new URL('../../', import.meta.url)): void {
  useEngineInProcess(new PostgresEngine());
  for (const name of names) {
    const file = new URL(`${name.endsWith('.long') ? name : `${name}.test`}.ts`, folder);
    describe(`${name}, on PostgreSQL`, () => loadTests(file));
  }
}
