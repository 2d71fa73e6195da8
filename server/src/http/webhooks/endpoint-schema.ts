import { z } from '@hono/zod-openapi';
import { MAX_LOGGED_ATTEMPTS } from '../../domain/webhooks/webhook-endpoint.ts';
import { moment, text, VersionSchema, wholeNumber } from '../schemas/values.ts';
import {
  DescriptionSchema,
  EventTypeSchema,
  PetIdsSchema,
  StatusesSchema,
  TypesSchema,
  UrlSchema,
} from './endpoint-values.ts';

export const ACCOUNT_ID = /^acc_[0-9A-Za-z]{16}$/;
/** The highest limit of endpoints per account. */
export const MAX_LISTED = 1_000;

const POSITION = '[0-9]{1,16}\\.[0-9]{1,9}';
const EVENT_POSITION = { pattern: `^${POSITION}$`, example: '815.0' };
/** Also accepts a position. */
export const EVENT_ID = { pattern: `^${POSITION}(?:-[0-9a-f]{8})?$`, example: '815.0-1a2b3c4d' };

export const EndpointSchema = z
  .object({
    id: z.string().openapi('WebhookEndpointId', {
      pattern: '^whe_[0-9A-Za-z]{16}$',
      description: 'The id of a webhook endpoint.',
      example: 'whe_4fQ2n8Zk1bXw0aLr',
    }),
    accountId: z.string().openapi({
      pattern: ACCOUNT_ID.source,
      description: 'The id of its account.',
      example: 'acc_7dM3kPq9sTv2Wx5Y',
    }),
    url: UrlSchema,
    description: DescriptionSchema,
    types: TypesSchema,
    petIds: PetIdsSchema,
    statuses: StatusesSchema,
    version: VersionSchema.openapi({ description: 'The number of changes of the endpoint.' }),
    createdAt: moment('When it was made.'),
    updatedAt: moment('When it was last changed.'),
    pausedAt: moment('Since when nothing is sent to it; `null`: it is active.').nullable(),
    pauseReason: z
      .string()
      .openapi({
        pattern: '^[a-z_]{1,40}$',
        description:
          '`requested`: by a request; `failing`: it failed for 3 days; `gone`: it answered 410. Reasons may be added.',
        example: 'failing',
      })
      .nullable(),
    previousSecretExpiresAt: moment('Until when the previous secret signs too, after a rotation.').nullable(),
    lastEventId: z.string().openapi({
      ...EVENT_POSITION,
      description:
        'The place among the events up to which all are delivered, or do not match: the part of an id before its `-`.',
    }),
    failingSince: moment('Since when the delivery of the next event fails.').nullable(),
    failures: wholeNumber('Failed attempts to deliver the next event.', 0),
    retryAt: moment('When the next attempt follows.').nullable(),
  })
  .openapi('WebhookEndpoint', {
    description: 'A URL that receives events, and the state of its deliveries.',
  });

export const WithSecretSchema = z
  .object({
    endpoint: EndpointSchema,
    secret: z.string().openapi({
      pattern: '^whsec_[A-Za-z0-9+/=]{44}$',
      description: 'The secret that signs the messages (Standard Webhooks). It is shown only now.',
    }),
  })
  .openapi('WebhookEndpointWithSecret', { description: 'An endpoint and its new secret.' });

export const AttemptSchema = z
  .object({
    number: wholeNumber('The count of the attempts of the endpoint.', 42),
    eventId: z.string().openapi({
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      description: 'The `webhook-id` of the message.',
      example: EVENT_ID.example,
    }),
    eventType: EventTypeSchema,
    attempt: wholeNumber('1 for the first attempt of this event since the last success.', 1),
    attemptedAt: moment('When it began.'),
    durationMs: wholeNumber('How long it took, in milliseconds.', 31),
    statusCode: z
      .int()
      .openapi({
        format: 'int32',
        minimum: 100,
        maximum: 999,
        description: 'The status of the response.',
        example: 204,
      })
      .nullable(),
    error: text(2_000, 'Why it failed, as a sentence; `null` for a success.', null).nullable(),
    response: text(2_000, 'The beginning of the body of the response.', '').nullable(),
  })
  .openapi('WebhookAttempt', { description: 'An attempt to deliver an event.' });

export const AttemptsSchema = z.array(AttemptSchema).max(MAX_LOGGED_ATTEMPTS);

export const EndpointsSchema = z.array(EndpointSchema).max(MAX_LISTED);
