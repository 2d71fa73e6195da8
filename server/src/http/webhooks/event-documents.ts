import { type RouteConfig, z } from '@hono/zod-openapi';
import { MAX_WEBHOOK_URL } from '@petstore-inventory/shared/limits';
import { banEventMembers, quotaEventMembers } from '../../domain/management/usage-events.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { EVENT_TYPES, type EventType } from '../../domain/webhooks/events.ts';
import { pausedEventMembers } from '../../domain/webhooks/webhook-endpoint.ts';
import { MOVEMENT } from '../movements/movement.ts';
import { schemaOf } from '../operation/output.ts';
import { ORDER } from '../orders/order-views.ts';
import { ActorSchema } from '../schemas/actor.ts';
import { ACCOUNT_ID, KEY_ID_PATTERN, moment, text, wholeNumber } from '../schemas/values.ts';
import { ATTEMPT, ENDPOINT } from './endpoint-views.ts';
import { eventSamples, SAMPLE_TIME_MS } from './event-samples.ts';

/**
 * The messages that endpoints receive, for the document. The compiler compares the schemas with the functions that write the data.
 * Nothing of them is a component of its own, because oapi-codegen drops components that only webhooks use.
 */

const ACCOUNT = z.string().openapi({
  pattern: ACCOUNT_ID.source,
  description: 'The id of the account.',
  example: 'acc_7dM3kPq9sTv2Wx5Y',
});

const BAN = schemaOf(
  z
    .object({
      accountId: ACCOUNT,
      keyId: z.string().openapi({
        pattern: KEY_ID_PATTERN,
        description: 'The id of the key.',
        example: 'key_4fQ2n8Zk1bXw0aLr',
      }),
      hint: text(100, 'The key without its secret part.', 'psk_live_…aLr'),
      level: wholeNumber('The place among bans that follow each other: each is longer than the last.', 1),
      bannedAt: moment('When the ban began.'),
      endsAt: moment('When the ban ends.'),
    })
    .openapi({ description: 'A key that is refused for some time.' }),
  banEventMembers,
);

const QUOTA = schemaOf(
  z
    .object({
      accountId: ACCOUNT,
      percent: wholeNumber('The share of the limit that is used.', 80),
      limit: wholeNumber('Requests per UTC day.', 10_000),
      used: wholeNumber('Requests of this UTC day.', 8_000),
      windowEndsAt: moment('When the day ends.'),
    })
    .openapi({ description: 'The use of the requests of a day.' }),
  quotaEventMembers,
);

const { id, pauseReason } = ENDPOINT.schema.shape;

const PAUSED = schemaOf(
  z
    .object({
      id,
      url: text(MAX_WEBHOOK_URL, 'Its URL without the values of its query.', 'https://shop.example/hooks'),
      pauseReason: pauseReason.unwrap(),
      pausedAt: moment('When it was paused.'),
    })
    .openapi({ description: 'An endpoint that gets no more events.' }),
  pausedEventMembers,
);

const ORDER_EVENT = z
  .object({ order: ORDER.schema, actor: ActorSchema })
  .openapi({ description: 'An order after a step, and the author of the step.' });

const TEST = z.object({ endpointId: id }).openapi({ description: 'The endpoint that is tested.' });

interface Event {
  readonly summary: string;
  readonly data: z.ZodType;
}

const EVENTS: Readonly<Record<EventType | 'webhook.test', Event>> = {
  'inventory.changed': { summary: 'A movement', data: MOVEMENT.schema },
  'inventory.low': { summary: 'A pet is low', data: MOVEMENT.schema },
  'inventory.out': { summary: 'A pet is out of stock', data: MOVEMENT.schema },
  'inventory.back': { summary: 'A pet is back in stock', data: MOVEMENT.schema },
  'inventory.oversold': { summary: 'More units of a pet are reserved than present', data: MOVEMENT.schema },
  'order.placed': { summary: 'An order is placed', data: ORDER_EVENT },
  'order.approved': { summary: 'An order is approved', data: ORDER_EVENT },
  'order.delivered': { summary: 'Units of an order are delivered', data: ORDER_EVENT },
  'order.cancelled': { summary: 'Units of an order are cancelled', data: ORDER_EVENT },
  'order.expired': { summary: 'An order has expired', data: ORDER_EVENT },
  'order.returned': { summary: 'Units of an order are returned', data: ORDER_EVENT },
  'api_key.banned': { summary: 'A key of the account is banned', data: BAN },
  'quota.reached': { summary: 'The account has used 80 or 100 percent of a day', data: QUOTA },
  'webhook_endpoint.paused': { summary: 'Another endpoint of the account is paused', data: PAUSED },
  'webhook.test': { summary: 'The test of an endpoint, outside of the order of events', data: TEST },
};

/** The headers of Standard Webhooks 1.0. */
const HEADERS = [
  messageHeader(
    'webhook-id',
    'The id of the event: ignore one that was processed.',
    '^[A-Za-z0-9._-]{1,64}$',
  ),
  messageHeader('webhook-timestamp', 'When this attempt began, in seconds since 1970.', '^[0-9]{1,12}$'),
  messageHeader(
    'webhook-signature',
    'For each valid secret, `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`.',
    '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$',
  ),
];

function messageHeader(name: string, description: string, pattern: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string', pattern } } as const;
}

/** Each event as a request that the service sends. */
export function eventRoutes(): readonly RouteConfig[] {
  const samples = eventSamples();
  return [...EVENT_TYPES, 'webhook.test' as const].map((type) => routeOf(type, samples[type]));
}

function routeOf(type: EventType | 'webhook.test', sample: string): RouteConfig {
  const { summary, data } = EVENTS[type];
  const eventId = type === 'webhook.test' ? 'test_0c7f3f58' : '815.0-1a2b3c4d';
  const example = {
    id: eventId,
    type,
    timestamp: timestamp(SAMPLE_TIME_MS),
    data: JSON.parse(sample) as unknown,
  };
  return {
    method: 'post',
    path: type,
    operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Webhooks'],
    summary,
    description: `The message \`${type}\`. Members may be added.`,
    security: [],
    parameters: [...HEADERS],
    request: {
      body: {
        required: true,
        content: {
          'application/json': {
            schema: z.object({
              id: ATTEMPT.schema.shape.eventId,
              type: z.literal(type).openapi({ description: 'The type of the event.' }),
              timestamp: moment('When the event was recorded.'),
              data,
            }),
            example,
          },
        },
      },
    },
    responses: {
      204: { description: 'The event is stored. Any 2xx is taken so; anything else is sent again.' },
      410: { description: 'The receiver is gone: the endpoint is paused.' },
    },
  };
}
