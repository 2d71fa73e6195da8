import type { TestContext } from 'node:test';

/** Variable with which a run includes long tests. */
export const RUN_LONG_TESTS = 'RUN_LONG_TESTS';

const runsLongTests = process.env[RUN_LONG_TESTS] === '1' || /\.long\.ts$/.test(process.argv[1] ?? '');

/** The first line of a test of what Bun has not, such as options of V8. Returns whether it is skipped. */
export function isSkippedOnBun(t: Pick<TestContext, 'skip'>, reason: string): boolean {
  const isOnBun = process.versions.bun !== undefined;
  if (isOnBun) t.skip(`not on Bun: ${reason}`);
  return isOnBun;
}

/**
 * The first line of a slow test whose mutations faster tests find too. `npm test` skips it; `npm run test:long`,
 * `npm test -- FILE` and files that end with `.long.ts` run it. Returns whether it is skipped.
 */
export function isSkippedDaily(t: Pick<TestContext, 'skip'>): boolean {
  if (!runsLongTests) t.skip('npm run test:long');
  return !runsLongTests;
}
