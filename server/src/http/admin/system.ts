import { z } from '@hono/zod-openapi';
import { ENVIRONMENTS, type Environment } from '../../domain/access/api-key.ts';
import { PLAN_LIMITS } from '../../domain/access/plans.ts';
import { backupAgeSeconds, type NewestBackup } from '../../domain/newest-backup.ts';
import { STATUS_POLICIES, type StatusPolicy } from '../../domain/inventory.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Store } from '../../domain/store.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { COSTLY_PER_MINUTE, REQUESTS_PER_MINUTE } from '../access/management-limits.ts';
import { operationsWith } from '../operation/operation.ts';
import { one, view } from '../operation/output.ts';
import { moment, text, wholeNumber } from '../schemas/values.ts';

/** The settings that the operator may see. None of them is secret. */
interface SystemSettings {
  readonly database: string;
  readonly statusPolicy: StatusPolicy;
  readonly maxQuantity: number;
  readonly orderHoldSeconds: number;
  readonly addressLimit: number;
  readonly maxStreams: number;
  readonly maxImportBytes: number;
}

/** What does not change while the service runs. */
export interface SystemFacts {
  readonly version: string;
  readonly runtime: string;
  readonly engine: 'sqlite' | 'postgresql';
  readonly startedAtMs: number;
  readonly settings: Omit<SystemSettings, 'database'>;
}

/** @param startedAtMs By the clock of the store. */
export function systemFacts(version: string, settings: SystemSettings, startedAtMs: number): SystemFacts {
  const { database, statusPolicy, maxQuantity, orderHoldSeconds, addressLimit, maxStreams, maxImportBytes } =
    settings;
  const { bun, node } = process.versions;
  return {
    version,
    runtime: bun === undefined ? `Node ${node}` : `Bun ${bun}`,
    engine: database.startsWith('sqlite:') ? 'sqlite' : 'postgresql',
    startedAtMs,
    settings: { statusPolicy, maxQuantity, orderHoldSeconds, addressLimit, maxStreams, maxImportBytes },
  };
}

const operation = operationsWith<{ readonly store: Store; readonly facts: SystemFacts }>({
  tag: 'System',
});

const PointSchema = z
  .object({
    sequence: wholeNumber('The sequence of the movement; 0 before the first one.', 4711),
    recordedAt: moment('When it was recorded.').nullable(),
  })
  .openapi('LedgerPoint', { description: 'A place in the ledger.' });

const PlanLimitsSchema = z
  .object({
    perMinute: wholeNumber('Requests per minute.', 300),
    perDay: wholeNumber('Requests per day.', 10_000),
  })
  .openapi('PlanLimits', { description: 'The requests that an account may make.' });

const SystemSchema = z
  .object({
    version: text(50, 'The release of the service.', '1.0.0'),
    runtime: text(50, 'The runtime and its version.', 'Node 26.10.0'),
    environment: z.enum(ENVIRONMENTS).openapi('Environment', { description: 'The kind of keys.' }),
    engine: z.enum(['sqlite', 'postgresql']).openapi('Engine', { description: 'The database.' }),
    databaseBytes: wholeNumber('The size of the database on disk.', 104_857_600),
    ledger: z
      .object({ head: PointSchema, start: PointSchema })
      .openapi({ description: 'The newest movement, and the last one that a prune may have deleted.' }),
    newestBackup: z
      .object({
        madeAt: moment('When its copy began.'),
        ageSeconds: wholeNumber('How old it is.', 3_600),
        sequence: wholeNumber('The newest movement in it; 0 without one.', 4711),
        bytes: wholeNumber('The size of its file.', 4_194_304),
      })
      .nullable()
      .openapi('NewestBackup', {
        description: 'The newest backup whose restore was verified; `null` before the first one.',
      }),
    startedAt: moment('When this instance started.'),
    uptimeSeconds: wholeNumber('How long this instance runs.', 86_400),
    instances: z.int().nullable().openapi({
      format: 'int32',
      minimum: 1,
      maximum: 1_000_000,
      description: 'The instances on the database; `null` where that is not known.',
      example: 1,
    }),
    statusPolicy: z
      .enum(STATUS_POLICIES)
      .openapi('StatusPolicy', { description: 'How the status of a pet follows its stock.' }),
    limits: z
      .object({
        maxQuantity: wholeNumber('The largest quantity of a pet.', 9007199254740991),
        orderHoldSeconds: wholeNumber('How long an order reserves its units; 0: without end.', 1_800),
        maxStreams: wholeNumber('Live streams of an instance.', 5_000),
        addressPerMinute: wholeNumber('Requests of an address without a valid key.', 60),
        managementPerMinute: wholeNumber('Requests of a management key.', REQUESTS_PER_MINUTE),
        managementCostlyPerMinute: wholeNumber('Costly requests of a management key.', COSTLY_PER_MINUTE),
        maxImportBytes: wholeNumber('The largest file of an import.', 268_435_456),
        plans: z
          .object({ free: PlanLimitsSchema, pro: PlanLimitsSchema, business: PlanLimitsSchema })
          .openapi({ description: 'The plans with fixed limits.' }),
      })
      .openapi({ description: 'The limits of this instance.' }),
  })
  .openapi({ description: 'Facts about the running service.' });

/** The running service at a moment. */
interface SystemNow extends SystemFacts {
  readonly environment: Environment;
  readonly databaseBytes: number;
  readonly newestBackup: NewestBackup | undefined;
  readonly head: LedgerHead;
  readonly start: LedgerHead;
  readonly nowMs: number;
}

const SYSTEM = view('SystemFacts', SystemSchema, (system: SystemNow) => {
  const { version, runtime, environment, engine, databaseBytes, startedAtMs, settings } = system;
  const { statusPolicy, maxQuantity, orderHoldSeconds, maxStreams, addressLimit, maxImportBytes } = settings;
  return {
    version,
    runtime,
    environment,
    engine,
    databaseBytes,
    ledger: { head: pointMembers(system.head), start: pointMembers(system.start) },
    newestBackup: system.newestBackup ? backupMembers(system.newestBackup, system.nowMs) : null,
    startedAt: timestamp(startedAtMs),
    uptimeSeconds: Math.max(0, Math.floor((system.nowMs - startedAtMs) / 1_000)),
    // A file has one. Those of a server are not counted.
    instances: engine === 'sqlite' ? 1 : null,
    statusPolicy,
    limits: {
      maxQuantity,
      orderHoldSeconds,
      maxStreams,
      addressPerMinute: addressLimit,
      managementPerMinute: REQUESTS_PER_MINUTE,
      managementCostlyPerMinute: COSTLY_PER_MINUTE,
      maxImportBytes,
      plans: PLAN_LIMITS,
    },
  };
});

function backupMembers(backup: NewestBackup, nowMs: number) {
  const { madeAtMs, sequence, bytes } = backup;
  return { madeAt: timestamp(madeAtMs), ageSeconds: backupAgeSeconds(backup, nowMs), sequence, bytes };
}

function pointMembers({ sequence, recordedAtMs }: LedgerHead) {
  return { sequence, recordedAt: sequence === 0 ? null : timestamp(recordedAtMs) };
}

export const getSystem = operation({
  id: 'getSystem',
  at: 'GET /system',
  summary: 'Get facts about the service',
  description: 'Returns the version, the database, the ledger, the limits and the policies of this instance.',
  access: { role: 'viewer' },
  output: one(SYSTEM, { description: 'The facts.' }),
  handle: async ({ store, facts }, { context }) => {
    const [databaseBytes, newestBackup, head, start] = await Promise.all([
      store.databaseBytes(),
      store.newestBackup(),
      store.ledger.head(),
      store.ledger.retentionStart(),
    ]);
    const { environment } = store;
    return { ...facts, environment, databaseBytes, newestBackup, head, start, nowMs: context.nowMs };
  },
});
