import { timestamp } from '../../../domain/timestamps.ts';
import { responses } from '../../openapi/responses.ts';
import { JSON_TYPE } from '../../request/error-response.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { managedPetJson } from '../pets/managed-pet.ts';
import { TotalsCounter } from './counted-totals.ts';
import { movementsPerHour } from './movements-per-hour.ts';
import { OverviewSchema } from './overview-schema.ts';

/** Orders that expire this soon are counted. */
const EXPIRING_MS = 15 * 60_000;

export const getOverview = adminOperation({
  route: {
    operationId: 'getOverview',
    method: 'get',
    path: '/overview',
    tags: ['Store'],
    summary: 'Get the state of the shop',
    description:
      'Returns totals of pets, the pets with the most severe alerts, orders that wait, the states of webhook endpoints and the movements of the last hours. Pets are counted at most one twentieth of the time, so that totals of a million pets may be minutes old: see `countedAt`.',
    'x-stability': 'beta',
    responses: responses({
      success: { schema: OverviewSchema, description: 'The state of the shop.' },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create: ({ management, store }) => {
    const counter = new TotalsCounter(management.overview);
    return async (context) => {
      requireNoQuery(context);
      const { nowMs } = context;
      const [totals, orders, webhooks, hours] = await Promise.all([
        counter.read(nowMs),
        management.overview.openOrders(nowMs + EXPIRING_MS),
        management.overview.endpointStates(),
        movementsPerHour(store.ledger, nowMs),
      ]);
      const { pets, archived, statuses, levels, categories, otherPets, countedAtMs } = totals;
      const rest = JSON.stringify({
        countedAt: timestamp(countedAtMs),
        pets: { total: pets, archived, ...statuses, ...levels },
        categories,
        otherPets,
        orders,
        webhooks,
        hours: hours.map(({ beganAtMs, movements }) => ({ beganAt: timestamp(beganAtMs), movements })),
      });
      const body = `{"alerts":[${totals.alerts.map(managedPetJson).join()}],${rest.slice(1)}`;
      return context.respond(200, body, { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' });
    };
  },
});
