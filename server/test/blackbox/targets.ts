import type { TestContext } from 'node:test';
import { startCluster } from '../postgres/support/cluster.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import type { Runtime } from './service-process.ts';

/** A way to run the service, for all of which the same tests hold. */
export interface Target {
  readonly name: string;
  readonly runtime: Runtime;
  /** How much less of a long test it is put through than Node on SQLite, 1 being no less. */
  readonly share: number;
  start(t: TestContext, options: Pick<ServiceOptions, 'env' | 'pets'>): Promise<Service>;
}

export const TARGETS: readonly Target[] = [
  {
    name: 'node with SQLite',
    runtime: 'node',
    share: 1,
    start: (t, options) => startService(t, { ...options, runtime: 'node' }),
  },
  {
    name: 'bun with SQLite',
    runtime: 'bun',
    share: 0.15,
    start: (t, options) => startService(t, { ...options, runtime: 'bun' }),
  },
  // Each request goes to any of the instances.
  {
    name: '3 instances with PostgreSQL',
    runtime: 'node',
    share: 0.15,
    start: (t, options) => startCluster(t, { ...options, runtime: 'node', instances: 3 }),
  },
];
