import { z } from '@hono/zod-openapi';
import { DELIVERY_ERRORS } from '@petstore-inventory/shared/words';
import { MAX_DETAIL_CHARACTERS } from '../../domain/webhooks/webhook-endpoint.ts';
import type { WithSecret } from '../../domain/webhooks/webhook-store.ts';
import { attemptMembers, endpointMembers } from '../../wire/webhook-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { view } from '../operation/output.ts';
import { matching } from '../operation/parameter.ts';
import { ACCOUNT_ID, moment, text, VersionSchema, wholeNumber } from '../schemas/values.ts';
import { EventTypeSchema, SETTINGS, UrlSchema } from './endpoint-values.ts';

/** How responses show endpoints, and the parameters that name one. */

const ENDPOINT_ID = /^whe_[0-9A-Za-z]{16}$/;
const EXAMPLE_ID = 'whe_4fQ2n8Zk1bXw0aLr';

export const ENDPOINT_ID_PARAMETER = matching(ENDPOINT_ID, 'must be such as whe_4fQ2n8Zk1bXw0aLr.', {
  component: 'EndpointId',
  required: true,
  description: 'The id of the endpoint.',
  schema: schemaAt('WebhookEndpointId'),
  example: EXAMPLE_ID,
});

const POSITION = '[0-9]{1,16}\\.[0-9]{1,9}';
const EVENT_POSITION = { pattern: `^${POSITION}$`, example: '815.0' };
/** The id of an event, or a position. */
export const EVENT_ID = { pattern: `^${POSITION}(?:-[0-9a-f]{8})?$`, example: '815.0-1a2b3c4d' };

export const ENDPOINT = view(
  'WebhookEndpoint',
  z
    .object({
      id: z.string().openapi('WebhookEndpointId', {
        pattern: ENDPOINT_ID.source,
        description: 'The id of a webhook endpoint.',
        example: EXAMPLE_ID,
      }),
      accountId: z.string().openapi({
        pattern: ACCOUNT_ID.source,
        description: 'The id of its account.',
        example: 'acc_7dM3kPq9sTv2Wx5Y',
      }),
      url: UrlSchema,
      ...SETTINGS,
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
      previousSecretExpiresAt: moment(
        'Until when the previous secret signs too, after a rotation.',
      ).nullable(),
      lastEventId: z.string().openapi({
        ...EVENT_POSITION,
        description:
          'The place among the events up to which all are delivered, or do not match: the part of an id before its `-`.',
      }),
      failingSince: moment('Since when the delivery of the next event fails.').nullable(),
      failures: wholeNumber('Failed attempts to deliver the next event.', 0),
      retryAt: moment('When the next attempt follows.').nullable(),
    })
    .openapi({ description: 'A URL that receives events, and the state of its deliveries.' }),
  endpointMembers,
);

export const WITH_SECRET = view(
  'WebhookEndpointWithSecret',
  z
    .object({
      endpoint: ENDPOINT.schema,
      secret: z.string().openapi({
        pattern: '^whsec_[A-Za-z0-9+/=]{44}$',
        description: 'The secret that signs the messages (Standard Webhooks). It is shown only now.',
      }),
    })
    .openapi({ description: 'An endpoint and its new secret.' }),
  ({ endpoint, secret }: WithSecret) => ({ endpoint: endpointMembers(endpoint), secret }),
);

export const ATTEMPT = view(
  'WebhookAttempt',
  z
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
      errorCode: z
        .enum(DELIVERY_ERRORS)
        .openapi({ description: 'Why it failed; `null` for a success.', example: 'connection_refused' })
        .nullable(),
      errorDetail: text(
        MAX_DETAIL_CHARACTERS,
        'The code of the system or of TLS, or the name that has no address, where there is one.',
        'ECONNREFUSED',
      ).nullable(),
      response: text(2_000, 'The beginning of the body of the response.', '').nullable(),
    })
    .openapi({ description: 'An attempt to deliver an event.' }),
  attemptMembers,
);
