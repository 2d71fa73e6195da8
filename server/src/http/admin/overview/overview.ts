import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '@petstore-inventory/shared/durations';
import { MAX_COUNTED, MAX_PET_TEXT, ORDER_EXPIRING_MS } from '@petstore-inventory/shared/limits';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import type { Ledger } from '../../../domain/ledger-store.ts';
import {
  type EndpointStates,
  NAMED_ALERTS,
  NAMED_CATEGORIES,
  type OpenOrders,
} from '../../../domain/management/overview.ts';
import type { Store } from '../../../domain/store.ts';
import { timestamp } from '../../../domain/timestamps.ts';
import { operationsWith } from '../../operation/operation.ts';
import { one, textView } from '../../operation/output.ts';
import { moment, wholeNumber } from '../../schemas/values.ts';
import { MANAGED_PET } from '../managed-pet.ts';
import type { CountedTotals, TotalsCounter } from './counted-totals.ts';

const operation = operationsWith<{
  readonly store: Store;
  readonly management: ManagementStore;
  readonly totals: TotalsCounter;
}>({ tag: 'Store' });

const HOURS = 24;

const upTo = `at most ${MAX_COUNTED} are counted`;
const pets = (which: string, example: number) => wholeNumber(`Pets ${which}.`, example);

const PetTotalsSchema = z
  .object({
    total: pets('that are not archived', 1204),
    archived: pets('that are archived', 12),
    available: pets('with the status `available`', 1100),
    pending: pets('with the status `pending`', 64),
    sold: pets('with the status `sold`', 40),
    low: pets('that are low', 30),
    out: pets('that are out', 6),
    oversold: pets('that are oversold', 1),
  })
  .openapi('PetTotals', { description: 'Numbers of pets. Only `archived` counts archived ones.' });

const CategoryTotalsSchema = z
  .object({
    category: z.string().nullable().openapi({
      maxLength: MAX_PET_TEXT,
      description: 'Its name; `null`: pets without one.',
      example: 'Dogs',
    }),
    pets: pets('of the category', 220),
    units: wholeNumber('Their quantity, rounded where it is very large.', 900),
    alerts: pets('of it with an alert level', 7),
  })
  .openapi('CategoryTotals', { description: 'The pets of a category.' });

const OverviewSchema = z
  .object({
    countedAt: moment('When `pets`, `alerts` and `categories` were counted.'),
    pets: PetTotalsSchema,
    alerts: z.array(MANAGED_PET.schema).openapi({
      maxItems: NAMED_ALERTS,
      description: 'Pets with an alert level: the most severe first, then those that changed last.',
    }),
    categories: z.array(CategoryTotalsSchema).openapi({
      maxItems: NAMED_CATEGORIES,
      description: 'The categories with the most pets.',
    }),
    otherPets: pets('of other categories', 3),
    orders: z
      .object({
        placed: wholeNumber(`Placed orders, which wait for approval; ${upTo}.`, 8),
        approved: wholeNumber(`Approved orders, which wait for delivery; ${upTo}.`, 5),
        expiring: wholeNumber(`Placed orders that expire within 15 minutes; ${upTo}.`, 2),
      })
      .openapi('OpenOrders', { description: 'Orders that wait.' }),
    webhooks: z
      .object({
        endpoints: wholeNumber('All endpoints.', 4),
        paused: wholeNumber('Endpoints that are paused.', 0),
        failing: wholeNumber('Endpoints whose last delivery failed, and that are not paused.', 1),
      })
      .openapi('EndpointStates', { description: 'States of webhook endpoints.' }),
    hours: z
      .array(
        z
          .object({
            beganAt: moment('When the hour began.'),
            movements: wholeNumber('Movements recorded in it.', 42),
          })
          .openapi('HourOfMovements', { description: 'The movements of an hour.' }),
      )
      .openapi({
        minItems: HOURS,
        maxItems: HOURS,
        description: 'The last 24 UTC hours, the running one last.',
      }),
  })
  .openapi({ description: 'The state of the whole shop.' });

interface HourOfMovements {
  readonly beganAtMs: number;
  readonly movements: number;
}

interface Overview {
  readonly totals: CountedTotals;
  readonly orders: OpenOrders;
  readonly webhooks: EndpointStates;
  readonly hours: readonly HourOfMovements[];
}

const OVERVIEW = textView('Overview', OverviewSchema, ({ totals, orders, webhooks, hours }: Overview) => {
  const { pets: total, archived, statuses, levels, categories, otherPets, alerts, countedAtMs } = totals;
  const rest = JSON.stringify({
    countedAt: timestamp(countedAtMs),
    pets: { total, archived, ...statuses, ...levels },
    categories,
    otherPets,
    orders,
    webhooks,
    hours: hours.map(({ beganAtMs, movements }) => ({ beganAt: timestamp(beganAtMs), movements })),
  });
  return `{"alerts":[${alerts.map(MANAGED_PET.json).join()}],${rest.slice(1)}`;
});

export const getOverview = operation({
  id: 'getOverview',
  at: 'GET /overview',
  summary: 'Get the state of the shop',
  description:
    'Returns totals of pets, the pets with the most severe alerts, orders that wait, the states of webhook endpoints and the movements of the last hours. Pets are counted at most one twentieth of the time, so that totals of a million pets may be minutes old: see `countedAt`.',
  access: { role: 'viewer' },
  output: one(OVERVIEW, { description: 'The state of the shop.' }),
  handle: async ({ management: { overview }, store, totals: counter }, { context: { nowMs } }) => {
    const [totals, orders, webhooks, hours] = await Promise.all([
      counter.read(nowMs),
      overview.openOrders(nowMs + ORDER_EXPIRING_MS),
      overview.endpointStates(),
      movementsPerHour(store.ledger, nowMs),
    ]);
    return { totals, orders, webhooks, hours };
  },
});

/**
 * The movements of each of the last hours, the running one last. Sequences have no gaps, so that the last movement
 * before each hour is enough. Movements that a prune may have deleted are not counted.
 */
async function movementsPerHour(
  ledger: Pick<Ledger, 'head' | 'retentionStart' | 'sequenceAt'>,
  nowMs: number,
): Promise<readonly HourOfMovements[]> {
  const runningMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const begins = Array.from({ length: HOURS }, (_, i) => runningMs - (HOURS - 1 - i) * HOUR_MS);
  const [start, ...found] = await Promise.all([
    ledger.retentionStart(),
    ...begins.map((beganAtMs) => ledger.sequenceAt(beganAtMs - 1)),
  ]);
  const { sequence: newest } = await ledger.head();
  const before = [...found, newest].map((sequence) => Math.max(sequence, start.sequence));
  return begins.map((beganAtMs, i) => ({
    beganAtMs,
    movements: Math.max(0, (before[i + 1] ?? 0) - (before[i] ?? 0)),
  }));
}
