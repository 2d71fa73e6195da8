import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_FILTER_PETS, MAX_WEBHOOK_DESCRIPTION, MAX_WEBHOOK_URL } from '@petstore-inventory/shared/limits';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { EVENT_TYPES } from '../../domain/webhooks/events.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { hasUriCharacters } from '../schemas/uri.ts';

const URL_RULE = `must be an absolute URL of ${MAX_WEBHOOK_URL} characters at most, such as https://shop.example/hooks.`;
const DESCRIPTION_RULE = `must be a text of ${MAX_WEBHOOK_DESCRIPTION} characters at most, well-formed and without U+0000.`;
const TYPE_RULE = `must be one of ${EVENT_TYPES.join(', ')}.`;
const STATUS_RULE = `must be one of ${PET_STATUSES.join(', ')}.`;
const TYPES_RULE = 'must be null or an array of different event types, at least one.';
const PET_IDS_RULE = `must be null or an array of 1 to ${MAX_FILTER_PETS} different petIds.`;
const STATUSES_RULE = 'must be null or an array of different statuses, at least one.';

/** The members of an endpoint that a client sets. */

export const UrlSchema = z
  .string(URL_RULE)
  .refine(
    (text) => text.length <= MAX_WEBHOOK_URL && isStorableText(text) && hasUriCharacters(text),
    URL_RULE,
  )
  .openapi('WebhookUrl', {
    format: 'uri',
    maxLength: MAX_WEBHOOK_URL,
    description:
      'Where events are sent: a URL with `https:`, without a user name, on a public address. A fragment is not sent.',
    example: 'https://shop.example/hooks',
  });

const DescriptionSchema = z
  .string(DESCRIPTION_RULE)
  .refine((text) => hasAtMost(text, MAX_WEBHOOK_DESCRIPTION) && isStorableText(text), DESCRIPTION_RULE)
  .nullable()
  .openapi('WebhookDescription', {
    maxLength: MAX_WEBHOOK_DESCRIPTION,
    description: 'A remark for people, without U+0000.',
    example: 'The accounting system.',
  });

export const EventTypeSchema = z
  .string(TYPE_RULE)
  .refine((text) => (EVENT_TYPES as readonly string[]).includes(text), TYPE_RULE)
  .openapi('WebhookEventType', {
    pattern: '^[a-z_]+\\.[a-z_]+$',
    description: `The type of an event: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}. Types may be added.`,
    example: 'inventory.low',
  });

const TypesSchema = listOf(EventTypeSchema, { max: EVENT_TYPES.length, rule: TYPES_RULE }).openapi(
  'WebhookTypes',
  {
    uniqueItems: true,
    description: 'Only events of these types; `null`: of all types, also of those that later releases add.',
  },
);

const PetIdsSchema = listOf(ExactPetIdSchema, { max: MAX_FILTER_PETS, rule: PET_IDS_RULE }).openapi(
  'WebhookPetIds',
  {
    description:
      'Only events of these pets, each named one time; `null`: of all pets. An order matches with one of its lines.',
  },
);

const StatusesSchema = listOf(z.enum(PET_STATUSES, STATUS_RULE).openapi('PetStatus'), {
  max: PET_STATUSES.length,
  rule: STATUSES_RULE,
}).openapi('WebhookStatuses', {
  uniqueItems: true,
  description:
    'Only movements after which the pet has one of these statuses, and all other events; `null`: all.',
});

/** What an endpoint has besides its URL, and a request may leave out. */
export const SETTINGS = {
  description: DescriptionSchema,
  types: TypesSchema,
  petIds: PetIdsSchema,
  statuses: StatusesSchema,
};

/** An array of different values, or `null`. */
function listOf<T>(item: z.ZodType<T>, { max, rule }: { readonly max: number; readonly rule: string }) {
  return z
    .array(item, rule)
    .min(1, rule)
    .max(max, rule)
    .refine((values) => new Set(values).size === values.length, rule)
    .nullable();
}
