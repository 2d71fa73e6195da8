import { z } from '@hono/zod-openapi';
import { MAX_FILTER_PETS } from '@petstore-inventory/shared/limits';
import { ApiError } from '../../domain/errors.ts';
import { onlySet } from '../../domain/only-set.ts';
import { EVENT_TYPES, type EventType } from '../../domain/webhooks/events.ts';
import type { WebhookEndpointChanges, WebhookSending } from '../../domain/webhooks/webhook-store.ts';
import { MAX_BODY_BYTES } from '../request/json-body.ts';
import type { JsonLimits } from '../request/json-limits.ts';
import { ACCOUNT_ID, ACCOUNT_ID_RULE } from '../schemas/values.ts';
import { SETTINGS, UrlSchema } from './endpoint-values.ts';

const MEMBERS = z.object(SETTINGS).partial().shape;

/** The members of an endpoint to make. */
const NEW_MEMBERS = { url: UrlSchema, ...MEMBERS };

const EXAMPLE = { types: ['inventory.low', 'inventory.out'], petIds: [7, 8] };

export const NewEndpointSchema = z
  .strictObject(NEW_MEMBERS, { error: 'must be a JSON object with the member url.' })
  .openapi('WebhookEndpointRequest', {
    description: 'An endpoint to make. A filter that is missing does not restrict the events.',
    example: { url: 'https://shop.example/hooks', ...EXAMPLE },
  });

export const EndpointForAccountSchema = z
  .strictObject(
    {
      accountId: z
        .string(ACCOUNT_ID_RULE)
        .regex(ACCOUNT_ID, ACCOUNT_ID_RULE)
        .openapi({ description: 'The account that it belongs to.' }),
      ...NEW_MEMBERS,
    },
    { error: 'must be a JSON object with the members accountId and url.' },
  )
  .openapi('WebhookEndpointForAccount', {
    description: 'An endpoint to make, and its account.',
    example: { accountId: 'acc_7dM3kPq9sTv2Wx5Y', url: 'https://shop.example/hooks' },
  });

export const EndpointChangesSchema = z
  .strictObject({ url: UrlSchema.optional(), ...MEMBERS }, { error: 'must be a JSON object.' })
  .openapi('WebhookEndpointChanges', {
    description: 'New values of an endpoint. A member that is missing keeps its value.',
    example: EXAMPLE,
  });

/** 1,000 petIds of 20 characters, and the longest texts with escapes. */
const MAX_ENDPOINT_BYTES = 4 * MAX_BODY_BYTES;

/** Limits that no valid body exceeds: its members, and the elements of its arrays. */
const LIMITS: JsonLimits = {
  values: MAX_FILTER_PETS + EVENT_TYPES.length + 16,
  elements: MAX_FILTER_PETS,
  elementsRule: `An array of the body has more than ${MAX_FILTER_PETS} elements.`,
};

/** How to read either body. */
export const READING = { maxBytes: MAX_ENDPOINT_BYTES, hasPetIdArrays: true, limits: LIMITS };

export type NewEndpoint = z.infer<typeof NewEndpointSchema>;

/** The given members of a body for the store. @throws ApiError `validation_failed` for a URL that is not allowed. */
export function changesOf(
  body: z.infer<typeof EndpointChangesSchema>,
  sending: WebhookSending,
): WebhookEndpointChanges {
  const { url, types, petIds } = body;
  const fault = url === undefined ? undefined : sending.urlFault(url);
  if (fault !== undefined) throw new ApiError('validation_failed', `url: ${fault}`);
  return onlySet<WebhookEndpointChanges>({
    ...body,
    types: types as readonly EventType[] | null | undefined,
    petIds: petIds?.toSorted((a, b) => (a < b ? -1 : 1)) ?? petIds,
  });
}
