import { describe } from 'node:test';
import { loadTests } from '../../support/runner/followed-promises.ts';
import { useEngineInProcess } from '../../support/test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

interface OnPostgresOptions {
  /** The folder of the files. By default that of the service's tests. */
  readonly folder?: URL;
  /** Whether the tests that `testOnceIn` declares run too: those of the long files. */
  readonly runsAll?: boolean;
}

/** Runs test files once more, on PostgreSQL. The name of a long one ends in `.long`. */
export function runOnPostgres(
  names: readonly string[],
  { folder = new URL('../../', import.meta.url), runsAll = false }: OnPostgresOptions = {},
): void {
  useEngineInProcess(new PostgresEngine({ runsAll }));
  for (const name of names) {
    const file = new URL(`${name.endsWith('.long') ? name : `${name}.test`}.ts`, folder);
    describe(`${name}, on PostgreSQL`, () => loadTests(file));
  }
}
