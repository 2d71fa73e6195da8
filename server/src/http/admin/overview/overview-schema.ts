import { z } from '@hono/zod-openapi';
import { MAX_COUNTED, MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { NAMED_ALERTS, NAMED_CATEGORIES } from '../../../domain/management/overview.ts';
import { moment, wholeNumber } from '../../schemas/values.ts';
import { ManagedPetSchema } from '../pets/managed-pet.ts';
import { HOURS } from './movements-per-hour.ts';

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

export const OverviewSchema = z
  .object({
    countedAt: moment('When `pets`, `alerts` and `categories` were counted.'),
    pets: PetTotalsSchema,
    alerts: z.array(ManagedPetSchema).openapi({
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
        paused: wholeNumber('Those that are paused.', 0),
        failing: wholeNumber('Those whose last delivery failed, and that are not paused.', 1),
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
  .openapi('Overview', { description: 'The state of the whole shop.' });
