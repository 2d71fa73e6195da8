import { buildDashboard, isBuildDue } from '../src/cli/dashboard/build-dashboard.ts';

const TIMEOUT_MS = 300_000;

/** Builds the pages of the dashboard if that is due. @throws Error when they cannot be built. */
export async function buildPages(): Promise<void> {
  const problem = isBuildDue() ? await buildDashboard(undefined, TIMEOUT_MS) : undefined;
  if (problem !== undefined) throw new Error(problem);
}
