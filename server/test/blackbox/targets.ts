import type { TestContext } from 'node:test';
import { startCluster } from '../postgres/support/cluster.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { RUNTIMES, type Runtime } from './service-process.ts';

/** A way to run the service, for all of which the same tests hold. */
export interface Target {
  readonly name: string;
  readonly runtime: Runtime;
  /** How much less of a long test it is put through than Node on SQLite, 1 being no less. */
  readonly share: number;
  start(t: TestContext, options: Pick<ServiceOptions, 'env' | 'pets'>): Promise<Service>;
}

const NODE_ON_SQLITE: Target = {
  name: 'node with SQLite',
  runtime: 'node',
  share: 1,
  start: (t, options) => startService(t, { ...options, runtime: 'node' }),
};

const BUN_ON_SQLITE: Target = {
  name: 'bun with SQLite',
  runtime: 'bun',
  share: 0.15,
  start: (t, options) => startService(t, { ...options, runtime: 'bun' }),
};

/** Each request goes to any of the instances. */
export const INSTANCES_ON_POSTGRES: Target = {
  name: '3 instances with PostgreSQL',
  runtime: 'node',
  share: 0.15,
  start: (t, options) => startCluster(t, { ...options, runtime: 'node', instances: 3 }),
};

export const ON_SQLITE: readonly Target[] = [NODE_ON_SQLITE, BUN_ON_SQLITE].filter(({ runtime }) =>
  RUNTIMES.includes(runtime),
);

let chosen = ON_SQLITE;

/** Chooses the targets for all tests of this process; without it they are those with SQLite. */
export function useTargets(targets: readonly Target[]): void {
  chosen = targets;
}

export function testTargets(): readonly Target[] {
  return chosen;
}
