import { z } from '@hono/zod-openapi';
import { ENVIRONMENTS } from '../../../domain/access/api-key.ts';
import { STATUS_POLICIES } from '../../../domain/inventory.ts';
import type { LedgerHead } from '../../../domain/ledger/ledger.ts';
import { timestamp } from '../../../domain/timestamps.ts';
import { COSTLY_PER_MINUTE, REQUESTS_PER_MINUTE } from '../../access/management-limits.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { moment, text, wholeNumber } from '../../schemas/values.ts';
import { ADMIN_ERRORS, adminOperation, respondJson } from '../admin-operation.ts';

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
  .openapi('SystemFacts', { description: 'Facts about the running service.' });

export const getSystem = adminOperation({
  route: {
    operationId: 'getSystem',
    method: 'get',
    path: '/system',
    tags: ['System'],
    summary: 'Get facts about the service',
    description:
      'Returns the version, the database, the ledger, the limits and the policies of this instance.',
    'x-stability': 'beta',
    responses: responses({
      success: { schema: SystemSchema, description: 'The facts.' },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ store, facts, importing }) =>
    async (context) => {
      requireNoQuery(context);
      const [databaseBytes, head, start] = await Promise.all([
        store.databaseBytes(),
        store.ledger.head(),
        store.ledger.retentionStart(),
      ]);
      const { version, runtime, engine, startedAtMs, settings, plans } = facts;
      const { statusPolicy, maxQuantity, orderHoldSeconds, maxStreams, addressLimit } = settings;
      return respondJson(context, 200, {
        version,
        runtime,
        environment: store.environment,
        engine,
        databaseBytes,
        ledger: { head: pointJson(head), start: pointJson(start) },
        startedAt: timestamp(startedAtMs),
        uptimeSeconds: Math.max(0, Math.floor((context.nowMs - startedAtMs) / 1_000)),
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
          maxImportBytes: importing.maxBytes,
          plans,
        },
      });
    },
});

function pointJson({ sequence, recordedAtMs }: LedgerHead): object {
  return { sequence, recordedAt: sequence === 0 ? null : timestamp(recordedAtMs) };
}
