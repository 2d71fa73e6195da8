import { describe } from 'node:test';
import { useEngineInProcess } from '../../support/test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

/** Runs test files of the service once more, on PostgreSQL. The name of a long one ends in `.long`. */
export function runOnPostgres(names: readonly string[]): void {
  useEngineInProcess(new PostgresEngine());
  for (const name of names) {
    describe(`${name}, on PostgreSQL`, async () => {
      await import(`../../${name.endsWith('.long') ? name : `${name}.test`}.ts`);
    });
  }
}
