import type { Limits } from '../../../domain/access/plans.ts';
import { PLAN_LIMITS } from '../../../domain/access/plans.ts';
import type { StatusPolicy } from '../../../domain/inventory.ts';

/** The settings that the operator may see. None of them is secret. */
export interface SystemSettings {
  readonly database: string;
  readonly statusPolicy: StatusPolicy;
  readonly maxQuantity: number;
  readonly orderHoldSeconds: number;
  readonly addressLimit: number;
  readonly maxStreams: number;
}

/** What does not change while the service runs. */
export interface SystemFacts {
  readonly version: string;
  readonly runtime: string;
  readonly engine: 'sqlite' | 'postgresql';
  readonly startedAtMs: number;
  readonly settings: Omit<SystemSettings, 'database'>;
  readonly plans: Readonly<Record<string, Limits>>;
}

/** @param startedAtMs By the clock of the store. */
export function systemFacts(version: string, settings: SystemSettings, startedAtMs: number): SystemFacts {
  const { database, statusPolicy, maxQuantity, orderHoldSeconds, addressLimit, maxStreams } = settings;
  const { bun, node } = process.versions;
  return {
    version,
    runtime: bun === undefined ? `Node ${node}` : `Bun ${bun}`,
    engine: database.startsWith('sqlite:') ? 'sqlite' : 'postgresql',
    startedAtMs,
    settings: { statusPolicy, maxQuantity, orderHoldSeconds, addressLimit, maxStreams },
    plans: PLAN_LIMITS,
  };
}
