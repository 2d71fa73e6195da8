import type { TestContext } from 'node:test';

/** Variable with which a run includes long tests. */
export const RUN_LONG_TESTS = 'RUN_LONG_TESTS';

const runsLongTests = process.env[RUN_LONG_TESTS] === '1' || /\.long\.ts$/.test(process.argv[1] ?? '');

/**
 * The first line of a slow test whose mutations faster tests find too. `npm test` skips it; `npm run test:long`,
 * `npm test -- FILE` and files that end with `.long.ts` run it. Returns whether it is skipped.
 */
export function isSkippedDaily(t: Pick<TestContext, 'skip'>): boolean {
  if (!runsLongTests) t.skip('npm run test:long');
  return !runsLongTests;
}
