import fc from 'fast-check';
import type { Ledger } from '../../src/domain/ledger-store.ts';
import { testEngine } from '../support/test-database.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import { ledgers, type ModelLedger } from './random-ledger.ts';

/** Questions to each random ledger. */
const QUERIES = 12;
const RUNS = 60;

/** Runs a check on random ledgers, each in the database when it is called. */
export async function checkLedgers<T>(
  ledger: LedgerDatabase,
  questions: fc.Arbitrary<T>,
  check: (model: ModelLedger, reader: Ledger, questions: T[]) => Promise<void>,
): Promise<void> {
  const querySets = fc.array(questions, { minLength: QUERIES, maxLength: QUERIES });
  const property = fc.asyncProperty(ledgers, querySets, async (model, queries) => {
    await ledger.write(model);
    await check(model, ledger.reader(), queries);
  });
  await fc.assert(property, { numRuns: Math.ceil(RUNS * testEngine().share) });
}

/** When random ledgers are recorded, and a while before and after. */
export const moment = fc.option(fc.integer({ min: 990, max: 1_200 }), { nil: undefined });

/** One of these values, or none. */
export const optional = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

/** A generated query without its undefined members. */
export function defined<T extends object>(filter: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}
